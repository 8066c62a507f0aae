"""Which calls are repeated, when, and under which key."""

import unittest
from email.utils import formatdate

import httpx
from fake import Answer, Server, client, failing, ok

from svc import Svc, SvcError

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
        for date, wait in [("08:00:30", 30.0), ("07:59:00", 0.0)]:
            http_date = f"Fri, 15 Jan 2027 {date} GMT"
            svc, _, clock = client(failing(503, "overloaded", retry_after=http_date), ok({}))
            svc.request("GET", "/v1/anything")
            self.assertEqual(clock.pauses, [wait])
        svc, _, clock = client(failing(429, "rate_limited", retry_after="61"))
        with self.assertRaises(SvcError) as raised:
            svc.request("GET", "/v1/anything")
        self.assertEqual((raised.exception.retry_after, clock.pauses), (61.0, []))

    def test_a_wait_may_be_given_as_a_date(self) -> None:
        for offset, pauses in ((30, [30.0]), (-30, [0.0])):
            date = formatdate(1_800_000_000 + offset, usegmt=True)
            svc, _, clock = client(failing(503, "overloaded", retry_after=date), ok({}))
            svc.request("GET", "/v1/anything")
            self.assertEqual(clock.pauses, pauses)

    def test_a_call_that_is_not_repeated_has_a_hint_what_to_do(self) -> None:
        for answer in (LOST, ok(["<html>"])):
            svc, _, _ = client(answer)
            with self.assertRaises(SvcError) as raised:
                svc.keys.create("mine", ["read"])
            self.assertEqual(raised.exception.outcome, "unknown")
            self.assertIn("list the keys: if there is one", raised.exception.hint or "")
        svc, _, _ = client(LOST, api_key=None)
        with self.assertRaises(SvcError) as raised:
            svc.auth.login("secret", username="ada")
        self.assertEqual(raised.exception.hint, "sign in again")

    def test_a_refusal_after_a_lost_answer_leaves_the_outcome_open(self) -> None:
        for refusal in (
            failing(401, "unauthorized"),
            failing(403, "account_suspended"),
            failing(403, "insufficient_scope"),
            failing(404),
            failing(429, "limit_reached"),
            failing(503, "overloaded"),
            UNREACHED,
        ):
            svc, _, _ = client(LOST, *[refusal] * 2)
            with self.assertRaises(SvcError) as raised:
                svc.posts.create("hi")
            self.assertEqual(raised.exception.outcome, "unknown")
        svc, _, _ = client(LOST, failing(403, "forbidden"))
        with self.assertRaises(SvcError) as raised:
            svc.posts.create("hi")
        self.assertEqual(raised.exception.outcome, "refused", "it considered the key")
        for call, outcome in (("DELETE", "unknown"), ("PATCH", "unknown"), ("GET", "refused")):
            svc, _, _ = client(LOST, failing(404, "not_found"))
            with self.assertRaises(SvcError) as raised:
                svc.request(call, "/v1/anything")
            self.assertEqual(raised.exception.outcome, outcome, "only a POST has a key")

    def test_what_may_have_acted_is_not_repeated_for_an_anonymous_caller(self) -> None:
        svc, server, _ = client(UNREACHED, LOST, api_key=None)
        with self.assertRaises(SvcError) as raised:
            svc.auth.login("a password", username="ada")
        self.assertEqual((raised.exception.outcome, len(server.requests)), ("unknown", 2))

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

    def test_a_call_that_may_have_acted_is_not_repeated_without_a_key_that_counts(self) -> None:
        svc, server, _ = client(LOST, api_key=None)
        with self.assertRaises(SvcError) as raised:
            svc.request("POST", "/v1/anything", json={})
        self.assertEqual((raised.exception.outcome, len(server.requests)), ("unknown", 1))
        svc, server, _ = client(UNREACHED, ok({}), api_key=None)
        svc.request("POST", "/v1/anything", json={})
        self.assertEqual(len(server.requests), 2)

    def test_an_identity_token_is_requested_again_each_time_with_a_new_key(self) -> None:
        svc, server, _ = client(LOST, failing(500, "internal"), failing(404, "not_found"))
        with self.assertRaises(SvcError) as raised:
            svc.agents.create_identity_token()
        self.assertEqual(len(set(server.keys())), 3)
        self.assertIsNone(raised.exception.idempotency_key)

    def test_an_unclear_outcome_is_cleared_up_by_the_same_request_or_stays_unclear(self) -> None:
        svc, server, _ = client(failing(503, "outcome_unknown"), ok({}))
        svc.request("POST", "/v1/anything", json={})
        self.assertEqual(len(set(server.keys())), 1)
        silent: list[Answer] = [
            failing(401, "unauthorized"),
            failing(429, "limit_reached"),
            UNREACHED,
        ]
        for last in silent:
            svc, server, _ = client(LOST, last, UNREACHED)
            with self.assertRaises(SvcError) as raised:
                svc.posts.create("hi", idempotency_key="mine")
            self.assertEqual(raised.exception.outcome, "unknown")
            self.assertEqual(raised.exception.idempotency_key, "mine")
            self.assertEqual(set(server.keys()), {"mine"})

    def test_an_answer_that_can_not_be_read_leaves_its_key_for_the_same_request(self) -> None:
        svc, server, _ = client(ok({"post": 1}))
        with self.assertRaises(SvcError) as raised:
            svc.posts.create("hi")
        self.assertEqual(raised.exception.outcome, "unknown")
        self.assertEqual([raised.exception.idempotency_key], server.keys())

    def test_an_outage_is_not_multiplied(self) -> None:
        good = [ok({}) for _ in range(5)]
        svc, server, _ = client(*[failing(500)] * 50, *good, failing(500), ok({}))
        for _ in range(30):
            with self.assertRaises(SvcError):
                svc.request("GET", "/v1/anything")
        self.assertEqual(len(server.requests), 30 + 20)
        for _ in range(5 + 1):  # Five successes have given one retry back.
            svc.request("GET", "/v1/anything")
        self.assertEqual(server.answers, [])

    def test_redirects_are_not_followed_and_retries_can_be_turned_off(self) -> None:
        away = httpx.Response(302, headers={"location": "https://evil.example"})
        server = Server(away, UNREACHED)
        http = httpx.Client(transport=httpx.MockTransport(server), follow_redirects=True)
        svc = Svc("https://svc.example", api_key="svc_ak_secret", http_client=http)
        for _ in range(2):
            with self.assertRaises(SvcError):
                svc.with_options(retries=0).request("GET", "/v1/anything")
        self.assertEqual([request.url.host for request in server.requests], ["svc.example"] * 2)
