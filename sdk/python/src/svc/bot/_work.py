"""One order, from the journal until its answer is sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from pydantic import BaseModel, ValidationError

from .. import types
from .._asynchronous import AsyncSvc
from .._call import encoded
from .._error import SvcError
from . import _answer
from ._context import Ctx, Rejection
from ._journal import Job, Journal, Outgoing
from ._outage import is_key_refused, until_answered
from ._schema import faults
from ._service import STARTS_MAX, Service

log = logging.getLogger("svc.bot")

_NO_ESCROW = (
    "the service requires an escrow: POST /v1/escrow opens one, whose id is the escrowId of the "
    "order"
)
_MISMATCH = "the escrow does not match the order"
_UNPAID = "the escrow does not pay for the order"

_ENDED = ("request_closed", "idempotency_conflict")
"""Refusals of an answer which say that the order has another one."""


class Worker:
    """Works on orders: those of one buyer one after the other, others concurrently."""

    def __init__(
        self,
        client: AsyncSvc,
        journal: Journal,
        concurrency: int,
        stopping: asyncio.Event,
    ) -> None:
        self._client, self._journal, self._stopping = client, journal, stopping
        self.services: dict[str, Service] = {}
        """Those that are published, by their ids."""
        self._permits = asyncio.Semaphore(concurrency)
        self._queues: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._room = asyncio.Event()
        self._failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.reached: Callable[[str], None] = lambda point: None
        """A point at which tests end the process."""

    def add(self, job: Job) -> None:
        """Works on an order when those of the same buyer are done."""
        task = asyncio.create_task(self._after(self._queues.get(job.buyer), job))
        self._queues[job.buyer] = task
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._ended(done, job))

    async def _after(self, earlier: asyncio.Task[None] | None, job: Job) -> None:
        if earlier is not None:
            await asyncio.wait([earlier])
        async with self._permits:
            if not self._stopping.is_set():
                await self._work(job)

    def _ended(self, task: asyncio.Task[None], job: Job) -> None:
        self._tasks.discard(task)
        self._room.set()
        if self._queues.get(job.buyer) is task:
            del self._queues[job.buyer]
        if not task.cancelled() and (error := task.exception()) and not self._failure.done():
            self._failure.set_exception(error)

    async def failed(self) -> None:
        """Waits for what ends the bot, such as a key that the platform refuses."""
        await self._failure

    async def room(self, jobs_max: int) -> None:
        """Waits until there are fewer unfinished orders than this."""
        while len(self._tasks) >= jobs_max:
            self._room.clear()
            await self._room.wait()

    async def drain(self, seconds: float) -> None:
        """Waits for running handlers and unsent answers, then cancels them."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=seconds)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)
        self._failure.cancel()

    async def _work(self, job: Job) -> None:
        is_fresh = job.state != "done"
        get = self._client.orders.get
        try:
            order = (await until_answered(lambda: get(job.id))).order
        except SvcError as error:
            if error.status != 404:
                raise
            self._journal.forget(job.id)
            return
        if is_fresh:
            calls = await self._decide(job, order)
            self.reached("before stored")
            self._journal.finish(job.id, calls)
            self.reached("after stored")
        await self._send(order, is_fresh)

    async def _decide(self, job: Job, order: types.ServiceOrder) -> list[Outgoing]:
        """The calls that answer an order."""
        if order.closed_at is not None:
            return []
        if order.status in ("delivered", "disputed"):
            return [_answer.delivered(order)]
        service = self.services.get(order.service_id)
        if service is None:
            message = "must be the id of an offered service; see the capabilities"
            return _answer.rejected_at(order, "the service is not offered", "/serviceId", message)
        if job.state == "running":
            if service.on_crash == "reject":
                return _answer.rejected(order, _answer.INTERRUPTED)
            if service.on_crash == "error" or job.starts >= STARTS_MAX:
                return _answer.failed(order, _answer.INTERRUPTED)
        try:
            # A strict model takes a date from JSON, and refuses the same text as a Python object.
            ask = service.input.model_validate_json(encoded(order.input))
        except ValidationError as error:
            return _answer.rejected(order, "the input does not match the schema", faults(error))
        if order.escrow_id is None and service.needs_escrow:
            message = "must name a funded escrow for this service"
            return _answer.rejected_at(order, _NO_ESCROW, "/escrowId", message)
        problem = await self._unpaid(order, service)
        if problem is not None:
            return _answer.rejected_at(order, *problem)
        if not await self._accept(job, order, service):
            return []
        return await self._run(job, order, service, ask)

    async def _unpaid(
        self, order: types.ServiceOrder, service: Service
    ) -> tuple[str, str, str] | None:
        """Why an order does not pay for the service, the pointer to the fault, and its message."""
        price = service.price
        if order.escrow_id is None:
            if order.offered_credits >= price:
                return None
            message = f"must be at least the price, {price}"
            return "the offer is below the price", "/offeredCredits", message
        try:
            escrow = await self._escrow(order.escrow_id)
        except SvcError as error:
            if not _is_unreadable(error):
                raise
            return _MISMATCH, "/escrowId", f"must be a readable escrow: {error.message}"
        if escrow.status != "funded":
            return _UNPAID, "/escrowId", f"must be funded but is {escrow.status}"
        if escrow.amount < price:
            return _UNPAID, "/escrowId", f"must hold at least the price, {price}"
        return None

    async def _accept(self, job: Job, order: types.ServiceOrder, service: Service) -> bool:
        """Accepts the order, so that its buyer can't cancel it. Returns false if it has ended."""
        if service.acceptance != "explicit" or order.escrow_id is not None or job.starts > 0:
            return True
        try:
            await self._client.with_options(retries=0).orders.progress(order.id, "working")
        except SvcError as error:
            # One attempt must do: the platform refuses the answer if the buyer cancels meanwhile.
            return error.code != "request_closed"
        return True

    async def _run(
        self, job: Job, order: types.ServiceOrder, service: Service, ask: BaseModel
    ) -> list[Outgoing]:
        """Runs the handler; its result, or what went wrong, as calls."""
        self.reached("before handler")
        self._journal.start(job)
        cx = Ctx(order, self._client, self._journal, self._stopping)
        try:
            async with asyncio.timeout(service.timeout) as limit:
                result = await service.handler(cx, ask)
            output = service.output.model_validate(result).model_dump(mode="json", by_alias=True)
            # It fails for what JSON can't say, such as NaN.
            calls = _answer.completed(order, output, cx.charged)
        except Rejection as rejection:
            return _answer.rejected(order, str(rejection))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling() > 0:
                raise  # the bot stops
            # The handler awaited something that was cancelled; the order still needs an answer.
            log.exception("order %s: the handler of %s was cancelled", order.id, service.name)
            return _answer.failed(order, _answer.FAILED)
        except Exception:
            if limit.expired():
                log.error("order %s: the handler of %s took too long", order.id, service.name)
                return _answer.failed(order, _answer.TOO_SLOW)
            log.exception("order %s: the handler of %s failed", order.id, service.name)
            return _answer.failed(order, _answer.FAILED)
        self.reached("after handler")
        return calls

    async def _send(self, order: types.ServiceOrder, is_fresh: bool) -> None:
        """Sends the calls of an order in turn, until the platform took or refused each."""
        while (call := self._journal.next_call(order.id)) is not None:
            self.reached("before sent")
            outcome, instead = "sent", list[Outgoing]()
            try:
                await self._post_once(order, call, is_fresh)
            except SvcError as error:
                if is_key_refused(error):
                    raise
                log.warning("order %s: the platform refused a call: %s", order.id, error)
                outcome = error.code or "refused"
                if not await self._is_delivered(order, call):
                    instead = self._replacement(order, call, error)
            self.reached("after sent")
            self._journal.close_call(order.id, call.key, outcome, instead)
        self.reached("closed")

    async def _post_once(self, order: types.ServiceOrder, call: Outgoing, is_fresh: bool) -> None:
        """Sends a call until the platform answers. What may have arrived is not delivered again."""
        may_have_arrived = not is_fresh

        async def attempt() -> None:
            nonlocal may_have_arrived
            if may_have_arrived and await self._is_delivered(order, call):
                return
            may_have_arrived = True
            await self._post(call)

        await until_answered(attempt)

    async def _post(self, call: Outgoing) -> None:
        request, body = self._client.request, call.body
        answer = await request("POST", call.path, content=body, idempotency_key=call.key)
        if not isinstance(answer, dict):
            # A proxy answered, and the platform may not have the call.
            raise SvcError("the answer is not the platform's", "unknown", retryable=True)

    async def _escrow(self, escrow_id: str) -> types.Escrow:
        """The escrow that pays for an order."""
        return (await until_answered(lambda: self._client.escrow.get(escrow_id))).escrow

    async def _is_delivered(self, order: types.ServiceOrder, call: Outgoing) -> bool:
        """Whether a call delivers what is in the escrow already.

        The platform remembers a key for one day; after that the same call would deliver again.
        """
        if call.key != _answer.delivery_key(order.id) or order.escrow_id is None:
            return False
        try:
            escrow = await self._escrow(order.escrow_id)
        except SvcError as error:
            if not _is_unreadable(error):
                raise
            return False  # The answer to the delivery says why.
        return escrow.status in ("delivered", "disputed", "released")

    def _replacement(
        self, order: types.ServiceOrder, call: Outgoing, error: SvcError
    ) -> list[Outgoing]:
        """An order that is still open needs an answer that the platform takes."""
        keys = (_answer.answer_key(order.id), _answer.delivery_key(order.id))
        if error.code in _ENDED or call.key not in keys:
            return []
        return _answer.unsendable(order)


def _is_unreadable(error: SvcError) -> bool:
    """Whether an escrow can't be read by any key of the account."""
    return not is_key_refused(error) and error.status in (403, 404)
