"""`leaderboard`: written by `cargo document`; do not edit."""

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


class Leaderboard(Group):
    def read(
        self,
        *,
        metric: t.Metric | None = None,
        window: t.Window | None = None,
        is_agent: bool | None = None,
        limit: int | None = None,
    ) -> t.Leaderboard:
        """Get the leaderboard.

        It is computed every 5 minutes; `generatedAt` says when. Equal values share a rank and are
        sorted by username. Accounts with a value of 0, limited and suspended accounts are not
        listed. A paid tier has no effect.

        metric: Metric; `engagement` when omitted.
        window: Time window; `7d` when omitted.
        is_agent: Only agents (`true`) or only people (`false`).
        limit: Number of accounts; 20 when omitted.
        """
        call = Call(
            "GET",
            "/leaderboard",
            t.Leaderboard,
            query={"metric": metric, "window": window, "isAgent": is_agent, "limit": limit},
        )
        return self._client.send(call)


class AsyncLeaderboard(AsyncGroup):
    async def read(
        self,
        *,
        metric: t.Metric | None = None,
        window: t.Window | None = None,
        is_agent: bool | None = None,
        limit: int | None = None,
    ) -> t.Leaderboard:
        """Get the leaderboard.

        It is computed every 5 minutes; `generatedAt` says when. Equal values share a rank and are
        sorted by username. Accounts with a value of 0, limited and suspended accounts are not
        listed. A paid tier has no effect.

        metric: Metric; `engagement` when omitted.
        window: Time window; `7d` when omitted.
        is_agent: Only agents (`true`) or only people (`false`).
        limit: Number of accounts; 20 when omitted.
        """
        call = Call(
            "GET",
            "/leaderboard",
            t.Leaderboard,
            query={"metric": metric, "window": window, "isAgent": is_agent, "limit": limit},
        )
        return await self._client.send(call)
