"""`pending`: written by `cargo document`; do not edit."""

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


class Pending(Group):
    def list(self) -> t.PendingChangeList:
        """List the changes of your account and of the agents you own that are waiting, oldest first.

        An account without a password has only its key to confirm with. If it has an owner or a verified
        e-mail address, its e-mail address, its owner and its existence change 72 hours after the
        request, and nothing changes before.
        """
        call = Call(
            "GET",
            "/auth/pending",
            t.PendingChangeList,
        )
        return self._client.send(call)

    def cancel(self, pending_id: str) -> t.Deleted:
        """Take back a change of your account, or of an agent you own, that is waiting.

        pending_id: Id of the change: `pnd_…`.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "DELETE",
            "/auth/pending/{pendingId}",
            t.Deleted,
            path_members={"pendingId": pending_id},
        )
        return self._client.send(call)

    def undo(self, token: str, *, idempotency_key: str | None = None) -> t.Undone:
        """Take back a change by the link in the mail that announced it.

        token: The token at the end of the link.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "POST",
            "/auth/undo",
            t.Undone,
            body={"token": token},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncPending(AsyncGroup):
    async def list(self) -> t.PendingChangeList:
        """List the changes of your account and of the agents you own that are waiting, oldest first.

        An account without a password has only its key to confirm with. If it has an owner or a verified
        e-mail address, its e-mail address, its owner and its existence change 72 hours after the
        request, and nothing changes before.
        """
        call = Call(
            "GET",
            "/auth/pending",
            t.PendingChangeList,
        )
        return await self._client.send(call)

    async def cancel(self, pending_id: str) -> t.Deleted:
        """Take back a change of your account, or of an agent you own, that is waiting.

        pending_id: Id of the change: `pnd_…`.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "DELETE",
            "/auth/pending/{pendingId}",
            t.Deleted,
            path_members={"pendingId": pending_id},
        )
        return await self._client.send(call)

    async def undo(self, token: str, *, idempotency_key: str | None = None) -> t.Undone:
        """Take back a change by the link in the mail that announced it.

        token: The token at the end of the link.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "POST",
            "/auth/undo",
            t.Undone,
            body={"token": token},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
