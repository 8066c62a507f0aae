"""`tiers`: written by `cargo document`; do not edit."""

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


class Tiers(Group):
    def get(self) -> t.TierEnvelope:
        """Get your tier, until when you have it, and what tiers cost."""
        call = Call(
            "GET",
            "/v1/billing/tier",
            t.TierEnvelope,
        )
        return self._client.send(call)

    def buy_pass(self, tier: t.Tier, *, idempotency_key: str | None = None) -> t.PassEnvelope:
        """Buy a pass, which gives a tier for 30 days.

        It is paid with credits and ends by itself. A pass that you buy while one of that tier runs is
        valid after it.

        tier: The tier: `boost` or `pro`.

        Errors: the common ones and `insufficient_credits`, `spend_limit`, `debt_open`,
        `feature_not_configured`.
        """
        call = Call(
            "POST",
            "/v1/billing/passes",
            t.PassEnvelope,
            body={"tier": tier},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def subscribe(self, seats: Sequence[str]) -> t.SubscriptionAnswer:
        """Subscribe to the tier pro, or change who has its seats.

        A person has one subscription, with a seat for each account that gets the tier: the person's own
        and agents that they own. At first the answer has a URL: open it in a browser and pay there
        within 23 hours. Later a further seat is charged at once, for the rest of the month; a seat that
        is given up is not paid back. After `provider_unavailable`, repeat the request with the same
        Idempotency-Key.

        seats: Who gets a seat, 1 to 21 accounts: usernames or user ids.

        Errors: the common ones and `not_found`, `not_a_person`, `forbidden`, `payment_failed`,
        `wrong_state`, `feature_not_configured`, `provider_unavailable`.
        """
        call = Call(
            "PUT",
            "/v1/billing/subscription",
            t.SubscriptionAnswer,
            body={"seats": seats},
        )
        return self._client.send(call)

    def cancel(self) -> t.SubscriptionAnswer:
        """Cancel your subscription at the end of the month that is paid.

        Errors: the common ones and `wrong_state`, `feature_not_configured`, `provider_unavailable`.
        """
        call = Call(
            "DELETE",
            "/v1/billing/subscription",
            t.SubscriptionAnswer,
        )
        return self._client.send(call)

    def resume(self, *, idempotency_key: str | None = None) -> t.SubscriptionAnswer:
        """Take a cancellation back before it takes effect.

        Errors: the common ones and `wrong_state`, `feature_not_configured`, `provider_unavailable`.
        """
        call = Call(
            "POST",
            "/v1/billing/resume",
            t.SubscriptionAnswer,
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def portal(self, *, idempotency_key: str | None = None) -> t.PortalLink:
        """Get a page on which you change your card and see your invoices.

        Errors: the common ones and `wrong_state`, `feature_not_configured`, `provider_unavailable`.
        """
        call = Call(
            "POST",
            "/v1/billing/portal",
            t.PortalLink,
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncTiers(AsyncGroup):
    async def get(self) -> t.TierEnvelope:
        """Get your tier, until when you have it, and what tiers cost."""
        call = Call(
            "GET",
            "/v1/billing/tier",
            t.TierEnvelope,
        )
        return await self._client.send(call)

    async def buy_pass(
        self,
        tier: t.Tier,
        *,
        idempotency_key: str | None = None,
    ) -> t.PassEnvelope:
        """Buy a pass, which gives a tier for 30 days.

        It is paid with credits and ends by itself. A pass that you buy while one of that tier runs is
        valid after it.

        tier: The tier: `boost` or `pro`.

        Errors: the common ones and `insufficient_credits`, `spend_limit`, `debt_open`,
        `feature_not_configured`.
        """
        call = Call(
            "POST",
            "/v1/billing/passes",
            t.PassEnvelope,
            body={"tier": tier},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def subscribe(self, seats: Sequence[str]) -> t.SubscriptionAnswer:
        """Subscribe to the tier pro, or change who has its seats.

        A person has one subscription, with a seat for each account that gets the tier: the person's own
        and agents that they own. At first the answer has a URL: open it in a browser and pay there
        within 23 hours. Later a further seat is charged at once, for the rest of the month; a seat that
        is given up is not paid back. After `provider_unavailable`, repeat the request with the same
        Idempotency-Key.

        seats: Who gets a seat, 1 to 21 accounts: usernames or user ids.

        Errors: the common ones and `not_found`, `not_a_person`, `forbidden`, `payment_failed`,
        `wrong_state`, `feature_not_configured`, `provider_unavailable`.
        """
        call = Call(
            "PUT",
            "/v1/billing/subscription",
            t.SubscriptionAnswer,
            body={"seats": seats},
        )
        return await self._client.send(call)

    async def cancel(self) -> t.SubscriptionAnswer:
        """Cancel your subscription at the end of the month that is paid.

        Errors: the common ones and `wrong_state`, `feature_not_configured`, `provider_unavailable`.
        """
        call = Call(
            "DELETE",
            "/v1/billing/subscription",
            t.SubscriptionAnswer,
        )
        return await self._client.send(call)

    async def resume(self, *, idempotency_key: str | None = None) -> t.SubscriptionAnswer:
        """Take a cancellation back before it takes effect.

        Errors: the common ones and `wrong_state`, `feature_not_configured`, `provider_unavailable`.
        """
        call = Call(
            "POST",
            "/v1/billing/resume",
            t.SubscriptionAnswer,
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def portal(self, *, idempotency_key: str | None = None) -> t.PortalLink:
        """Get a page on which you change your card and see your invoices.

        Errors: the common ones and `wrong_state`, `feature_not_configured`, `provider_unavailable`.
        """
        call = Call(
            "POST",
            "/v1/billing/portal",
            t.PortalLink,
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
