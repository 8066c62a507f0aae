"""How a bot works on an order: what pays for it, what interrupts it, what it sends."""

import asyncio
import json
import tempfile
import unittest
from collections.abc import Callable
from typing import Any
from unittest import mock

import httpx
from fake import failing, ok
from pydantic import BaseModel
from test_bot import order

from svc import AsyncSvc, Bot, Ctx
from svc.bot._answer import INTERRUPTED
from svc.bot._journal import Job, Journal, Outgoing
from svc.bot._work import Worker

DELIVER, ANSWER, DECLINE, PROGRESS = (
    "/v1/escrow/esc_1/deliver",
    "/orders/msg_1/answer",
    "/v1/escrow/esc_1/decline",
    "/orders/msg_1/progress",
)


class Ask(BaseModel):
    items: list[int]


class Count(BaseModel):
    items: int


async def count(cx: Ctx, ask: Ask) -> Count:
    return Count(items=len(ask.items))


def escrow(status: str, amount: int = 5) -> httpx.Response:
    at = "2026-01-31T09:30:00.000Z"
    found = {
        "id": "esc_1",
        "status": status,
        "amount": amount,
        "version": 1,
        "buyerUsername": "ada",
        "providerUsername": "wordbot",
        "serviceId": "srv_1",
        "description": "d",
        "deliverableVersion": 0,
        "createdAt": at,
        "expiresAt": at,
    }
    return ok({"escrow": found})


class Platform:
    """Has one order. Refuses the calls to some paths, each once, and keeps what is sent."""

    def __init__(
        self,
        placed: dict[str, Any],
        refusals: dict[str, httpx.Response] | None = None,
        escrow: httpx.Response | None = None,
    ) -> None:
        self.placed, self.refusals, self.escrow = placed, refusals or {}, escrow
        self.sent: list[str] = []
        self.bodies: list[dict[str, Any]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api")
        if request.method == "GET" and path == "/v1/escrow/esc_1" and self.escrow is not None:
            return httpx.Response(self.escrow.status_code, content=self.escrow.content)
        if request.method == "POST":
            self.sent.append(path)
            self.bodies.append(json.loads(request.content))
        return self.refusals.pop(path, None) or ok({"order": self.placed})


class Works(unittest.TestCase):
    def worked(
        self,
        platform: Callable[[httpx.Request], httpx.Response],
        starts: int = 0,
        calls: list[Outgoing] | None = None,
        handler: Any = count,
        **options: Any,
    ) -> list[Job]:
        """What a bot has still to do after it has worked on the order, begun `starts` times."""

        async def run() -> list[Job]:
            http = httpx.AsyncClient(transport=httpx.MockTransport(platform))
            client = AsyncSvc("https://svc.example", api_key="svc_ak_a", http_client=http)
            journal, bot = Journal(":memory:"), Bot(client, journal=":memory:")
            bot.service("count", **{"price": 5, "acceptance": "implicit", **options})(handler)
            worker = Worker(client, journal, 1, asyncio.Event())
            worker.services = {"srv_1": bot._services[0]}
            [job] = journal.take([("msg_1", "ada")])
            for _ in range(starts):
                job = journal.start(job)
            if calls is not None:
                journal.finish("msg_1", calls)
            await worker._work(*journal.unfinished())
            left = journal.unfinished()
            await http.aclose()
            journal.close()
            return left

        return asyncio.run(run())

    def fault(self, found: httpx.Response | None, **options: Any) -> list[str]:
        """Why an order is declined."""
        paid = {"escrowId": "esc_1"} if found is not None else {}
        platform = Platform(order(**paid), escrow=found)
        self.assertEqual(self.worked(platform, **options), [])
        answer = platform.bodies[0]
        [fault] = answer["output"]["faults"]
        self.assertEqual(answer["status"], "rejected")
        # The answer comes first: once the escrow is declined, the order takes none.
        self.assertEqual(platform.sent, [ANSWER, DECLINE] if paid else [ANSWER])
        return [answer["reason"], fault["pointer"], fault["message"]]

    def test_an_escrow_must_be_funded_and_hold_the_price(self) -> None:
        unpaid = "the escrow does not pay for the order"
        for found, message in (
            (escrow("created"), "must be funded but is created"),
            (escrow("funded", 4), "must hold at least the price, 5"),
        ):
            self.assertEqual(self.fault(found), [unpaid, "/escrowId", message])
        platform = Platform(order(escrowId="esc_1"), escrow=escrow("funded"))
        self.assertEqual(self.worked(platform, escrow_from=5), [])
        self.assertEqual(platform.sent, [DELIVER, ANSWER])
        self.assertEqual(platform.bodies[1]["status"], "delivered")

    def test_from_a_price_on_an_order_needs_an_escrow(self) -> None:
        reason, pointer, message = self.fault(None, escrow_from=5)
        self.assertIn("requires an escrow: POST /v1/escrow", reason)
        self.assertEqual([pointer, message[:25]], ["/escrowId", "must name a funded escrow"])
        platform = Platform(order())
        self.worked(platform, escrow_from=6)
        self.assertEqual(platform.bodies[0]["status"], "completed")

    def test_a_rejection_lists_twenty_faults_at_most(self) -> None:
        platform = Platform(order(input={"items": ["a"] * 30}))
        self.worked(platform)
        faults = platform.bodies[0]["output"]["faults"]
        self.assertEqual([len(faults), faults[19]["pointer"]], [20, "/input/items/19"])

    def test_a_handler_runs_again_after_a_crash_at_most_three_times_in_all(self) -> None:
        for starts, policy, status, text in (
            (2, "rerun", "completed", None),
            (3, "rerun", "error", INTERRUPTED),
            (1, "error", "error", INTERRUPTED),
            (1, "reject", "rejected", INTERRUPTED),
        ):
            platform = Platform(order())
            self.worked(platform, starts, on_crash=policy, acceptance="explicit")
            # It was accepted before. To report again would withdraw a question to the buyer.
            self.assertEqual(platform.sent, [ANSWER])
            answer = platform.bodies[0]
            found = (answer["status"], answer.get("error") or answer.get("reason"))
            self.assertEqual(found, (status, text))

    def test_an_order_that_its_buyer_cancelled_is_neither_worked_on_nor_answered(self) -> None:
        async def never(cx: Ctx, ask: Ask) -> Count:
            raise AssertionError("the order is cancelled")

        closed = {PROGRESS: failing(409, "request_closed")}
        for platform in (Platform(order(), closed), Platform(order(closedAt=order()["createdAt"]))):
            left = self.worked(platform, handler=never, acceptance="explicit")
            self.assertEqual((left, platform.sent[1:]), ([], []))

    def test_an_order_that_is_gone_is_forgotten(self) -> None:
        for calls in (None, [Outgoing("resp:msg_1", ANSWER, b"{}")]):
            self.assertEqual(self.worked(lambda _: failing(404, "not_found"), calls=calls), [])

    def test_a_delivery_that_has_arrived_is_not_sent_again(self) -> None:
        calls = [
            Outgoing("deliver:msg_1:1", DELIVER, b"{}"),
            Outgoing("resp:msg_1", ANSWER, b"{}"),
        ]
        for found, sent in (
            (escrow("funded"), [DELIVER, ANSWER]),
            (escrow("delivered"), [ANSWER]),
            (escrow("disputed"), [ANSWER]),
            (escrow("released"), [ANSWER]),
            (failing(404, "not_found"), [DELIVER, ANSWER]),
        ):
            platform = Platform(order(escrowId="esc_1"), escrow=found)
            self.assertEqual(self.worked(platform, 1, calls), [])
            self.assertEqual(platform.sent, sent)

    def test_a_delivery_is_not_sent_again_if_it_arrived_before_an_outage(self) -> None:
        for found, sent in (
            ("funded", [*[DELIVER] * 4, ANSWER]),
            ("delivered", [*[DELIVER] * 3, ANSWER]),
        ):
            platform = Platform(order(escrowId="esc_1"), escrow=escrow("funded"))

            def answer(
                request: httpx.Request, platform: Platform = platform, found: str = found
            ) -> httpx.Response:
                came = platform(request)
                if request.url.path.endswith(DELIVER) and platform.sent.count(DELIVER) <= 3:
                    platform.escrow = escrow(found)
                    raise httpx.ReadError("lost")
                return came

            no_pause = mock.patch("asyncio.sleep", mock.AsyncMock())
            with no_pause, self.assertLogs("svc.bot", "WARNING"):
                self.assertEqual(self.worked(answer), [])
            self.assertEqual(platform.sent, sent)

    def test_work_that_was_delivered_is_announced_and_not_done_again(self) -> None:
        for status in ("delivered", "disputed"):
            platform = Platform(order(status=status, escrowId="esc_1"))
            self.worked(platform, on_crash="rerun")
            self.assertEqual(platform.sent, [ANSWER])
            self.assertEqual(platform.bodies[0]["output"]["escrowId"], "esc_1")

    def test_an_error_takes_the_place_of_all_calls_of_an_answer_that_is_refused(self) -> None:
        async def decline(cx: Ctx, ask: Ask) -> Count:
            cx.reject("not today")

        for handler, refused in ((count, DELIVER), (decline, ANSWER)):
            refusals = {refused: failing(400, "credential_in_content")}
            platform = Platform(order(escrowId="esc_1"), refusals, escrow("funded"))
            with self.subTest(refused), self.assertLogs("svc.bot", "WARNING"):
                self.assertEqual(self.worked(platform, handler=handler), [])
            self.assertEqual(platform.sent, [refused, ANSWER, DECLINE])
            answer = platform.bodies[1]
            self.assertEqual(answer["status"], "error")
            self.assertIn("could not be sent; nothing is charged", answer["error"])

    def test_an_order_that_ended_meanwhile_gets_no_other_answer(self) -> None:
        for code in ("request_closed", "idempotency_conflict"):
            platform = Platform(order(), {ANSWER: failing(409, code)})
            with self.assertLogs("svc.bot", "WARNING"):
                self.assertEqual(self.worked(platform), [])
            self.assertEqual(platform.sent, [ANSWER])

    def test_orders_of_a_buyer_run_one_by_one_and_all_within_the_concurrency(self) -> None:
        running: list[str] = []
        most = {"ada": 0, "all": 0}

        async def slow(cx: Ctx, ask: Ask) -> Count:
            running.append(cx.buyer.username)
            for name, now in (("ada", running.count("ada")), ("all", len(running))):
                most[name] = max(most[name], now)
            for _ in range(5):
                await asyncio.sleep(0)
            running.remove(cx.buyer.username)
            return Count(items=0)

        def answer(request: httpx.Request) -> httpx.Response:
            id = request.url.path.split("/")[3]
            name = "ada" if id in ("msg_1", "msg_2", "msg_3") else id.replace("msg", "bob")
            party = {"id": "usr_1", "username": name, "isAgent": False}
            return ok({"order": order(id=id, buyer=party)})

        async def run() -> None:
            http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
            client = AsyncSvc("https://svc.example", api_key="svc_ak_a", http_client=http)
            journal, bot = Journal(":memory:"), Bot(client, journal=":memory:")
            bot.service("count", price=5, acceptance="implicit")(slow)
            worker = Worker(client, journal, 2, asyncio.Event())
            worker.services = {"srv_1": bot._services[0]}
            buyers = ["ada"] * 3 + ["bob_4", "bob_5"]
            for job in journal.take([(f"msg_{n}", buyer) for n, buyer in enumerate(buyers, 1)]):
                worker.add(job)
            await worker.room(1)
            self.assertEqual(journal.unfinished(), [], "there is room when all are done")
            await worker.drain(1)
            await http.aclose()
            journal.close()

        asyncio.run(run())
        self.assertEqual(most, {"ada": 1, "all": 2})

    def test_a_bot_that_stops_leaves_what_takes_too_long_to_its_next_start(self) -> None:
        async def left_over(works: float, waits: float, platform: Platform) -> list[str]:
            stopping = asyncio.Event()

            async def stop(cx: Ctx, ask: Ask) -> Count:
                stopping.set()
                self.assertTrue(cx.is_stopping)
                await asyncio.sleep(works)
                return Count(items=0)

            http = httpx.AsyncClient(transport=httpx.MockTransport(platform))
            client = AsyncSvc("https://svc.example", api_key="svc_ak_a", http_client=http)
            journal, bot = Journal(":memory:"), Bot(client, journal=":memory:")
            bot.service("count", price=5, acceptance="implicit")(stop)
            worker = Worker(client, journal, 1, stopping)
            worker.services = {"srv_1": bot._services[0]}
            for job in journal.take([("msg_1", "ada"), ("msg_2", "ada")]):
                worker.add(job)
            await stopping.wait()
            await asyncio.wait_for(worker.drain(waits), 10)
            left = [f"{job.id} {job.state} {job.starts}" for job in journal.unfinished()]
            await http.aclose()
            journal.close()
            return left

        for works, waits, left, sent in (
            (0, 5, ["msg_2 queued 0"], [ANSWER]),
            (3600, 0.05, ["msg_1 running 1", "msg_2 queued 0"], list[str]()),
        ):
            platform = Platform(order())
            self.assertEqual(asyncio.run(left_over(works, waits, platform)), left)
            self.assertEqual(platform.sent, sent)

    def test_a_bot_that_is_cancelled_leaves_nothing_running(self) -> None:
        for stops in (False, True):
            with self.subTest(stops=stops), tempfile.TemporaryDirectory() as folder:
                left = asyncio.run(self.cancelled(f"{folder}/bot.db", stops))
                self.assertEqual(left, ["msg_1 running 1", "ended msg_1"])

    async def cancelled(self, path: str, stops: bool) -> list[str]:
        """The journal's rows of an order whose bot is cancelled, or is cancelled while it stops."""
        begun, ended = asyncio.Event(), list[str]()

        async def works(cx: Ctx, ask: Ask) -> Count:
            begun.set()
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                ended.append(cx.order_id)
                raise
            return Count(items=0)

        http = httpx.AsyncClient(transport=httpx.MockTransport(Platform(order())))
        client = AsyncSvc("https://svc.example", api_key="svc_ak_a", http_client=http)
        bot = Bot(client, journal=path)
        bot.service("count", price=5, acceptance="implicit")(works)
        journal = Journal(path)
        journal.take([("msg_1", "ada")])
        journal.close()
        published = {"srv_1": bot._services[0]}
        draining, drain = asyncio.Event(), Worker.drain

        async def drained(worker: Worker, seconds: float) -> None:
            draining.set()
            await drain(worker, seconds)

        with (
            mock.patch("svc.bot._bot.publish", return_value=published),
            mock.patch("svc.bot._bot.warn_of_other_bots"),
            mock.patch.object(bot, "_take_in", new=lambda *_: asyncio.sleep(3600)),
            mock.patch.object(Worker, "drain", new=drained),
        ):
            serving = asyncio.create_task(bot.serve())
            await asyncio.wait_for(begun.wait(), 10)
            if stops:
                bot.stop()
                await asyncio.wait_for(draining.wait(), 10)
            serving.cancel()
            await asyncio.wait([serving])
        await http.aclose()
        self.assertEqual(asyncio.all_tasks(), {asyncio.current_task()})
        journal = Journal(path)
        left = [f"{job.id} {job.state} {job.starts}" for job in journal.unfinished()]
        journal.close()
        return [*left, *(f"ended {id}" for id in ended)]

    def test_a_question_of_an_order_that_ended_declines_it(self) -> None:
        async def asking(cx: Ctx, ask: Ask) -> Count:
            return Count(items=(await cx.ask("how many?", Count)).items)

        prompt = {"id": "q1", "text": "how many?"}
        ended = order(status="expired", version=2, prompt=prompt, closedAt=order()["createdAt"])

        answers = []

        def answer(request: httpx.Request) -> httpx.Response:
            is_waiting = "waitSeconds" in request.url.params
            if request.url.path.endswith("/answer"):
                answers.append(json.loads(request.content))
            asked = order(status="input_required", version=2, prompt=prompt)
            return ok({"order": ended if is_waiting else asked})

        with mock.patch("svc.bot._context.PAUSE", 0.0):
            self.assertEqual(self.worked(answer, handler=asking, timeout=5), [])
        found = [(each["status"], each.get("reason")) for each in answers]
        self.assertEqual(found, [("rejected", "the order ended before the input came")])
