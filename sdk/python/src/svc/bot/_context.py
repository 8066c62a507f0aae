"""What a handler knows of its order, and what it can say to the buyer before the result."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from datetime import datetime
from decimal import Decimal
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, TypeAdapter

from .. import types
from .._asynchronous import AsyncSvc
from .._call import Amount, credits_of, document, new_key
from .._error import SvcError
from .._orders import PAUSE, WAIT_SECONDS
from ._journal import Journal
from ._outage import until_answered
from ._schema import published

M = TypeVar("M", bound=BaseModel)
V = TypeVar("V")

_DECIMALS = 6
"""Decimal places of an amount of credits."""

_STEPS: ContextVar[tuple[str, ...]] = ContextVar("steps", default=())
"""The steps under way that what runs now is a part of."""


class Rejection(Exception):
    """The handler declines the order."""


class Ctx:
    """The context of one order."""

    def __init__(
        self, order: types.ServiceOrder, client: AsyncSvc, journal: Journal, stopping: asyncio.Event
    ) -> None:
        self.order = order
        self.client = client
        """The bot's client."""
        self._journal = journal
        self._stopping = stopping
        self._partials = 0
        self._sent: Counter[str] = Counter()
        """How many of them each step has sent."""
        self._asked: Counter[str] = Counter()
        """How often this run has asked each question."""
        self._charge: Decimal | None = None

    @property
    def order_id(self) -> str:
        return self.order.id

    @property
    def buyer(self) -> types.Party:
        return self.order.buyer

    @property
    def is_stopping(self) -> bool:
        """Whether the bot is about to stop; it waits for handlers, but not for ever."""
        return self._stopping.is_set()

    def charge(self, credits: Amount) -> None:
        """Charges less than the buyer offered, rounded to millionths of a credit. An escrow always
        pays in full.
        """
        self._charge = credits_of(credits, "credits")

    @property
    def charged(self) -> Decimal:
        offered = self.order.offered_credits
        if self._charge is None:
            return offered
        return round(max(min(self._charge, offered), Decimal(0)), _DECIMALS)

    def reject(self, reason: str) -> NoReturn:
        """Declines the order, which then costs the buyer nothing."""
        raise Rejection(reason or "the order is declined")

    async def progress(
        self,
        percent: int | None = None,
        note: str | None = None,
        *,
        wants_until: datetime | None = None,
    ) -> None:
        """Reports how much is done, and a note of at most 1,000 characters.

        `wants_until` says until when you would need time; only the buyer can give it.
        """
        await self._report("working", percent=percent, note=note, wants_until=wants_until)

    async def partial(self, partial: Any) -> None:
        """Sends a partial result: at most 64 KiB of JSON, and at most 100 per order.

        A handler that runs again after a crash sends each of them only once, provided that it sends
        them in the same order.
        """
        self._count(1)
        key = f"partial:{self.order_id}:{self._partials}"
        try:
            await self._report("working", key, partial=document(partial))
        except SvcError as error:
            # The handler ran before and sent its partial result of this number.
            if error.code != "idempotency_conflict":
                raise

    async def ask(self, question: str, answer: type[M]) -> M:
        """Asks the buyer a question and waits for the input, an `answer`.

        The journal keeps question and answer, so a handler that runs again waits for the answer to
        the same question, or has it already. A question that one run asks twice has two answers.
        Give the service a `timeout` that leaves time for it.
        """
        self._asked[question] += 1
        number = self._asked[question]
        name = f":{question}" if number == 1 else f" {number}:{question}"
        step = f"ask{name}"
        prompt = await self.once(step, lambda: self._prompt(question, answer))
        # The order has only the latest question: a later one takes the place of this one.
        given = await self.once(
            f"answer{name}", lambda: self._input(step, prompt, question, answer)
        )
        return answer.model_validate_json(json.dumps(given))

    async def _input(self, step: str, prompt: str, question: str, answer: type[BaseModel]) -> Any:
        """Waits for the input to a question, which the journal has as this step."""
        order = self.order
        while True:
            if order.prompt is not None and order.prompt.id == prompt:
                if order.prompt.input is not None:
                    return order.prompt.input
                if order.status == "working":
                    # A handler that runs again reported progress, which withdraws the question.
                    prompt = await self._prompt(question, answer)
                    self._journal.save_step(self.order_id, step, json.dumps(prompt))
            if order.closed_at is not None:
                self.reject("the order ended before the input came")
            order = await self._changed(order.version)

    async def _prompt(self, question: str, answer: type[BaseModel]) -> str:
        schema = published(answer, "validation")
        asked = await self._report("input_required", prompt=question, prompt_schema=schema)
        if asked.prompt is None:
            raise SvcError("the question was not taken", "unknown")
        return asked.prompt.id

    async def _report(
        self, state: types.ProgressState, key: str | None = None, **members: Any
    ) -> types.ServiceOrder:
        """Reports to the buyer, once, as soon as the platform can be reached: an outage meanwhile
        must not fail the order.
        """
        sent = key or new_key(self.client.core.clock.now())
        report = self.client.orders.progress
        reported = await until_answered(
            lambda: report(self.order_id, state, idempotency_key=sent, **members)
        )
        return reported.order

    async def _changed(self, version: int) -> types.ServiceOrder:
        """The order, when it has changed or some time is over, and the platform can be reached.

        The buyer may take days: an outage meanwhile must not fail the order.
        """
        get = self.client.orders.get
        seen = await until_answered(
            lambda: get(self.order_id, wait_seconds=WAIT_SECONDS, after_version=version)
        )
        if seen.order.version == version:
            await asyncio.sleep(PAUSE)
        return seen.order

    async def once(
        self, step: str, work: Callable[[], Awaitable[V]], result: type[V] | None = None
    ) -> V:
        """Runs a step once, even if the handler runs again: the journal has its result.

        The handler gets the result as JSON has it, in the first run too: a tuple is a list. Pass
        the type of a model, a date and the like as `result`, and it gets one.

        A crash after the step but before its result is stored repeats it. Give `step_key` to
        systems that take idempotency keys.
        """
        known = self._journal.step(self.order_id, step)
        if known is not None:
            self._count(int(self._journal.step(self.order_id, f"partials:{step}") or 0))
            return _read(known, result)
        outer = _STEPS.set((*_STEPS.get(), step))
        try:
            value = await work()
        finally:
            _STEPS.reset(outer)
        written = _written(step, value, result)
        if self._sent[step]:
            # They are known by their number, so a run that skips the step counts its own.
            count = json.dumps(self._sent[step])
            self._journal.save_step(self.order_id, f"partials:{step}", count)
        self._journal.save_step(self.order_id, step, written)
        return _read(written, result)

    def _count(self, partials: int) -> None:
        """Counts partial results that were sent, also for the steps that sent them."""
        self._partials += partials
        for step in _STEPS.get():
            self._sent[step] += partials

    def step_key(self, step: str) -> str:
        """An idempotency key for a step, the same when the handler runs again."""
        return f"step:{step}:{self.order_id}"


def _written(step: str, value: V, kind: type[V] | None) -> str:
    """The result of a step as the journal keeps it."""
    if kind is not None:
        return TypeAdapter(kind).dump_json(value, by_alias=True).decode()
    try:
        return json.dumps(value)
    except TypeError as error:
        raise TypeError(f"the step {step}: {error}; pass its type to `once` as `result`") from None


def _read(written: str, kind: type[V] | None) -> V:
    """The result of a step from what the journal keeps."""
    if kind is not None:
        return TypeAdapter(kind).validate_json(written)
    value: V = json.loads(written)
    return value
