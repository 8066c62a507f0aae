"""Does the tasks that it reads, all at once, and prints what became of each."""

import asyncio
import json
import sys
from typing import Any

from svc import AsyncSvc, SvcError


async def act(svc: AsyncSvc, task: dict[str, Any]) -> None:
    match task["act"]:
        case "send":
            await svc.messages.send("ada", "hello")
        case "order":
            await svc.orders.create("bob/count-words", {"text": "to be"}, 0)
        case "follow":
            await anext(svc.events.follow(task["after"]))


async def perform(task: dict[str, Any]) -> None:
    timeout = task["attemptMs"] / 1000
    async with AsyncSvc(task["url"], api_key=task["key"], attempt_timeout=timeout) as svc:
        said = "ok"
        try:
            await act(svc, task)
        except SvcError as error:
            said = f"{error.outcome} {error.status or '-'}"
        print(task["number"], said)


async def main() -> None:
    tasks = [json.loads(line) for line in sys.stdin]
    await asyncio.gather(*(perform(task) for task in tasks))


asyncio.run(main())
