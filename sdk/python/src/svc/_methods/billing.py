"""`billing`: written by `cargo document`; do not edit."""

# ruff: noqa: F401
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from .. import types as t
from .._call import Amount, Call
from .._group import AsyncGroup, AsyncSender, Group, Sender
from .._pages import AsyncPages, Pages
from .._retry import Repeat


class Billing(Group):
    def get(self) -> t.BillingEnvelope:
        """Get what credits cost, and how many you can buy.

        Errors: the common ones and `feature_not_configured`.
        """
        call = Call(
            "GET",
            "/v1/billing",
            t.BillingEnvelope,
        )
        return self._client.send(call)

    def checkout(self, credits: Amount, *, idempotency_key: str | None = None) -> t.Checkout:
        """Buy credits.

        Open the URL in a browser and pay there within 23 hours; then the credits are added. After
        `provider_unavailable`, repeat the request with the same Idempotency-Key: nothing is bought
        twice.

        credits: How many credits to buy, from `min` to `max` of `GET /v1/billing`.

        Errors: the common ones and `amount_not_exact`, `limit_reached`, `wrong_state`,
        `feature_not_configured`, `provider_unavailable`.
        """
        call = Call(
            "POST",
            "/v1/billing/checkout",
            t.Checkout,
            body={"credits": credits},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def payments(self, *, limit: int | None = None) -> Pages[t.PaymentPage, t.Payment]:
        """List your payments and those of your agents, newest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/billing/payments",
            t.PaymentPage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "payments")

    def payment(self, payment_id: str, *, wait_seconds: int | None = None) -> t.PaymentEnvelope:
        """Get a payment of yours or of one of your agents.

        With `waitSeconds` the answer comes once the payment is decided, at the latest after that
        time. A payment that is no longer `creating` or `open` is answered at once, as are further
        calls of an account that waits 20 times.

        payment_id: Id of the payment: `pay_…`.
        wait_seconds: How long to wait until the payment is decided: 0 to 60 seconds.
        """
        call = Call(
            "GET",
            "/v1/billing/payments/{paymentId}",
            t.PaymentEnvelope,
            path_members={"paymentId": payment_id},
            query={"waitSeconds": wait_seconds},
        )
        return self._client.send(call)

    def refund(
        self,
        payment_id: str,
        *,
        credits: Amount | None = None,
        idempotency_key: str | None = None,
    ) -> t.PaymentEnvelope:
        """Give back credits of a payment of yours or of one of your agents.

        What was bought and is unspent can be given back for a while after the payment. The credits are
        taken at once; the money arrives some days later.

        payment_id: Id of the payment: `pay_…`.
        credits: How many credits to give back; all that can be when omitted.

        Errors: the common ones and `not_refundable`, `feature_not_configured`.
        """
        call = Call(
            "POST",
            "/v1/billing/payments/{paymentId}/refund",
            t.PaymentEnvelope,
            path_members={"paymentId": payment_id},
            body={"credits": credits},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncBilling(AsyncGroup):
    async def get(self) -> t.BillingEnvelope:
        """Get what credits cost, and how many you can buy.

        Errors: the common ones and `feature_not_configured`.
        """
        call = Call(
            "GET",
            "/v1/billing",
            t.BillingEnvelope,
        )
        return await self._client.send(call)

    async def checkout(self, credits: Amount, *, idempotency_key: str | None = None) -> t.Checkout:
        """Buy credits.

        Open the URL in a browser and pay there within 23 hours; then the credits are added. After
        `provider_unavailable`, repeat the request with the same Idempotency-Key: nothing is bought
        twice.

        credits: How many credits to buy, from `min` to `max` of `GET /v1/billing`.

        Errors: the common ones and `amount_not_exact`, `limit_reached`, `wrong_state`,
        `feature_not_configured`, `provider_unavailable`.
        """
        call = Call(
            "POST",
            "/v1/billing/checkout",
            t.Checkout,
            body={"credits": credits},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def payments(self, *, limit: int | None = None) -> AsyncPages[t.PaymentPage, t.Payment]:
        """List your payments and those of your agents, newest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/billing/payments",
            t.PaymentPage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "payments")

    async def payment(
        self,
        payment_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> t.PaymentEnvelope:
        """Get a payment of yours or of one of your agents.

        With `waitSeconds` the answer comes once the payment is decided, at the latest after that
        time. A payment that is no longer `creating` or `open` is answered at once, as are further
        calls of an account that waits 20 times.

        payment_id: Id of the payment: `pay_…`.
        wait_seconds: How long to wait until the payment is decided: 0 to 60 seconds.
        """
        call = Call(
            "GET",
            "/v1/billing/payments/{paymentId}",
            t.PaymentEnvelope,
            path_members={"paymentId": payment_id},
            query={"waitSeconds": wait_seconds},
        )
        return await self._client.send(call)

    async def refund(
        self,
        payment_id: str,
        *,
        credits: Amount | None = None,
        idempotency_key: str | None = None,
    ) -> t.PaymentEnvelope:
        """Give back credits of a payment of yours or of one of your agents.

        What was bought and is unspent can be given back for a while after the payment. The credits are
        taken at once; the money arrives some days later.

        payment_id: Id of the payment: `pay_…`.
        credits: How many credits to give back; all that can be when omitted.

        Errors: the common ones and `not_refundable`, `feature_not_configured`.
        """
        call = Call(
            "POST",
            "/v1/billing/payments/{paymentId}/refund",
            t.PaymentEnvelope,
            path_members={"paymentId": payment_id},
            body={"credits": credits},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
