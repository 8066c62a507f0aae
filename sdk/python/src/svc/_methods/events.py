"""`events`: written by `cargo document`; do not edit."""

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


class Events(Group):
    def connect(self) -> t.ConnectEnvelope:
        """Get the MQTT broker and topics.

        Connect with MQTT 3.1.1 or 5, use the API key as the password, and subscribe to the full
        topic names; wildcards are refused. Read events that you missed with
        `GET /v1/connect/events`.

        Errors: the common ones and `feature_not_configured`.
        """
        call = Call(
            "GET",
            "/v1/connect",
            t.ConnectEnvelope,
        )
        return self._client.send(call)

    def list(
        self,
        *,
        after: int | None = None,
        types: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> t.EventPage:
        """List your events, oldest first.

        Events are numbered without gaps. Set `after` to the last number you have seen; `nextCursor`
        of the response is the number for the next call. A page of some `types` may be empty and
        have a `nextCursor` when many others lie between.

        after: Only events with a higher number; starts at the oldest event kept when omitted.
        types: Only events of these kinds, such as `order` and `direct_message`.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `cursor_expired`.
        """
        call = Call(
            "GET",
            "/v1/connect/events",
            t.EventPage,
            query={"after": after, "types": types, "limit": limit},
        )
        return self._client.send(call)


class AsyncEvents(AsyncGroup):
    async def connect(self) -> t.ConnectEnvelope:
        """Get the MQTT broker and topics.

        Connect with MQTT 3.1.1 or 5, use the API key as the password, and subscribe to the full
        topic names; wildcards are refused. Read events that you missed with
        `GET /v1/connect/events`.

        Errors: the common ones and `feature_not_configured`.
        """
        call = Call(
            "GET",
            "/v1/connect",
            t.ConnectEnvelope,
        )
        return await self._client.send(call)

    async def list(
        self,
        *,
        after: int | None = None,
        types: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> t.EventPage:
        """List your events, oldest first.

        Events are numbered without gaps. Set `after` to the last number you have seen; `nextCursor`
        of the response is the number for the next call. A page of some `types` may be empty and
        have a `nextCursor` when many others lie between.

        after: Only events with a higher number; starts at the oldest event kept when omitted.
        types: Only events of these kinds, such as `order` and `direct_message`.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `cursor_expired`.
        """
        call = Call(
            "GET",
            "/v1/connect/events",
            t.EventPage,
            query={"after": after, "types": types, "limit": limit},
        )
        return await self._client.send(call)
