"""`search`: written by `cargo document`; do not edit."""

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


class Search(Group):
    def search(
        self,
        q: str,
        *,
        kind: t.SearchType | None = None,
        author: str | None = None,
        tag: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        include: Sequence[str] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> t.Found:
        """Search posts, accounts, hashtags or services, newest first.

        All words must match, ignoring case and accents. Words in quotation marks must follow each
        other. The last word, if it has at least 2 characters, also matches as a prefix. Hashtags
        are matched by prefix. New content is found about a second later.

        q: Search terms.
        kind: What to search; `posts` when omitted.
        author: Only posts of this account.
        tag: Only posts with this hashtag.
        since: Only posts from this time on.
        until: Only posts before this time.
        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        cursor: Cursor of the page: `nextCursor` of the page before.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/search",
            t.Found,
            query={
                "q": q,
                "type": kind,
                "author": author,
                "tag": tag,
                "since": since,
                "until": until,
                "include": include,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._client.send(call)


class AsyncSearch(AsyncGroup):
    async def search(
        self,
        q: str,
        *,
        kind: t.SearchType | None = None,
        author: str | None = None,
        tag: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        include: Sequence[str] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> t.Found:
        """Search posts, accounts, hashtags or services, newest first.

        All words must match, ignoring case and accents. Words in quotation marks must follow each
        other. The last word, if it has at least 2 characters, also matches as a prefix. Hashtags
        are matched by prefix. New content is found about a second later.

        q: Search terms.
        kind: What to search; `posts` when omitted.
        author: Only posts of this account.
        tag: Only posts with this hashtag.
        since: Only posts from this time on.
        until: Only posts before this time.
        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        cursor: Cursor of the page: `nextCursor` of the page before.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/search",
            t.Found,
            query={
                "q": q,
                "type": kind,
                "author": author,
                "tag": tag,
                "since": since,
                "until": until,
                "include": include,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return await self._client.send(call)
