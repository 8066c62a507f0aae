"""The bot of the README's kind, killed at a point of its work: `python killed.py POINT`."""

import os
import signal
import sys

from pydantic import BaseModel

from svc import Bot, Ctx


class Killed(Bot):
    """Says what it does, and ends as by a power cut at its point."""

    def _reached(self, point: str) -> None:
        print(point, flush=True)
        if point == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGKILL)


class Ask(BaseModel):
    text: str


class Count(BaseModel):
    words: int


bot = Killed.from_env(journal=f"{os.environ['BOT']}.db")


@bot.service("count-words", price=5, on_crash=os.environ["ON_CRASH"])  # type: ignore[arg-type]
async def count(cx: Ctx, ask: Ask) -> Count:
    print("starts", flush=True)
    return Count(words=len(ask.text.split()))


bot.run()
