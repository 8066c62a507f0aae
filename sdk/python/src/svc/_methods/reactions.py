"""`reactions`: written by `cargo document`; do not edit."""

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


class Reactions(Group):
    def like(self, post_id: str, *, idempotency_key: str | None = None) -> t.Liked:
        """Like a post.

        post_id: Id of the post: `post_…`.

        Errors: the common ones and `blocked`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/like",
            t.Liked,
            path_members={"postId": post_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def unlike(self, post_id: str) -> t.Liked:
        """Remove a like.

        post_id: Id of the post: `post_…`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}/like",
            t.Liked,
            path_members={"postId": post_id},
        )
        return self._client.send(call)

    def repost(self, post_id: str, *, idempotency_key: str | None = None) -> t.Reposted:
        """Repost a post to your followers.

        A repost has no text of its own and does not use the post window.

        post_id: Id of the post: `post_…`.

        Errors: the common ones and `blocked`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/repost",
            t.Reposted,
            path_members={"postId": post_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def unrepost(self, post_id: str) -> t.Reposted:
        """Remove a repost.

        post_id: Id of the post: `post_…`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}/repost",
            t.Reposted,
            path_members={"postId": post_id},
        )
        return self._client.send(call)

    def bookmark(self, post_id: str, *, idempotency_key: str | None = None) -> t.Bookmarked:
        """Bookmark a post.

        Only you can see your bookmarks.

        post_id: Id of the post: `post_…`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/bookmark",
            t.Bookmarked,
            path_members={"postId": post_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def unbookmark(self, post_id: str) -> t.Bookmarked:
        """Remove a bookmark.

        post_id: Id of the post: `post_…`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}/bookmark",
            t.Bookmarked,
            path_members={"postId": post_id},
        )
        return self._client.send(call)

    def pin(self, post_id: str, *, idempotency_key: str | None = None) -> t.Pinned:
        """Pin your post to your profile.

        You can pin at most 5 posts.

        post_id: Id of the post: `post_…`.

        Errors: the common ones and `forbidden`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/pin",
            t.Pinned,
            path_members={"postId": post_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def unpin(self, post_id: str) -> t.Pinned:
        """Unpin your post.

        post_id: Id of the post: `post_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}/pin",
            t.Pinned,
            path_members={"postId": post_id},
        )
        return self._client.send(call)

    def mute_thread(self, post_id: str, *, idempotency_key: str | None = None) -> t.ThreadMuted:
        """Mute the thread of a post.

        You receive no more notifications about it.

        post_id: Id of any post of the thread: `post_…`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/mute",
            t.ThreadMuted,
            path_members={"postId": post_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def unmute_thread(self, post_id: str) -> t.ThreadMuted:
        """Unmute the thread of a post.

        post_id: Id of any post of the thread: `post_…`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}/mute",
            t.ThreadMuted,
            path_members={"postId": post_id},
        )
        return self._client.send(call)

    def likes(self, post_id: str, *, limit: int | None = None) -> Pages[t.UserPage, t.User]:
        """List the accounts that like a post, latest first.

        post_id: Id of the post: `post_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/posts/{postId}/likes",
            t.UserPage,
            path_members={"postId": post_id},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "users")

    def reposts(self, post_id: str, *, limit: int | None = None) -> Pages[t.UserPage, t.User]:
        """List the accounts that reposted a post, latest first.

        post_id: Id of the post: `post_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/posts/{postId}/reposts",
            t.UserPage,
            path_members={"postId": post_id},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "users")

    def bookmarks(
        self,
        *,
        include: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> Pages[t.PostPage, t.Post]:
        """List your bookmarks, latest first.

        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/me/bookmarks",
            t.PostPage,
            query={"include": include, "limit": limit},
        )
        return Pages(self._client.send, call, "posts")


class AsyncReactions(AsyncGroup):
    async def like(self, post_id: str, *, idempotency_key: str | None = None) -> t.Liked:
        """Like a post.

        post_id: Id of the post: `post_…`.

        Errors: the common ones and `blocked`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/like",
            t.Liked,
            path_members={"postId": post_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def unlike(self, post_id: str) -> t.Liked:
        """Remove a like.

        post_id: Id of the post: `post_…`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}/like",
            t.Liked,
            path_members={"postId": post_id},
        )
        return await self._client.send(call)

    async def repost(self, post_id: str, *, idempotency_key: str | None = None) -> t.Reposted:
        """Repost a post to your followers.

        A repost has no text of its own and does not use the post window.

        post_id: Id of the post: `post_…`.

        Errors: the common ones and `blocked`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/repost",
            t.Reposted,
            path_members={"postId": post_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def unrepost(self, post_id: str) -> t.Reposted:
        """Remove a repost.

        post_id: Id of the post: `post_…`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}/repost",
            t.Reposted,
            path_members={"postId": post_id},
        )
        return await self._client.send(call)

    async def bookmark(self, post_id: str, *, idempotency_key: str | None = None) -> t.Bookmarked:
        """Bookmark a post.

        Only you can see your bookmarks.

        post_id: Id of the post: `post_…`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/bookmark",
            t.Bookmarked,
            path_members={"postId": post_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def unbookmark(self, post_id: str) -> t.Bookmarked:
        """Remove a bookmark.

        post_id: Id of the post: `post_…`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}/bookmark",
            t.Bookmarked,
            path_members={"postId": post_id},
        )
        return await self._client.send(call)

    async def pin(self, post_id: str, *, idempotency_key: str | None = None) -> t.Pinned:
        """Pin your post to your profile.

        You can pin at most 5 posts.

        post_id: Id of the post: `post_…`.

        Errors: the common ones and `forbidden`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/pin",
            t.Pinned,
            path_members={"postId": post_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def unpin(self, post_id: str) -> t.Pinned:
        """Unpin your post.

        post_id: Id of the post: `post_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}/pin",
            t.Pinned,
            path_members={"postId": post_id},
        )
        return await self._client.send(call)

    async def mute_thread(
        self,
        post_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ThreadMuted:
        """Mute the thread of a post.

        You receive no more notifications about it.

        post_id: Id of any post of the thread: `post_…`.
        """
        call = Call(
            "POST",
            "/posts/{postId}/mute",
            t.ThreadMuted,
            path_members={"postId": post_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def unmute_thread(self, post_id: str) -> t.ThreadMuted:
        """Unmute the thread of a post.

        post_id: Id of any post of the thread: `post_…`.
        """
        call = Call(
            "DELETE",
            "/posts/{postId}/mute",
            t.ThreadMuted,
            path_members={"postId": post_id},
        )
        return await self._client.send(call)

    def likes(self, post_id: str, *, limit: int | None = None) -> AsyncPages[t.UserPage, t.User]:
        """List the accounts that like a post, latest first.

        post_id: Id of the post: `post_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/posts/{postId}/likes",
            t.UserPage,
            path_members={"postId": post_id},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "users")

    def reposts(self, post_id: str, *, limit: int | None = None) -> AsyncPages[t.UserPage, t.User]:
        """List the accounts that reposted a post, latest first.

        post_id: Id of the post: `post_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/posts/{postId}/reposts",
            t.UserPage,
            path_members={"postId": post_id},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "users")

    def bookmarks(
        self,
        *,
        include: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.PostPage, t.Post]:
        """List your bookmarks, latest first.

        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/me/bookmarks",
            t.PostPage,
            query={"include": include, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "posts")
