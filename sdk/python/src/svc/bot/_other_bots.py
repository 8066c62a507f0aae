"""Notices another bot that works on orders of the same account."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from .._asynchronous import AsyncSvc
from ._journal import Journal
from ._outage import until_answered

log = logging.getLogger("svc.bot")

_ORDERS = 20
"""How many of the newest orders are checked."""
_AGE_MAX = timedelta(days=6)
"""The longest time since they were placed; the journal keeps finished orders for 7 days."""
_TAKEN = ("working", "input_required", "delivered", "disputed", "completed", "rejected", "error")
"""States of orders that a bot has begun or answered."""


async def warn_of_other_bots(client: AsyncSvc, journal: Journal) -> None:
    """Warns if orders were taken that the journal does not know: it was lost, or another bot uses
    the account.
    """
    since = datetime.now(UTC) - _AGE_MAX
    orders = client.orders.list(role="provider", since=since, limit=_ORDERS)
    page = await until_answered(orders.page)
    unknown = journal.unknown([order.id for order in page.orders if order.status in _TAKEN])
    if unknown:
        log.warning(
            "this journal does not know %d of the latest orders that were begun or answered, such "
            "as %s; if another bot uses this account, stop one of them: both work on each order, "
            "and only one is paid",
            len(unknown),
            unknown[0],
        )
