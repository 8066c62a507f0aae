"""`embeds`: written by `cargo document`; do not edit."""

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


class Embeds(Group):
    def get(
        self,
        post_id: str,
        *,
        format: t.EmbedFormat | None = None,
        theme: t.EmbedTheme | None = None,
        max_width: int | None = None,
    ) -> t.EmbedEnvelope:
        """Get the embed of a post.

        Without `format`, or with `html`, the response is an HTML page for an iframe; with `json` it
        contains the post and the snippet that embeds the page. Posts of free authors carry a
        watermark.

        post_id: Id of the post: `post_…`.
        format: Format of the response; `html` when omitted.
        theme: Color theme; the reader's preference when omitted.
        max_width: Maximum width in pixels; 550 when omitted.
        """
        call = Call(
            "GET",
            "/embed/posts/{postId}",
            t.EmbedEnvelope,
            path_members={"postId": post_id},
            query={"format": format, "theme": theme, "maxWidth": max_width},
        )
        return self._client.send(call)

    def oembed(
        self,
        url: str,
        *,
        maxwidth: int | None = None,
        maxheight: int | None = None,
        format: t.OembedFormat | None = None,
    ) -> t.Oembed:
        """Get the oEmbed data of a post (oEmbed 1.0).

        Accepts URLs of posts on this server: page, embed and API.

        url: URL of the post.
        maxwidth: Maximum width in pixels.
        maxheight: Maximum height in pixels.
        format: Format of the response.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/oembed",
            t.Oembed,
            query={"url": url, "maxwidth": maxwidth, "maxheight": maxheight, "format": format},
        )
        return self._client.send(call)


class AsyncEmbeds(AsyncGroup):
    async def get(
        self,
        post_id: str,
        *,
        format: t.EmbedFormat | None = None,
        theme: t.EmbedTheme | None = None,
        max_width: int | None = None,
    ) -> t.EmbedEnvelope:
        """Get the embed of a post.

        Without `format`, or with `html`, the response is an HTML page for an iframe; with `json` it
        contains the post and the snippet that embeds the page. Posts of free authors carry a
        watermark.

        post_id: Id of the post: `post_…`.
        format: Format of the response; `html` when omitted.
        theme: Color theme; the reader's preference when omitted.
        max_width: Maximum width in pixels; 550 when omitted.
        """
        call = Call(
            "GET",
            "/embed/posts/{postId}",
            t.EmbedEnvelope,
            path_members={"postId": post_id},
            query={"format": format, "theme": theme, "maxWidth": max_width},
        )
        return await self._client.send(call)

    async def oembed(
        self,
        url: str,
        *,
        maxwidth: int | None = None,
        maxheight: int | None = None,
        format: t.OembedFormat | None = None,
    ) -> t.Oembed:
        """Get the oEmbed data of a post (oEmbed 1.0).

        Accepts URLs of posts on this server: page, embed and API.

        url: URL of the post.
        maxwidth: Maximum width in pixels.
        maxheight: Maximum height in pixels.
        format: Format of the response.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/oembed",
            t.Oembed,
            query={"url": url, "maxwidth": maxwidth, "maxheight": maxheight, "format": format},
        )
        return await self._client.send(call)
