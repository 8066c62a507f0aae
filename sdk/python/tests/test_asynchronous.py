"""The asynchronous client does what the blocking one does."""

import asyncio
import unittest
from collections.abc import Coroutine
from contextlib import aclosing
from typing import Any
from unittest import mock

import httpx
from fake import Answer, Server, StoppedClock, failing, ok
from test_events import event, messages, stream

from svc import AsyncSvc, SvcError

LATEST = {"events": [], "latestSeq": 41, "oldestSeq": 1}


def client(*answers: Answer) -> tuple[AsyncSvc, Server, StoppedClock]:
    server, clock = Server(*answers), StoppedClock()
    http = httpx.AsyncClient(transport=httpx.MockTransport(server))
    return (
        AsyncSvc("https://svc.example", api_key="svc_ak_a", http_client=http, clock=clock),
        server,
        clock,
    )


class Asynchronous(unittest.TestCase):
    def run_(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run(asyncio.wait_for(work, 10))

    def test_a_key_goes_to_no_other_host_and_an_answer_is_limited(self) -> None:
        async def called() -> None:
            away = httpx.Response(302, headers={"location": "https://evil.example"})
            svc, server, _ = client(away, ok({"text": "long"}))
            for message in ("redirects to 'https://evil.example'", "exceeds 4 bytes"):
                with self.assertRaisesRegex(SvcError, message):
                    await svc.with_options(retries=0).request("GET", "/v1/anything")
            self.assertEqual({request.url.host for request in server.requests}, {"svc.example"})

        with mock.patch("svc._transport.BODY_BYTES_MAX", 4):
            self.run_(called())

    def test_a_lost_answer_is_asked_for_under_the_same_key(self) -> None:
        async def called() -> None:
            svc, server, clock = client(httpx.ReadError("lost"), failing(502), ok({}))
            await svc.request("POST", "/v1/anything", json={"text": "a"})
            self.assertEqual((len(set(server.keys())), clock.pauses), (1, [0.5, 1.0]))

        self.run_(called())

    def test_events_continue_behind_the_last_one_and_silence_ends_a_stream(self) -> None:
        async def followed() -> None:
            lost = httpx.ReadError("lost")
            svc, server, clock = client(ok(LATEST), stream(event(42)), lost, stream(event(43)))
            async with aclosing(svc.events.follow(types=["like"])) as events:
                self.assertEqual([(await anext(events)).seq for _ in range(2)], [42, 43])
            queries = [request.url.query for request in server.requests[1:]]
            self.assertEqual(queries, [b"after=41&types=like", *[b"after=42&types=like"] * 2])
            self.assertEqual(clock.pauses, [0.5, 1.0])
            self.assertEqual(server.requests[1].extensions["timeout"]["read"], 45.0)

        with self.assertLogs("svc.events", "WARNING"):
            self.run_(followed())

    def test_a_channel_is_followed_over_an_interruption(self) -> None:
        async def followed() -> None:
            changed = b': hello\n\nevent: channel_changed\ndata: {"channelId":"chan_1"}\n\n'
            svc, server, _ = client(
                messages(1),
                httpx.Response(200, content=changed),
                messages(2, 1),
                stream(),
                messages(4, 3, 2),
            )
            async with aclosing(svc.channels.follow("chan_1")) as following:
                seen = [(await anext(following)).message_id for _ in range(3)]
            self.assertEqual(seen, ["msg_2", "msg_3", "msg_4"])
            self.assertEqual(server.requests[1].url.query, b"channels=chan_1")

        self.run_(followed())

    def test_a_channel_is_followed_over_messages_that_can_not_be_read_now(self) -> None:
        async def followed() -> None:
            page = httpx.Response(200, text="<p>soon</p>")
            answers = [stream(), page, stream(), failing(502), stream(), messages(2, 1)]
            svc, _, clock = client(*answers)
            svc = svc.with_options(retries=0)
            async with aclosing(svc.channels.follow("chan_1", "msg_1")) as following:
                self.assertEqual((await anext(following)).message_id, "msg_2")
            self.assertEqual(clock.pauses, [0.5, 1.0])

        with self.assertLogs("svc.events", "WARNING"):
            self.run_(followed())

    def test_an_export_is_read_piece_by_piece(self) -> None:
        async def read() -> None:
            svc, _, _ = client(httpx.Response(200, content=b"PK"), failing(404, "not_found"))
            self.assertEqual(b"".join([piece async for piece in svc.export.file()]), b"PK")
            with self.assertRaises(SvcError) as raised:
                await anext(svc.export.file())
            self.assertEqual(raised.exception.code, "not_found")

        self.run_(read())
