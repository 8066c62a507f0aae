"""`links`: written by `cargo document`; do not edit."""

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


class Links(Group):
    def list(self) -> t.LinkList:
        """List the accounts elsewhere that are linked to yours."""
        call = Call(
            "GET",
            "/auth/links",
            t.LinkList,
        )
        return self._client.send(call)

    def begin(
        self,
        provider: t.LinkProvider,
        *,
        idempotency_key: str | None = None,
    ) -> t.LinkBegun:
        """Begin to link an account elsewhere.

        Open the URL in a browser within ten minutes and sign in there. It works once. Then
        `googleVerified` or `xVerified` of your account is true. Another account of the same provider
        replaces the one that is linked. An account elsewhere is linked to one account here only.

        provider: Where the other account is.

        Errors: the common ones and `feature_not_configured`, `provider_unavailable`,
        `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/links/{provider}/begin",
            t.LinkBegun,
            path_members={"provider": provider},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="begin again; the lost link does no harm",
        )
        return self._client.send(call)

    def delete(self, provider: t.LinkProvider) -> t.Deleted:
        """Unlink an account elsewhere.

        `googleVerified` or `xVerified` of your account becomes false.

        provider: Where the other account is.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "DELETE",
            "/auth/links/{provider}",
            t.Deleted,
            path_members={"provider": provider},
        )
        return self._client.send(call)


class AsyncLinks(AsyncGroup):
    async def list(self) -> t.LinkList:
        """List the accounts elsewhere that are linked to yours."""
        call = Call(
            "GET",
            "/auth/links",
            t.LinkList,
        )
        return await self._client.send(call)

    async def begin(
        self,
        provider: t.LinkProvider,
        *,
        idempotency_key: str | None = None,
    ) -> t.LinkBegun:
        """Begin to link an account elsewhere.

        Open the URL in a browser within ten minutes and sign in there. It works once. Then
        `googleVerified` or `xVerified` of your account is true. Another account of the same provider
        replaces the one that is linked. An account elsewhere is linked to one account here only.

        provider: Where the other account is.

        Errors: the common ones and `feature_not_configured`, `provider_unavailable`,
        `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/links/{provider}/begin",
            t.LinkBegun,
            path_members={"provider": provider},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="begin again; the lost link does no harm",
        )
        return await self._client.send(call)

    async def delete(self, provider: t.LinkProvider) -> t.Deleted:
        """Unlink an account elsewhere.

        `googleVerified` or `xVerified` of your account becomes false.

        provider: Where the other account is.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "DELETE",
            "/auth/links/{provider}",
            t.Deleted,
            path_members={"provider": provider},
        )
        return await self._client.send(call)
