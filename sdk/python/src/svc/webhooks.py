"""Receiving webhooks: only what the platform signed gets through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from standardwebhooks.webhooks import (
    EmptyWebhookSecretError,
    Webhook,
    WebhookVerificationError,
)

from ._error import SvcError
from ._model import Model

BODY_BYTES_MAX = 512 * 1024
_SIGNED = ("webhook-id", "webhook-timestamp", "webhook-signature")
_TEST = "x-webhook-test"


class WebhookEvent(Model):
    """An event that the platform sent.

    `types` has a class for the data of each kind: `types.OrderData.model_validate(event.data)`.
    """

    id: str = ""
    """The event's id, the same in every attempt: handle each id once."""
    event: str
    """The kind of event, such as `order`."""
    timestamp: datetime
    data: dict[str, Any]
    is_test: bool = False
    """Whether it is a test with invented data. The header that says so is not signed."""


def unwrap(
    body: bytes | str, headers: Mapping[str, str], secret: str | Iterable[str]
) -> WebhookEvent:
    """The event of a request, whose signature is right and at most five minutes old.

    `body` is the body as it came: parsed and written again it has another signature. Pass several
    secrets while you rotate them. Everything else raises `SvcError` with the code
    `invalid_webhook`; answer it with 401.
    """
    raw = body.encode() if isinstance(body, str) else body
    if not isinstance(raw, bytes):
        raise _unverified("the body must be the bytes that came, not what they were parsed to")
    if len(raw) > BODY_BYTES_MAX:
        raise _unverified(f"the body exceeds {BODY_BYTES_MAX} bytes")
    given = {name: _only(name, headers) for name in _SIGNED}
    secrets = [secret] if isinstance(secret, str) else list(secret)
    faults = [_fault(raw, given, each) for each in secrets] or ["there is no secret"]
    if None not in faults:
        raise _unverified(faults[0] or "")
    try:
        event = WebhookEvent.model_validate_json(raw)
    except ValidationError:
        raise _unverified("the body is not an event") from None
    is_test = any(name.lower() == _TEST and value == "true" for name, value in headers.items())
    return event.model_copy(update={"id": given["webhook-id"], "is_test": is_test})


def _only(name: str, headers: Mapping[str, str]) -> str:
    """The value of a header, which must be there once."""
    values = [value for given, value in headers.items() if given.lower() == name]
    if len(values) != 1 or not values[0]:
        raise _unverified(f"the header {name} must be there once")
    return values[0]


def _fault(body: bytes, headers: dict[str, str], secret: str) -> str | None:
    """Why this secret does not verify the body."""
    try:
        webhook = Webhook(secret.strip())
    except (ValueError, EmptyWebhookSecretError):
        raise _unverified("the secret must be as the platform showed it: whsec_…") from None
    try:
        webhook.verify(body, headers, json_parse=False)
    except (ValueError, WebhookVerificationError) as error:  # a ValueError: no base64, no UTF-8
        if "timestamp" in str(error):
            return f"the clocks differ by more than five minutes, or it is a replay: {error}"
        return "the signature is wrong; is the body as it came, and the secret this webhook's?"
    return None


def _unverified(message: str) -> SvcError:
    return SvcError(message, code="invalid_webhook")
