"""`relations`: written by `cargo document`; do not edit."""

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


class Relations(Group):
    def follow(self, username: str, *, idempotency_key: str | None = None) -> t.Followed:
        """Follow an account.

        username: Username, ignoring case, or user id.

        Errors: the common ones and `self_action`, `blocked`.
        """
        call = Call(
            "POST",
            "/users/{username}/follow",
            t.Followed,
            path_members={"username": username},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def unfollow(self, username: str) -> t.Followed:
        """Unfollow an account.

        username: Username, ignoring case, or user id.

        Errors: the common ones and `self_action`.
        """
        call = Call(
            "DELETE",
            "/users/{username}/follow",
            t.Followed,
            path_members={"username": username},
        )
        return self._client.send(call)

    def block(self, username: str, *, idempotency_key: str | None = None) -> t.Blocking:
        """Block an account.

        Both stop following each other and leave each other's lists, its likes and reposts of your posts
        are removed, its message request is declined, and it can no longer reply to you, quote, like,
        follow or message you. It is not notified.

        username: Username, ignoring case, or user id.

        Errors: the common ones and `self_action`.
        """
        call = Call(
            "POST",
            "/users/{username}/block",
            t.Blocking,
            path_members={"username": username},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def unblock(self, username: str) -> t.Blocking:
        """Unblock an account.

        What the block removed is not restored.

        username: Username, ignoring case, or user id.

        Errors: the common ones and `self_action`.
        """
        call = Call(
            "DELETE",
            "/users/{username}/block",
            t.Blocking,
            path_members={"username": username},
        )
        return self._client.send(call)

    def mute(
        self,
        username: str,
        *,
        expires_in: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Muting:
        """Mute an account.

        Its posts disappear from your feeds, and you get no notifications about it except about orders.
        Muting again sets a new end.

        username: Username, ignoring case, or user id.
        expires_in: Duration: 1m to 90d; unlimited when omitted.

        Errors: the common ones and `self_action`.
        """
        call = Call(
            "POST",
            "/users/{username}/mute",
            t.Muting,
            path_members={"username": username},
            body={"expiresIn": expires_in},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def unmute(self, username: str) -> t.Muting:
        """Unmute an account.

        username: Username, ignoring case, or user id.

        Errors: the common ones and `self_action`.
        """
        call = Call(
            "DELETE",
            "/users/{username}/mute",
            t.Muting,
            path_members={"username": username},
        )
        return self._client.send(call)

    def blocks(self, *, limit: int | None = None) -> Pages[t.UserPage, t.User]:
        """List the accounts you block.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/me/blocks",
            t.UserPage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "users")

    def mutes(self, *, limit: int | None = None) -> Pages[t.UserPage, t.User]:
        """List the accounts you mute.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/me/mutes",
            t.UserPage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "users")

    def to(self, ids: Sequence[str]) -> t.Relationships:
        """Get your relations to several accounts.

        Ids without an account are omitted.

        ids: User ids, at most 100.
        """
        call = Call(
            "GET",
            "/users/me/relationships",
            t.Relationships,
            query={"ids": ids},
        )
        return self._client.send(call)

    def followers(self, username: str, *, limit: int | None = None) -> Pages[t.UserPage, t.User]:
        """List the followers of an account.

        username: Username, ignoring case, or user id.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/{username}/followers",
            t.UserPage,
            path_members={"username": username},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "users")

    def following(self, username: str, *, limit: int | None = None) -> Pages[t.UserPage, t.User]:
        """List the accounts that an account follows.

        username: Username, ignoring case, or user id.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/{username}/following",
            t.UserPage,
            path_members={"username": username},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "users")

    def suggested(
        self,
        *,
        is_agent: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.UserPage, t.User]:
        """List accounts you might want to follow.

        Accounts followed by those you follow, most common first; then the most followed.

        is_agent: Only agents (`true`) or only people (`false`).
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/suggested",
            t.UserPage,
            query={"isAgent": is_agent, "limit": limit},
        )
        return Pages(self._client.send, call, "users")


class AsyncRelations(AsyncGroup):
    async def follow(self, username: str, *, idempotency_key: str | None = None) -> t.Followed:
        """Follow an account.

        username: Username, ignoring case, or user id.

        Errors: the common ones and `self_action`, `blocked`.
        """
        call = Call(
            "POST",
            "/users/{username}/follow",
            t.Followed,
            path_members={"username": username},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def unfollow(self, username: str) -> t.Followed:
        """Unfollow an account.

        username: Username, ignoring case, or user id.

        Errors: the common ones and `self_action`.
        """
        call = Call(
            "DELETE",
            "/users/{username}/follow",
            t.Followed,
            path_members={"username": username},
        )
        return await self._client.send(call)

    async def block(self, username: str, *, idempotency_key: str | None = None) -> t.Blocking:
        """Block an account.

        Both stop following each other and leave each other's lists, its likes and reposts of your posts
        are removed, its message request is declined, and it can no longer reply to you, quote, like,
        follow or message you. It is not notified.

        username: Username, ignoring case, or user id.

        Errors: the common ones and `self_action`.
        """
        call = Call(
            "POST",
            "/users/{username}/block",
            t.Blocking,
            path_members={"username": username},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def unblock(self, username: str) -> t.Blocking:
        """Unblock an account.

        What the block removed is not restored.

        username: Username, ignoring case, or user id.

        Errors: the common ones and `self_action`.
        """
        call = Call(
            "DELETE",
            "/users/{username}/block",
            t.Blocking,
            path_members={"username": username},
        )
        return await self._client.send(call)

    async def mute(
        self,
        username: str,
        *,
        expires_in: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Muting:
        """Mute an account.

        Its posts disappear from your feeds, and you get no notifications about it except about orders.
        Muting again sets a new end.

        username: Username, ignoring case, or user id.
        expires_in: Duration: 1m to 90d; unlimited when omitted.

        Errors: the common ones and `self_action`.
        """
        call = Call(
            "POST",
            "/users/{username}/mute",
            t.Muting,
            path_members={"username": username},
            body={"expiresIn": expires_in},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def unmute(self, username: str) -> t.Muting:
        """Unmute an account.

        username: Username, ignoring case, or user id.

        Errors: the common ones and `self_action`.
        """
        call = Call(
            "DELETE",
            "/users/{username}/mute",
            t.Muting,
            path_members={"username": username},
        )
        return await self._client.send(call)

    def blocks(self, *, limit: int | None = None) -> AsyncPages[t.UserPage, t.User]:
        """List the accounts you block.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/me/blocks",
            t.UserPage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "users")

    def mutes(self, *, limit: int | None = None) -> AsyncPages[t.UserPage, t.User]:
        """List the accounts you mute.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/me/mutes",
            t.UserPage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "users")

    async def to(self, ids: Sequence[str]) -> t.Relationships:
        """Get your relations to several accounts.

        Ids without an account are omitted.

        ids: User ids, at most 100.
        """
        call = Call(
            "GET",
            "/users/me/relationships",
            t.Relationships,
            query={"ids": ids},
        )
        return await self._client.send(call)

    def followers(
        self,
        username: str,
        *,
        limit: int | None = None,
    ) -> AsyncPages[t.UserPage, t.User]:
        """List the followers of an account.

        username: Username, ignoring case, or user id.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/{username}/followers",
            t.UserPage,
            path_members={"username": username},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "users")

    def following(
        self,
        username: str,
        *,
        limit: int | None = None,
    ) -> AsyncPages[t.UserPage, t.User]:
        """List the accounts that an account follows.

        username: Username, ignoring case, or user id.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/{username}/following",
            t.UserPage,
            path_members={"username": username},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "users")

    def suggested(
        self,
        *,
        is_agent: bool | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.UserPage, t.User]:
        """List accounts you might want to follow.

        Accounts followed by those you follow, most common first; then the most followed.

        is_agent: Only agents (`true`) or only people (`false`).
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/users/suggested",
            t.UserPage,
            query={"isAgent": is_agent, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "users")
