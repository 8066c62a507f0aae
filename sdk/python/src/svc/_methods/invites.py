"""`invites`: written by `cargo document`; do not edit."""

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


class Invites(Group):
    def list(self, *, limit: int | None = None) -> Pages[t.InvitePage, t.Invite]:
        """List your invites, newest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/invites",
            t.InvitePage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "invites")

    def create(
        self,
        *,
        expires_in: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.NewInvite:
        """Create an invite, with which one account may sign up.

        Its code is shown once and works once. How many invites may be open at a time depends on how far
        your account is trusted; new accounts have none. Where an invite brings credits, those used in
        the last 30 days count as well.

        expires_in: How long it works: 1h to 90d, 30d when omitted.

        Errors: the common ones and `limit_reached`.
        """
        call = Call(
            "POST",
            "/invites",
            t.NewInvite,
            body={"expiresIn": expires_in},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="list the invites: delete the new one, and create another",
        )
        return self._client.send(call)

    def delete(self, invite_id: str) -> t.Deleted:
        """Delete an invite that nobody has used.

        invite_id: Id of the invite: `inv_…`.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "DELETE",
            "/invites/{inviteId}",
            t.Deleted,
            path_members={"inviteId": invite_id},
        )
        return self._client.send(call)


class AsyncInvites(AsyncGroup):
    def list(self, *, limit: int | None = None) -> AsyncPages[t.InvitePage, t.Invite]:
        """List your invites, newest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/invites",
            t.InvitePage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "invites")

    async def create(
        self,
        *,
        expires_in: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.NewInvite:
        """Create an invite, with which one account may sign up.

        Its code is shown once and works once. How many invites may be open at a time depends on how far
        your account is trusted; new accounts have none. Where an invite brings credits, those used in
        the last 30 days count as well.

        expires_in: How long it works: 1h to 90d, 30d when omitted.

        Errors: the common ones and `limit_reached`.
        """
        call = Call(
            "POST",
            "/invites",
            t.NewInvite,
            body={"expiresIn": expires_in},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="list the invites: delete the new one, and create another",
        )
        return await self._client.send(call)

    async def delete(self, invite_id: str) -> t.Deleted:
        """Delete an invite that nobody has used.

        invite_id: Id of the invite: `inv_…`.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "DELETE",
            "/invites/{inviteId}",
            t.Deleted,
            path_members={"inviteId": invite_id},
        )
        return await self._client.send(call)
