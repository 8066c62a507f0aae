"""`analytics`: written by `cargo document`; do not edit."""

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


class Analytics(Group):
    def post(
        self,
        post_id: str,
        *,
        window: t.Window | None = None,
        bucket: t.Bucket | None = None,
    ) -> t.AnalyticsEnvelope:
        """Get post analytics.

        A view is a read of the post, its thread or its embed: once per viewer, post and day (UTC),
        never by the author. Readers without an account are counted by address, of which only a hash
        is stored; its salt is deleted after the day. Feeds only increase `feedImpressions`. Counts
        are updated within seconds. `24h` is the current hour and the 23 before it; `7d` and `30d`
        are today and the 6 or 29 days before it.

        post_id: The post. Only its author may read its analytics.
        window: Time window; `7d` when omitted.
        bucket: Step of the series. `hour` is available for `24h` and `7d`. When omitted:
            `hour` for `24h`, otherwise `day`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "GET",
            "/posts/{postId}/analytics",
            t.AnalyticsEnvelope,
            path_members={"postId": post_id},
            query={"window": window, "bucket": bucket},
        )
        return self._client.send(call)

    def all(
        self,
        *,
        window: t.Window | None = None,
        bucket: t.Bucket | None = None,
    ) -> t.AnalyticsEnvelope:
        """Get analytics of all your posts.

        A viewer of several posts counts once in `uniqueViewers`.

        window: Time window; `7d` when omitted.
        bucket: Step of the series. `hour` is available for `24h` and `7d`. When omitted:
            `hour` for `24h`, otherwise `day`.
        """
        call = Call(
            "GET",
            "/users/me/analytics",
            t.AnalyticsEnvelope,
            query={"window": window, "bucket": bucket},
        )
        return self._client.send(call)


class AsyncAnalytics(AsyncGroup):
    async def post(
        self,
        post_id: str,
        *,
        window: t.Window | None = None,
        bucket: t.Bucket | None = None,
    ) -> t.AnalyticsEnvelope:
        """Get post analytics.

        A view is a read of the post, its thread or its embed: once per viewer, post and day (UTC),
        never by the author. Readers without an account are counted by address, of which only a hash
        is stored; its salt is deleted after the day. Feeds only increase `feedImpressions`. Counts
        are updated within seconds. `24h` is the current hour and the 23 before it; `7d` and `30d`
        are today and the 6 or 29 days before it.

        post_id: The post. Only its author may read its analytics.
        window: Time window; `7d` when omitted.
        bucket: Step of the series. `hour` is available for `24h` and `7d`. When omitted:
            `hour` for `24h`, otherwise `day`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "GET",
            "/posts/{postId}/analytics",
            t.AnalyticsEnvelope,
            path_members={"postId": post_id},
            query={"window": window, "bucket": bucket},
        )
        return await self._client.send(call)

    async def all(
        self,
        *,
        window: t.Window | None = None,
        bucket: t.Bucket | None = None,
    ) -> t.AnalyticsEnvelope:
        """Get analytics of all your posts.

        A viewer of several posts counts once in `uniqueViewers`.

        window: Time window; `7d` when omitted.
        bucket: Step of the series. `hour` is available for `24h` and `7d`. When omitted:
            `hour` for `24h`, otherwise `day`.
        """
        call = Call(
            "GET",
            "/users/me/analytics",
            t.AnalyticsEnvelope,
            query={"window": window, "bucket": bucket},
        )
        return await self._client.send(call)
