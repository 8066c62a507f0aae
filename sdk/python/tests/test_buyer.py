"""Buyers stay within their limits, also after a restart, and pay once."""

import asyncio
import sqlite3
import threading
import unittest
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from buying import ASK, WHAT, Platform
from fake import failing

from svc import AsyncBuyer, AsyncSvc, Buyer, SpendLimitError, SvcError


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

    def test_an_input_is_the_same_as_the_platform_reads_it_and_true_is_no_number(self) -> None:
        platform = Platform()
        platform.buyer().order(WHAT, {"n": 2**70 + 1, "deep": True}, 5, client_order_id="a")
        platform.orders[0]["input"]["n"] = float(2**70)
        again = platform.buyer()
        found = again.order(WHAT, {"deep": True, "n": 2**70 + 1}, 5, client_order_id="a")
        self.assertEqual(found.id, platform.orders[0]["id"])
        with self.assertRaises(SvcError) as raised:
            again.order(WHAT, {"deep": 1, "n": 2**70 + 1}, 5, client_order_id="a")
        self.assertEqual(raised.exception.code, "idempotency_conflict")

    def test_what_was_spent_elsewhere_counts_after_catching_up(self) -> None:
        platform = Platform()
        platform.buyer().order(WHAT, ASK, 5)
        platform.buyer(escrow_from=5).order(WHAT, ASK, 5)
        buyer = platform.buyer(per_day=14)
        buyer.catch_up()
        buyer.catch_up()
        self.assertEqual(self.refused(buyer), ("per_day", 5, 4))

    def test_a_provider_given_by_id_counts_by_name_for_a_program_that_limits_providers(
        self,
    ) -> None:
        with TemporaryDirectory() as folder:
            platform, journal = Platform(), Path(folder, "buyer.db")
            platform.buyer(journal=journal).order("usr_1/count-words", ASK, 5)
            limited = platform.buyer(journal=journal, per_provider=8)
            self.assertEqual(self.refused(limited), ("per_provider", 5, 3))

    def test_a_higher_price_counts_while_an_earlier_run_may_still_pay_it(self) -> None:
        platform = Platform(8)
        buyer = platform.buyer(per_day=10)
        for platform.price in (8, 3):
            platform.refusals = [httpx.ReadError("lost")]
            with self.assertRaises(SvcError):
                buyer.order(WHAT, ASK, 8, client_order_id="a")
            platform.orders.clear()  # It has yet to reach the platform.
        self.assertEqual(self.refused(buyer), ("per_day", 3, 2))

    def test_an_order_whose_end_was_never_seen_leaves_the_journal_and_is_found_by_its_id(
        self,
    ) -> None:
        with TemporaryDirectory() as folder:
            platform, journal = Platform(), Path(folder, "buyer.db")
            buyer = platform.buyer(journal=journal)
            first = buyer.order(WHAT, ASK, 5, client_order_id="a")
            platform.clock.passed += 8 * 24 * 3600
            buyer.order(WHAT, ASK, 5)
            with closing(sqlite3.connect(journal)) as db:
                self.assertEqual(db.execute("select placed from spend").fetchall(), [("msg_1",)])
            self.assertEqual(buyer.order(WHAT, ASK, 5, client_order_id="a").id, first.id)

    def test_an_order_that_was_placed_is_returned_even_if_the_journal_fails_then(self) -> None:
        with TemporaryDirectory() as folder:
            platform, journal = Platform(), Path(folder, "buyer.db")

            def version(number: int) -> None:
                with closing(sqlite3.connect(journal)) as db:
                    db.execute(f"pragma user_version = {number}")

            platform.meanwhile = lambda: version(9)
            order = platform.buyer(journal=journal, per_day=8).order(WHAT, ASK, 5, escrow=True)
            version(1)
            self.assertEqual((order.id, platform.escrows[0]["status"]), ("msg_0", "funded"))
            again = platform.buyer(journal=journal, per_day=8)
            self.assertEqual(self.refused(again), ("per_day", 5, 3))

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
        wrong_limits: list[dict[str, Any]] = [
            {"per_day": -1},
            {"per_order": float("nan")},
            {"per_provider": "ten"},
            {"escrow_from": -1},
        ]
        for wrong in wrong_limits:
            with self.assertRaises(SvcError) as raised:
                platform.buyer(**wrong)
            self.assertEqual(raised.exception.field, next(iter(wrong)))
        with self.assertRaisesRegex(SvcError, "max_credits must not be negative, but is -1"):
            platform.buyer().order(WHAT, ASK, -1)
        for id in ("", "a b", "x" * 59):
            with self.assertRaises(SvcError) as raised:
                platform.buyer().order(WHAT, ASK, 5, client_order_id=id)
            self.assertEqual(raised.exception.field, "client_order_id")
        with TemporaryDirectory() as folder:
            foreign = Path(folder, "other.db")
            with closing(sqlite3.connect(foreign)) as db:
                db.execute("create table t (a)")
            with self.assertRaisesRegex(SvcError, "no journal of a buyer"):
                platform.buyer(journal=foreign).order(WHAT, ASK, 5, client_order_id="a")
        self.assertEqual(platform.placed(), 0)


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_the_event_loop_goes_on_while_another_process_writes_the_journal(self) -> None:
        platform = Platform()
        http = httpx.AsyncClient(transport=httpx.MockTransport(platform))
        svc = AsyncSvc("https://svc.example", http_client=http, clock=platform.clock)
        with TemporaryDirectory() as folder:
            journal = Path(folder, "buyer.db")
            buyer = AsyncBuyer(svc, journal=journal)
            with closing(sqlite3.connect(journal, isolation_level=None)) as other:
                other.execute("begin immediate")
                ordering = asyncio.create_task(buyer.order(WHAT, ASK, 5, client_order_id="a"))
                for _ in range(9):
                    await asyncio.sleep(0)
                other.execute("rollback")
            self.assertEqual((await ordering).id, "msg_0")
        await http.aclose()

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
