"""Events come once and in order, over any number of streams."""

import unittest
from itertools import islice

import httpx
from fake import Answer, client, failing, ok

from svc import SvcError


def event(seq: int) -> str:
    time = "2026-01-31T09:30:00.000Z"
    head = f'id: {seq}\ndata: {{"id":"evt_{seq}","seq":{seq},"event":"like",\n'
    return f'{head}data: "timestamp":"{time}","data":{{}}}}\n\n'


def stream(*parts: str) -> httpx.Response:
    return httpx.Response(200, text=": hello\n\n" + "".join(parts))


class Events(unittest.TestCase):
    def test_an_interrupted_stream_continues_behind_the_last_event(self) -> None:
        half = event(9)[:30]
        lost = httpx.ReadError("lost")
        svc, server, clock = client(
            stream(event(7), event(8), half), lost, failing(503), stream(event(8), event(9))
        )
        with self.assertLogs("svc.events", "WARNING") as logs:
            seen = [each.seq for each in islice(svc.events.follow(6), 3)]
        self.assertEqual(seen, [7, 8, 9])
        self.assertEqual(len(logs.output), 1, "an outage is logged once")
        queries = [request.url.query for request in server.requests]
        self.assertEqual(queries, [b"after=6", b"after=8", b"after=8", b"after=8"])
        self.assertEqual(clock.pauses, [0.5, 1.0, 2.0])
        self.assertEqual(server.requests[0].extensions["timeout"]["read"], 45.0)

    def test_a_stream_that_is_refused_is_opened_again_when_the_platform_asks(self) -> None:
        svc, _, clock = client(
            failing(429, "rate_limited", retry_after="90"),
            failing(503, "overloaded", retry_after="86400"),
            stream(event(7)),
        )
        self.assertEqual(next(svc.events.follow(6)).seq, 7)
        self.assertEqual(clock.pauses, [90.0, 3600.0])

    def test_without_a_number_only_later_events_come(self) -> None:
        newest = {"events": [], "latestSeq": 41, "oldestSeq": 1}
        svc, server, _ = client(ok(newest), stream(event(42)))
        self.assertEqual(next(svc.events.follow(types=["like", "order"])).seq, 42)
        self.assertEqual(server.requests[1].url.query, b"after=41&types=like%2Corder")

    def test_texts_may_contain_line_separators_of_unicode(self) -> None:
        text = "a\u2028b\u0085c"
        whole = event(7).replace('"data":{}', f'"data":{{"text":"{text}"}}')
        pieces = [bytes([byte]) for byte in whole.encode()]
        svc, _, _ = client(httpx.Response(200, content=iter(pieces)))
        seen = next(svc.events.follow(6))
        self.assertEqual(seen.data, {"text": text})

    def test_an_endless_event_is_an_error(self) -> None:
        svc, _, _ = client(httpx.Response(200, content=iter([b"data: ", *[b"x" * 65536] * 17])))
        with self.assertRaisesRegex(SvcError, "exceeds the limit"):
            next(svc.events.follow(6))

    def test_a_stream_continues_behind_events_of_other_kinds(self) -> None:
        comment = "id: 41\n: still here\n\n"
        svc, server, _ = client(stream(event(7), comment), stream(comment), stream(event(42)))
        seen = [each.seq for each in islice(svc.events.follow(6, types=["like"]), 2)]
        self.assertEqual(seen, [7, 42])
        queries = [request.url.query for request in server.requests]
        self.assertEqual(queries[1:], [b"after=41&types=like"] * 2)

    def test_what_a_later_platform_streams_besides_events_is_passed_over(self) -> None:
        other = 'event: server_stops\ndata: {"within":5}\n\n'
        svc, server, _ = client(stream(event(7), other), stream(other, event(8)))
        self.assertEqual([each.seq for each in islice(svc.events.follow(6), 2)], [7, 8])
        queries = [request.url.query for request in server.requests]
        self.assertEqual(queries, [b"after=6", b"after=7"])

    def test_a_page_of_a_proxy_interrupts_a_stream_that_was_open(self) -> None:
        with self.assertLogs("svc.events", "WARNING"):
            svc, _, _ = client(stream(event(7)), failing(404), stream(event(8)))
            self.assertEqual([each.seq for each in islice(svc.events.follow(6), 2)], [7, 8])
        svc, _, _ = client(failing(404))
        with self.assertRaises(SvcError):
            next(svc.events.follow(6))

    def test_a_refusal_ends_the_stream(self) -> None:
        for answer in [failing(401, "invalid_key"), failing(409, "cursor_expired")]:
            svc, _, _ = client(answer)
            with self.assertRaises(SvcError) as raised:
                next(svc.events.follow(6))
            self.assertEqual(raised.exception.path, "/v1/connect/stream")


def messages(*numbers: int) -> httpx.Response:
    """A page of messages, newest first."""
    sender = {"id": "usr_1", "username": "ada", "isAgent": False}
    page = [
        {
            "messageId": f"msg_{number}",
            "channelId": "chan_1",
            "content": "hello",
            "createdAt": "2026-01-31T09:30:00.000Z",
            "sender": sender,
        }
        for number in numbers
    ]
    return ok({"messages": page})


class Channels(unittest.TestCase):
    def test_a_channel_is_followed_over_an_interruption(self) -> None:
        changed = 'event: channel_changed\ndata: {"channelId":"chan_1"}\n\n'
        svc, server, _ = client(
            httpx.Response(200, content=iter([b": hello\n\n", changed.encode()])),
            messages(3, 2, 1),
            messages(4, 3, 2, 1),
            stream(),
            messages(5, 4, 3),
        )
        seen = [each.message_id for each in islice(svc.channels.follow("chan_1", "msg_1"), 4)]
        self.assertEqual(seen, ["msg_2", "msg_3", "msg_4", "msg_5"])
        # Without `after`: events that are no longer kept do not end it after a long outage.
        streams = [each.url.query for each in server.requests if each.url.path.endswith("/stream")]
        self.assertEqual(streams, [b"channels=chan_1"] * 2)

    def test_a_channel_is_followed_over_messages_that_can_not_be_read_now(self) -> None:
        page = httpx.Response(200, text="<p>soon</p>")
        busy = failing(429, "rate_limited", retry_after="90")
        outages: list[Answer] = [
            failing(502),
            page,
            failing(404),
            busy,
            httpx.ConnectError("refused"),
        ]
        rounds: list[Answer] = [answer for outage in outages for answer in (stream(), outage)]
        svc, _, clock = client(*rounds, stream(), messages(2, 1), retries=0)
        with self.assertLogs("svc.events", "WARNING") as logs:
            seen = next(svc.channels.follow("chan_1", "msg_1"))
        self.assertEqual((seen.message_id, len(logs.output)), ("msg_2", len(outages)))
        self.assertEqual(clock.pauses, [0.5, 1.0, 2.0, 90.0, 8.0])

    def test_a_channel_that_may_not_be_read_ends_its_messages(self) -> None:
        for answer in [failing(404, "not_found"), failing(401, "unauthorized"), ok({})]:
            svc, _, _ = client(stream(), answer)
            with self.assertRaises(SvcError) as raised:
                next(svc.channels.follow("chan_1", "msg_1"))
            self.assertEqual(raised.exception.path, "/channels/chan_1/messages")
