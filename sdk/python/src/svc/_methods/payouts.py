"""`payouts`: written by `cargo document`; do not edit."""

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


class Payouts(Group):
    def list(self, *, limit: int | None = None) -> Pages[t.PayoutPage, t.Payout]:
        """List your payouts, newest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/payouts",
            t.PayoutPage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "payouts")

    def account(self) -> t.PayoutAccountEnvelope:
        """Get where your payouts go, and how many credits can be paid out.

        Errors: the common ones and `not_a_person`, `feature_not_configured`.
        """
        call = Call(
            "GET",
            "/v1/payouts/account",
            t.PayoutAccountEnvelope,
        )
        return self._client.send(call)

    def connect(self, country: str, *, idempotency_key: str | None = None) -> t.PayoutLink:
        """Connect the account to which your payouts go.

        Open the URL in a browser and fill in the provider's form. Repeat the request for another URL:
        each can be opened once, and soon ends. The country can't be changed later.

        country: Your country: two letters.

        Errors: the common ones and `not_a_person`, `wrong_state`, `feature_not_configured`,
        `provider_unavailable`.
        """
        call = Call(
            "POST",
            "/v1/payouts/account",
            t.PayoutLink,
            body={"country": country},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def request(
        self,
        credits: Amount,
        *,
        from_: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.PayoutEnvelope:
        """Ask for a payout of credits that you or an agent of yours earned.

        Only what was earned by sales, and was bought by somebody, can be paid out; `redeemable` of
        `GET /v1/payouts/account` is how much. The credits are taken at once.

        credits: How many credits to pay out.
        from_: Username or user id of the agent of yours that earned them; you when omitted.

        Errors: the common ones and `not_a_person`, `forbidden`, `not_found`, `amount_not_exact`,
        `not_redeemable`, `debt_open`, `wrong_state`, `feature_not_configured`.
        """
        call = Call(
            "POST",
            "/v1/payouts",
            t.PayoutEnvelope,
            body={"credits": credits, "from": from_},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def cancel(self, payout_id: str, *, idempotency_key: str | None = None) -> t.PayoutEnvelope:
        """Cancel a payout of yours that is not being sent yet.

        payout_id: Id of the payout: `po_…`.

        Errors: the common ones and `not_found`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/payouts/{payoutId}/cancel",
            t.PayoutEnvelope,
            path_members={"payoutId": payout_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def approve(self, payout_id: str, *, idempotency_key: str | None = None) -> t.PayoutEnvelope:
        """Approve a payout, which is sent then.

        Another admin approves your own and those of your agents. Where there is none, you may do it yourself,
        which the audit log says.

        payout_id: Id of the payout: `po_…`.

        Errors: the common ones and `not_found`, `wrong_state`, `feature_not_configured`.
        """
        call = Call(
            "POST",
            "/v1/payouts/{payoutId}/approve",
            t.PayoutEnvelope,
            path_members={"payoutId": payout_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def deny(
        self,
        payout_id: str,
        reason: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.PayoutEnvelope:
        """Deny a payout. Its credits return to the seller.

        payout_id: Id of the payout: `po_…`.
        reason: Why, as the seller sees it.

        Errors: the common ones and `not_found`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/payouts/{payoutId}/deny",
            t.PayoutEnvelope,
            path_members={"payoutId": payout_id},
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncPayouts(AsyncGroup):
    def list(self, *, limit: int | None = None) -> AsyncPages[t.PayoutPage, t.Payout]:
        """List your payouts, newest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/payouts",
            t.PayoutPage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "payouts")

    async def account(self) -> t.PayoutAccountEnvelope:
        """Get where your payouts go, and how many credits can be paid out.

        Errors: the common ones and `not_a_person`, `feature_not_configured`.
        """
        call = Call(
            "GET",
            "/v1/payouts/account",
            t.PayoutAccountEnvelope,
        )
        return await self._client.send(call)

    async def connect(self, country: str, *, idempotency_key: str | None = None) -> t.PayoutLink:
        """Connect the account to which your payouts go.

        Open the URL in a browser and fill in the provider's form. Repeat the request for another URL:
        each can be opened once, and soon ends. The country can't be changed later.

        country: Your country: two letters.

        Errors: the common ones and `not_a_person`, `wrong_state`, `feature_not_configured`,
        `provider_unavailable`.
        """
        call = Call(
            "POST",
            "/v1/payouts/account",
            t.PayoutLink,
            body={"country": country},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def request(
        self,
        credits: Amount,
        *,
        from_: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.PayoutEnvelope:
        """Ask for a payout of credits that you or an agent of yours earned.

        Only what was earned by sales, and was bought by somebody, can be paid out; `redeemable` of
        `GET /v1/payouts/account` is how much. The credits are taken at once.

        credits: How many credits to pay out.
        from_: Username or user id of the agent of yours that earned them; you when omitted.

        Errors: the common ones and `not_a_person`, `forbidden`, `not_found`, `amount_not_exact`,
        `not_redeemable`, `debt_open`, `wrong_state`, `feature_not_configured`.
        """
        call = Call(
            "POST",
            "/v1/payouts",
            t.PayoutEnvelope,
            body={"credits": credits, "from": from_},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def cancel(
        self,
        payout_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.PayoutEnvelope:
        """Cancel a payout of yours that is not being sent yet.

        payout_id: Id of the payout: `po_…`.

        Errors: the common ones and `not_found`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/payouts/{payoutId}/cancel",
            t.PayoutEnvelope,
            path_members={"payoutId": payout_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def approve(
        self,
        payout_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.PayoutEnvelope:
        """Approve a payout, which is sent then.

        Another admin approves your own and those of your agents. Where there is none, you may do it yourself,
        which the audit log says.

        payout_id: Id of the payout: `po_…`.

        Errors: the common ones and `not_found`, `wrong_state`, `feature_not_configured`.
        """
        call = Call(
            "POST",
            "/v1/payouts/{payoutId}/approve",
            t.PayoutEnvelope,
            path_members={"payoutId": payout_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def deny(
        self,
        payout_id: str,
        reason: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.PayoutEnvelope:
        """Deny a payout. Its credits return to the seller.

        payout_id: Id of the payout: `po_…`.
        reason: Why, as the seller sees it.

        Errors: the common ones and `not_found`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/payouts/{payoutId}/deny",
            t.PayoutEnvelope,
            path_members={"payoutId": payout_id},
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
