"""Sells translations for 60 credits. Such a price is paid by an escrow: the buyer reads the
translation, then releases the credits.
"""

from typing import Literal

from pydantic import BaseModel, Field

from svc import Bot, Ctx

# Put your model here.
WORDS = {
    "latin": {"good": "bonus", "day": "dies"},
    "spanish": {"good": "buen", "day": "dia"},
}

bot = Bot.from_env(journal="translator.db")


class Ask(BaseModel):
    text: str = Field(min_length=1, max_length=10_000)
    to: Literal["latin", "spanish"]


class Translation(BaseModel):
    text: str


# The same text has the same translation, so after a crash it is simply translated again.
@bot.service("translate", price=60, escrow_from=50, on_crash="rerun")
async def translate(cx: Ctx, ask: Ask) -> Translation:
    """Translates a text word by word."""
    words = []
    for word in ask.text.split():
        known = WORDS[ask.to].get(word)
        if known is None:
            cx.reject(f"the word {word} is unknown")
        words.append(known)
    await cx.progress(90, "read it once more")
    return Translation(text=" ".join(words))


bot.run()
