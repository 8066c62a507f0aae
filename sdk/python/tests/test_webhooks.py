"""Only what the platform signed gets through."""

import base64
import unittest
from datetime import UTC, datetime, timedelta

from standardwebhooks import Webhook

from svc import SvcError, webhooks

SECRET, OTHER = (f"whsec_{base64.b64encode(bytes([n] * 32)).decode()}" for n in (7, 8))
BODY = '{"event":"like","timestamp":"2026-01-31T09:30:00.000Z","data":{"postId":"post_1"}}'
LONG = BODY.ljust(512 * 1024 + 1)


def signed(body: str = BODY, ago: int = 0) -> dict[str, str]:
    at = datetime.now(UTC) - timedelta(seconds=ago)
    return {
        "Webhook-Id": "evt_1",
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(SECRET).sign("evt_1", at, body),
    }


class Webhooks(unittest.TestCase):
    def test_a_signed_event_is_unwrapped_by_either_secret(self) -> None:
        # Files and environments have white space around it.
        for secret in (SECRET, f" {SECRET}\n", [OTHER, SECRET], [SECRET, OTHER]):
            event = webhooks.unwrap(BODY.encode(), signed(), secret)
            self.assertEqual((event.id, event.event), ("evt_1", "like"))
            self.assertEqual(event.data, {"postId": "post_1"})

    def test_a_test_is_told_from_an_event_that_happened(self) -> None:
        for value, expected in (("true", True), ("false", False), (None, False)):
            marked = {**signed(), **({"X-Webhook-Test": value} if value else {})}
            self.assertEqual(webhooks.unwrap(BODY, marked, SECRET).is_test, expected)

    def test_everything_else_is_refused(self) -> None:
        long = f"{BODY[:-1]}{' ' * webhooks.BODY_BYTES_MAX}}}"
        unnamed = {name: value for name, value in signed().items() if name != "Webhook-Id"}
        for name, body, headers, secret in [
            ("another secret", BODY, signed(), OTHER),
            ("no secret", BODY, signed(), ""),
            ("no secrets", BODY, signed(), []),
            ("no base64", BODY, signed(), "whsec_!"),
            ("a changed body", f"{BODY} ", signed(), SECRET),
            ("too large a body", long, signed(long), SECRET),
            ("another id", BODY, {**signed(), "Webhook-Id": "evt_2"}, SECRET),
            ("a parsed body", {"event": "like"}, signed(), SECRET),
            ("an old signature", BODY, signed(ago=3600), SECRET),
            ("a future signature", BODY, signed(ago=-3600), SECRET),
            ("no headers", BODY, {}, SECRET),
            ("a missing header", BODY, unnamed, SECRET),
            ("a doubled header", BODY, {**signed(), "webhook-id": "evt_2"}, SECRET),
            ("no event", "[]", signed("[]"), SECRET),
            ("a body that is too long", LONG, signed(LONG), SECRET),
        ]:
            with self.subTest(name), self.assertRaises(SvcError) as raised:
                webhooks.unwrap(body, headers, secret)  # type: ignore[arg-type]
            self.assertEqual(raised.exception.code, "invalid_webhook")

    def test_the_error_names_what_is_wrong(self) -> None:
        for ago, secret, expected in (
            (3600, SECRET, "clocks differ .* too old"),
            (-3600, SECRET, "clocks differ .* too new"),
            (0, OTHER, "the signature is wrong; is the body as it came, and the secret"),
        ):
            with self.subTest(expected), self.assertRaisesRegex(SvcError, expected):
                webhooks.unwrap(BODY, signed(ago=ago), secret)
