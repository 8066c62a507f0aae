"""The bot: takes orders in, and answers each of them once."""

from __future__ import annotations

import asyncio
import inspect
import logging
import signal
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Literal, Self, TypeVar, get_args

from pydantic import BaseModel

from .. import types
from .._asynchronous import AsyncSvc
from .._call import Amount, credits_of
from .._error import SvcError
from .._retry import is_from_proxy
from ._context import Ctx
from ._journal import Journal
from ._other_bots import warn_of_other_bots
from ._outage import is_inactive, until_answered, wait_out
from ._schema import published
from ._service import OnCrash, Service, name_key, publish, types_of
from ._work import Worker

I = TypeVar("I", bound=BaseModel)  # noqa: E741
O = TypeVar("O", bound=BaseModel)  # noqa: E741

log = logging.getLogger("svc.bot")

JOBS_MAX = 1000
"""Unfinished orders in the journal; the platform keeps the rest."""
PRUNE_SECONDS = 6 * 3600.0
"""How often the journal is pruned, in seconds."""
_OPEN: tuple[Literal["open", "working", "input_required"], ...] = (
    "open",
    "working",
    "input_required",
)


class Bot:
    """Sells the results of functions, and answers every order once, whatever crashes.

    The journal is a file that the bot needs again after a restart. At most `concurrency` functions
    run at once, also those that wait for an answer of the buyer; a bot that stops waits `drain`
    seconds for them.
    """

    def __init__(
        self,
        client: AsyncSvc,
        *,
        journal: str | Path,
        concurrency: int = 16,
        drain: float = 30.0,
    ) -> None:
        self._client = client
        self._path = journal
        self._concurrency = max(concurrency, 1)
        self._drain = drain
        self._services: list[Service] = []
        self._stopping = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        """The loop of `serve`."""

    @classmethod
    def from_env(cls, *, journal: str | Path, concurrency: int = 16, drain: float = 30.0) -> Self:
        """A bot for the account of SVC_API_KEY on the server of SVC_URL."""
        client = AsyncSvc.from_env()
        if client.core.api_key is None:
            raise SvcError("SVC_API_KEY must be set to the key of the bot's account")
        return cls(client, journal=journal, concurrency=concurrency, drain=drain)

    def service(
        self,
        name: str,
        *,
        price: Amount = 0,
        description: str | None = None,
        tags: Sequence[str] = (),
        timeout: float = 60.0,
        on_crash: OnCrash = "error",
        acceptance: Literal["implicit", "explicit"] = "explicit",
        escrow_from: Amount | None = None,
        category: types.ServiceCategory | None = None,
        languages: Sequence[str] | None = None,
    ) -> Callable[[Callable[[Ctx, I], Awaitable[O]]], Callable[[Ctx, I], Awaitable[O]]]:
        """Offers a function, `async def f(cx: Ctx, ask: I) -> O`, under this name.

        The schemas of its models are published. One run takes at most `timeout` seconds, with the
        time that the buyer takes for answers to `cx.ask`. `on_crash` says what becomes of an order
        whose function was interrupted by the end of the process: `error` and `reject` answer so and
        cost nothing, `rerun` starts it again, at most three times in total. From the price
        `escrow_from` on, an escrow must pay. Without `category` and `languages`, those on the
        platform stay.
        """

        def offer(
            function: Callable[[Ctx, I], Awaitable[O]],
        ) -> Callable[[Ctx, I], Awaitable[O]]:
            asked, result = types_of(function)
            if on_crash not in get_args(OnCrash):
                raise SvcError("on_crash must be error, reject or rerun")
            if any(name_key(each.name) == name_key(name) for each in self._services):
                raise SvcError(f"there are two services of the name {name}")
            self._services.append(
                Service(
                    name=name,
                    description=description or (inspect.getdoc(function) or name).strip(),
                    price=credits_of(price, "price"),
                    timeout=timeout,
                    on_crash=on_crash,
                    acceptance=acceptance,
                    tags=tags,
                    escrow_from=_optional(escrow_from, "escrow_from"),
                    category=category,
                    languages=languages,
                    handler=function,
                    input=asked,
                    output=result,
                    input_schema=published(asked, "validation"),
                    output_schema=published(result, "serialization"),
                )
            )
            return function

        return offer

    def run(self) -> None:
        """Runs until SIGTERM or Ctrl-C, which let running functions end; a second one does not.

        Outside of the main thread, it runs until `stop`.
        """
        asyncio.run(self._run_until_signal())

    async def _run_until_signal(self) -> None:
        loop = asyncio.get_running_loop()

        def stop(number: int) -> None:
            loop.remove_signal_handler(number)
            self.stop()

        # Only the main thread takes signals; in another one, `stop` ends the bot.
        is_main = threading.current_thread() is threading.main_thread()
        for number in (signal.SIGTERM, signal.SIGINT) if is_main else ():
            # Windows has no such handlers; there Ctrl-C ends the bot at once, which is safe.
            with suppress(NotImplementedError):
                loop.add_signal_handler(number, stop, number)
        await self.serve()

    def stop(self) -> None:
        """Takes no more orders, and ends `serve` when running functions have ended. Any thread may
        call it.
        """
        loop = self._loop
        if loop is None:
            self._stopping.set()  # It ends as soon as it begins.
            return
        with suppress(RuntimeError):  # The loop is closed: the bot has ended.
            loop.call_soon_threadsafe(self._stopping.set)

    async def serve(self) -> None:
        """Runs until `stop`, or until the platform refuses the key, and once only. If it is
        cancelled, so are running functions; their orders are those of a crash then.

        While the account is suspended, or paused by its owner, the bot finishes its orders and
        waits for new ones.
        """
        if self._loop is not None:
            raise SvcError("a bot runs once; make another one to run it again")
        journal = Journal(self._path)
        self._loop = asyncio.get_running_loop()
        try:
            await self._serve(journal)
        finally:
            journal.close()
            await self._client.close()

    async def _serve(self, journal: Journal) -> None:
        worker = Worker(self._client, journal, self._concurrency, self._stopping)
        worker.reached = self._reached
        tasks = {
            asyncio.create_task(self._open(worker, journal)),
            asyncio.create_task(self._until_stopped()),
            asyncio.create_task(worker.failed()),
            asyncio.create_task(self._prune(journal)),
        }
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            await self._end(tasks - done, worker, self._drain)
        except asyncio.CancelledError:
            # Tasks do not end with the one that waits for them, and the journal is closed next.
            await self._end(tasks, worker, 0.0)
            raise
        for task in done:
            task.result()

    async def _end(self, tasks: set[asyncio.Task[None]], worker: Worker, drain: float) -> None:
        """Ends what takes orders in, then what works on them."""
        self._stopping.set()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await worker.drain(drain)

    async def _until_stopped(self) -> None:
        await self._stopping.wait()

    async def _open(self, worker: Worker, journal: Journal) -> None:
        """Publishes the services, continues what the journal has, and journals new orders."""
        client = self._client
        worker.services = await until_answered(lambda: publish(client, self._services))
        await warn_of_other_bots(client, journal)
        for job in journal.unfinished():
            worker.add(job)
        log.info("open for orders: %s", ", ".join(each.name for each in self._services))
        await self._take_in(worker, journal)

    async def _prune(self, journal: Journal) -> None:
        """Keeps the journal small, also of a bot that runs for months."""
        while True:
            journal.prune()
            await asyncio.sleep(PRUNE_SECONDS)

    async def _take_in(self, worker: Worker, journal: Journal) -> None:
        """Journals orders as they are placed, beginning with those that are open."""
        while True:
            after = await self._catch_up(worker, journal)
            try:
                async for event in self._client.events.follow(after, types=["order"]):
                    placed = types.OrderData.model_validate(event.data)
                    if placed.action == "placed":
                        await self._take(
                            worker, journal, [(placed.order_id, placed.buyer_username)]
                        )
            except SvcError as error:
                if is_inactive(error) or is_from_proxy(error):
                    await wait_out(error)
                elif error.code == "cursor_expired":
                    log.warning(
                        "the platform no longer has older events; listing open orders instead"
                    )
                else:
                    raise

    async def _catch_up(self, worker: Worker, journal: Journal) -> int:
        """Journals the open orders. Every later one has an event after the returned number."""
        client = self._client
        # The number first: an order that is placed in between is seen twice rather than missed.
        latest = (await until_answered(lambda: client.events.list(limit=1))).latest_seq
        orders = await until_answered(self._open_orders)
        await self._take(worker, journal, [(order.id, order.buyer.username) for order in orders])
        return latest

    async def _open_orders(self) -> list[types.ServiceOrder]:
        """Open orders to this account, oldest first."""
        found = [
            order
            for status in _OPEN
            async for order in self._client.orders.list(role="provider", status=status, limit=100)
        ]
        return sorted(found, key=lambda order: order.created_at)

    async def _take(self, worker: Worker, journal: Journal, orders: list[tuple[str, str]]) -> None:
        await worker.room(JOBS_MAX)
        self._reached("before journalled")
        new = journal.take(orders)
        self._reached("after journalled")
        for job in new:
            worker.add(job)

    def _reached(self, point: str) -> None:
        """A point at which tests end the process."""


def _optional(amount: Amount | None, name: str) -> Decimal | None:
    return None if amount is None else credits_of(amount, name)
