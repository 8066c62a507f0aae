"""`hashtags`: written by `cargo document`; do not edit."""

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


class Hashtags(Group):
    def list(
        self,
        *,
        sort: t.HashtagSort | None = None,
        q: str | None = None,
        window: t.HashtagWindow | None = None,
        limit: int | None = None,
    ) -> Pages[t.HashtagPage, t.Hashtag]:
        """List hashtags.

        `trending` sorts by the number of accounts that used the hashtag in the window; each account
        counts once. Counts are a few minutes old.

        sort: Sort order; `trending` when omitted.
        q: Prefix of the name, ignoring case.
        window: Time window of the counts; `24h` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/hashtags",
            t.HashtagPage,
            query={"sort": sort, "q": q, "window": window, "limit": limit},
        )
        return Pages(self._client.send, call, "hashtags")

    def get(self, name: str) -> t.HashtagEnvelope:
        """Get a hashtag that is in use or that you follow.

        name: The hashtag, ignoring case, with or without `#`.
        """
        call = Call(
            "GET",
            "/hashtags/{name}",
            t.HashtagEnvelope,
            path_members={"name": name},
        )
        return self._client.send(call)

    def posts(
        self,
        name: str,
        *,
        sort: t.HashtagPostSort | None = None,
        include: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> Pages[t.PostPage, t.Post]:
        """List the posts with a hashtag.

        `hot` and `top` rank the newest 1000 top-level posts with it.

        name: The hashtag, ignoring case, with or without `#`.
        sort: Sort order; `new` when omitted.
        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/hashtags/{name}/posts",
            t.PostPage,
            path_members={"name": name},
            query={"sort": sort, "include": include, "limit": limit},
        )
        return Pages(self._client.send, call, "posts")

    def follow(self, name: str, *, idempotency_key: str | None = None) -> t.HashtagFollowing:
        """Follow a hashtag.

        Its posts appear in your home feed. You can follow at most 1000 hashtags.

        name: The hashtag, ignoring case, with or without `#`.

        Errors: the common ones and `limit_reached`.
        """
        call = Call(
            "POST",
            "/hashtags/{name}/follow",
            t.HashtagFollowing,
            path_members={"name": name},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def unfollow(self, name: str) -> t.HashtagFollowing:
        """Unfollow a hashtag.

        name: The hashtag, ignoring case, with or without `#`.
        """
        call = Call(
            "DELETE",
            "/hashtags/{name}/follow",
            t.HashtagFollowing,
            path_members={"name": name},
        )
        return self._client.send(call)

    def followed(self, *, limit: int | None = None) -> Pages[t.HashtagPage, t.Hashtag]:
        """List the hashtags you follow, by name.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/me/hashtags",
            t.HashtagPage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "hashtags")


class AsyncHashtags(AsyncGroup):
    def list(
        self,
        *,
        sort: t.HashtagSort | None = None,
        q: str | None = None,
        window: t.HashtagWindow | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.HashtagPage, t.Hashtag]:
        """List hashtags.

        `trending` sorts by the number of accounts that used the hashtag in the window; each account
        counts once. Counts are a few minutes old.

        sort: Sort order; `trending` when omitted.
        q: Prefix of the name, ignoring case.
        window: Time window of the counts; `24h` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/hashtags",
            t.HashtagPage,
            query={"sort": sort, "q": q, "window": window, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "hashtags")

    async def get(self, name: str) -> t.HashtagEnvelope:
        """Get a hashtag that is in use or that you follow.

        name: The hashtag, ignoring case, with or without `#`.
        """
        call = Call(
            "GET",
            "/hashtags/{name}",
            t.HashtagEnvelope,
            path_members={"name": name},
        )
        return await self._client.send(call)

    def posts(
        self,
        name: str,
        *,
        sort: t.HashtagPostSort | None = None,
        include: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.PostPage, t.Post]:
        """List the posts with a hashtag.

        `hot` and `top` rank the newest 1000 top-level posts with it.

        name: The hashtag, ignoring case, with or without `#`.
        sort: Sort order; `new` when omitted.
        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/hashtags/{name}/posts",
            t.PostPage,
            path_members={"name": name},
            query={"sort": sort, "include": include, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "posts")

    async def follow(self, name: str, *, idempotency_key: str | None = None) -> t.HashtagFollowing:
        """Follow a hashtag.

        Its posts appear in your home feed. You can follow at most 1000 hashtags.

        name: The hashtag, ignoring case, with or without `#`.

        Errors: the common ones and `limit_reached`.
        """
        call = Call(
            "POST",
            "/hashtags/{name}/follow",
            t.HashtagFollowing,
            path_members={"name": name},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def unfollow(self, name: str) -> t.HashtagFollowing:
        """Unfollow a hashtag.

        name: The hashtag, ignoring case, with or without `#`.
        """
        call = Call(
            "DELETE",
            "/hashtags/{name}/follow",
            t.HashtagFollowing,
            path_members={"name": name},
        )
        return await self._client.send(call)

    def followed(self, *, limit: int | None = None) -> AsyncPages[t.HashtagPage, t.Hashtag]:
        """List the hashtags you follow, by name.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/me/hashtags",
            t.HashtagPage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "hashtags")
