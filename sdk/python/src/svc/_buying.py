"""Buying within limits, as flows."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Self

from . import _orders, types
from ._call import Amount, Call, credits_of, document, encoded
from ._canonical import canonical
from ._core import Core
from ._error import SvcError
from ._exchange import Flow
from ._ledger import DAY, Caps, Entry, Expense, Ledger, Reservation, State
from ._retry import passes

ESCROW_FROM = 50
"""The price from which an escrow pays by default."""

_ITEMS_MAX = 10_000
"""How many items of a list are read at most, newest first."""
_ID = re.compile(r"[A-Za-z0-9_.-]{1,58}")
_OF_ESCROW = re.compile(r" \(order ([A-Za-z0-9_.-]{1,58})\)\Z")
_CONCURRENT = ("idempotency_conflict", "idempotency_in_progress", "escrow_in_use")
"""Codes with which the platform says that another run is placing the same order."""
_RETURNED = ("rejected", "error", "expired", "cancelled", "refunded")


@dataclass(frozen=True)
class Purchase:
    """What a program orders."""

    service: str
    input: Any = field(repr=False)
    """A document, as JSON has it."""
    max_credits: Decimal
    id: str | None
    answer_within: timedelta | str | None
    escrow: bool | None

    @classmethod
    def of(
        cls,
        service: str,
        input: _orders.Input,
        max_credits: Amount,
        id: str | None,
        answer_within: timedelta | str | None,
        escrow: bool | None,
    ) -> Self:
        """Reads what a program passed, and refuses a limit that is not valid."""
        credits = limit_of(max_credits, "max_credits")
        return cls(service, document(input), credits, id, answer_within, escrow)


def caps(
    per_order: Amount | None,
    per_day: Amount | None,
    per_provider: Amount | None,
    only: Iterable[str] | None,
) -> Caps:
    """The limits that a program sets."""
    names = [only] if isinstance(only, str) else only
    return Caps(
        None if per_order is None else limit_of(per_order, "per_order"),
        None if per_day is None else limit_of(per_day, "per_day"),
        None if per_provider is None else limit_of(per_provider, "per_provider"),
        None if names is None else frozenset(_folded(name) for name in names),
    )


def limit_of(value: Amount, name: str) -> Decimal:
    """The credits in the argument `name`, which must not be negative."""
    credits = credits_of(value, name)
    if credits < 0:
        raise SvcError(f"{name} must not be negative, but is {value}", field=name)
    return credits


def buy(
    core: Core, ledger: Ledger, caps: Caps, escrow_from: Decimal, asked: Purchase
) -> Flow[types.ServiceOrder]:
    """Places an order within the limits, or finds the one with the same id."""
    provider, name = _orders.named(asked.service)
    id, known = secrets.token_hex(16), None
    if asked.id is not None:
        id = _checked(asked.id)
        known = ledger.find(id)
        earlier = yield from _earlier(core, ledger, id, known)
        if earlier is not None:
            yield from _resumed(core, ledger, earlier, asked)
            return earlier
    service = yield from _orders.offered(core, provider, name)
    counted = yield from _counted(core, caps, provider)
    escrow: types.Escrow | None = None
    if asked.id is not None and (known is None or known.state != "freed"):
        escrow = yield from _begun(core, id, known, provider, service.name)
    if escrow is not None:
        ledger.record([_entry_of_escrow(escrow, id)], core.clock.now())
    price = service.price_credits if escrow is None else escrow.amount
    opens = escrow is None and _is_by_escrow(asked, price, escrow_from)
    expense = Expense(id, counted, price, asked.max_credits)
    reserved = ledger.reserve(expense, caps, core.clock.now())
    placing = _Placing(core, ledger, asked, id, provider, service, price, reserved)
    if opens:
        escrow = yield from placing.open()
    if escrow is not None:
        yield from placing.ensure_funded(escrow)
    return (yield from placing.place(escrow))


@dataclass(frozen=True)
class _Placing:
    """The calls that pay for an order and send it."""

    core: Core
    ledger: Ledger
    asked: Purchase
    id: str
    provider: str
    service: types.Capability
    price: Decimal
    reserved: Reservation

    def open(self) -> Flow[types.Escrow]:
        """Opens the escrow that pays."""
        body = {
            "providerUsername": self.provider,
            "serviceId": self.service.id,
            "amount": self.price,
            "description": f"{self.service.name} (order {self.id})",
        }
        # An escrow that ended must not come back when an order with the same id is begun again.
        key = f"order:{self.id}:escrow:{self.reserved.token}"
        call = Call("POST", "/v1/escrow", types.EscrowEnvelope, body=body, idempotency_key=key)
        try:
            opened = (yield from self.core.call(call)).escrow
        except SvcError as error:
            if _nothing_happened(error) and self.reserved.is_new:
                self._free()
            raise
        with suppress(SvcError):
            # An escrow that the journal does not know is found by its description. It must not stay
            # behind without an order.
            self.ledger.note(self.id, opened.id)
        if self.reserved.is_new:
            return opened
        # The answer may be replayed, with the state that the escrow had when it was opened.
        return (yield from _escrow(self.core, opened.id))

    def ensure_funded(self, escrow: types.Escrow) -> Flow[None]:
        """Refuses an escrow that holds no credits, and frees those that were reserved."""
        if escrow.status == "created":
            yield from _cancel(self.core, self.id, escrow.id)
            self._free()
            message = f"the balance does not cover the escrow of {self.price} credits"
            hint = "nothing was ordered"
            raise SvcError(message, "refused", code="insufficient_credits", hint=hint)
        if escrow.status in ("cancelled", "refunded"):
            self._free()
            message = f"the escrow {escrow.id} of the order {self.id} has ended"
            raise SvcError(message, code="order_ended", hint="order it again")

    def place(self, escrow: types.Escrow | None) -> Flow[types.ServiceOrder]:
        """Sends the order."""
        body = {
            "providerUsername": self.provider,
            "serviceId": self.service.id,
            "input": self.asked.input,
            "maxCredits": self.price if escrow is None else None,
            "escrowId": None if escrow is None else escrow.id,
            "clientOrderId": self.id,
            "answerWithin": self.asked.answer_within,
        }
        call = Call("POST", "/orders", types.OrderEnvelope, body=body)
        try:
            order = (yield from self.core.call(call)).order
        except SvcError as error:
            if _nothing_happened(error):
                yield from self._give_back(escrow, error)
            raise
        with suppress(SvcError):
            # The order is placed, whatever the journal says; what was reserved for it counts.
            self.ledger.record([_entry(order, self.id)], self.core.clock.now())
        return order

    def _give_back(self, escrow: types.Escrow | None, error: SvcError) -> Flow[None]:
        """Frees the credits of an order that the platform refused."""
        if escrow is None:
            if self.reserved.is_new:
                self._free()
        elif self.asked.id is None or not passes(error):
            # The credits must not stay in an escrow for which no order was sent. An order with an
            # id can be sent again, with this escrow.
            try:
                left = yield from _cancel(self.core, self.id, escrow.id)
            except SvcError:
                return  # The refusal of the order says more.
            if left.status in ("cancelled", "refunded"):
                self._free()

    def _free(self) -> None:
        self.ledger.free(self.id, self.core.clock.now())


def settle(core: Core, ledger: Ledger, order: types.ServiceOrder) -> Flow[None]:
    """Records what an order cost, once that is known."""
    id = order.client_order_id or f"order:{order.id}"
    entry = _entry(order, id)
    if order.escrow_id is not None and order.closed_at is not None:
        try:
            escrow = yield from _escrow(core, order.escrow_id)
            is_left = order.status in ("rejected", "error", "cancelled")
            if is_left and escrow.status == "funded":
                # The provider no longer works on it.
                escrow = yield from _cancel(core, id, escrow.id)
        except SvcError as error:
            if not passes(error):
                raise
            return  # Until the escrow is read, the limits count the whole amount.
        entry = _entry_of_escrow(escrow, id)
    if entry.state != "reserved":
        ledger.record([entry], core.clock.now())


def catch_up(core: Core, ledger: Ledger) -> Flow[None]:
    """Imports the orders and escrows of the last 24 hours, whatever created them."""
    since = datetime.fromtimestamp(core.clock.now() - DAY, UTC)
    query = {"role": "buyer", "since": since, "limit": 100}
    entries: list[Entry] = []
    cursor: Any = None
    while len(entries) < _ITEMS_MAX:
        call = Call("GET", "/orders", types.OrderPage, query={**query, "cursor": cursor})
        orders = yield from core.call(call)
        # An escrow is counted by itself.
        direct = [order for order in orders.orders if order.escrow_id is None]
        entries += [_entry(each, each.client_order_id or f"order:{each.id}") for each in direct]
        if (cursor := orders.next_cursor) is None:
            break
    cursor, opened = None, 0
    while opened < _ITEMS_MAX:
        query = {"role": "buyer", "limit": 100, "cursor": cursor}
        page = yield from core.call(Call("GET", "/v1/escrow", types.EscrowPage, query=query))
        opened += len(page.escrows)
        recent = [each for each in page.escrows if each.created_at >= since]
        entries += [_entry_of_escrow(each, _id_of(each)) for each in recent]
        if len(recent) < len(page.escrows) or (cursor := page.next_cursor) is None:
            break
    ledger.record(entries, core.clock.now())


def _earlier(
    core: Core, ledger: Ledger, id: str, known: Entry | None
) -> Flow[types.ServiceOrder | None]:
    """The order that was placed under this id, as the journal or the platform knows it."""
    if known is not None and known.placed is not None:
        return (yield from _orders.get(core, known.placed, {}))
    query = {"role": "buyer", "clientOrderId": id}
    page = yield from core.call(Call("GET", "/orders", types.OrderPage, query=query))
    if not page.orders:
        return None
    ledger.record([_entry(page.orders[0], id)], core.clock.now())
    return page.orders[0]


def _resumed(core: Core, ledger: Ledger, order: types.ServiceOrder, asked: Purchase) -> Flow[None]:
    """Refuses an id that was used for another order, and records what this one cost."""
    _ensure_same(order, asked)
    yield from settle(core, ledger, order)


def _is_by_escrow(asked: Purchase, price: Decimal, escrow_from: Decimal) -> bool:
    """Whether an escrow is to pay; refuses what does not go with one before it is opened."""
    wanted = price >= escrow_from if asked.escrow is None else asked.escrow
    if wanted and price > 0 and asked.answer_within is not None:
        raise SvcError(
            "answer_within must be omitted, since an escrow pays, whose deadlines hold",
            field="answer_within",
            hint="with escrow=False the order is paid without one",
        )
    return wanted and price > 0


def _ensure_same(order: types.ServiceOrder, asked: Purchase) -> None:
    provider, name = _orders.named(asked.service)
    given = json.loads(encoded(asked.input))
    # Once both have deleted the message, the input is gone.
    has_input = bool(order.input) or order.closed_at is None
    is_same = canonical(given) == canonical(order.input)
    if _orders.is_of(order, provider, name) and (is_same or not has_input):
        return
    raise SvcError(
        f"the id {asked.id} was used for another order of {order.service_name}",
        code="idempotency_conflict",
        field="client_order_id",
        hint="use another id for a new order",
    )


def _counted(core: Core, caps: Caps, provider: str) -> Flow[str]:
    """The lower-case username under which spending on a provider counts."""
    if not caps.depend_on_provider():
        return _folded(provider)
    # A user id names the same account and must not bypass its limits.
    call = Call("GET", "/users/{username}", types.UserEnvelope, {"username": provider})
    return _folded((yield from core.call(call)).user.username)


def _begun(
    core: Core, id: str, known: Entry | None, provider: str, service: str
) -> Flow[types.Escrow | None]:
    """The escrow that an earlier run opened for this order, which ended before it was sent."""
    if known is not None and known.escrow is not None:
        return (yield from _escrow(core, known.escrow))
    query = {"role": "buyer", "counterparty": provider, "status": "funded", "limit": 100}
    cursor: Any = None
    for _ in range(_ITEMS_MAX // 100):
        call = Call("GET", "/v1/escrow", types.EscrowPage, query={**query, "cursor": cursor})
        page = yield from core.call(call)
        for escrow in page.escrows:
            if escrow.description == f"{service} (order {id})":
                return escrow
        if (cursor := page.next_cursor) is None:
            break
    return None


def _escrow(core: Core, id: str) -> Flow[types.Escrow]:
    call = Call("GET", "/v1/escrow/{escrowId}", types.EscrowEnvelope, {"escrowId": id})
    return (yield from core.call(call)).escrow


def _cancel(core: Core, order: str, escrow: str) -> Flow[types.Escrow]:
    """Cancels an escrow, and returns its state afterwards."""
    path, key = "/v1/escrow/{escrowId}/cancel", f"order:{order}:cancel:{escrow}"
    members = {"escrowId": escrow}
    call = Call("POST", path, types.EscrowEnvelope, members, idempotency_key=key)
    try:
        return (yield from core.call(call)).escrow
    except SvcError as error:
        if error.status != 409:
            raise
    # It has ended, or work was delivered into it, so it can't be cancelled.
    return (yield from _escrow(core, escrow))


def _entry(order: types.ServiceOrder, id: str) -> Entry:
    """An order as the journal has it."""
    state: State = "reserved"
    amount = order.offered_credits
    if order.status == "completed":
        state = "spent"
        amount = amount if order.charged_credits is None else order.charged_credits
    elif order.status in _RETURNED and order.escrow_id is None:
        state = "freed"
    provider, created = _folded(order.provider.username), order.created_at.timestamp()
    return Entry(id, provider, amount, state, created, order.escrow_id, order.id)


def _entry_of_escrow(escrow: types.Escrow, id: str) -> Entry:
    """The order that an escrow pays for, as the journal has it."""
    state: State = "reserved"
    amount = escrow.amount
    if escrow.status == "released":
        state = "spent"
        if escrow.close_reason == "split" and escrow.split is not None:
            amount = escrow.split.provider_amount
    elif escrow.status in ("created", "cancelled", "refunded"):
        state = "freed"
    provider, created = _folded(escrow.provider_username), escrow.created_at.timestamp()
    return Entry(id, provider, amount, state, created, escrow.id, escrow.request_id)


def _id_of(escrow: types.Escrow) -> str:
    """The id of the order that an escrow of a buyer pays for."""
    found = _OF_ESCROW.search(escrow.description)
    return found[1] if found else f"escrow:{escrow.id}"


def _nothing_happened(error: SvcError) -> bool:
    return error.outcome != "unknown" and error.code not in _CONCURRENT


def _checked(id: str) -> str:
    if _ID.fullmatch(id) is None:
        rule = "the id of an order must be 1 to 58 letters, digits and - _ ."
        raise SvcError(rule, field="client_order_id")
    return id


def _folded(username: str) -> str:
    return username.removeprefix("@").lower()
