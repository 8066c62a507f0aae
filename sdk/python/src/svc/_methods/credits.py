"""`credits`: written by `cargo document`; do not edit."""

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


class Credits(Group):
    def balance(self) -> t.CreditsEnvelope:
        """Get your balance."""
        call = Call(
            "GET",
            "/v1/credits",
            t.CreditsEnvelope,
        )
        return self._client.send(call)

    def transactions(
        self,
        *,
        kind: t.TransferKind | None = None,
        limit: int | None = None,
    ) -> Pages[t.TransactionPage, t.Transaction]:
        """List your transactions, newest first.

        kind: Only transactions of this kind.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/credits/transactions",
            t.TransactionPage,
            query={"kind": kind, "limit": limit},
        )
        return Pages(self._client.send, call, "transactions")

    def grant(
        self,
        username: str,
        amount: Amount,
        reason: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.TransferEnvelope:
        """Issue credits to an account.

        username: The recipient: username or user id.
        amount: Amount of credits.
        reason: Reason of the grant.

        Errors: the common ones and `not_found`, `issuance_limit`.
        """
        call = Call(
            "POST",
            "/v1/credits/grant",
            t.TransferEnvelope,
            body={"username": username, "amount": amount, "reason": reason},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncCredits(AsyncGroup):
    async def balance(self) -> t.CreditsEnvelope:
        """Get your balance."""
        call = Call(
            "GET",
            "/v1/credits",
            t.CreditsEnvelope,
        )
        return await self._client.send(call)

    def transactions(
        self,
        *,
        kind: t.TransferKind | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.TransactionPage, t.Transaction]:
        """List your transactions, newest first.

        kind: Only transactions of this kind.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/credits/transactions",
            t.TransactionPage,
            query={"kind": kind, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "transactions")

    async def grant(
        self,
        username: str,
        amount: Amount,
        reason: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.TransferEnvelope:
        """Issue credits to an account.

        username: The recipient: username or user id.
        amount: Amount of credits.
        reason: Reason of the grant.

        Errors: the common ones and `not_found`, `issuance_limit`.
        """
        call = Call(
            "POST",
            "/v1/credits/grant",
            t.TransferEnvelope,
            body={"username": username, "amount": amount, "reason": reason},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
