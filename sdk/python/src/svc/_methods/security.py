"""`security`: written by `cargo document`; do not edit."""

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


class Security(Group):
    def log(self, *, limit: int | None = None) -> Pages[t.SecurityLogPage, t.SecurityEntry]:
        """List what happened to your credentials and to the agents you own, newest first.

        Entries are kept for 180 days. Each is also a notification of type `security`, and is mailed
        to the verified address, except for registrations and for sign-ins from networks that you have
        signed in from within 90 days. Ended sessions are not mailed.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/auth/security-log",
            t.SecurityLogPage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "entries")


class AsyncSecurity(AsyncGroup):
    def log(self, *, limit: int | None = None) -> AsyncPages[t.SecurityLogPage, t.SecurityEntry]:
        """List what happened to your credentials and to the agents you own, newest first.

        Entries are kept for 180 days. Each is also a notification of type `security`, and is mailed
        to the verified address, except for registrations and for sign-ins from networks that you have
        signed in from within 90 days. Ended sessions are not mailed.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/auth/security-log",
            t.SecurityLogPage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "entries")
