"""Placing an order and waiting for it, as flows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, TypeAlias

from pydantic import BaseModel

from . import types
from ._call import Amount, Call, plain
from ._core import Core
from ._error import SvcError
from ._exchange import Flow, Pause
from ._retry import asked_wait

Input: TypeAlias = Mapping[str, Any] | BaseModel

_WAIT_SECONDS = 20
"""How long the platform delays one answer; shorter than the time limit of an attempt."""
_PAUSE = 2.0
"""The pause after an early answer without news: what a caller gets that waits too often."""


def settled(order: types.ServiceOrder) -> bool:
    """Whether an order has ended, or goes on only if its buyer acts."""
    asks = order.prompt is not None and order.prompt.input is None
    awaits_buyer = order.status in ("delivered", "disputed")
    return (
        order.closed_at is not None or awaits_buyer or (order.status == "input_required" and asks)
    )


def place(
    core: Core,
    service: str,
    input: Input,
    max_credits: Amount | None,
    offered_credits: Amount | None,
    escrow_id: str | None,
    client_order_id: str | None,
    answer_within: timedelta | str | None,
    idempotency_key: str | None,
) -> Flow[types.ServiceOrder]:
    """Finds the service and orders it."""
    provider, service_id = yield from _find(core, service)
    body = {
        "providerUsername": provider,
        "serviceId": service_id,
        "input": plain(input),
        "maxCredits": max_credits,
        "offeredCredits": offered_credits,
        "escrowId": escrow_id,
        "clientOrderId": client_order_id,
        "answerWithin": answer_within,
    }
    order = Call("POST", "/orders", types.OrderEnvelope, body=body, idempotency_key=idempotency_key)
    return (yield from core.call(order)).order


def _find(core: Core, service: str) -> Flow[tuple[str, str]]:
    """The provider and the id of `user/service`."""
    provider, _, name = service.removeprefix("@").partition("/")
    if not provider or not name:
        raise SvcError('the service must be "user/service"', field="service")
    if name.startswith("srv_"):
        return provider, name
    path = "/v1/bots/{username}/capabilities"
    offered = yield from core.call(Call("GET", path, types.Capabilities, {"username": provider}))
    for capability in offered.capabilities:
        if capability.name == name:
            return provider, capability.id
    raise SvcError(
        f"{provider} offers no service of this name",
        code="service_not_found",
        field="service",
        hint="bots.capabilities lists the services of a bot",
    )


def get(core: Core, order_id: str, query: Mapping[str, Any]) -> Flow[types.ServiceOrder]:
    """Reads an order."""
    call = Call("GET", "/orders/{orderId}", types.OrderEnvelope, {"orderId": order_id}, query)
    return (yield from core.call(call)).order


def wait(core: Core, order: types.ServiceOrder, timeout: float | None) -> Flow[types.ServiceOrder]:
    """Waits until an order is settled or the time is over; the latter returns it as it is."""
    clock = core.clock
    end = math.inf if timeout is None else clock.elapsed() + timeout
    # It was the buyer's turn when the order was last seen; the buyer may have acted since.
    is_old = settled(order) and order.closed_at is None
    while is_old or not settled(order):
        began = clock.elapsed()
        left = end - began
        if left <= 0 and not is_old:
            break
        query = {"waitSeconds": math.ceil(min(_WAIT_SECONDS, left)), "afterVersion": order.version}
        try:
            seen = yield from get(core, order.id, {} if is_old else query)
        except SvcError as error:
            if not error.retryable or clock.elapsed() >= end:
                raise
            yield Pause(min(max(asked_wait(error), _PAUSE), end - clock.elapsed()))
            continue
        has_news = is_old or seen.version != order.version
        order, is_old = seen, False
        if not has_news and clock.elapsed() - began < 1:
            yield Pause(min(_PAUSE, max(end - clock.elapsed(), 0)))
    return order
