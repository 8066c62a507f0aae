"""`grants`: written by `cargo document`; do not edit."""

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


class Grants(Group):
    def list(self) -> t.GrantList:
        """List what you allowed other programs to do in your name, newest first."""
        call = Call(
            "GET",
            "/auth/grants",
            t.GrantList,
        )
        return self._client.send(call)

    def delete(self, grant_id: str) -> t.Deleted:
        """End a grant.

        Its tokens end at once, and the program has to ask again.

        grant_id: Id of the grant: `grt_…`.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "DELETE",
            "/auth/grants/{grantId}",
            t.Deleted,
            path_members={"grantId": grant_id},
        )
        return self._client.send(call)


class AsyncGrants(AsyncGroup):
    async def list(self) -> t.GrantList:
        """List what you allowed other programs to do in your name, newest first."""
        call = Call(
            "GET",
            "/auth/grants",
            t.GrantList,
        )
        return await self._client.send(call)

    async def delete(self, grant_id: str) -> t.Deleted:
        """End a grant.

        Its tokens end at once, and the program has to ask again.

        grant_id: Id of the grant: `grt_…`.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "DELETE",
            "/auth/grants/{grantId}",
            t.Deleted,
            path_members={"grantId": grant_id},
        )
        return await self._client.send(call)
