"""What a bot accepts as a service, and what it publishes of it."""

import asyncio
import json
import math
import os
import unittest
from decimal import Decimal
from typing import Any
from unittest import mock

import httpx
from fake import Answer, Server, failing, ok
from pydantic import BaseModel, Field

from svc import AsyncSvc, Bot, Ctx, SvcError, types
from svc.bot._answer import completed
from svc.bot._journal import Journal
from svc.bot._other_bots import warn_of_other_bots
from svc.bot._schema import published
from svc.bot._service import _as_read, publish
from svc.bot._work import Worker

LOST = httpx.ConnectError("refused")


class Item(BaseModel):
    name: str = Field(description="Its name.")


class Ask(BaseModel):
    items: list[Item]


class Endless(BaseModel):
    inner: "Endless | None" = None


class Ratio(BaseModel):
    value: float


def order(**members: Any) -> dict[str, Any]:
    """An order as the platform shows it."""
    party = {"id": "usr_1", "username": "ada", "isAgent": False}
    return {
        "id": "msg_1",
        "status": "working",
        "version": 1,
        "buyer": party,
        "provider": party,
        "conversationId": "conv_1",
        "serviceId": "srv_1",
        "serviceName": "count",
        "input": {"items": []},
        "offeredCredits": 5,
        "partialsCount": 0,
        "createdAt": "2026-01-31T09:30:00.000Z",
        **members,
    }


async def handler(cx: Ctx, ask: Ask) -> Item:
    return ask.items[0]


def blocking(cx: Ctx, ask: Ask) -> Item:
    return ask.items[0]


async def untyped(cx, ask):  # type: ignore[no-untyped-def]
    return ask


async def unmodelled(cx: Ctx, ask: str) -> Item:
    return Item(name=ask)


class Bots(unittest.TestCase):
    def bot(self) -> Bot:
        return Bot(AsyncSvc("https://svc.example"), journal=":memory:")

    def test_a_handler_must_be_asynchronous_and_typed_by_models(self) -> None:
        for function in (blocking, untyped, unmodelled):
            name = function.__name__
            with self.subTest(name), self.assertRaisesRegex(SvcError, f"async def {name}"):
                offer: Any = self.bot().service("count")
                offer(function)

    def test_a_policy_must_be_known_and_a_name_used_once(self) -> None:
        with self.assertRaisesRegex(SvcError, "error, reject or rerun"):
            self.bot().service("count", on_crash="retry")(handler)  # type: ignore[arg-type]
        bot = self.bot()
        bot.service("count")(handler)
        for name in ("count", "Count"):
            with self.assertRaisesRegex(SvcError, "two services"):
                bot.service(name)(handler)

    def test_a_description_is_that_of_the_function_without_its_indentation(self) -> None:
        async def counted(cx: Ctx, ask: Ask) -> Item:
            """Counts.

            Words, too.
            """
            return ask.items[0]

        bot = self.bot()
        bot.service("count")(counted)
        bot.service("other")(handler)
        found = [each.description for each in bot._services]
        self.assertEqual(found, ["Counts.\n\nWords, too.", "other"])

    def test_amounts_that_are_no_numbers_are_refused_by_name(self) -> None:
        for wrong in ("abc", math.nan, None):
            with self.subTest(wrong), self.assertRaisesRegex(SvcError, "price must be a number"):
                self.bot().service("count", price=wrong)(handler)  # type: ignore[arg-type]
        with self.assertRaisesRegex(SvcError, "escrow_from must be a number of credits"):
            self.bot().service("count", escrow_from=math.inf)(handler)
        bot = self.bot()
        bot.service("count", price="0.25")(handler)  # type: ignore[arg-type]
        self.assertEqual(bot._services[0].price, Decimal("0.25"))

    def test_a_rejection_says_what_is_wrong_and_where(self) -> None:
        def fault(services: bool = True, **members: Any) -> tuple[str, str]:
            async def decided() -> dict[str, Any]:
                journal, client = Journal(":memory:"), AsyncSvc("https://svc.example")
                bot = self.bot()
                bot.service("count", price=6)(handler)
                worker = Worker(client, journal, 1, asyncio.Event())
                worker.services = {"srv_1": bot._services[0]} if services else {}
                [job] = journal.take([("msg_1", "ada")])
                placed = types.ServiceOrder.model_validate(order(**members))
                [call] = await worker._decide(job, placed)
                await client.close()
                journal.close()
                answer: dict[str, Any] = json.loads(call.body)
                return answer

            answer = asyncio.run(decided())
            [found] = answer["output"]["faults"]
            return answer["reason"], found["pointer"]

        self.assertEqual(fault(False), ("the service is not offered", "/serviceId"))
        self.assertEqual(fault(), ("the offer is below the price", "/offeredCredits"))

    def test_a_bot_warns_of_orders_that_its_journal_does_not_know(self) -> None:
        found = [
            order(id="msg_1"),
            order(id="msg_2", status="completed"),
            order(id="msg_3", status="open"),
            order(id="msg_4", status="expired"),
        ]

        async def warned(*known: str) -> None:
            http = httpx.AsyncClient(transport=httpx.MockTransport(Server(ok({"orders": found}))))
            client, journal = AsyncSvc("https://svc.example", http_client=http), Journal(":memory:")
            journal.take([(each, "ada") for each in known])
            await warn_of_other_bots(client, journal)
            await http.aclose()
            journal.close()

        with self.assertLogs("svc.bot", "WARNING") as logs:
            asyncio.run(warned("msg_1"))
        self.assertIn("this journal does not know 1 of the latest orders", logs.output[0])
        self.assertIn("such as msg_2; if another bot uses this account, stop", logs.output[0])
        with self.assertNoLogs("svc.bot"):
            asyncio.run(warned("msg_1", "msg_2"))

    def test_a_handler_that_runs_again_skips_the_partial_results_of_its_steps(self) -> None:
        async def keys() -> list[str | None]:
            server = Server(*[ok({"order": order()}) for _ in range(3)])
            http = httpx.AsyncClient(transport=httpx.MockTransport(server))
            client, journal = AsyncSvc("https://svc.example", http_client=http), Journal(":memory:")
            seen = types.ServiceOrder.model_validate(order())
            for is_again in (False, True):
                cx = Ctx(seen, client, journal, asyncio.Event())

                async def two(cx: Ctx = cx) -> None:
                    await cx.partial("a")
                    await cx.partial("b")

                await cx.once("two", two)
                if is_again:
                    await cx.partial("c")
            await http.aclose()
            journal.close()
            return server.keys()

        sent = [f"partial:msg_1:{number}" for number in (1, 2, 3)]
        self.assertEqual(asyncio.run(keys()), sent)

    def test_a_partial_result_beside_a_step_is_sent_once_when_the_step_is_skipped(self) -> None:
        async def keys() -> list[str | None]:
            server = Server(*[ok({"order": order()}) for _ in range(3)])
            http = httpx.AsyncClient(transport=httpx.MockTransport(server))
            client, journal = AsyncSvc("https://svc.example", http_client=http), Journal(":memory:")
            seen = types.ServiceOrder.model_validate(order())
            for _run in range(2):
                cx, sent = Ctx(seen, client, journal, asyncio.Event()), asyncio.Event()
                search = asyncio.create_task(cx.once("search", sent.wait))
                await asyncio.sleep(0)  # It begins, or is skipped.
                await cx.partial("a")
                sent.set()
                await search
            await cx.partial("b")
            await http.aclose()
            journal.close()
            return server.keys()

        numbers = [f"partial:msg_1:{number}" for number in (1, 1, 2)]
        self.assertEqual(asyncio.run(keys()), numbers)

    def test_schemas_are_published_without_references(self) -> None:
        schema = published(Ask, "validation")
        self.assertNotIn("$ref", str(schema))
        item = schema["properties"]["items"]["items"]
        self.assertEqual(item["properties"]["name"]["description"], "Its name.")
        with self.assertRaisesRegex(SvcError, "nested deeper"):
            published(Endless, "validation")

    def test_an_output_that_json_can_not_say_fails_its_order_and_not_the_bot(self) -> None:
        async def divide(cx: Ctx, ask: Ask) -> Ratio:
            return Ratio(value=math.nan)

        async def answered() -> list[Any]:
            journal, client = Journal(":memory:"), AsyncSvc("https://svc.example")
            bot = self.bot()
            bot.service("divide", acceptance="implicit")(divide)
            worker = Worker(client, journal, 1, asyncio.Event())
            worker.services = {"srv_1": bot._services[0]}
            [job] = journal.take([("msg_1", "ada")])
            calls = await worker._decide(job, types.ServiceOrder.model_validate(order()))
            await client.close()
            journal.close()
            return [json.loads(call.body)["status"] for call in calls]

        with self.assertLogs("svc.bot", "ERROR"):
            self.assertEqual(asyncio.run(answered()), ["error"])

    def test_a_handler_that_runs_again_has_the_answers_to_all_its_questions(self) -> None:
        def prompt(number: int, **given: Any) -> httpx.Response:
            asked = {"id": f"q{number}", "text": "?", **given}
            return ok({"order": order(version=number, prompt=asked)})

        async def asked() -> list[str]:
            answers = [prompt(1), prompt(1, input={"name": "en"})]
            server = Server(*answers, prompt(2), prompt(2, input={"name": "fr"}))
            http = httpx.AsyncClient(transport=httpx.MockTransport(server))
            client, journal = AsyncSvc("https://svc.example", http_client=http), Journal(":memory:")
            seen = types.ServiceOrder.model_validate(order(version=0))
            names = []
            for _run in range(2):
                cx = Ctx(seen, client, journal, asyncio.Event())
                for question in ("from", "to"):
                    names.append((await cx.ask(question, Item)).name)
            await http.aclose()
            journal.close()
            return names

        self.assertEqual(asyncio.run(asked()), ["en", "fr", "en", "fr"])

    def test_a_question_that_a_handler_asks_twice_has_two_answers(self) -> None:
        def prompt(number: int, **given: Any) -> httpx.Response:
            asked = {"id": f"q{number}", "text": "?", **given}
            return ok({"order": order(version=number, prompt=asked)})

        async def asked() -> list[str]:
            answers = [prompt(1), prompt(1, input={"name": "tea"})]
            server = Server(*answers, prompt(2), prompt(2, input={"name": "nothing"}))
            http = httpx.AsyncClient(transport=httpx.MockTransport(server))
            client, journal = AsyncSvc("https://svc.example", http_client=http), Journal(":memory:")
            seen = types.ServiceOrder.model_validate(order(version=0))
            names = []
            for _run in range(2):
                cx = Ctx(seen, client, journal, asyncio.Event())
                for _time in range(2):
                    names.append((await cx.ask("anything else?", Item)).name)
            await http.aclose()
            journal.close()
            return names

        self.assertEqual(asyncio.run(asked()), ["tea", "nothing"] * 2)

    def test_a_question_outlasts_an_outage_of_the_platform(self) -> None:
        def prompt(number: int, **given: Any) -> httpx.Response:
            asked = {"id": "q1", "text": "?", **given}
            return ok({"order": order(version=number, prompt=asked)})

        async def asked() -> str:
            answers: list[Answer] = [LOST, failing(504), prompt(1), LOST, failing(502)]
            server = Server(*answers, prompt(2, input={"name": "en"}))
            http = httpx.AsyncClient(transport=httpx.MockTransport(server))
            client = AsyncSvc("https://svc.example", http_client=http, retries=0)
            journal = Journal(":memory:")
            seen = types.ServiceOrder.model_validate(order(version=0))
            name = (await Ctx(seen, client, journal, asyncio.Event()).ask("from", Item)).name
            self.assertEqual(len(set(server.keys()[:3])), 1, "it is asked once")
            await http.aclose()
            journal.close()
            return name

        no_pause = mock.patch("svc.bot._outage._BACK_OFF_MIN", 0.0)
        with no_pause, self.assertLogs("svc.bot", "WARNING"):
            self.assertEqual(asyncio.run(asked()), "en")

    def test_a_question_that_a_report_withdrew_is_asked_again(self) -> None:
        def prompt(status: str, number: int, **given: Any) -> dict[str, Any]:
            asked = {"id": f"q{number}", "text": "?", **given}
            return order(status=status, version=number, prompt=asked)

        async def asked() -> list[str | None]:
            withdrawn, again = prompt("working", 1), prompt("input_required", 2)
            answered = prompt("working", 2, input={"name": "en"})
            answers = [ok({"order": each}) for each in (withdrawn, withdrawn, again, answered)]
            http = httpx.AsyncClient(transport=httpx.MockTransport(Server(*answers)))
            client, journal = AsyncSvc("https://svc.example", http_client=http), Journal(":memory:")
            journal.save_step("msg_1", "ask:from", '"q1"')  # by the run that was interrupted
            seen = types.ServiceOrder.model_validate(order(**prompt("input_required", 1)))
            cx = Ctx(seen, client, journal, asyncio.Event())
            await cx.progress(10)
            with mock.patch("svc.bot._context.PAUSE", 0.0):
                name = (await cx.ask("from", Item)).name
            await http.aclose()
            kept = journal.step("msg_1", "ask:from")
            journal.close()
            return [name, kept]

        self.assertEqual(asyncio.run(asked()), ["en", '"q2"'])

    def test_numbers_have_the_checksum_that_buyers_compute(self) -> None:
        placed = types.ServiceOrder.model_validate(order(escrowId="esc_1"))
        numbers = [3e-5, 3.25e-5, 1e-6, 1.5e-6, 1e-7, 2.5e-10, 0.0001, -1.5e300, 1e22, 0.1, 1]
        # The tests of the kit for Rust have the same checksums, those for TypeScript the first one.
        for output, expected in (
            (
                [*numbers, 20_000_000_000_000_000_000, -(2.0**63), 2.0**64],
                "6aa9bf65eb7acb1f7dba9e3c05f4aba678cfa35dc5f33c0e408cdbe186c13ac3",
            ),
            (
                [1e15, 1e16, -0.0, 1.0],
                "0c8b9ffd4b4633f708b92c4a97e9f8a6afe2fef5c0aaf96d9294ac752250034d",
            ),
        ):
            delivery, _ = completed(placed, {"n": output}, Decimal(5))
            checksum = json.loads(delivery.body)["deliverable"]["checksum"]
            self.assertEqual(checksum, f"sha256:{expected}")

    def test_a_bot_stops_while_the_platform_is_down(self) -> None:
        async def stopped() -> None:
            http = httpx.AsyncClient(transport=httpx.MockTransport(Server(*[LOST] * 9)))
            client = AsyncSvc("https://svc.example", http_client=http, retries=0)
            bot = Bot(client, journal=":memory:")
            bot.service("count")(handler)
            serving = asyncio.create_task(bot.serve())
            await asyncio.sleep(0)
            bot.stop()
            await asyncio.wait_for(serving, 10)
            await http.aclose()

        with self.assertNoLogs("asyncio"):
            asyncio.run(stopped())

    def test_only_what_differs_is_changed_and_a_name_is_known_in_any_case(self) -> None:
        known = {
            "id": "srv_1",
            "name": "count",
            "description": "Counts.",
            "priceCredits": 5,
            "acceptance": "explicit",
            "active": True,
            "category": "writing",
            "languages": ["en"],
            "inputSchema": published(Ask, "validation"),
            "outputSchema": published(Item, "serialization"),
            "ordersDone": 0,
            "rating": 0,
            "ratingsCount": 0,
            "samples": [],
            "tags": [],
            "createdAt": "2026-01-31T09:30:00.000Z",
            "updatedAt": "2026-01-31T09:30:00.000Z",
        }

        async def sent(name: str = "count", **options: Any) -> list[Any]:
            server = Server(ok({"services": [known]}), ok({"service": known}))
            http = httpx.AsyncClient(transport=httpx.MockTransport(server))
            bot = self.bot()
            bot.service(name, price=5, description="Counts.", **options)(handler)
            await publish(AsyncSvc("https://svc.example", http_client=http), bot._services)
            await http.aclose()
            return [json.loads(request.content) for request in server.requests[1:]]

        self.assertEqual(asyncio.run(sent()), [])
        self.assertEqual(asyncio.run(sent(category="writing", languages=("en",))), [])
        changed: dict[str, Any] = {"category": "data", "languages": ["en", "fr"]}
        self.assertEqual(asyncio.run(sent(**changed)), [changed])
        # The platform takes these for one name, and would refuse a second service of it.
        known["name"] = "Caf\u00e9"
        for name in ("caf\u00e9", "cafe\u0301"):
            self.assertEqual(asyncio.run(sent(name)), [{"name": name}])
        self.assertEqual(asyncio.run(sent("Caf\u00e9")), [])

    def test_a_bound_beyond_64_bits_is_the_number_that_the_platform_keeps(self) -> None:
        class Large(BaseModel):
            items: int = Field(le=10**30, ge=-(10**20))

        schema = published(Large, "validation")
        known = json.loads(json.dumps(schema))
        bounds = known["properties"]["items"]
        bounds["maximum"], bounds["minimum"] = 1e30, -1e20
        self.assertNotEqual(schema, known)
        self.assertEqual(_as_read(schema), known)

    def test_a_bot_needs_the_address_and_a_key(self) -> None:
        for env in ({}, {"SVC_URL": "https://svc.example"}):
            with mock.patch.dict(os.environ, env, clear=True), self.assertRaises(SvcError):
                Bot.from_env(journal=":memory:")
