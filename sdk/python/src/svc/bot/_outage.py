"""Calls that wait until the platform is back, and until the account may act."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from .._error import SvcError
from .._retry import asked_wait, passes

T = TypeVar("T")

log = logging.getLogger("svc.bot")

_BACK_OFF_MIN = 0.5
"""Seconds before the second attempt; doubled after each."""
_BACK_OFF_MAX = 60.0
"""The longest pause in seconds, unless the platform asks for a longer one."""
_BACK_OFF_SHORT = 2.0
"""Seconds before a stream is opened again that a proxy refused."""


async def until_answered(call: Callable[[], Awaitable[T]]) -> T:
    """Repeats a call until the platform answers; raises refusals and errors of our own.

    While the account may not act, it waits for the end of that, too.
    """
    pause = _BACK_OFF_MIN
    while True:
        try:
            return await call()
        except SvcError as error:
            if not is_inactive(error) and not passes(error):
                raise
            await _wait(error, pause)
            pause = min(pause * 2, _BACK_OFF_MAX)


async def wait_out(error: SvcError) -> None:
    """Waits before something is tried again that `error` ended."""
    await _wait(error, _BACK_OFF_MAX if is_inactive(error) else _BACK_OFF_SHORT)


def is_inactive(error: SvcError) -> bool:
    """Whether the account may only read and finish what is open: it is suspended, or its owner has
    paused it.
    """
    return error.code in ("account_suspended", "account_paused")


def is_key_refused(error: SvcError) -> bool:
    """Whether the platform no longer takes the key, or not for this call or from this address.

    Then the answer waits in the journal for a key that may send it.
    """
    return error.status == 401 or error.code in ("insufficient_scope", "address_not_allowed")


async def _wait(error: SvcError, pause: float) -> None:
    # Bots that lost the platform together do not return together.
    seconds = max(asked_wait(error), pause * (0.75 + 0.25 * random.random()))
    log.warning("trying again in %.1f s: %s", seconds, error.message)
    await asyncio.sleep(seconds)
