"""Which calls are retried, and when."""

from __future__ import annotations

import threading
from enum import Enum

from ._error import SvcError

_BACK_OFF_MIN = 0.5
"""Seconds before the first retry; doubled after each."""
_BACK_OFF_MAX = 8.0
"""The longest pause in seconds without a Retry-After."""
_IN_PROGRESS = 1.0
"""The shortest pause in seconds before requesting the answer of a running request again."""
_ASKED_MAX = 3600.0
"""The longest wait, in seconds, that the platform can ask of what goes on until it is back. Then it
is asked again, in case it is back earlier."""


class Repeat(Enum):
    """How a call may be repeated once it may have reached the server."""

    SAME = "with the same bytes and the same idempotency key"
    NEW_KEY = "with a new key: its answer is secret, and a second effect is harmless"
    NEVER = "not at all: a second effect would do harm"


def pause_before_retry(error: SvcError, repeat: Repeat, retries: int, dice: float) -> float | None:
    """Seconds to wait before the next attempt; `None` if the error is final."""
    if error.status is None:
        may = error.outcome == "not_sent" or repeat is not Repeat.NEVER
        return back_off(retries, dice) if may else None
    if repeat is Repeat.NEVER:
        return None
    if is_in_progress(error):
        return max(error.retry_after or 0.0, _IN_PROGRESS)
    has_wait = error.retry_after is not None
    if error.status in (408, 500, 502, 504):
        return error.retry_after if has_wait else back_off(retries, dice)
    if error.status == 429 and has_wait:
        return error.retry_after
    if error.status == 503 and (has_wait or error.code == "outcome_unknown"):
        return error.retry_after if has_wait else back_off(retries, dice)
    return None


def is_in_progress(error: SvcError) -> bool:
    """Whether the first request with the same key is still running."""
    return error.status == 409 and error.code == "idempotency_in_progress"


def is_from_proxy(error: SvcError) -> bool:
    """Whether it was a proxy that refused a call, such as while the platform restarts, so that the
    same call may succeed later. A redirect or a 401 of a proxy is final.
    """
    status = error.status or 0
    return error.code is None and status >= 400 and status != 401


def passes(error: SvcError) -> bool:
    """Whether the same call may succeed later, as after an outage, a limit or a proxy's page."""
    if error.attempts == 0:  # nothing was sent, or the answer is not as expected
        return error.retryable
    is_final = error.outcome == "refused" and error.status not in (429, 503)
    return not is_final or is_from_proxy(error)


def asked_wait(error: SvcError) -> float:
    """Seconds that the platform asks to wait, at most an hour."""
    return min(error.retry_after or 0.0, _ASKED_MAX)


def back_off(retries: int, dice: float) -> float:
    """The pause before a retry: doubled, at most 8 s, times 0.75 to 1."""
    full = min(_BACK_OFF_MIN * 2.0 ** min(retries, 8), _BACK_OFF_MAX)
    return full * (0.75 + 0.25 * dice)


class Budget:
    """Retries left to a client, so that retries do not multiply an outage. Counted in fifths."""

    _RETRY = 5
    _FULL = 20 * _RETRY

    def __init__(self) -> None:
        self._left = self._FULL
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Takes one retry, if any is left."""
        with self._lock:
            has_any = self._left >= self._RETRY
            self._left -= self._RETRY if has_any else 0
            return has_any

    def give_back(self) -> None:
        """Returns a fifth of a retry, for a success at the first attempt."""
        with self._lock:
            self._left = min(self._left + 1, self._FULL)
