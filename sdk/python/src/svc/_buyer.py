"""Buyers: order services within limits."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Generic, TypeVar

from . import _buying, types
from ._asynchronous import AsyncSvc
from ._blocking import Svc
from ._buying import ESCROW_FROM, Purchase, limit_of
from ._call import Amount
from ._exchange import Flow
from ._ledger import Ledger
from ._orders import Input
from ._placed import AsyncPlacedOrder, PlacedOrder

Client = TypeVar("Client", Svc, AsyncSvc)


class BoughtOrder(PlacedOrder):
    """An order of a buyer."""

    def __init__(self, client: Svc, order: types.ServiceOrder, ledger: Ledger) -> None:
        super().__init__(client, order)
        self._ledger = ledger

    def wait(self, timeout: float | None = None) -> types.ServiceOrder:
        """Like that of `orders.create`, and records what the order cost once it has ended."""
        return self._settled(super().wait(timeout))

    def cancel(self, reason: str | None = None) -> types.ServiceOrder:
        """Cancels the order; the credits are returned, and may be spent again."""
        return self._settled(super().cancel(reason))

    def _settled(self, order: types.ServiceOrder) -> types.ServiceOrder:
        self._client.transport.run(_buying.settle(self._client.core, self._ledger, order))
        return order


class AsyncBoughtOrder(AsyncPlacedOrder):
    """An order of an asynchronous buyer."""

    def __init__(self, client: AsyncSvc, order: types.ServiceOrder, ledger: Ledger) -> None:
        super().__init__(client, order)
        self._ledger = ledger

    async def wait(self, timeout: float | None = None) -> types.ServiceOrder:
        """Like that of `orders.create`, and records what the order cost once it has ended."""
        return await self._settled(await super().wait(timeout))

    async def cancel(self, reason: str | None = None) -> types.ServiceOrder:
        """Cancels the order; the credits are returned, and may be spent again."""
        return await self._settled(await super().cancel(reason))

    async def _settled(self, order: types.ServiceOrder) -> types.ServiceOrder:
        await self._client.transport.run_in_threads(
            _buying.settle(self._client.core, self._ledger, order)
        )
        return order


class _Limited(Generic[Client]):
    """A client, limits and a journal."""

    def __init__(
        self,
        client: Client,
        *,
        journal: str | Path | None = None,
        per_order: Amount | None = None,
        per_day: Amount | None = None,
        per_provider: Amount | None = None,
        only: Iterable[str] | None = None,
        escrow_from: Amount = ESCROW_FROM,
    ) -> None:
        self._client: Client = client
        self._caps = _buying.caps(per_order, per_day, per_provider, only)
        self._escrow_from = limit_of(escrow_from, "escrow_from")
        self._ledger = Ledger(journal)

    def _buy(self, asked: Purchase) -> Flow[types.ServiceOrder]:
        return _buying.buy(self._client.core, self._ledger, self._caps, self._escrow_from, asked)

    def _catch_up(self) -> Flow[None]:
        return _buying.catch_up(self._client.core, self._ledger)


class Buyer(_Limited[Svc]):
    """Orders services within limits, which hold across restarts and for concurrent orders.

    What an order costs is reserved in the journal before anything is sent; an order beyond a limit
    raises `SpendLimitError`. `per_order` limits the cost of one order, `per_day` that of all orders
    within any 24 hours, `per_provider` that of all from one provider, and `only` names the
    providers to order from. From the price `escrow_from` on, an escrow pays.

    Processes can share a journal and its limits. Without a file it is in memory, and the limits end
    with the program.
    """

    def order(
        self,
        service: str,
        input: Input,
        max_credits: Amount = 0,
        *,
        client_order_id: str | None = None,
        answer_within: timedelta | str | None = None,
        escrow: bool | None = None,
    ) -> BoughtOrder:
        """Orders `user/service` at its price, if that is at most `max_credits` and within all
        limits.

        With a `client_order_id` it is placed and paid once, however often the program runs.
        `escrow` overrides `escrow_from`. `answer_within` is for an order without an escrow, whose
        deadlines hold.
        """
        asked = Purchase.of(service, input, max_credits, client_order_id, answer_within, escrow)
        order = self._client.transport.run(self._buy(asked))
        return BoughtOrder(self._client, order, self._ledger)

    def catch_up(self) -> None:
        """Imports the orders and escrows of the last 24 hours from the platform, whatever created
        them.

        Without it, the limits count only orders of this journal, in the state that it last saw.
        """
        self._client.transport.run(self._catch_up())


class AsyncBuyer(_Limited[AsyncSvc]):
    """`Buyer` for `asyncio`."""

    async def order(
        self,
        service: str,
        input: Input,
        max_credits: Amount = 0,
        *,
        client_order_id: str | None = None,
        answer_within: timedelta | str | None = None,
        escrow: bool | None = None,
    ) -> AsyncBoughtOrder:
        """Orders `user/service` at its price, if that is at most `max_credits` and within all
        limits.

        With a `client_order_id` it is placed and paid once, however often the program runs.
        `escrow` overrides `escrow_from`. `answer_within` is for an order without an escrow, whose
        deadlines hold.
        """
        asked = Purchase.of(service, input, max_credits, client_order_id, answer_within, escrow)
        order = await self._client.transport.run_in_threads(self._buy(asked))
        return AsyncBoughtOrder(self._client, order, self._ledger)

    async def catch_up(self) -> None:
        """Imports the orders and escrows of the last 24 hours from the platform, whatever created
        them.

        Without it, the limits count only orders of this journal, in the state that it last saw.
        """
        await self._client.transport.run_in_threads(self._catch_up())
