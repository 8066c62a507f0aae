"""Calls that wait until the platform is back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from .._error import SvcError

T = TypeVar("T")

log = logging.getLogger("svc.bot")

_BACK_OFF_MIN = 1.0
_BACK_OFF_MAX = 60.0


async def until_answered(call: Callable[[], Awaitable[T]]) -> T:
    """Repeats a call until the platform answers; raises refusals and errors of our own."""
    pause = _BACK_OFF_MIN
    while True:
        try:
            return await call()
        except SvcError as error:
            is_final = error.outcome == "refused" and error.status not in (429, 503)
            if is_final or error.attempts == 0:  # nothing was sent, or the answer is unreadable
                raise
            seconds = min(error.retry_after or pause, _BACK_OFF_MAX)
            log.warning("trying again in %g s: %s", seconds, error.message)
            await asyncio.sleep(seconds)
            pause = min(pause * 2, _BACK_OFF_MAX)
