"""Escrows of buyers: one pays, none is left behind, and each counts."""

import unittest

import httpx
from buying import ASK, WHAT, Platform
from fake import failing

from svc import SpendLimitError, SvcError


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

    def test_a_time_for_the_answer_is_refused_before_an_escrow_is_opened(self) -> None:
        platform = Platform()
        buyer = platform.buyer(per_day=5, escrow_from=5)
        with self.assertRaisesRegex(SvcError, "answer_within must be omitted") as raised:
            buyer.order(WHAT, ASK, 5, answer_within="1h")
        self.assertEqual((raised.exception.outcome, platform.escrows), ("not_sent", []))
        buyer.order(WHAT, ASK, 5, answer_within="1h", escrow=False)

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

    def test_an_earlier_escrow_under_the_same_id_does_not_free_what_pays_now(self) -> None:
        for is_escrow in (True, False):
            platform = Platform()
            buyer = platform.buyer(per_day=9)
            platform.is_poor = True
            with self.assertRaises(SvcError):
                buyer.order(WHAT, ASK, 5, escrow=True, client_order_id="big")
            platform.is_poor = False
            buyer.order(WHAT, ASK, 5, escrow=is_escrow, client_order_id="big")
            platform.escrows.reverse()  # newest first
            for limited in (buyer, platform.buyer(per_day=9)):
                limited.catch_up()
                with self.assertRaises(SpendLimitError) as raised:
                    limited.order(WHAT, ASK, 5)
                self.assertEqual(raised.exception.left, 4)

    def test_an_order_that_is_begun_again_elsewhere_counts_from_then(self) -> None:
        platform = Platform()
        buyer = platform.buyer(per_day=9)
        platform.refusals = [failing(422, "input_schema_mismatch")]
        with self.assertRaises(SvcError):
            buyer.order(WHAT, ASK, 5, escrow=True, client_order_id="big")
        platform.clock.passed += 2 * 24 * 3600
        platform.buyer().order(WHAT, ASK, 5, client_order_id="big")
        buyer.catch_up()
        with self.assertRaises(SpendLimitError) as raised:
            buyer.order(WHAT, ASK, 5)
        self.assertEqual(raised.exception.left, 4)

    def test_two_escrows_under_the_same_id_both_count(self) -> None:
        platform = Platform()
        buyer = platform.buyer(per_day=14)
        buyer.order(WHAT, ASK, 5, escrow=True, client_order_id="big")
        platform.escrows.insert(0, {**platform.escrows[0], "id": "esc_hand"})
        for _ in range(2):
            buyer.catch_up()
        with self.assertRaises(SpendLimitError) as raised:
            buyer.order(WHAT, ASK, 5)
        self.assertEqual(raised.exception.left, 4)

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
