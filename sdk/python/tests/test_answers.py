"""What becomes of an order, whatever its handler and its key do."""

import asyncio
import json
import unittest
from datetime import date
from enum import Enum
from typing import Any
from unittest import mock

import httpx
from fake import Server, failing, ok
from pydantic import BaseModel, ConfigDict, ValidationError
from test_bot import Ask, Item, order

from svc import AsyncSvc, Bot, Ctx, SvcError, types
from svc.bot._journal import Journal
from svc.bot._schema import faults
from svc.bot._work import Worker


class Named(BaseModel):
    names: dict[str, int]


async def named(cx: Ctx, ask: Ask) -> Item:
    return Item(name="a")


class Colour(Enum):
    RED = "red"


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)

    day: date
    colour: Colour


class Answers(unittest.TestCase):
    def answered(self, handler: Any, **members: Any) -> dict[str, Any]:
        """The answer to an order."""

        async def decided() -> dict[str, Any]:
            journal, client = Journal(":memory:"), AsyncSvc("https://svc.example")
            worker = self.worker(client, journal, handler)
            [job] = journal.take([("msg_1", "ada")])
            [call] = await worker._decide(job, types.ServiceOrder.model_validate(order(**members)))
            await client.close()
            journal.close()
            answer: dict[str, Any] = json.loads(call.body)
            return answer

        return asyncio.run(decided())

    def worker(self, client: AsyncSvc, journal: Journal, handler: Any) -> Worker:
        bot = Bot(client, journal=":memory:")
        bot.service("count", price=5, acceptance="implicit")(handler)
        worker = Worker(client, journal, 1, asyncio.Event())
        worker.services = {"srv_1": bot._services[0]}
        return worker

    def test_an_order_whose_handler_awaited_a_cancelled_task_is_answered(self) -> None:
        async def cancelled(cx: Ctx, ask: Ask) -> Item:
            inner = asyncio.create_task(asyncio.sleep(60))
            inner.cancel()
            await inner
            return Item(name="a")

        with self.assertLogs("svc.bot", "ERROR"):
            self.assertEqual(self.answered(cancelled)["status"], "error")

    def test_a_strict_model_takes_what_json_has(self) -> None:
        async def name(cx: Ctx, ask: Strict) -> Item:
            return Item(name=f"{ask.day:%A} {ask.colour.name}")

        answer = self.answered(name, input={"day": "2026-01-31", "colour": "red"})
        self.assertEqual(answer["output"], {"name": "Saturday RED"})

    def test_a_charge_is_rounded_to_what_an_amount_can_have(self) -> None:
        def charged(credits: float) -> Any:
            async def charge(cx: Ctx, ask: Ask) -> Item:
                cx.charge(credits)
                return Item(name="a")

            return self.answered(charge)["chargedCredits"]

        found = [charged(0.1 * 3), charged(1 / 3), charged(1e30), charged(-1), charged(4)]
        self.assertEqual(found, [0.3, 0.333333, 5, 0, 4])

    def test_a_reason_that_the_platform_does_not_take_is_replaced_or_shortened(self) -> None:
        def rejected(reason: str) -> str:
            async def decline(cx: Ctx, ask: Ask) -> Item:
                cx.reject(reason)

            answer = self.answered(decline)
            self.assertEqual(answer["status"], "rejected")
            return str(answer["reason"])

        self.assertEqual(rejected("half of an emoji: \ud83d"), "half of an emoji: \ufffd")
        self.assertEqual(rejected("\U0001f600" * 1200), "\U0001f600" * 1000)
        self.assertEqual(rejected(""), "the order is declined")

    def test_a_fault_points_at_its_member_whatever_its_name(self) -> None:
        with self.assertRaises(ValidationError) as raised:
            Named.model_validate({"names": {"a/b~c": "one"}})
        self.assertEqual(faults(raised.exception)[0]["pointer"], "/input/names/a~1b~0c")

    def test_an_answer_that_the_key_may_not_send_waits_for_another_key(self) -> None:
        async def sent(refusal: httpx.Response) -> list[str]:
            answer = {"order": order()}
            server = Server(ok(answer), refusal, ok(answer), ok(answer))
            http = httpx.AsyncClient(transport=httpx.MockTransport(server))
            client = AsyncSvc("https://svc.example", api_key="svc_ak_secret", http_client=http)
            journal = Journal(":memory:")
            journal.take([("msg_1", "ada")])
            with self.assertRaises(SvcError):
                await self.worker(client, journal, named)._work(*journal.unfinished())
            await self.worker(client, journal, named)._work(*journal.unfinished())
            self.assertEqual(journal.unfinished(), [])
            await http.aclose()
            journal.close()
            return [key for key in server.keys() if key]

        for status, code in (
            (401, "unauthorized"),
            (403, "insufficient_scope"),
            (403, "address_not_allowed"),
        ):
            with self.subTest(code), self.assertNoLogs("svc.bot", "WARNING"):
                keys = asyncio.run(sent(failing(status, code)))
                self.assertEqual(keys, ["resp:msg_1", "resp:msg_1"])

    def test_an_answer_that_a_proxy_took_is_sent_again(self) -> None:
        async def sent(page: httpx.Response) -> list[str]:
            answer = {"order": order()}
            server = Server(ok(answer), page, ok(answer))
            http = httpx.AsyncClient(transport=httpx.MockTransport(server))
            client = AsyncSvc("https://svc.example", api_key="svc_ak_secret", http_client=http)
            journal = Journal(":memory:")
            journal.take([("msg_1", "ada")])
            with mock.patch("asyncio.sleep", mock.AsyncMock()):
                await self.worker(client, journal, named)._work(*journal.unfinished())
            await http.aclose()
            journal.close()
            return [key for key in server.keys() if key]

        said = {"content-type": "application/json"}
        for page in (
            httpx.Response(200, text="<p>back soon</p>"),
            httpx.Response(200, text="<p>back soon</p>", headers=said),
            httpx.Response(204),
        ):
            with self.subTest(page), self.assertLogs("svc.bot", "WARNING"):
                self.assertEqual(asyncio.run(sent(page)), ["resp:msg_1", "resp:msg_1"])

    def test_an_order_is_not_declined_because_the_key_may_not_read_its_escrow(self) -> None:
        async def decided(refusal: httpx.Response) -> int:
            http = httpx.AsyncClient(transport=httpx.MockTransport(Server(refusal)))
            client = AsyncSvc("https://svc.example", api_key="svc_ak_secret", http_client=http)
            journal = Journal(":memory:")
            [job] = journal.take([("msg_1", "ada")])
            escrowed = types.ServiceOrder.model_validate(order(escrowId="esc_1"))
            try:
                return len(await self.worker(client, journal, named)._decide(job, escrowed))
            finally:
                await http.aclose()
                journal.close()

        self.assertEqual(asyncio.run(decided(failing(404, "not_found"))), 2, "answer and decline")
        for code in ("insufficient_scope", "address_not_allowed"):
            with self.subTest(code), self.assertRaises(SvcError):
                asyncio.run(decided(failing(403, code)))

    def test_an_integer_of_a_buyer_or_provider_stays_an_integer(self) -> None:
        for sent, kind in (("5", int), ("5.0", float), ("true", bool), ('"5"', str)):
            text = f'{{"id": "q1", "text": "?", "input": {sent}}}'
            self.assertIs(type(types.OrderPrompt.model_validate_json(text).input), kind)
