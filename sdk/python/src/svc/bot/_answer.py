"""The calls that answer an order, as bytes under keys that follow from the order."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from typing import Any

from .. import types
from .._call import encoded, plain
from .._canonical import canonical
from ._journal import Outgoing

FAILED = "the service failed; nothing is charged"
TOO_SLOW = "the service took too long; nothing is charged"
INTERRUPTED = "the service was interrupted; nothing is charged"
_UNSENDABLE = "the result could not be sent; nothing is charged"
_FAULTS_MAX = 20
"""How many faults a rejection lists, as in the kit for Rust."""
_REASON_MAX = 1000
"""The longest reason that the platform takes, in characters."""


def completed(
    order: types.ServiceOrder, output: dict[str, Any], charged: Decimal
) -> list[Outgoing]:
    """The result; with an escrow, first the work for it."""
    if order.escrow_id is None:
        body = {"status": "completed", "output": output, "chargedCredits": charged}
        return [_answer(order, body)]
    work = {"type": "json", "data": output, "checksum": _checksum(output)}
    path = f"/v1/escrow/{order.escrow_id}/deliver"
    delivery = Outgoing(delivery_key(order.id), path, encoded({"deliverable": work}))
    return [delivery, delivered(order)]


def delivered(order: types.ServiceOrder) -> Outgoing:
    """The answer that says that the work is in the escrow."""
    output = {"escrowId": order.escrow_id, "message": "the work is in the escrow"}
    return _answer(order, {"status": "delivered", "output": output})


def rejected(
    order: types.ServiceOrder, reason: str, faults: list[dict[str, str]] | None = None
) -> list[Outgoing]:
    """The order is declined."""
    # UTF-8 has no lone surrogates, such as another program leaves of an emoji that it cuts.
    text = reason.encode("utf-16", "surrogatepass").decode("utf-16", "replace")[:_REASON_MAX]
    body: dict[str, Any] = {"status": "rejected", "reason": text or "the order is declined"}
    if faults:
        body["output"] = {"faults": faults[:_FAULTS_MAX]}
    return [_answer(order, body), *_decline(order)]


def rejected_at(
    order: types.ServiceOrder, reason: str, pointer: str, message: str
) -> list[Outgoing]:
    """The order is declined because of one member, for which programs of buyers look."""
    return rejected(order, reason, [{"pointer": pointer, "message": message}])


def failed(order: types.ServiceOrder, text: str) -> list[Outgoing]:
    """The bot failed. The text is ours; causes are logged."""
    return [_answer(order, {"status": "error", "error": text}), *_decline(order)]


def unsendable(order: types.ServiceOrder) -> list[Outgoing]:
    """What replaces an answer that the platform refused."""
    body = encoded({"status": "error", "error": _UNSENDABLE})
    answer = Outgoing(f"{answer_key(order.id)}:error", _path(order), body)
    return [answer, *_decline(order)]


def answer_key(order: str) -> str:
    return f"resp:{order}"


def delivery_key(order: str) -> str:
    return f"deliver:{order}:1"


def _answer(order: types.ServiceOrder, body: dict[str, Any]) -> Outgoing:
    return Outgoing(answer_key(order.id), _path(order), encoded(plain(body)))


def _path(order: types.ServiceOrder) -> str:
    return f"/orders/{order.id}/answer"


def _decline(order: types.ServiceOrder) -> list[Outgoing]:
    if order.escrow_id is None:
        return []
    body = encoded({"reason": "the order was not carried out; see the answer"})
    return [Outgoing(f"decline:{order.id}", f"/v1/escrow/{order.escrow_id}/decline", body)]


def _checksum(data: dict[str, Any]) -> str:
    """SHA-256 of compact JSON with sorted members, as buyers compute it."""
    return f"sha256:{hashlib.sha256(canonical(data).encode()).hexdigest()}"
