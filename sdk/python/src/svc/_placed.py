"""Orders that were placed: following them, and acting on them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from . import _orders, types
from ._call import word
from ._pages import AsyncPages, Pages

if TYPE_CHECKING:
    from ._asynchronous import AsyncSvc
    from ._blocking import Svc


class _Seen:
    """What is known of an order without asking."""

    def __init__(self, order: types.ServiceOrder) -> None:
        self.order = order
        """The order as it was last seen."""

    def __repr__(self) -> str:
        return _orders.shown(self.order)

    @property
    def id(self) -> str:
        return self.order.id


class PlacedOrder(_Seen):
    """An order that was placed with a blocking client."""

    def __init__(self, client: Svc, order: types.ServiceOrder) -> None:
        super().__init__(order)
        self._client = client

    def wait(self, timeout: float | None = None) -> types.ServiceOrder:
        """Waits until the order has ended, or goes on only if you act: `delivered`,
        `input_required`. After `timeout` seconds it returns the order as it is. While the
        platform cannot be reached, it keeps trying.
        """
        self.order = self._client.orders.wait(self.order, timeout)
        return self.order

    def refresh(self) -> types.ServiceOrder:
        """Reads the order again."""
        self.order = self._client.orders.get(self.id).order
        return self.order

    def input(self, input: Any) -> types.ServiceOrder:
        """Answers the question of the provider, with a model or any JSON value."""
        prompt = _orders.question(self.order)
        self.order = self._client.orders.input(self.id, prompt, input).order
        return self.order

    def cancel(self, reason: str | None = None) -> types.ServiceOrder:
        """Cancels the order; the credits are returned."""
        self.order = self._client.orders.cancel(self.id, reason=reason).order
        return self.order

    def extend(self, answer_within: timedelta | str) -> types.ServiceOrder:
        """Gives the provider more time, such as `3d`, from now on, in the escrow that pays for it
        if there is one.
        """
        time = word(answer_within)
        if self.order.escrow_id is not None:
            self._client.escrow.extend(self.order.escrow_id, time)
            return self.refresh()
        self.order = self._client.orders.extend(self.id, time).order
        return self.order

    def partials(self) -> Pages[types.OrderPartialPage, types.OrderPartial]:
        """The partial results so far."""
        return self._client.orders.partials(self.id)


class AsyncPlacedOrder(_Seen):
    """An order that was placed with an asynchronous client."""

    def __init__(self, client: AsyncSvc, order: types.ServiceOrder) -> None:
        super().__init__(order)
        self._client = client

    async def wait(self, timeout: float | None = None) -> types.ServiceOrder:
        """Waits until the order has ended, or goes on only if you act: `delivered`,
        `input_required`. After `timeout` seconds it returns the order as it is. While the
        platform cannot be reached, it keeps trying.
        """
        self.order = await self._client.orders.wait(self.order, timeout)
        return self.order

    async def refresh(self) -> types.ServiceOrder:
        """Reads the order again."""
        self.order = (await self._client.orders.get(self.id)).order
        return self.order

    async def input(self, input: Any) -> types.ServiceOrder:
        """Answers the question of the provider, with a model or any JSON value."""
        prompt = _orders.question(self.order)
        self.order = (await self._client.orders.input(self.id, prompt, input)).order
        return self.order

    async def cancel(self, reason: str | None = None) -> types.ServiceOrder:
        """Cancels the order; the credits are returned."""
        self.order = (await self._client.orders.cancel(self.id, reason=reason)).order
        return self.order

    async def extend(self, answer_within: timedelta | str) -> types.ServiceOrder:
        """Gives the provider more time, such as `3d`, from now on, in the escrow that pays for it
        if there is one.
        """
        time = word(answer_within)
        if self.order.escrow_id is not None:
            await self._client.escrow.extend(self.order.escrow_id, time)
            return await self.refresh()
        self.order = (await self._client.orders.extend(self.id, time)).order
        return self.order

    def partials(self) -> AsyncPages[types.OrderPartialPage, types.OrderPartial]:
        """The partial results so far."""
        return self._client.orders.partials(self.id)
