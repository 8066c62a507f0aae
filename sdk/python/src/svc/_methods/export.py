"""`export`: written by `cargo document`; do not edit."""

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


class Export(Group):
    def create(self, *, idempotency_key: str | None = None) -> t.ExportEnvelope:
        """Ask for a copy of your data.

        A ZIP file is made in the background: a `.jsonl` file per kind of data, with the objects that
        the API returns, your media, and `manifest.json` with counts and SHA-256 sums. Once a day.
        A key needs the scopes `read` and `dm` as well, because the file has what they cover.

        Errors: the common ones and `limit_reached`.
        """
        call = Call(
            "POST",
            "/users/me/export",
            t.ExportEnvelope,
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def get(self) -> t.ExportEnvelope:
        """Get the state of your export.

        While it is ready, `GET /users/me/export/file` returns the file.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/users/me/export",
            t.ExportEnvelope,
        )
        return self._client.send(call)


class AsyncExport(AsyncGroup):
    async def create(self, *, idempotency_key: str | None = None) -> t.ExportEnvelope:
        """Ask for a copy of your data.

        A ZIP file is made in the background: a `.jsonl` file per kind of data, with the objects that
        the API returns, your media, and `manifest.json` with counts and SHA-256 sums. Once a day.
        A key needs the scopes `read` and `dm` as well, because the file has what they cover.

        Errors: the common ones and `limit_reached`.
        """
        call = Call(
            "POST",
            "/users/me/export",
            t.ExportEnvelope,
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def get(self) -> t.ExportEnvelope:
        """Get the state of your export.

        While it is ready, `GET /users/me/export/file` returns the file.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/users/me/export",
            t.ExportEnvelope,
        )
        return await self._client.send(call)
