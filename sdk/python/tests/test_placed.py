"""What a buyer does with an order while its provider works on it."""

import json
import unittest
from datetime import timedelta

import httpx
from buying import escrow
from fake import StoppedClock, client, ok
from pydantic import BaseModel
from test_calls import ORDER

from svc import AsyncSvc, SvcError

AT = "2026-01-31T09:30:00.000Z"
PROMPT = {"id": "prm_1", "text": "which language?"}


class Language(BaseModel):
    language: str


class PlacedOrders(unittest.TestCase):
    def test_an_order_is_found_answered_extended_and_cancelled(self) -> None:
        asks = {**ORDER, "status": "input_required", "prompt": PROMPT}
        works = {**ORDER, "status": "working", "version": 2}
        partials = {"partials": [{"n": 1, "partial": {"first": "w"}, "createdAt": AT}]}
        ended = {**ORDER, "status": "cancelled"}
        answers = [{"order": asks}, {"order": works}, {"order": works}, partials, {"order": ended}]
        svc, server, _ = client(*map(ok, answers))
        order = svc.orders.find("msg_1")
        self.assertEqual(order.input(Language(language="la")).status, "working")
        order.extend(timedelta(days=3))
        self.assertEqual([each.n for each in order.partials()], [1])
        self.assertEqual(order.cancel("too late").status, "cancelled")
        self.assertEqual(order.order.status, "cancelled")
        sent = [(each.url.path, json.loads(each.content or b"null")) for each in server.requests]
        self.assertEqual(
            sent[1:],
            [
                ("/api/orders/msg_1/input", {"promptId": "prm_1", "input": {"language": "la"}}),
                ("/api/orders/msg_1/extend", {"answerWithin": "3d"}),
                ("/api/orders/msg_1/partials", None),
                ("/api/orders/msg_1/cancel", {"reason": "too late"}),
            ],
        )

    def test_more_time_is_that_of_the_escrow_that_pays(self) -> None:
        order = {**ORDER, "escrowId": "esc_1"}
        longer = escrow("esc_1", {"amount": 5, "description": "d"}, AT)
        svc, server, _ = client(*map(ok, [{"order": order}, {"escrow": longer}, {"order": order}]))
        svc.orders.find("msg_1").extend("3d")
        paths = [each.url.path for each in server.requests]
        self.assertEqual(paths[1:], ["/api/v1/escrow/esc_1/extend", "/api/orders/msg_1"])

    def test_an_input_without_a_question_is_refused_before_it_is_sent(self) -> None:
        svc, server, _ = client(ok({"order": ORDER}))
        with self.assertRaisesRegex(SvcError, "the order msg_1 has no question"):
            svc.orders.find("msg_1").input({"language": "la"})
        self.assertEqual(len(server.requests), 1)


class AsyncPlacedOrders(unittest.IsolatedAsyncioTestCase):
    async def test_the_asynchronous_client_acts_on_an_order_too(self) -> None:
        paths: list[str] = []

        def answer(request: httpx.Request) -> httpx.Response:
            paths.append(request.url.path.removeprefix("/api/orders/msg_1"))
            is_list = paths[-1] == "/partials"
            return ok({"partials": []} if is_list else {"order": {**ORDER, "prompt": PROMPT}})

        http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        svc = AsyncSvc("https://svc.example", http_client=http, clock=StoppedClock())
        order = await svc.orders.find("msg_1")
        await order.input({"language": "la"})
        await order.extend("3d")
        self.assertEqual([each async for each in order.partials()], [])
        await order.refresh()
        await order.cancel()
        self.assertEqual(paths, ["", "/input", "/extend", "/partials", "", "/cancel"])
        await http.aclose()
