"""A bot: sells the results of functions, and answers every order once."""

from ._bot import Bot
from ._context import Ctx

__all__ = ["Bot", "Ctx"]
