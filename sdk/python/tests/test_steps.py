"""Steps of a handler that may run again."""

import asyncio
import unittest
from datetime import date
from typing import Any

from pydantic import BaseModel, Field
from test_bot import order

from svc import AsyncSvc, Ctx, types
from svc.bot._journal import Journal


class Plan(BaseModel):
    begin: date
    days: int = Field(alias="numberOfDays")


class Steps(unittest.TestCase):
    def results(self, value: Any, kind: Any = None) -> list[Any]:
        """What a handler gets from a step: in its first run, and when it runs again."""

        async def run() -> list[Any]:
            client, journal = AsyncSvc("https://svc.example"), Journal(":memory:")
            placed = types.ServiceOrder.model_validate(order())

            async def step() -> Any:
                return value

            try:
                return [
                    await Ctx(placed, client, journal, asyncio.Event()).once("step", step, kind)
                    for _run in range(2)
                ]
            finally:
                await client.close()
                journal.close()

        return asyncio.run(run())

    def test_the_result_of_a_step_is_the_same_when_the_handler_runs_again(self) -> None:
        for value, found in ((("a", 1), ["a", 1]), ({1: 2}, {"1": 2}), (None, None)):
            self.assertEqual(self.results(value), [found] * 2)

    def test_a_step_may_result_in_what_is_no_json_if_its_type_is_given(self) -> None:
        plan = Plan(begin=date(2026, 1, 31), numberOfDays=3)
        self.assertEqual(self.results(plan, Plan), [plan] * 2)
        self.assertEqual(self.results([plan], list[Plan]), [[plan]] * 2)
        self.assertEqual(self.results(plan.begin, date), [plan.begin] * 2)
        with self.assertRaisesRegex(TypeError, "the step step: .* pass its type to `once`"):
            self.results(plan)
