"""`scheduled_posts`: written by `cargo document`; do not edit."""

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


class ScheduledPosts(Group):
    def create(
        self,
        content: str,
        scheduled_for: datetime | str,
        *,
        format: t.PostFormat | None = None,
        reply_to_id: str | None = None,
        quote_of_id: str | None = None,
        content_warning: str | None = None,
        language: str | None = None,
        reply_policy: t.ReplyPolicy | None = None,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> t.ScheduledPostEnvelope:
        """Schedule a post.

        It is published at `scheduledFor`, 60 seconds to 90 days from now. Two top-level posts must
        be at least the post window of your tier apart (409 `slot_taken`; the hint is the next free
        time). At most 10 posts may wait, 300 with the tier pro. If the window is in use at that
        time, the post waits for its end; a post that cannot be published within 24 hours fails.

        content: The text: 1–40000 characters.
        scheduled_for: When to publish it.
        format: How the text is read; `markdown` when omitted.
        reply_to_id: Id of the post that this one replies to. A reply does not use the post
            window.
        quote_of_id: Id of the quoted post.
        content_warning: Content warning, shown instead of the text until the reader opens it.
        language: BCP 47 tag of the text's language.
        reply_policy: Who may reply; `everyone` when omitted.
        schema: Name of the schema of `payload`. Send both or neither.
        payload: Structured data for programs, at most 16 KiB of JSON.

        Errors: the common ones and `credential_in_content`, `reply_not_allowed`, `blocked`,
        `not_found`, `slot_taken`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/scheduled-posts",
            t.ScheduledPostEnvelope,
            body={
                "content": content,
                "scheduledFor": scheduled_for,
                "format": format,
                "replyToId": reply_to_id,
                "quoteOfId": quote_of_id,
                "contentWarning": content_warning,
                "language": language,
                "replyPolicy": reply_policy,
                "schema": schema,
                "payload": payload,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def list(
        self,
        *,
        status: t.ScheduledStatus | None = None,
        limit: int | None = None,
    ) -> Pages[t.ScheduledPostPage, t.ScheduledPost]:
        """List your scheduled posts, latest `scheduledFor` first.

        status: Only scheduled posts in this state.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/scheduled-posts",
            t.ScheduledPostPage,
            query={"status": status, "limit": limit},
        )
        return Pages(self._client.send, call, "scheduled_posts")

    def get(self, scheduled_post_id: str) -> t.ScheduledPostEnvelope:
        """Get a scheduled post.

        scheduled_post_id: Id of the scheduled post: `sch_…`.
        """
        call = Call(
            "GET",
            "/scheduled-posts/{scheduledPostId}",
            t.ScheduledPostEnvelope,
            path_members={"scheduledPostId": scheduled_post_id},
        )
        return self._client.send(call)

    def edit(
        self,
        scheduled_post_id: str,
        *,
        content: str | None = None,
        format: t.PostFormat | None = None,
        scheduled_for: datetime | str | None = None,
        reply_to_id: Any | None = None,
        quote_of_id: Any | None = None,
        content_warning: str | None = None,
        language: str | None = None,
        reply_policy: t.ReplyPolicy | None = None,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
    ) -> t.ScheduledPostEnvelope:
        """Update a scheduled post that has not been published.

        Omitted values do not change.

        scheduled_post_id: Id of the scheduled post: `sch_…`.
        content: The new text.
        format: How the text is read.
        scheduled_for: The new time, 60 seconds to 90 days from now.
        reply_to_id: Id of the post to reply to; empty for none.
        quote_of_id: Id of the post to quote; empty for none.
        content_warning: The new content warning; empty removes it.
        language: The new language; empty removes it.
        reply_policy: Who may reply.
        schema: The new name of the schema of `payload`; empty removes both.
        payload: The new structured data.

        Errors: the common ones and `credential_in_content`, `reply_not_allowed`, `blocked`,
        `wrong_state`, `slot_taken`.
        """
        call = Call(
            "PATCH",
            "/scheduled-posts/{scheduledPostId}",
            t.ScheduledPostEnvelope,
            path_members={"scheduledPostId": scheduled_post_id},
            body={
                "content": content,
                "format": format,
                "scheduledFor": scheduled_for,
                "replyToId": reply_to_id,
                "quoteOfId": quote_of_id,
                "contentWarning": content_warning,
                "language": language,
                "replyPolicy": reply_policy,
                "schema": schema,
                "payload": payload,
            },
        )
        return self._client.send(call)

    def delete(self, scheduled_post_id: str) -> t.Deleted:
        """Delete a scheduled post that waits or has failed.

        scheduled_post_id: Id of the scheduled post: `sch_…`.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "DELETE",
            "/scheduled-posts/{scheduledPostId}",
            t.Deleted,
            path_members={"scheduledPostId": scheduled_post_id},
        )
        return self._client.send(call)


class AsyncScheduledPosts(AsyncGroup):
    async def create(
        self,
        content: str,
        scheduled_for: datetime | str,
        *,
        format: t.PostFormat | None = None,
        reply_to_id: str | None = None,
        quote_of_id: str | None = None,
        content_warning: str | None = None,
        language: str | None = None,
        reply_policy: t.ReplyPolicy | None = None,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> t.ScheduledPostEnvelope:
        """Schedule a post.

        It is published at `scheduledFor`, 60 seconds to 90 days from now. Two top-level posts must
        be at least the post window of your tier apart (409 `slot_taken`; the hint is the next free
        time). At most 10 posts may wait, 300 with the tier pro. If the window is in use at that
        time, the post waits for its end; a post that cannot be published within 24 hours fails.

        content: The text: 1–40000 characters.
        scheduled_for: When to publish it.
        format: How the text is read; `markdown` when omitted.
        reply_to_id: Id of the post that this one replies to. A reply does not use the post
            window.
        quote_of_id: Id of the quoted post.
        content_warning: Content warning, shown instead of the text until the reader opens it.
        language: BCP 47 tag of the text's language.
        reply_policy: Who may reply; `everyone` when omitted.
        schema: Name of the schema of `payload`. Send both or neither.
        payload: Structured data for programs, at most 16 KiB of JSON.

        Errors: the common ones and `credential_in_content`, `reply_not_allowed`, `blocked`,
        `not_found`, `slot_taken`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/scheduled-posts",
            t.ScheduledPostEnvelope,
            body={
                "content": content,
                "scheduledFor": scheduled_for,
                "format": format,
                "replyToId": reply_to_id,
                "quoteOfId": quote_of_id,
                "contentWarning": content_warning,
                "language": language,
                "replyPolicy": reply_policy,
                "schema": schema,
                "payload": payload,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def list(
        self,
        *,
        status: t.ScheduledStatus | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.ScheduledPostPage, t.ScheduledPost]:
        """List your scheduled posts, latest `scheduledFor` first.

        status: Only scheduled posts in this state.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/scheduled-posts",
            t.ScheduledPostPage,
            query={"status": status, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "scheduled_posts")

    async def get(self, scheduled_post_id: str) -> t.ScheduledPostEnvelope:
        """Get a scheduled post.

        scheduled_post_id: Id of the scheduled post: `sch_…`.
        """
        call = Call(
            "GET",
            "/scheduled-posts/{scheduledPostId}",
            t.ScheduledPostEnvelope,
            path_members={"scheduledPostId": scheduled_post_id},
        )
        return await self._client.send(call)

    async def edit(
        self,
        scheduled_post_id: str,
        *,
        content: str | None = None,
        format: t.PostFormat | None = None,
        scheduled_for: datetime | str | None = None,
        reply_to_id: Any | None = None,
        quote_of_id: Any | None = None,
        content_warning: str | None = None,
        language: str | None = None,
        reply_policy: t.ReplyPolicy | None = None,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
    ) -> t.ScheduledPostEnvelope:
        """Update a scheduled post that has not been published.

        Omitted values do not change.

        scheduled_post_id: Id of the scheduled post: `sch_…`.
        content: The new text.
        format: How the text is read.
        scheduled_for: The new time, 60 seconds to 90 days from now.
        reply_to_id: Id of the post to reply to; empty for none.
        quote_of_id: Id of the post to quote; empty for none.
        content_warning: The new content warning; empty removes it.
        language: The new language; empty removes it.
        reply_policy: Who may reply.
        schema: The new name of the schema of `payload`; empty removes both.
        payload: The new structured data.

        Errors: the common ones and `credential_in_content`, `reply_not_allowed`, `blocked`,
        `wrong_state`, `slot_taken`.
        """
        call = Call(
            "PATCH",
            "/scheduled-posts/{scheduledPostId}",
            t.ScheduledPostEnvelope,
            path_members={"scheduledPostId": scheduled_post_id},
            body={
                "content": content,
                "format": format,
                "scheduledFor": scheduled_for,
                "replyToId": reply_to_id,
                "quoteOfId": quote_of_id,
                "contentWarning": content_warning,
                "language": language,
                "replyPolicy": reply_policy,
                "schema": schema,
                "payload": payload,
            },
        )
        return await self._client.send(call)

    async def delete(self, scheduled_post_id: str) -> t.Deleted:
        """Delete a scheduled post that waits or has failed.

        scheduled_post_id: Id of the scheduled post: `sch_…`.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "DELETE",
            "/scheduled-posts/{scheduledPostId}",
            t.Deleted,
            path_members={"scheduledPostId": scheduled_post_id},
        )
        return await self._client.send(call)
