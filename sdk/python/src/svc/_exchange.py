"""The retry loop, through which every call passes.

It does no input and output itself: it yields what to do, and receives what came of it. So the
blocking and the asynchronous client run the same code.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any, TypeAlias, TypeVar

from ._call import Request, new_key
from ._clock import Clock
from ._error import SECRET_PREFIXES, Outcome, SvcError
from ._retry import Budget, Repeat, is_in_progress, pause_before_retry

_PREVIEW_BYTES = 200
_EARLY = ("account_paused", "account_suspended", "address_not_allowed", "insufficient_scope")
"""Refusals that the platform makes before it looks at the idempotency key."""


@dataclass(frozen=True)
class Send:
    """Send a request, and wait at most `limit` seconds for the whole answer."""

    request: Request
    limit: float


@dataclass(frozen=True)
class Pause:
    """Wait."""

    seconds: float


@dataclass(frozen=True)
class Reply:
    """An answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Lost:
    """There is no answer."""

    message: str
    was_sent: bool


T = TypeVar("T")
Step: TypeAlias = Send | Pause
Flow: TypeAlias = Generator[Step, Reply | Lost | None, T]
"""A computation that sends requests; it ends with a `T`."""


@dataclass(frozen=True)
class Limits:
    """How long and how often a client tries."""

    retries: int = 2
    timeout: float = 120.0
    """For a whole call, with its retries."""
    attempt_timeout: float = 30.0
    max_retry_wait: float = 60.0
    """The longest Retry-After that is obeyed; a longer one is an error at once."""

    def patient(self, seconds: float) -> Limits:
        """The same limits for an answer that the server delays on purpose."""
        timeout, attempt = self.timeout + seconds, self.attempt_timeout + seconds
        return replace(self, timeout=timeout, attempt_timeout=attempt)


def exchange(request: Request, limits: Limits, budget: Budget, clock: Clock) -> Flow[Reply]:
    """Sends a request, with as many retries as its outcome allows."""
    course = _Course(limits, budget, clock)
    while True:
        course.attempts += 1
        reply = yield Send(request, course.attempt_limit())
        if isinstance(reply, Reply) and 200 <= reply.status < 300:
            if course.attempts == 1:
                budget.give_back()
            return reply
        error = failure(reply, clock)
        course.may_have_acted |= error.outcome == "unknown"
        pause = course.pause(error, request.repeat)
        if pause is None:
            raise course.explained(error, request)
        yield Pause(pause)
        if request.repeat is Repeat.NEW_KEY:
            renewed = {**request.headers, "Idempotency-Key": new_key(clock.now())}
            request = replace(request, headers=renewed)


class _Course:
    """State of a call between its attempts."""

    def __init__(self, limits: Limits, budget: Budget, clock: Clock) -> None:
        self._limits, self._budget, self._clock = limits, budget, clock
        self._end = clock.elapsed() + limits.timeout
        self._retries = 0
        self.attempts = 0
        self.may_have_acted = False
        """Whether an attempt may have had an effect although its answer was lost."""

    def attempt_limit(self) -> float:
        return max(min(self._end - self._clock.elapsed(), self._limits.attempt_timeout), 0.001)

    def pause(self, error: SvcError, repeat: Repeat) -> float | None:
        """How long to wait before the next attempt; `None` if the error is final."""
        pause = pause_before_retry(error, repeat, self._retries, self._clock.dice())
        error.retryable = pause is not None or error.status == 429
        if pause is None or self._limits.retries == 0:
            return None
        if self._clock.elapsed() + pause >= self._end:
            return None
        if error.retry_after is not None and error.retry_after > self._limits.max_retry_wait:
            return None
        # Waiting for a running request is not a retry: it adds no work.
        if is_in_progress(error):
            return pause
        if self._retries >= self._limits.retries or not self._budget.take():
            return None
        self._retries += 1
        return pause

    def explained(self, error: SvcError, request: Request) -> SvcError:
        """Adds what only the loop knows."""
        error.attempts = self.attempts
        error.method, error.path = request.method, request.path
        error.idempotency_key = request.repeat_key()
        # These do not show what became of an earlier attempt; other refusals considered its key.
        is_early = error.status in (401, 429, 503) or error.code in _EARLY
        # After a deletion that took effect, the next attempt finds nothing.
        is_keyless = error.idempotency_key is None and request.method != "GET"
        if self.may_have_acted and (is_early or is_keyless or error.code is None):
            error.outcome = "unknown"
        if request.repeat is Repeat.NEVER and error.outcome == "unknown":
            error.hint = request.lost_hint
        return error


def failure(reply: Reply | Lost | None, clock: Clock) -> SvcError:
    """The error for an answer that is not 2xx, or for none."""
    if not isinstance(reply, Reply):
        lost = reply or Lost("there was no answer", was_sent=True)
        return SvcError(lost.message, "unknown" if lost.was_sent else "not_sent")
    facts = _facts(reply)
    code = _text(facts, "code")
    error = SvcError(
        _text(facts, "error") or _foreign(reply),
        _outcome(reply.status, code),
        status=reply.status,
        code=code,
        field=_text(facts, "field"),
        hint=_text(facts, "hint"),
        request_id=reply.headers.get("x-request-id") or _text(facts, "requestId"),
    )
    error.retry_after = _retry_after(reply.headers.get("retry-after"), clock)
    return error


def _facts(reply: Reply) -> dict[str, Any]:
    """The members of an error body; none if it is not the platform's."""
    try:
        facts = json.loads(reply.body)
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) and _text(facts, "code") else {}


def _text(facts: dict[str, Any], name: str) -> str | None:
    value = facts.get(name)
    return value if isinstance(value, str) else None


def _outcome(status: int, code: str | None) -> Outcome:
    if status == 503 and code is not None and code != "outcome_unknown":
        return "refused"
    if status == 408 or status >= 500 or (status == 409 and code == "idempotency_in_progress"):
        return "unknown"
    return "refused"


def _foreign(reply: Reply) -> str:
    """Describes an answer that is not the platform's by its beginning."""
    if 300 <= reply.status < 400:
        target = reply.headers.get("location", "")[:_PREVIEW_BYTES]
        return f"the server redirects to {target!r}; set the base URL to where the API itself is"
    if not reply.body:
        return "the server refused without a reason"
    text = reply.body.decode(errors="replace")
    if any(prefix in text for prefix in SECRET_PREFIXES):
        return "the server answered [redacted]"
    return f"the server answered {text[:_PREVIEW_BYTES]!r}"


def _retry_after(text: str | None, clock: Clock) -> float | None:
    """The wait in Retry-After: whole seconds, or the time until a date."""
    if text is None:
        return None
    text = text.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(parsedate_to_datetime(text).timestamp() - clock.now(), 0.0)
    except ValueError:
        return None
