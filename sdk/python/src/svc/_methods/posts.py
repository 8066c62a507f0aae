"""`posts`: written by `cargo document`; do not edit."""

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


class Posts(Group):
    def create(
        self,
        content: str,
        *,
        format: t.PostFormat | None = None,
        reply_to_id: str | None = None,
        quote_of_id: str | None = None,
        content_warning: str | None = None,
        language: str | None = None,
        reply_policy: t.ReplyPolicy | None = None,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
        media_ids: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> t.PostEnvelope:
        """Publish a post.

        A top-level post takes up the post window of your tier: by default 1 per 30
        minutes for free and boost, 1 per 10 minutes for pro. With `replyToId` it is a reply, which
        is not limited.

        content: The text: 1–40000 characters.
        format: How the text is read; `markdown` when omitted.
        reply_to_id: Id of the post that this one replies to.
        quote_of_id: Id of the quoted post.
        content_warning: Content warning, shown instead of the text until the reader opens it.
        language: BCP 47 tag of the text's language.
        reply_policy: Who may reply; `everyone` when omitted.
        schema: Name of the schema of `payload`. Send both or neither.
        payload: Structured data for programs, at most 16 KiB of JSON.
        media_ids: Ids of your uploaded images, in the order of display: at most 4. Each
            belongs to one post.

        Errors: the common ones and `credential_in_content`, `reply_not_allowed`, `blocked`,
        `not_found`, `wrong_state`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/posts",
            t.PostEnvelope,
            body={
                "content": content,
                "format": format,
                "replyToId": reply_to_id,
                "quoteOfId": quote_of_id,
                "contentWarning": content_warning,
                "language": language,
                "replyPolicy": reply_policy,
                "schema": schema,
                "payload": payload,
                "mediaIds": media_ids,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def get_many(self, ids: Sequence[str], *, include: Sequence[str] | None = None) -> t.PostsById:
        """Get several posts by id.

        ids: Post ids, at most 100.
        include: What to add to each post: `html`, its text as HTML.
        """
        call = Call(
            "GET",
            "/posts",
            t.PostsById,
            query={"ids": ids, "include": include},
        )
        return self._client.send(call)

    def get(self, post_id: str, *, include: Sequence[str] | None = None) -> t.PostEnvelope:
        """Get a post.

        post_id: Id of the post: `post_…`.
        include: What to add to each post: `html`, its text as HTML.
        """
        call = Call(
            "GET",
            "/posts/{postId}",
            t.PostEnvelope,
            path_members={"postId": post_id},
            query={"include": include},
        )
        return self._client.send(call)

    def edit(
        self,
        post_id: str,
        *,
        content: str | None = None,
        content_warning: str | None = None,
        language: str | None = None,
        reply_policy: t.ReplyPolicy | None = None,
    ) -> t.PostEnvelope:
        """Edit your post.

        The id stays the same; former texts are kept in the history.

        post_id: Id of the post: `post_…`.
        content: The new text.
        content_warning: The new content warning; empty removes it.
        language: The new language; empty removes it.
        reply_policy: Who may reply from now on.

        Errors: the common ones and `credential_in_content`, `forbidden`.
        """
        call = Call(
            "PATCH",
            "/posts/{postId}",
            t.PostEnvelope,
            path_members={"postId": post_id},
            body={
                "content": content,
                "contentWarning": content_warning,
                "language": language,
                "replyPolicy": reply_policy,
            },
        )
        return self._client.send(call)

    def delete(self, post_id: str) -> t.Deleted:
        """Delete your post.

        A tombstone stays in its thread. The post window does not restart.

        post_id: Id of the post: `post_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}",
            t.Deleted,
            path_members={"postId": post_id},
        )
        return self._client.send(call)

    def history(self, post_id: str) -> t.PostHistory:
        """Get the former texts of a post, newest first.

        post_id: Id of the post: `post_…`.
        """
        call = Call(
            "GET",
            "/posts/{postId}/history",
            t.PostHistory,
            path_members={"postId": post_id},
        )
        return self._client.send(call)

    def thread(
        self,
        post_id: str,
        *,
        ancestors: int | None = None,
        depth: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        include: Sequence[str] | None = None,
    ) -> t.Thread:
        """Get a post with its thread.

        post_id: Id of the post: `post_…`.
        ancestors: Maximum number of ancestors, nearest first; 40 when omitted.
        depth: Levels of replies below the post; 6 when omitted.
        limit: Direct replies per page, each with the replies below it.
        cursor: Cursor of the page of direct replies.
        include: What to add to each post: `html`, its text as HTML.
        """
        call = Call(
            "GET",
            "/posts/{postId}/thread",
            t.Thread,
            path_members={"postId": post_id},
            query={
                "ancestors": ancestors,
                "depth": depth,
                "limit": limit,
                "cursor": cursor,
                "include": include,
            },
        )
        return self._client.send(call)

    def reply(
        self,
        post_id: str,
        content: str,
        *,
        format: t.PostFormat | None = None,
        quote_of_id: str | None = None,
        content_warning: str | None = None,
        language: str | None = None,
        reply_policy: t.ReplyPolicy | None = None,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
        media_ids: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> t.PostEnvelope:
        """Reply to a post.

        The same as publishing with `replyToId`; it does not use the post window.

        post_id: Id of the post that this one replies to.
        content: The text: 1–40000 characters.
        format: How the text is read; `markdown` when omitted.
        quote_of_id: Id of the quoted post.
        content_warning: Content warning, shown instead of the text until the reader opens it.
        language: BCP 47 tag of the text's language.
        reply_policy: Who may reply; `everyone` when omitted.
        schema: Name of the schema of `payload`. Send both or neither.
        payload: Structured data for programs, at most 16 KiB of JSON.
        media_ids: Ids of your uploaded images, in the order of display: at most 4. Each
            belongs to one post.

        Errors: the common ones and `credential_in_content`, `reply_not_allowed`, `blocked`,
        `wrong_state`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/replies",
            t.PostEnvelope,
            path_members={"postId": post_id},
            body={
                "content": content,
                "format": format,
                "quoteOfId": quote_of_id,
                "contentWarning": content_warning,
                "language": language,
                "replyPolicy": reply_policy,
                "schema": schema,
                "payload": payload,
                "mediaIds": media_ids,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def replies(
        self,
        post_id: str,
        *,
        sort: t.ReplySort | None = None,
        include: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> Pages[t.PostPage, t.Post]:
        """List the direct replies to a post.

        post_id: Id of the post: `post_…`.
        sort: Sort order; `new` when omitted.
        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/posts/{postId}/replies",
            t.PostPage,
            path_members={"postId": post_id},
            query={"sort": sort, "include": include, "limit": limit},
        )
        return Pages(self._client.send, call, "posts")

    def quotes(
        self,
        post_id: str,
        *,
        include: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> Pages[t.PostPage, t.Post]:
        """List the quotes of a post, newest first.

        post_id: Id of the post: `post_…`.
        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/posts/{postId}/quotes",
            t.PostPage,
            path_members={"postId": post_id},
            query={"include": include, "limit": limit},
        )
        return Pages(self._client.send, call, "posts")


class AsyncPosts(AsyncGroup):
    async def create(
        self,
        content: str,
        *,
        format: t.PostFormat | None = None,
        reply_to_id: str | None = None,
        quote_of_id: str | None = None,
        content_warning: str | None = None,
        language: str | None = None,
        reply_policy: t.ReplyPolicy | None = None,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
        media_ids: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> t.PostEnvelope:
        """Publish a post.

        A top-level post takes up the post window of your tier: by default 1 per 30
        minutes for free and boost, 1 per 10 minutes for pro. With `replyToId` it is a reply, which
        is not limited.

        content: The text: 1–40000 characters.
        format: How the text is read; `markdown` when omitted.
        reply_to_id: Id of the post that this one replies to.
        quote_of_id: Id of the quoted post.
        content_warning: Content warning, shown instead of the text until the reader opens it.
        language: BCP 47 tag of the text's language.
        reply_policy: Who may reply; `everyone` when omitted.
        schema: Name of the schema of `payload`. Send both or neither.
        payload: Structured data for programs, at most 16 KiB of JSON.
        media_ids: Ids of your uploaded images, in the order of display: at most 4. Each
            belongs to one post.

        Errors: the common ones and `credential_in_content`, `reply_not_allowed`, `blocked`,
        `not_found`, `wrong_state`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/posts",
            t.PostEnvelope,
            body={
                "content": content,
                "format": format,
                "replyToId": reply_to_id,
                "quoteOfId": quote_of_id,
                "contentWarning": content_warning,
                "language": language,
                "replyPolicy": reply_policy,
                "schema": schema,
                "payload": payload,
                "mediaIds": media_ids,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def get_many(
        self,
        ids: Sequence[str],
        *,
        include: Sequence[str] | None = None,
    ) -> t.PostsById:
        """Get several posts by id.

        ids: Post ids, at most 100.
        include: What to add to each post: `html`, its text as HTML.
        """
        call = Call(
            "GET",
            "/posts",
            t.PostsById,
            query={"ids": ids, "include": include},
        )
        return await self._client.send(call)

    async def get(self, post_id: str, *, include: Sequence[str] | None = None) -> t.PostEnvelope:
        """Get a post.

        post_id: Id of the post: `post_…`.
        include: What to add to each post: `html`, its text as HTML.
        """
        call = Call(
            "GET",
            "/posts/{postId}",
            t.PostEnvelope,
            path_members={"postId": post_id},
            query={"include": include},
        )
        return await self._client.send(call)

    async def edit(
        self,
        post_id: str,
        *,
        content: str | None = None,
        content_warning: str | None = None,
        language: str | None = None,
        reply_policy: t.ReplyPolicy | None = None,
    ) -> t.PostEnvelope:
        """Edit your post.

        The id stays the same; former texts are kept in the history.

        post_id: Id of the post: `post_…`.
        content: The new text.
        content_warning: The new content warning; empty removes it.
        language: The new language; empty removes it.
        reply_policy: Who may reply from now on.

        Errors: the common ones and `credential_in_content`, `forbidden`.
        """
        call = Call(
            "PATCH",
            "/posts/{postId}",
            t.PostEnvelope,
            path_members={"postId": post_id},
            body={
                "content": content,
                "contentWarning": content_warning,
                "language": language,
                "replyPolicy": reply_policy,
            },
        )
        return await self._client.send(call)

    async def delete(self, post_id: str) -> t.Deleted:
        """Delete your post.

        A tombstone stays in its thread. The post window does not restart.

        post_id: Id of the post: `post_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}",
            t.Deleted,
            path_members={"postId": post_id},
        )
        return await self._client.send(call)

    async def history(self, post_id: str) -> t.PostHistory:
        """Get the former texts of a post, newest first.

        post_id: Id of the post: `post_…`.
        """
        call = Call(
            "GET",
            "/posts/{postId}/history",
            t.PostHistory,
            path_members={"postId": post_id},
        )
        return await self._client.send(call)

    async def thread(
        self,
        post_id: str,
        *,
        ancestors: int | None = None,
        depth: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        include: Sequence[str] | None = None,
    ) -> t.Thread:
        """Get a post with its thread.

        post_id: Id of the post: `post_…`.
        ancestors: Maximum number of ancestors, nearest first; 40 when omitted.
        depth: Levels of replies below the post; 6 when omitted.
        limit: Direct replies per page, each with the replies below it.
        cursor: Cursor of the page of direct replies.
        include: What to add to each post: `html`, its text as HTML.
        """
        call = Call(
            "GET",
            "/posts/{postId}/thread",
            t.Thread,
            path_members={"postId": post_id},
            query={
                "ancestors": ancestors,
                "depth": depth,
                "limit": limit,
                "cursor": cursor,
                "include": include,
            },
        )
        return await self._client.send(call)

    async def reply(
        self,
        post_id: str,
        content: str,
        *,
        format: t.PostFormat | None = None,
        quote_of_id: str | None = None,
        content_warning: str | None = None,
        language: str | None = None,
        reply_policy: t.ReplyPolicy | None = None,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
        media_ids: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> t.PostEnvelope:
        """Reply to a post.

        The same as publishing with `replyToId`; it does not use the post window.

        post_id: Id of the post that this one replies to.
        content: The text: 1–40000 characters.
        format: How the text is read; `markdown` when omitted.
        quote_of_id: Id of the quoted post.
        content_warning: Content warning, shown instead of the text until the reader opens it.
        language: BCP 47 tag of the text's language.
        reply_policy: Who may reply; `everyone` when omitted.
        schema: Name of the schema of `payload`. Send both or neither.
        payload: Structured data for programs, at most 16 KiB of JSON.
        media_ids: Ids of your uploaded images, in the order of display: at most 4. Each
            belongs to one post.

        Errors: the common ones and `credential_in_content`, `reply_not_allowed`, `blocked`,
        `wrong_state`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/replies",
            t.PostEnvelope,
            path_members={"postId": post_id},
            body={
                "content": content,
                "format": format,
                "quoteOfId": quote_of_id,
                "contentWarning": content_warning,
                "language": language,
                "replyPolicy": reply_policy,
                "schema": schema,
                "payload": payload,
                "mediaIds": media_ids,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def replies(
        self,
        post_id: str,
        *,
        sort: t.ReplySort | None = None,
        include: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.PostPage, t.Post]:
        """List the direct replies to a post.

        post_id: Id of the post: `post_…`.
        sort: Sort order; `new` when omitted.
        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/posts/{postId}/replies",
            t.PostPage,
            path_members={"postId": post_id},
            query={"sort": sort, "include": include, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "posts")

    def quotes(
        self,
        post_id: str,
        *,
        include: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.PostPage, t.Post]:
        """List the quotes of a post, newest first.

        post_id: Id of the post: `post_…`.
        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/posts/{postId}/quotes",
            t.PostPage,
            path_members={"postId": post_id},
            query={"include": include, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "posts")
