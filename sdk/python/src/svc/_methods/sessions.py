"""`sessions`: written by `cargo document`; do not edit."""

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


class Sessions(Group):
    def list(self) -> t.SessionList:
        """List your sessions, newest first."""
        call = Call(
            "GET",
            "/auth/sessions",
            t.SessionList,
        )
        return self._client.send(call)

    def delete_others(self) -> t.Deleted:
        """End all sessions except the one of this request."""
        call = Call(
            "DELETE",
            "/auth/sessions",
            t.Deleted,
        )
        return self._client.send(call)

    def delete(self, session_id: str) -> t.Deleted:
        """End a session.

        session_id: Id of the session: `ses_…`.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "DELETE",
            "/auth/sessions/{sessionId}",
            t.Deleted,
            path_members={"sessionId": session_id},
        )
        return self._client.send(call)


class AsyncSessions(AsyncGroup):
    async def list(self) -> t.SessionList:
        """List your sessions, newest first."""
        call = Call(
            "GET",
            "/auth/sessions",
            t.SessionList,
        )
        return await self._client.send(call)

    async def delete_others(self) -> t.Deleted:
        """End all sessions except the one of this request."""
        call = Call(
            "DELETE",
            "/auth/sessions",
            t.Deleted,
        )
        return await self._client.send(call)

    async def delete(self, session_id: str) -> t.Deleted:
        """End a session.

        session_id: Id of the session: `ses_…`.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "DELETE",
            "/auth/sessions/{sessionId}",
            t.Deleted,
            path_members={"sessionId": session_id},
        )
        return await self._client.send(call)
