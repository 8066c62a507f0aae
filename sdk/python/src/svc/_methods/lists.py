"""`lists`: written by `cargo document`; do not edit."""

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


class Lists(Group):
    def create(
        self,
        name: str,
        *,
        description: str | None = None,
        visibility: t.ListVisibility | None = None,
        exclusive: bool | None = None,
        replies_policy: t.RepliesPolicy | None = None,
        idempotency_key: str | None = None,
    ) -> t.ListEnvelope:
        """Create a list.

        You can have at most 100 lists.

        name: Name of the list.
        description: What the list is about.
        visibility: Who may read it; `private` when omitted.
        exclusive: Whether to remove its members from your home feed; `false` when omitted.
        replies_policy: Which replies its feed contains; `members` when omitted.

        Errors: the common ones and `credential_in_content`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/lists",
            t.ListEnvelope,
            body={
                "name": name,
                "description": description,
                "visibility": visibility,
                "exclusive": exclusive,
                "repliesPolicy": replies_policy,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def list(
        self,
        *,
        owner: str | None = None,
        limit: int | None = None,
    ) -> Pages[t.ListPage, t.List]:
        """List your lists, or the public lists of an account, newest first.

        owner: Account whose public lists are returned. When omitted: all your lists,
            including private ones.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `unauthorized`, `insufficient_scope`, `not_found`.
        """
        call = Call(
            "GET",
            "/lists",
            t.ListPage,
            query={"owner": owner, "limit": limit},
        )
        return Pages(self._client.send, call, "lists")

    def get(self, list_id: str) -> t.ListEnvelope:
        """Get a list.

        list_id: Id of the list: `lst_…`.
        """
        call = Call(
            "GET",
            "/lists/{listId}",
            t.ListEnvelope,
            path_members={"listId": list_id},
        )
        return self._client.send(call)

    def update(
        self,
        list_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        visibility: t.ListVisibility | None = None,
        exclusive: bool | None = None,
        replies_policy: t.RepliesPolicy | None = None,
    ) -> t.ListEnvelope:
        """Update your list.

        Omitted values do not change; an empty `description` removes it.

        list_id: Id of the list: `lst_…`.
        name: Name of the list.
        description: What the list is about.
        visibility: Who may read it.
        exclusive: Whether to remove its members from your home feed.
        replies_policy: Which replies its feed contains.

        Errors: the common ones and `credential_in_content`, `forbidden`.
        """
        call = Call(
            "PATCH",
            "/lists/{listId}",
            t.ListEnvelope,
            path_members={"listId": list_id},
            body={
                "name": name,
                "description": description,
                "visibility": visibility,
                "exclusive": exclusive,
                "repliesPolicy": replies_policy,
            },
        )
        return self._client.send(call)

    def delete(self, list_id: str) -> t.Deleted:
        """Delete your list.

        list_id: Id of the list: `lst_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/lists/{listId}",
            t.Deleted,
            path_members={"listId": list_id},
        )
        return self._client.send(call)

    def members(self, list_id: str, *, limit: int | None = None) -> Pages[t.UserPage, t.User]:
        """List the members of a list.

        list_id: Id of the list: `lst_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/lists/{listId}/members",
            t.UserPage,
            path_members={"listId": list_id},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "users")

    def add(
        self,
        list_id: str,
        usernames: Sequence[str],
        *,
        idempotency_key: str | None = None,
    ) -> t.ListEnvelope:
        """Add accounts to your list.

        Either all are added or none. Existing members stay, and no one is notified. A list has at
        most 1000 members.

        list_id: Id of the list: `lst_…`.
        usernames: Usernames or user ids, 1 to 100.

        Errors: the common ones and `forbidden`, `blocked`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/lists/{listId}/members",
            t.ListEnvelope,
            path_members={"listId": list_id},
            body={"usernames": usernames},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def remove(self, list_id: str, username: str) -> t.ListEnvelope:
        """Remove an account from your list.

        list_id: Id of the list: `lst_…`.
        username: Username, ignoring case, or user id.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/lists/{listId}/members/{username}",
            t.ListEnvelope,
            path_members={"listId": list_id, "username": username},
        )
        return self._client.send(call)

    def feed(
        self,
        list_id: str,
        *,
        include: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> Pages[t.PostPage, t.Post]:
        """List the posts of a list's members, newest first.

        list_id: Id of the list: `lst_…`.
        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/lists/{listId}/feed",
            t.PostPage,
            path_members={"listId": list_id},
            query={"include": include, "limit": limit},
        )
        return Pages(self._client.send, call, "posts")


class AsyncLists(AsyncGroup):
    async def create(
        self,
        name: str,
        *,
        description: str | None = None,
        visibility: t.ListVisibility | None = None,
        exclusive: bool | None = None,
        replies_policy: t.RepliesPolicy | None = None,
        idempotency_key: str | None = None,
    ) -> t.ListEnvelope:
        """Create a list.

        You can have at most 100 lists.

        name: Name of the list.
        description: What the list is about.
        visibility: Who may read it; `private` when omitted.
        exclusive: Whether to remove its members from your home feed; `false` when omitted.
        replies_policy: Which replies its feed contains; `members` when omitted.

        Errors: the common ones and `credential_in_content`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/lists",
            t.ListEnvelope,
            body={
                "name": name,
                "description": description,
                "visibility": visibility,
                "exclusive": exclusive,
                "repliesPolicy": replies_policy,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def list(
        self,
        *,
        owner: str | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.ListPage, t.List]:
        """List your lists, or the public lists of an account, newest first.

        owner: Account whose public lists are returned. When omitted: all your lists,
            including private ones.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `unauthorized`, `insufficient_scope`, `not_found`.
        """
        call = Call(
            "GET",
            "/lists",
            t.ListPage,
            query={"owner": owner, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "lists")

    async def get(self, list_id: str) -> t.ListEnvelope:
        """Get a list.

        list_id: Id of the list: `lst_…`.
        """
        call = Call(
            "GET",
            "/lists/{listId}",
            t.ListEnvelope,
            path_members={"listId": list_id},
        )
        return await self._client.send(call)

    async def update(
        self,
        list_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        visibility: t.ListVisibility | None = None,
        exclusive: bool | None = None,
        replies_policy: t.RepliesPolicy | None = None,
    ) -> t.ListEnvelope:
        """Update your list.

        Omitted values do not change; an empty `description` removes it.

        list_id: Id of the list: `lst_…`.
        name: Name of the list.
        description: What the list is about.
        visibility: Who may read it.
        exclusive: Whether to remove its members from your home feed.
        replies_policy: Which replies its feed contains.

        Errors: the common ones and `credential_in_content`, `forbidden`.
        """
        call = Call(
            "PATCH",
            "/lists/{listId}",
            t.ListEnvelope,
            path_members={"listId": list_id},
            body={
                "name": name,
                "description": description,
                "visibility": visibility,
                "exclusive": exclusive,
                "repliesPolicy": replies_policy,
            },
        )
        return await self._client.send(call)

    async def delete(self, list_id: str) -> t.Deleted:
        """Delete your list.

        list_id: Id of the list: `lst_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/lists/{listId}",
            t.Deleted,
            path_members={"listId": list_id},
        )
        return await self._client.send(call)

    def members(self, list_id: str, *, limit: int | None = None) -> AsyncPages[t.UserPage, t.User]:
        """List the members of a list.

        list_id: Id of the list: `lst_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/lists/{listId}/members",
            t.UserPage,
            path_members={"listId": list_id},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "users")

    async def add(
        self,
        list_id: str,
        usernames: Sequence[str],
        *,
        idempotency_key: str | None = None,
    ) -> t.ListEnvelope:
        """Add accounts to your list.

        Either all are added or none. Existing members stay, and no one is notified. A list has at
        most 1000 members.

        list_id: Id of the list: `lst_…`.
        usernames: Usernames or user ids, 1 to 100.

        Errors: the common ones and `forbidden`, `blocked`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/lists/{listId}/members",
            t.ListEnvelope,
            path_members={"listId": list_id},
            body={"usernames": usernames},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def remove(self, list_id: str, username: str) -> t.ListEnvelope:
        """Remove an account from your list.

        list_id: Id of the list: `lst_…`.
        username: Username, ignoring case, or user id.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/lists/{listId}/members/{username}",
            t.ListEnvelope,
            path_members={"listId": list_id, "username": username},
        )
        return await self._client.send(call)

    def feed(
        self,
        list_id: str,
        *,
        include: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.PostPage, t.Post]:
        """List the posts of a list's members, newest first.

        list_id: Id of the list: `lst_…`.
        include: What to add to each post: `html`, its text as HTML.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/lists/{listId}/feed",
            t.PostPage,
            path_members={"listId": list_id},
            query={"include": include, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "posts")
