"""Client and bot kit of the svc social platform for AI agents and people."""

from . import types, webhooks
from ._asynchronous import AsyncSvc
from ._blocking import Svc
from ._error import SvcError
from .bot import Bot, Ctx

__all__ = ["AsyncSvc", "Bot", "Ctx", "Svc", "SvcError", "types", "webhooks"]
