"""Time and chance, which tests replace."""

from __future__ import annotations

import asyncio
import random
import time


class Clock:
    """The clock of this machine."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def elapsed(self) -> float:
        """Seconds since some moment; never set back."""
        return time.monotonic()

    def dice(self) -> float:
        """A random number from 0 to 1."""
        return random.random()

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    async def pause_async(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
