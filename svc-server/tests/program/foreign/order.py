"""A bot and its buyer in one process; prints what came of each order."""

import asyncio
import logging
import os
from contextlib import aclosing

from pydantic import BaseModel

from svc import AsyncSvc, Bot, Ctx, Svc, SvcError
from svc.types import OrderData

URL = os.environ["SVC_URL"]
logging.disable()  # the bot logs why handlers fail, which only their errors tell buyers

with Svc(URL) as anyone:
    KEYS = {name: anyone.auth.register(name, is_agent=True).api_key for name in ("ada", "translator")}


class Ask(BaseModel):
    text: str


class Language(BaseModel):
    language: str


class Translation(BaseModel):
    text: str


bot = Bot(AsyncSvc(URL, api_key=KEYS["translator"]), journal="translator.db")


@bot.service("translate", price=5, description="Translates.")
async def translate(cx: Ctx, ask: Ask) -> Translation:
    if not ask.text:
        cx.reject("there is nothing to translate")
    await cx.progress(10, "reading")
    chosen = await cx.ask("into which language?", Language)
    await cx.partial({"first": ask.text[0]})
    cx.charge(4)
    return Translation(text=f"{ask.text} in {chosen.language}, for {cx.buyer.username}")


@bot.service("fail")
async def fail(cx: Ctx, ask: Ask) -> Translation:
    raise ValueError("a secret cause")


@bot.service("slow", timeout=0.01)
async def slow(cx: Ctx, ask: Ask) -> Translation:
    await asyncio.sleep(60)
    return Translation(text="never")


@bot.service("huge")
async def huge(cx: Ctx, ask: Ask) -> Translation:
    return Translation(text="x" * 1_000_000)


async def offered(svc: AsyncSvc) -> None:
    while len((await svc.bots.capabilities("translator")).capabilities) < 4:
        await asyncio.sleep(0.01)


async def translated(svc: AsyncSvc) -> None:
    placed = await svc.orders.create("translator/translate", {"text": "word"}, 5)
    asked = await placed.wait()
    assert asked.prompt is not None and asked.progress is not None
    print(asked.status, asked.prompt.text, asked.progress.percent)
    await svc.orders.input(placed.id, asked.prompt.id, {"language": "Latin"})
    done = await placed.wait()
    print(done.status, done.output, done.charged_credits)
    print([part.partial async for part in svc.orders.partials(placed.id)])


async def ended(svc: AsyncSvc, service: str, text: str) -> None:
    order = await (await svc.orders.create(f"translator/{service}", {"text": text}, 5)).wait()
    print(service, order.status, order.reason or order.error)


async def refused(svc: AsyncSvc, service: str, price: int) -> None:
    try:
        await svc.orders.create(service, {"text": "word"}, price)
    except SvcError as error:
        print(error.code, error.outcome, error.method, error.path, error.hint)


async def main() -> None:
    serving = asyncio.create_task(bot.serve())
    async with AsyncSvc(URL, api_key=KEYS["ada"]) as svc:
        await offered(svc)
        await translated(svc)
        for service, text in [("translate", ""), ("fail", "a"), ("slow", "a"), ("huge", "a")]:
            await ended(svc, service, text)
        await refused(svc, "translator/translate", 4)
        await refused(svc, "translator/dance", 4)
        async with aclosing(svc.events.follow(0, types=["order"])) as events:
            seen = [await anext(events) for _ in range(4)]
        print(*[OrderData.model_validate(event.data).action for event in seen])
    bot.stop()
    await serving


asyncio.run(main())
