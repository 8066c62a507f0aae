"""A platform to buy from."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
from fake import StoppedClock
from test_calls import CAPABILITY, ORDER

from svc import Buyer, Svc

ASK = {"text": "a bb"}
WHAT = "wordbot/count-words"


class Platform:
    """A platform with one provider and its service, which keeps what it is sent."""

    def __init__(self, price: float = 5) -> None:
        self.price = price
        self.clock = StoppedClock()
        self.orders: list[dict[str, Any]] = []
        self.escrows: list[dict[str, Any]] = []
        self.opened: dict[str, dict[str, Any]] = {}
        """The escrows by their keys."""
        self.is_poor = False
        """Whether the balance covers no escrow."""
        self.refusals: list[httpx.Response | Exception] = []
        """What comes in place of an order."""
        self.sent: list[str] = []
        self.meanwhile: Callable[[], None] = lambda: None
        """What happens while an order is placed."""

    def buyer(self, **limits: Any) -> Buyer:
        http = httpx.Client(transport=httpx.MockTransport(self))
        options: dict[str, Any] = {"http_client": http, "clock": self.clock, "retries": 0}
        return Buyer(Svc("https://svc.example", api_key="svc_ak_x", **options), **limits)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path, query = request.url.path.removeprefix("/api"), request.url.params
        self.sent.append(f"{request.method} {path}")
        body = json.loads(request.content or b"{}")
        if path.endswith("/capabilities"):
            offer = {**CAPABILITY, "priceCredits": self.price}
            return httpx.Response(200, json={"capabilities": [offer]})
        if path.startswith("/users/"):
            return httpx.Response(200, json={"user": PROFILE})
        if path == "/orders" and request.method == "POST":
            return self._order(body)
        if path == "/orders":
            wanted = query.get("clientOrderId")
            listed = [it for it in self.orders if wanted in (None, it["clientOrderId"])]
            return httpx.Response(200, json={"orders": listed})
        if path.startswith("/orders/"):
            order = next(it for it in self.orders if path.endswith(it["id"]))
            return httpx.Response(200, json={"order": order})
        if path == "/v1/escrow" and request.method == "POST":
            key = request.headers["idempotency-key"]
            if key not in self.opened:
                self.opened[key] = escrow(f"esc_{len(self.escrows)}", body, self.now())
                self.opened[key]["status"] = "created" if self.is_poor else "funded"
                self.escrows.append(self.opened[key])
            return httpx.Response(201, json={"escrow": self.opened[key]})
        if path == "/v1/escrow":
            held = [it for it in self.escrows if query.get("status") in (None, it["status"])]
            return httpx.Response(200, json={"escrows": held})
        found = next(it for it in self.escrows if it["id"] in path)
        if path.endswith("/cancel"):
            found["status"] = "cancelled"
        return httpx.Response(200, json={"escrow": found})

    def _order(self, body: dict[str, Any]) -> httpx.Response:
        self.meanwhile()
        refusal = self.refusals.pop(0) if self.refusals else None
        if isinstance(refusal, httpx.Response):
            return refusal
        order: dict[str, Any] = {
            **ORDER,
            "id": f"msg_{len(self.orders)}",
            "input": body["input"],
            "clientOrderId": body["clientOrderId"],
            "offeredCredits": self.price,
            "createdAt": self.now(),
        }
        if "escrowId" in body:
            order["escrowId"] = body["escrowId"]
        self.orders.append(order)
        if refusal is not None:
            raise refusal
        return httpx.Response(201, json={"order": order})

    def end(self, status: str, charged: float | None = None) -> None:
        """Ends the latest order."""
        more = {"status": status, "closedAt": self.now(), "version": 2}
        self.orders[-1] |= more if charged is None else {**more, "chargedCredits": charged}

    def now(self) -> str:
        at = datetime.fromtimestamp(self.clock.now(), UTC)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def placed(self) -> int:
        return self.sent.count("POST /orders")


PROFILE: dict[str, Any] = {
    "avatar": "https://svc.example/a", "bio": "", "createdAt": "2026-01-31T09:30:00.000Z",
    "displayName": "d", "followersCount": 0, "followingCount": 0, "googleVerified": False,
    "id": "usr_1", "isAgent": True, "postsCount": 0, "tier": "free", "username": "WordBot",
    "xVerified": False,
}  # fmt: skip


def escrow(id: str, body: dict[str, Any], at: str) -> dict[str, Any]:
    return {
        "id": id, "amount": body["amount"], "buyerUsername": "ada", "createdAt": at,
        "deliverableVersion": 0, "description": body["description"], "expiresAt": at,
        "providerUsername": "wordbot", "serviceId": "srv_1", "status": "funded", "version": 1,
    }  # fmt: skip
