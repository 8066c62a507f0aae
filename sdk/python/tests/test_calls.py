"""What is sent, what is read, and what errors say."""

import json
import unittest
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest import mock
from uuid import UUID

import httpx
from fake import client, failing, ok
from pydantic import BaseModel, Field, HttpUrl, RootModel

from svc import Svc, SvcError, types
from svc._call import Call
from svc._core import Environment
from svc._exchange import Send

PARTY = {"id": "usr_1", "username": "wordbot", "isAgent": True}
ORDER = {
    "id": "msg_1", "status": "open", "version": 1, "buyer": PARTY, "provider": PARTY,
    "conversationId": "c", "serviceId": "srv_1", "serviceName": "count-words",
    "input": {"text": "private"}, "offeredCredits": 5, "partialsCount": 0,
    "createdAt": "2026-01-31T09:30:00.000Z",
}  # fmt: skip
CAPABILITY: dict[str, Any] = {
    "id": "srv_1", "name": "count-words", "description": "d", "priceCredits": 0, "tags": [],
    "acceptance": "explicit", "category": "other", "languages": [], "ordersDone": 0, "rating": 0,
    "ratingsCount": 0, "samples": [],
}  # fmt: skip
POST = {"postId": "post_1", "unknown": 1}


def page(ids: list[str], cursor: str | None) -> httpx.Response:
    return ok({"items": ids, **({"nextCursor": cursor} if cursor else {})})


class Calls(unittest.TestCase):
    def test_the_url_may_omit_api_and_every_call_is_strict(self) -> None:
        for url in ["https://svc.example", "https://svc.example/", "https://svc.example/api/"]:
            self.assertEqual(Svc(url).core.base, "https://svc.example/api")
        svc, server, _ = client(ok({}))
        svc.request("GET", "/v1/anything", query={"since": None, "types": ["a", "b"], "on": True})
        request = server.requests[0]
        self.assertEqual(
            str(request.url), "https://svc.example/api/v1/anything?types=a%2Cb&on=true"
        )
        self.assertEqual(request.headers["prefer"], "handling=strict")
        self.assertEqual(request.headers["authorization"], "Bearer svc_ak_secret")

    def test_a_url_that_would_leak_the_key_is_refused(self) -> None:
        refused = [
            "http://svc.example",
            "ftp://svc.example",
            "svc.example",
            "https://a:b@svc.example",
            "https://svc.example\n",
            "https://[",
            "http://127.0.0.1.svc.example",
            "http://localhost.svc.example",
        ]
        for url in [*refused, "https://svc.example/api/v1", "https://svc.example?x=1"]:
            with self.assertRaises(SvcError, msg=url):
                Svc(url)
        Svc("http://svc.example", allow_plain_http=True)
        Svc("http://127.0.0.1:8080")

    def test_a_key_is_not_shown(self) -> None:
        svc, _, _ = client(httpx.Response(502, text="<p>Bearer svc_ak_secret</p>"))
        with self.assertRaises(SvcError) as raised:
            svc.with_options(retries=0).request("GET", "/v1/anything")
        for text in [repr(svc), repr(svc.core), repr(raised.exception), str(raised.exception)]:
            self.assertNotIn("svc_ak_secret", text)

    def test_a_key_is_not_among_the_variables_that_a_report_of_an_error_shows(self) -> None:
        names = {"SVC_URL": "https://svc.example", "SVC_API_KEY": "svc_ak_secret"}
        with mock.patch.dict("os.environ", names):
            environment = Environment.read()
        login = Call("POST", "/auth/login", types.LoggedIn, body={"password": "a secret"})
        request = client()[0].core.request(login)
        self.assertEqual(request.headers["Authorization"], "Bearer svc_ak_secret")
        for shown in (environment, login, request, Send(request, 30.0)):
            self.assertNotIn("secret", repr(shown))

    def test_an_error_does_not_quote_a_secret_that_something_in_between_sends_back(self) -> None:
        for prefix in ("svc_ak_", "svc_dk_", "svc_id_", "svc_at_", "svc_rt_", "whsec_"):
            echo = f"{' ' * 190}authorization: Bearer {prefix}planted"
            for text in (echo, json.dumps({"error": echo})):
                svc, _, _ = client(httpx.Response(403, text=text))
                with self.assertRaises(SvcError) as raised:
                    svc.request("GET", "/v1/anything")
                self.assertEqual(raised.exception.message, "the server answered [redacted]")

    def test_a_call_of_an_app_has_the_key_of_the_app_and_no_other(self) -> None:
        verified = failing(404, "not_found")
        svc, server, _ = client(*[verified] * 3, developer_key="svc_dk_secret")
        for call in (
            lambda: svc.agents.verify_identity("svc_id_token"),
            lambda: svc.posts.get("post_1"),
        ):
            with self.assertRaises(SvcError):
                call()
        sent = [request.headers["authorization"] for request in server.requests]
        self.assertEqual(sent, ["Bearer svc_dk_secret", "Bearer svc_ak_secret"])
        svc, server, _ = client(verified)
        with self.assertRaises(SvcError):
            svc.agents.verify_identity("svc_id_token")
        self.assertNotIn("authorization", server.requests[0].headers)

    def test_a_key_that_cannot_be_one_is_refused_before_anything_is_sent(self) -> None:
        for key in ["", " ", "svc_ak_secret\n"]:
            svc, server, _ = client(ok({}), api_key=key)
            with self.assertRaises(SvcError, msg=repr(key)) as raised:
                svc.request("GET", "/v1/anything")
            self.assertEqual((raised.exception.outcome, server.requests), ("not_sent", []))

    def test_a_path_member_stays_one_segment(self) -> None:
        svc, server, _ = client(failing(404, "not_found"))
        with self.assertRaises(SvcError):
            svc.orders.get("a/b?c")
        self.assertEqual(server.requests[0].url.raw_path, b"/api/orders/a%2Fb%3Fc")
        for value in ["", ".", ".."]:
            with self.assertRaises(SvcError) as raised:
                svc.orders.get(value)
            self.assertEqual(raised.exception.outcome, "not_sent")

    def test_an_error_has_the_facts_of_the_answer(self) -> None:
        facts = {"error": "no", "code": "not_found", "field": "postId", "hint": "look"}
        svc, _, _ = client(httpx.Response(404, json=facts, headers={"X-Request-Id": "req_1"}))
        with self.assertRaises(SvcError) as raised:
            svc.request("GET", "/posts/x")
        error = raised.exception
        found: list[Any] = [error.code, error.field, error.hint, error.request_id]
        self.assertEqual(found, ["not_found", "postId", "look", "req_1"])
        self.assertEqual((error.method, error.path, error.status), ("GET", "/posts/x", 404))
        self.assertEqual(error.outcome, "refused")

    def test_an_answer_is_read_up_to_64_mib(self) -> None:
        largest = b"{}".rjust(64 * 1024 * 1024)
        svc, _, _ = client(httpx.Response(200, content=largest))
        svc.request("GET", "/posts/x")
        svc, _, _ = client(httpx.Response(200, content=largest + b" "), retries=0)
        with self.assertRaisesRegex(SvcError, "exceeds 67108864 bytes") as raised:
            svc.request("GET", "/posts/x")
        self.assertEqual(raised.exception.outcome, "unknown")

    def test_a_list_is_read_to_its_end_and_not_for_ever(self) -> None:
        svc, server, _ = client(ok({"orders": [], "nextCursor": "2"}), ok({"orders": []}))
        self.assertEqual(list(svc.orders.list(role="buyer")), [])
        self.assertEqual(server.requests[1].url.query, b"role=buyer&cursor=2")
        svc, _, _ = client(*[ok({"orders": [], "nextCursor": "2"})] * 3)
        with self.assertRaises(SvcError):
            list(svc.orders.list())

    def test_a_seller_may_be_named_with_an_at_sign(self) -> None:
        svc, server, _ = client(ok({"capabilities": []}))
        with self.assertRaisesRegex(SvcError, "^wordbot offers no service"):
            svc.orders.create("@wordbot/count-words", {}, 5)
        self.assertEqual(server.requests[0].url.path, "/api/v1/bots/wordbot/capabilities")

    def test_an_order_of_an_unknown_service_names_those_there_are(self) -> None:
        def hint(*names: str) -> str | None:
            offered = [{**CAPABILITY, "name": name} for name in names]
            svc, _, _ = client(ok({"capabilities": offered}))
            with self.assertRaises(SvcError) as raised:
                svc.orders.create("wordbot/count", {})
            self.assertEqual(raised.exception.code, "service_not_found")
            return raised.exception.hint

        self.assertEqual(hint(), "it offers none")
        self.assertEqual(hint("count-words", "a\nb"), 'it offers "count-words", "a\\nb"')
        many = hint(*(f"s{number}" for number in range(12))) or ""
        self.assertTrue(many.endswith('"s9" and 2 more'), many)

    def test_an_order_that_was_placed_is_found_though_its_service_is_gone(self) -> None:
        gone = (ok({"capabilities": []}), failing(404, "not_found"))
        for refusal in gone:
            svc, server, _ = client(refusal, ok({"orders": [ORDER]}), ok({"order": ORDER}))
            placed = svc.orders.create("Wordbot/count-words", {}, 5, client_order_id="n-1")
            self.assertEqual(placed.id, "msg_1")
            self.assertEqual(server.requests[1].url.query, b"role=buyer&clientOrderId=n-1")
            sent = json.loads(server.requests[2].content)
            self.assertEqual((sent["serviceId"], sent["clientOrderId"]), ("srv_1", "n-1"))
            for service in ("wordbot/other", "eve/count-words"):
                svc, _, _ = client(refusal, ok({"orders": [ORDER]}))
                with self.assertRaisesRegex(SvcError, "not_found"):
                    svc.orders.create(service, {}, 5, client_order_id="n-1")
        for refusal, id in (
            (gone[0], None),
            (failing(404), "n-1"),
            (failing(403, "insufficient_scope"), "n-1"),
        ):
            svc, server, _ = client(refusal)
            with self.assertRaises(SvcError):
                svc.orders.create("wordbot/count-words", {}, 5, client_order_id=id)
            self.assertEqual(len(server.requests), 1)

    def test_an_order_without_a_payment_is_one_of_a_free_service(self) -> None:
        def sent(**payment: Any) -> dict[str, Any]:
            answers = ok({"capabilities": [CAPABILITY]}), ok({"order": ORDER})
            svc, server, _ = client(*answers)
            placed = svc.orders.create("wordbot/count-words", {"text": "private"}, **payment)
            shown = "PlacedOrder(id='msg_1', service='wordbot/count-words', status='open', "
            credits = "offered_credits=5, charged_credits=None)"
            self.assertEqual(repr(placed), shown + credits)
            body: dict[str, Any] = json.loads(server.requests[1].content)
            names = ("maxCredits", "offeredCredits", "escrowId")
            return {name: body[name] for name in names if name in body}

        self.assertEqual(sent(), {"maxCredits": 0})
        for payment in ({"max_credits": 5}, {"offered_credits": 5}, {"escrow_id": "esc_1"}):
            self.assertEqual(list(sent(**payment).values()), list(payment.values()))

    def test_a_secret_is_not_part_of_what_logs_show_of_an_answer(self) -> None:
        token = {"token": "svc_id_secret", "expiresAt": "2026-01-31T09:30:00.000Z"}
        svc, _, _ = client(ok(token))
        issued = svc.agents.create_identity_token(audience="app_1")
        self.assertEqual(issued.token, "svc_id_secret")
        self.assertIn("token='[redacted]'", repr(issued))
        self.assertNotIn("secret", f"{issued} {issued!r}")
        codes = types.RecoveryCodes.model_validate({"recoveryCodes": ["aaaa-secret"]})
        totp = types.NewTotp(uri="otpauth://totp/svc:ada?secret=SECRET")
        claim = {"url": "https://svc.example/claim/secret", "expiresAt": token["expiresAt"]}
        link = types.LinkBegun(url="https://accounts.example/?state=secret")
        invited = {"inviteId": "inv_1", "createdAt": claim["expiresAt"], **claim}
        invite = types.NewInvite.model_validate({"code": "secret", "invite": invited, **claim})
        for each in (codes, totp, types.NewClaimLink.model_validate(claim), link, invite):
            self.assertIn("[redacted]", repr(each))
            self.assertNotIn("secret", repr(each).lower())

    def test_an_input_may_be_a_model_of_whatever_pydantic_knows(self) -> None:
        class Ask(BaseModel):
            day: date
            file: Path
            link: HttpUrl
            id: UUID

        link, id = HttpUrl("https://svc.example"), UUID(int=1)
        ask = Ask(day=date(2026, 1, 31), file=Path("a.txt"), link=link, id=id)
        svc, server, _ = client(ok({"capabilities": [CAPABILITY]}), ok({"order": ORDER}))
        svc.orders.create("wordbot/count-words", ask)
        sent = json.loads(server.requests[1].content)["input"]
        self.assertEqual(sent, json.loads(ask.model_dump_json()))
        with self.assertRaisesRegex(SvcError, "can't be written as JSON"):
            svc.orders.create("wordbot/srv_1", {"text": object()})

    def test_an_input_has_what_its_model_requires_and_dates_as_they_were_given(self) -> None:
        class Part(BaseModel):
            note: str | None
            more: str | None = None

        class Ask(BaseModel):
            parts: list[Part]
            named: dict[str, Part]
            rooted: RootModel[list[Part]]
            author: str | None = Field(alias="by")
            more: str | None = None
            local: datetime
            span: timedelta
            limit: Decimal

        local, span = datetime(2026, 1, 31, 9, 30, 0, 123456), timedelta(seconds=90)
        parts, limit = [Part(note=None)], Decimal("0.25")
        named = {"one": Part(note=None)}
        ask = Ask(
            parts=parts,
            named=named,
            rooted=RootModel[list[Part]](parts),
            by=None,
            local=local,
            span=span,
            limit=limit,
        )
        svc, server, _ = client(ok({"order": ORDER}))
        svc.orders.create("wordbot/srv_1", ask)
        sent = json.loads(server.requests[0].content)["input"]
        local_text = "2026-01-31T09:30:00.123456"
        expected = {"parts": [{"note": None}], "by": None, "local": local_text, "span": "PT1M30S"}
        nested = {"named": {"one": {"note": None}}, "rooted": [{"note": None}]}
        self.assertEqual(sent, {**expected, **nested, "limit": 0.25})
        self.assertEqual(Ask.model_validate_json(json.dumps(sent)), ask)
        svc, server, _ = client(ok({"order": ORDER}))
        svc.orders.input("msg_1", "q1", ask)
        self.assertEqual(json.loads(server.requests[0].content), {"promptId": "q1", "input": sent})

    def test_a_time_to_answer_may_be_longer_than_six_digits_of_seconds(self) -> None:
        for span, text in [
            (timedelta(seconds=90), "90s"),
            (timedelta(minutes=90), "90m"),
            (timedelta(days=14), "14d"),
            (timedelta(days=12, seconds=1), "17280m"),
            (timedelta(0), "0s"),
        ]:
            svc, server, _ = client(ok({"order": ORDER}))
            svc.orders.create("wordbot/srv_1", {}, answer_within=span)
            self.assertEqual(json.loads(server.requests[0].content)["answerWithin"], text)

    def test_credits_are_exact_also_those_of_a_balance(self) -> None:
        svc, _, _ = client(ok({"credits": {"available": 0.3, "held": 12}}))
        balance = svc.credits.balance().credits
        self.assertEqual(balance.available - Decimal("0.1"), Decimal("0.2"))
        self.assertEqual((type(balance.held), balance.held), (Decimal, 12))

    def test_a_page_may_begin_at_the_cursor_of_the_one_before(self) -> None:
        svc, server, _ = client(ok({"orders": [], "nextCursor": "2"}), ok({"orders": []}))
        orders = svc.orders.list(role="buyer")
        self.assertIsNone(orders.page(orders.page().next_cursor).next_cursor)
        self.assertEqual(server.requests[1].url.query, b"role=buyer&cursor=2")

    def test_answers_of_later_versions_are_read(self) -> None:
        party = {"id": "usr_1", "username": "ada", "isAgent": True, "new": 1}
        order = types.ServiceOrder.model_validate(
            {
                "id": "msg_1", "status": "postponed", "version": 1, "buyer": party,
                "provider": party, "conversationId": "c", "serviceId": "srv_1",
                "serviceName": "s", "input": {}, "offeredCredits": 0.1, "partialsCount": 0,
                "createdAt": "2026-01-31T09:30:00.000Z", "new": {},
            }
        )  # fmt: skip
        self.assertEqual((order.status, order.offered_credits), ("postponed", Decimal("0.1")))

    def test_a_wait_outlasts_an_outage_also_when_the_buyer_has_acted(self) -> None:
        party = {"id": "usr_1", "username": "ada", "isAgent": True}
        seen = {
            "id": "msg_1", "version": 1, "buyer": party, "provider": party, "conversationId": "c",
            "serviceId": "srv_1", "serviceName": "s", "input": {}, "offeredCredits": 5,
            "partialsCount": 0, "createdAt": "2026-01-31T09:30:00.000Z",
        }  # fmt: skip
        news = {**seen, "status": "completed", "version": 2, "closedAt": seen["createdAt"]}
        for status in ("open", "delivered"):
            order = types.ServiceOrder.model_validate({**seen, "status": status})
            page = httpx.Response(200, text="<p>back soon</p>")
            svc, server, _ = client(failing(502), page, ok({"order": news}), retries=0)
            self.assertEqual(svc.orders.wait(order).status, "completed")
            self.assertEqual(len(server.requests), 3)

    def test_a_wait_returns_the_order_as_it_is_when_its_time_is_over(self) -> None:
        open_order = types.ServiceOrder.model_validate(ORDER)
        for answer in (lambda: ok({"order": ORDER}), lambda: failing(502), lambda: failing(404)):
            svc, _, clock = client(*[answer] * 40, retries=0)
            self.assertEqual(svc.orders.wait(open_order, timeout=30).status, "open")
            self.assertLessEqual(clock.passed, 31)

    def test_an_export_is_read_piece_by_piece(self) -> None:
        pieces = [b"PK", b"\x03\x04"]
        svc, server, _ = client(httpx.Response(200, content=iter(pieces)))
        self.assertEqual(b"".join(svc.export.file()), b"PK\x03\x04")
        self.assertEqual(server.requests[0].url.path, "/api/users/me/export/file")
        svc, _, _ = client(failing(404, "not_found"))
        with self.assertRaises(SvcError) as raised:
            next(svc.export.file())
        error = raised.exception
        self.assertEqual((error.code, error.path), ("not_found", "/users/me/export/file"))

    def test_an_answer_that_is_no_order_is_an_error_with_unknown_outcome(self) -> None:
        svc, _, _ = client(ok({"order": {"id": 1}}))
        with self.assertRaises(SvcError) as raised:
            svc.orders.get("msg_1")
        self.assertEqual(raised.exception.outcome, "unknown")
        self.assertIn("order.", raised.exception.message)
