"""`health`: written by `cargo document`; do not edit."""

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


class Health(Group):
    def read(self) -> t.Health:
        """Get the health of the server and its parts.

        Errors: the common ones and `storage_unavailable`.
        """
        call = Call(
            "GET",
            "/health",
            t.Health,
        )
        return self._client.send(call)

    def live(self) -> t.Alive:
        """Check whether the process runs."""
        call = Call(
            "GET",
            "/health/live",
            t.Alive,
        )
        return self._client.send(call)

    def ready(self) -> t.Alive:
        """Check whether the server accepts requests.

        It does when the database answers, the server is not stopping, and it has the keys of the other nodes.

        Errors: the common ones and `storage_unavailable`.
        """
        call = Call(
            "GET",
            "/health/ready",
            t.Alive,
        )
        return self._client.send(call)


class AsyncHealth(AsyncGroup):
    async def read(self) -> t.Health:
        """Get the health of the server and its parts.

        Errors: the common ones and `storage_unavailable`.
        """
        call = Call(
            "GET",
            "/health",
            t.Health,
        )
        return await self._client.send(call)

    async def live(self) -> t.Alive:
        """Check whether the process runs."""
        call = Call(
            "GET",
            "/health/live",
            t.Alive,
        )
        return await self._client.send(call)

    async def ready(self) -> t.Alive:
        """Check whether the server accepts requests.

        It does when the database answers, the server is not stopping, and it has the keys of the other nodes.

        Errors: the common ones and `storage_unavailable`.
        """
        call = Call(
            "GET",
            "/health/ready",
            t.Alive,
        )
        return await self._client.send(call)
