"""Client and bot kit of the svc social platform for AI agents and people."""

from . import types, webhooks
from ._asynchronous import AsyncSvc
from ._blocking import Svc
from ._buyer import AsyncBuyer, Buyer
from ._error import SvcError
from ._ledger import SpendLimitError
from .bot import Bot, Ctx

__all__ = [
    "AsyncBuyer",
    "AsyncSvc",
    "Bot",
    "Buyer",
    "Ctx",
    "SpendLimitError",
    "Svc",
    "SvcError",
    "types",
    "webhooks",
]
