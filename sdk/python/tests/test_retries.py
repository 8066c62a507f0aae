"""Which calls are repeated, when, and under which key."""

import unittest

import httpx
from fake import client, failing, ok

from svc import SvcError

LOST = httpx.ReadError("lost")
UNREACHED = httpx.ConnectError("refused")


class Retries(unittest.TestCase):
    def test_a_post_has_the_same_key_and_bytes_in_all_attempts(self) -> None:
        svc, server, clock = client(LOST, failing(502), ok({}))
        svc.request("POST", "/v1/anything", json={"text": "ü"})
        self.assertEqual(len(set(server.keys())), 1)
        bodies = {request.content for request in server.requests}
        self.assertEqual(bodies, {'{"text":"ü"}'.encode()})
        self.assertEqual(clock.pauses, [0.5, 1.0])

    def test_a_call_is_repeated_twice_at_most(self) -> None:
        svc, server, _ = client(*[failing(500)] * 3)
        with self.assertRaises(SvcError) as raised:
            svc.request("GET", "/v1/anything")
        self.assertEqual((raised.exception.outcome, raised.exception.attempts), ("unknown", 3))
        self.assertEqual(len(server.requests), 3)

    def test_what_is_refused_is_not_repeated(self) -> None:
        for answer in [failing(400, "validation_failed"), failing(503, "feature_disabled")]:
            svc, server, _ = client(answer)
            with self.assertRaises(SvcError) as raised:
                svc.posts.create("hi")
            self.assertEqual(raised.exception.outcome, "refused")
            self.assertEqual(len(server.requests), 1)

    def test_retry_after_is_obeyed_up_to_a_minute(self) -> None:
        svc, _, clock = client(failing(429, "rate_limited", retry_after="60"), ok({}))
        svc.request("GET", "/v1/anything")
        self.assertEqual(clock.pauses, [60.0])
        svc, _, clock = client(failing(429, "rate_limited", retry_after="61"))
        with self.assertRaises(SvcError) as raised:
            svc.request("GET", "/v1/anything")
        self.assertEqual((raised.exception.retry_after, clock.pauses), (61.0, []))

    def test_waiting_for_a_running_request_is_no_retry(self) -> None:
        running = failing(409, "idempotency_in_progress", retry_after="1")
        svc, server, _ = client(*[running] * 9, ok({}))
        svc.request("POST", "/v1/anything", json={})
        self.assertEqual((len(server.requests), len(set(server.keys()))), (10, 1))

    def test_a_call_ends_after_its_time_with_all_waits(self) -> None:
        running = failing(409, "idempotency_in_progress", retry_after="50")
        svc, server, clock = client(*[running] * 9)
        with self.assertRaises(SvcError):
            svc.request("POST", "/v1/anything", json={})
        self.assertEqual((len(server.requests), clock.passed), (3, 100.0))

    def test_an_attempt_lasts_as_much_longer_as_the_server_may_wait(self) -> None:
        svc, server, _ = client(*[failing(404, "not_found")] * 3)
        for seconds in (None, 20, 60):
            with self.assertRaises(SvcError):
                svc.billing.payment("pay_1", wait_seconds=seconds)
        limits = [request.extensions["timeout"]["read"] for request in server.requests]
        self.assertEqual(limits, [30.0, 50.0, 90.0])

    def test_a_secret_is_requested_again_only_if_nothing_was_sent(self) -> None:
        svc, server, _ = client(UNREACHED, LOST)
        with self.assertRaises(SvcError) as raised:
            svc.keys.create("laptop", ["read"])
        self.assertEqual((raised.exception.outcome, len(server.requests)), ("unknown", 2))
        self.assertIsNone(raised.exception.idempotency_key)

    def test_an_outage_is_not_multiplied(self) -> None:
        svc, server, _ = client(*[failing(500)] * 70)
        for _ in range(30):
            with self.assertRaises(SvcError):
                svc.request("GET", "/v1/anything")
        self.assertEqual(len(server.requests), 30 + 20)

    def test_redirects_are_not_followed_and_retries_can_be_turned_off(self) -> None:
        away = httpx.Response(302, headers={"location": "https://evil.example"})
        svc, server, _ = client(away, UNREACHED)
        for _ in range(2):
            with self.assertRaises(SvcError):
                svc.with_options(retries=0).request("GET", "/v1/anything")
        self.assertEqual([request.url.host for request in server.requests], ["svc.example"] * 2)
