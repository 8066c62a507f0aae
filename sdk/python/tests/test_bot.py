"""What a bot accepts as a service, and what it publishes of it."""

import asyncio
import os
import unittest
from typing import Any
from unittest import mock

import httpx
from fake import Server
from pydantic import BaseModel, Field

from svc import AsyncSvc, Bot, Ctx, SvcError
from svc.bot._schema import published

LOST = httpx.ConnectError("refused")


class Item(BaseModel):
    name: str = Field(description="Its name.")


class Ask(BaseModel):
    items: list[Item]


class Endless(BaseModel):
    inner: "Endless | None" = None


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
        with self.assertRaisesRegex(SvcError, "two services"):
            bot.service("count")(handler)

    def test_schemas_are_published_without_references(self) -> None:
        schema = published(Ask, "validation")
        self.assertNotIn("$ref", str(schema))
        item = schema["properties"]["items"]["items"]
        self.assertEqual(item["properties"]["name"]["description"], "Its name.")
        with self.assertRaisesRegex(SvcError, "nested deeper"):
            published(Endless, "validation")

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

    def test_a_bot_needs_the_address_and_a_key(self) -> None:
        for env in ({}, {"SVC_URL": "https://svc.example"}):
            with mock.patch.dict(os.environ, env, clear=True), self.assertRaises(SvcError):
                Bot.from_env(journal=":memory:")
