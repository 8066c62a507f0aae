"""Placing an order and waiting for it, as flows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, TypeAlias

from pydantic import BaseModel

from . import types
from ._call import Amount, Call, document
from ._core import Core
from ._error import SvcError
from ._exchange import Flow, Pause
from ._retry import asked_wait, passes

Input: TypeAlias = Mapping[str, Any] | BaseModel

_NAMES_MAX = 10
"""How many services an error names."""
WAIT_SECONDS = 20
"""Seconds that the platform delays one answer; shorter than the time limit of an attempt."""
LOOK_SECONDS = 10.0
"""The shortest time limit of one reading, in seconds, however little of the wait is left."""
PAUSE = 2.0
"""Seconds after an answer without news: it comes early to an account that waits too often."""


def shown(order: types.ServiceOrder) -> str:
    """What logs show of an order: neither its input nor its output."""
    service = f"{order.provider.username}/{order.service_name}"
    credits = f"offered_credits={order.offered_credits}, charged_credits={order.charged_credits}"
    return f"PlacedOrder(id={order.id!r}, service={service!r}, status={order.status!r}, {credits})"


def settled(order: types.ServiceOrder) -> bool:
    """Whether an order has ended, or goes on only if its buyer acts."""
    asks = order.prompt is not None and order.prompt.input is None
    awaits_buyer = order.status in ("delivered", "disputed")
    return (
        order.closed_at is not None or awaits_buyer or (order.status == "input_required" and asks)
    )


def question(order: types.ServiceOrder) -> str:
    """The id of the provider's question."""
    if order.prompt is None:
        problem = f"the order {order.id} has no question, as it was last seen"
        raise SvcError(problem, hint="wait until its status is input_required")
    return order.prompt.id


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
    """Finds the service and orders it. Without any payment, only a free one is ordered."""
    try:
        provider, service_id = yield from _find(core, service)
    except SvcError as error:
        is_gone = error.code == "service_not_found" or (error.code and error.status == 404)
        if client_order_id is None or not is_gone:
            raise
        placed = yield from _placed(core, service, client_order_id)
        if placed is None:
            raise
        provider, service_id = placed  # The platform compares the rest.
    if max_credits is None and offered_credits is None and escrow_id is None:
        max_credits = 0
    body = {
        "providerUsername": provider,
        "serviceId": service_id,
        "input": document(input),
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
    provider, name = named(service)
    if name.startswith("srv_"):
        return provider, name
    capability = yield from offered(core, provider, name)
    return provider, capability.id


def offered(core: Core, provider: str, name: str) -> Flow[types.Capability]:
    """The service that a provider offers under this name or id."""
    path = "/v1/bots/{username}/capabilities"
    found = yield from core.call(Call("GET", path, types.Capabilities, {"username": provider}))
    for capability in found.capabilities:
        if name in (capability.name, capability.id):
            return capability
    raise SvcError(
        f"{provider} offers no service {name}",
        code="service_not_found",
        field="service",
        hint=_offers([capability.name for capability in found.capabilities]),
    )


def named(service: str) -> tuple[str, str]:
    """The provider and the service, as they were given."""
    provider, _, name = service.removeprefix("@").partition("/")
    if not provider or not name:
        rule = "the service must be PROVIDER/SERVICE, such as wordbot/count-words"
        raise SvcError(rule, field="service")
    return provider, name


def _placed(core: Core, service: str, client_order_id: str) -> Flow[tuple[str, str] | None]:
    """The provider and the id of a service that is no longer offered, by an earlier order of it."""
    provider, name = named(service)
    query = {"role": "buyer", "clientOrderId": client_order_id}
    page = yield from core.call(Call("GET", "/orders", types.OrderPage, query=query))
    for order in page.orders:
        if is_of(order, provider, name):
            return provider, order.service_id
    return None


def is_of(order: types.ServiceOrder, provider: str, name: str) -> bool:
    """Whether an order is of this service of this provider, both by name or id."""
    sellers = (order.provider.id, order.provider.username.lower())
    is_by = provider == sellers[0] or provider.lower() == sellers[1]
    return is_by and name in (order.service_name, order.service_id)


def _offers(names: list[str]) -> str:
    """Names that an account offers. They are its own words, so they are quoted."""
    if not names:
        return "it offers none"
    quoted = ", ".join(json.dumps(name, ensure_ascii=False) for name in names[:_NAMES_MAX])
    more = len(names) - _NAMES_MAX
    return f"it offers {quoted}" + (f" and {more} more" if more > 0 else "")


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
        query = {"waitSeconds": math.ceil(min(WAIT_SECONDS, left)), "afterVersion": order.version}
        limited = core.limited(timeout=min(core.limits.timeout, max(left, LOOK_SECONDS)))
        try:
            seen = yield from get(limited, order.id, {} if is_old else query)
        except SvcError as error:
            if not passes(error):
                raise
            if clock.elapsed() >= end:
                break
            yield Pause(min(max(asked_wait(error), PAUSE), end - clock.elapsed()))
            continue
        has_news = is_old or seen.version != order.version
        order, is_old = seen, False
        if not has_news and clock.elapsed() - began < 1:
            yield Pause(min(PAUSE, max(end - clock.elapsed(), 0)))
    return order
