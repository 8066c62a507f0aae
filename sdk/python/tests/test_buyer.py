"""Buyers stay within their limits, also after a restart, and pay once."""

import json
import sqlite3
import threading
import unittest
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from fake import StoppedClock, failing
from test_calls import CAPABILITY, ORDER

from svc import AsyncBuyer, AsyncSvc, Buyer, SpendLimitError, Svc, SvcError

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


class Limits(unittest.TestCase):
    def refused(self, buyer: Buyer, what: str = WHAT, **more: Any) -> tuple[str, Decimal, Decimal]:
        with self.assertRaises(SpendLimitError) as raised:
            buyer.order(what, ASK, **{"max_credits": 5, **more})
        error = raised.exception
        self.assertEqual((error.code, error.outcome), ("spend_limit", "not_sent"))
        return error.limit, error.asked, error.left

    def test_an_order_beyond_any_limit_sends_nothing(self) -> None:
        platform = Platform()
        cases: list[tuple[str, dict[str, Any], int]] = [
            ("per_order", {"per_order": 3}, 3),
            ("per_day", {"per_day": 2}, 2),
            ("per_provider", {"per_day": 9, "per_provider": 1}, 1),
            ("only", {"only": ["@Paintbot"]}, 0),
            ("only", {"only": "paintbot"}, 0),
        ]
        for name, limits, left in cases:
            self.assertEqual(self.refused(platform.buyer(**limits)), (name, 5, left))
        self.assertEqual(self.refused(platform.buyer(), max_credits=4), ("max_credits", 5, 4))
        self.assertEqual(self.refused(platform.buyer(), max_credits=0), ("max_credits", 5, 0))
        self.assertFalse([each for each in platform.sent if each.startswith("POST")])

    def test_the_error_says_what_the_limit_leaves(self) -> None:
        with self.assertRaises(SvcError) as raised:
            Platform(0.25).buyer(per_day=Decimal("0.10")).order(WHAT, ASK, 1)
        expected = "the order costs 0.25 credits, and per_day leaves 0.1 (spend_limit)"
        self.assertEqual(str(raised.exception), expected)

    def test_limits_hold_after_a_restart_and_for_another_process(self) -> None:
        with TemporaryDirectory() as folder:
            platform, journal = Platform(), Path(folder, "buyer.db")
            platform.buyer(journal=journal, per_day=8).order(WHAT, ASK, 5)
            self.assertEqual(journal.stat().st_mode & 0o777, 0o600)
            again = platform.buyer(journal=journal, per_day=8)
            self.assertEqual(self.refused(again), ("per_day", 5, 3))
            platform.clock.passed += 24 * 3600 - 1
            self.assertEqual(self.refused(again), ("per_day", 5, 3))
            platform.clock.passed += 1
            again.order(WHAT, ASK, 5)
            self.assertEqual(platform.placed(), 2)

    def test_a_provider_is_the_same_by_name_and_by_id(self) -> None:
        platform = Platform()
        buyer = platform.buyer(per_provider=8, only=["WordBot"])
        buyer.order("usr_1/count-words", ASK, 5)
        self.assertEqual(self.refused(buyer, "@WORDBOT/count-words"), ("per_provider", 5, 3))

    def test_what_is_returned_or_not_charged_may_be_spent_again(self) -> None:
        platform = Platform()
        buyer = platform.buyer(per_day=5)
        for status in ("rejected", "error", "expired", "cancelled"):
            order = buyer.order(WHAT, ASK, 5)
            self.assertEqual(self.refused(buyer), ("per_day", 5, 0))
            platform.end(status)
            self.assertEqual(order.wait().status, status)
        order = buyer.order(WHAT, ASK, 5)
        platform.end("completed", 2)
        order.wait()
        self.assertEqual(self.refused(buyer), ("per_day", 5, 3))

    def test_an_order_that_ended_in_a_way_of_a_later_platform_still_counts(self) -> None:
        platform = Platform()
        buyer = platform.buyer(per_day=5)
        order = buyer.order(WHAT, ASK, 5)
        platform.end("halved")
        order.wait()
        self.assertEqual(self.refused(buyer), ("per_day", 5, 0))

    def test_a_refused_order_costs_nothing_and_one_whose_answer_was_lost_counts(self) -> None:
        platform = Platform()
        buyer = platform.buyer(per_day=5)
        platform.refusals = [failing(409, "insufficient_credits")]
        with self.assertRaises(SvcError):
            buyer.order(WHAT, ASK, 5)
        platform.refusals = [httpx.ReadError("lost")]
        with self.assertRaises(SvcError) as raised:
            buyer.order(WHAT, ASK, 5, client_order_id="notes-1")
        self.assertEqual(raised.exception.outcome, "unknown")
        self.assertEqual(self.refused(buyer), ("per_day", 5, 0))
        found = buyer.order(WHAT, ASK, 5, client_order_id="notes-1")
        self.assertEqual((found.id, len(platform.orders)), ("msg_0", 1))

    def test_an_id_is_ordered_once_whatever_the_limits_are_later(self) -> None:
        with TemporaryDirectory() as folder:
            platform, journal = Platform(), Path(folder, "buyer.db")
            first = platform.buyer(journal=journal).order(WHAT, ASK, 5, client_order_id="a")
            platform.end("completed", 5)
            for again in (platform.buyer(journal=journal, per_day=1), platform.buyer(per_day=1)):
                order = again.order("@WordBot/count-words", ASK, 5, client_order_id="a")
                self.assertEqual((order.id, order.order.status), (first.id, "completed"))
                self.assertEqual(self.refused(again), ("per_day", 5, 0))
                with self.assertRaises(SvcError) as raised:
                    again.order(WHAT, {"text": "other"}, 5, client_order_id="a")
                self.assertEqual(raised.exception.code, "idempotency_conflict")
            self.assertEqual(platform.placed(), 1)

    def test_what_was_spent_elsewhere_counts_after_catching_up(self) -> None:
        platform = Platform()
        platform.buyer().order(WHAT, ASK, 5)
        platform.buyer(escrow_from=5).order(WHAT, ASK, 5)
        buyer = platform.buyer(per_day=14)
        buyer.catch_up()
        buyer.catch_up()
        self.assertEqual(self.refused(buyer), ("per_day", 5, 4))

    def test_concurrent_orders_never_exceed_a_limit_together(self) -> None:
        with TemporaryDirectory() as folder:
            platform, journal, refused = Platform(), Path(folder, "buyer.db"), []

            def order() -> None:
                try:
                    platform.buyer(journal=journal, per_day=25).order(WHAT, ASK, 5)
                except SpendLimitError as error:
                    refused.append(error.left)

            threads = [threading.Thread(target=order) for _ in range(12)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual((platform.placed(), refused), (5, [0] * 7))

    def test_large_and_small_credits_are_exact(self) -> None:
        platform = Platform(999_999_999.999999)
        buyer = platform.buyer(per_day=Decimal("2000000000"), escrow_from=10**10)
        buyer.order(WHAT, ASK, 10**9)
        platform.price = 0.000001
        buyer.order(WHAT, ASK, 1)
        left = self.refused(platform.buyer(per_day=0))[2]
        self.assertEqual(left, 0)
        platform.price = 10**9
        buyer.order(WHAT, ASK, 10**9)
        platform.price = 0.000001
        self.assertEqual(self.refused(buyer), ("per_day", Decimal("0.000001"), 0))

    def test_wrong_limits_ids_and_journals_are_refused(self) -> None:
        platform = Platform()
        for wrong in ({"per_day": -1}, {"per_order": float("nan")}, {"per_provider": "ten"}):
            with self.assertRaises(SvcError):
                platform.buyer(**wrong)
        for id in ("", "a b", "x" * 59):
            with self.assertRaises(SvcError):
                platform.buyer().order(WHAT, ASK, 5, client_order_id=id)
        with TemporaryDirectory() as folder:
            foreign = Path(folder, "other.db")
            with closing(sqlite3.connect(foreign)) as db:
                db.execute("create table t (a)")
            with self.assertRaisesRegex(SvcError, "no journal of a buyer"):
                platform.buyer(journal=foreign).order(WHAT, ASK, 5, client_order_id="a")
        self.assertEqual(platform.placed(), 0)


class Escrows(unittest.TestCase):
    def test_an_escrow_pays_from_a_price_on_and_its_end_decides_the_cost(self) -> None:
        platform = Platform()
        buyer = platform.buyer(per_day=9, escrow_from=5)
        order = buyer.order(WHAT, ASK, 5, client_order_id="big")
        paying = platform.escrows[0]
        self.assertEqual(paying["description"], "count-words (order big)")
        self.assertEqual(order.order.escrow_id, paying["id"])
        paying |= {
            "status": "released",
            "closeReason": "split",
            "split": {"providerAmount": 2, "offerVersion": 1, "at": platform.now()},
        }
        platform.end("completed", 2)
        order.wait()
        buyer.order(WHAT, ASK, 5, escrow=False)
        with self.assertRaises(SpendLimitError) as raised:
            buyer.order(WHAT, ASK, 5)
        self.assertEqual(raised.exception.left, 2)

    def test_the_escrow_of_an_order_that_was_rejected_is_cancelled(self) -> None:
        platform = Platform()
        buyer = platform.buyer(per_day=5, escrow_from=5)
        order = buyer.order(WHAT, ASK, 5)
        platform.end("rejected")
        order.wait()
        self.assertEqual(platform.escrows[0]["status"], "cancelled")
        buyer.order(WHAT, ASK, 5)

    def test_a_refused_order_leaves_no_escrow_and_frees_its_credits(self) -> None:
        platform = Platform()
        buyer = platform.buyer(per_day=5)
        platform.refusals = [failing(422, "input_schema_mismatch")]
        with self.assertRaises(SvcError):
            buyer.order(WHAT, ASK, 5, escrow=True)
        self.assertEqual(platform.escrows[0]["status"], "cancelled")
        buyer.order(WHAT, ASK, 5)

    def test_an_escrow_stays_for_an_order_that_can_be_sent_again_and_no_other(self) -> None:
        for id, status, left in (("big", "funded", 0), (None, "cancelled", 5)):
            platform = Platform()
            buyer = platform.buyer(per_day=5)
            platform.refusals = [failing(503, "unavailable")]
            with self.assertRaises(SvcError) as raised:
                buyer.order(WHAT, ASK, 5, escrow=True, client_order_id=id)
            self.assertEqual(
                (raised.exception.status, platform.escrows[0]["status"]), (503, status)
            )
            platform.price = 6
            with self.assertRaises(SpendLimitError) as limited:
                buyer.order(WHAT, ASK, 6)
            self.assertEqual(limited.exception.left, left)

    def test_an_escrow_that_the_balance_did_not_cover_is_opened_again_under_the_same_id(
        self,
    ) -> None:
        platform = Platform()
        buyer = platform.buyer(per_day=5)
        platform.is_poor = True
        with self.assertRaises(SvcError) as raised:
            buyer.order(WHAT, ASK, 5, escrow=True, client_order_id="big")
        self.assertEqual(raised.exception.code, "insufficient_credits")
        self.assertEqual(platform.escrows[0]["status"], "cancelled")
        platform.is_poor = False
        buyer.order(WHAT, ASK, 5, escrow=True, client_order_id="big")
        self.assertEqual([each["status"] for each in platform.escrows], ["cancelled", "funded"])

    def test_a_run_that_ended_behind_the_escrow_is_continued_with_it(self) -> None:
        platform = Platform()
        platform.refusals = [httpx.ConnectError("no")]
        for buyer in (platform.buyer(per_day=5), platform.buyer(per_day=5)):
            try:
                buyer.order(WHAT, ASK, 5, client_order_id="big", escrow=True)
            except SvcError as error:
                self.assertEqual(error.outcome, "not_sent")
                self.assertEqual(platform.escrows[0]["status"], "funded")
        self.assertEqual((len(platform.escrows), len(platform.orders)), (1, 1))


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_an_asynchronous_buyer_has_the_same_limits(self) -> None:
        platform = Platform()
        http = httpx.AsyncClient(transport=httpx.MockTransport(platform))
        async with AsyncSvc("https://svc.example", http_client=http, clock=platform.clock) as svc:
            buyer = AsyncBuyer(svc, per_day=8)
            order = await buyer.order(WHAT, ASK, 5)
            with self.assertRaises(SpendLimitError):
                await buyer.order(WHAT, ASK, 5)
            platform.end("rejected")
            await order.wait()
            await buyer.order(WHAT, ASK, 5)
            await buyer.catch_up()
        await http.aclose()
