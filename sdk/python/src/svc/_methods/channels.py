"""`channels`: written by `cargo document`; do not edit."""

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


class Channels(Group):
    def create(
        self,
        name: str,
        *,
        title: str | None = None,
        description: str | None = None,
        visibility: t.ChannelVisibility | None = None,
        post_policy: t.PostPolicy | None = None,
        idempotency_key: str | None = None,
    ) -> t.ChannelEnvelope:
        """Create a channel.

        You own at most 100 channels and are the first member of each.

        name: Unique name: 3–64 characters of a-z, 0-9 and -. It never changes. Anyone can
            find out that a name is taken, by a private channel too.
        title: Display name.
        description: What the channel is about.
        visibility: Who may read and join it; `public` when omitted.
        post_policy: Who may write to it; `members` when omitted.

        Errors: the common ones and `credential_in_content`, `already_exists`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/channels",
            t.ChannelEnvelope,
            body={
                "name": name,
                "title": title,
                "description": description,
                "visibility": visibility,
                "postPolicy": post_policy,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def list(
        self,
        *,
        q: str | None = None,
        mine: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.ChannelPage, t.Channel]:
        """List public channels, or the channels you are in, by name.

        Public channels of suspended and deleted accounts are listed only among those you are in.

        q: Prefix of the name.
        mine: Only channels that you are a member of, including private ones.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `unauthorized`, `insufficient_scope`.
        """
        call = Call(
            "GET",
            "/channels",
            t.ChannelPage,
            query={"q": q, "mine": mine, "limit": limit},
        )
        return Pages(self._client.send, call, "channels")

    def get(self, channel_id: str) -> t.ChannelEnvelope:
        """Get a channel.

        Only members can see a private channel, and only members and moderators one whose owner is
        suspended or deleted. Of such an owner, members see only the username.

        channel_id: Id of the channel: `chan_…`.
        """
        call = Call(
            "GET",
            "/channels/{channelId}",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
        )
        return self._client.send(call)

    def update(
        self,
        channel_id: str,
        *,
        title: str | None = None,
        description: str | None = None,
        visibility: t.ChannelVisibility | None = None,
        post_policy: t.PostPolicy | None = None,
    ) -> t.ChannelEnvelope:
        """Update your channel.

        Omitted values do not change; an empty `title` or `description` removes it. Members of a
        channel that becomes private stay. What was written before a channel becomes public is shown
        only to those who are members then.

        channel_id: Id of the channel: `chan_…`.
        title: Display name.
        description: What the channel is about.
        visibility: Who may read and join it.
        post_policy: Who may write to it.

        Errors: the common ones and `credential_in_content`, `forbidden`.
        """
        call = Call(
            "PATCH",
            "/channels/{channelId}",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
            body={
                "title": title,
                "description": description,
                "visibility": visibility,
                "postPolicy": post_policy,
            },
        )
        return self._client.send(call)

    def delete(self, channel_id: str) -> t.Deleted:
        """Delete your channel with its messages.

        The name becomes available again.

        channel_id: Id of the channel: `chan_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/channels/{channelId}",
            t.Deleted,
            path_members={"channelId": channel_id},
        )
        return self._client.send(call)

    def join(self, channel_id: str, *, idempotency_key: str | None = None) -> t.ChannelEnvelope:
        """Join a public channel.

        A channel has at most 10000 members. Private channels are joined when the owner adds you.

        channel_id: Id of the channel: `chan_…`.

        Errors: the common ones and `blocked`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/channels/{channelId}/join",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def leave(self, channel_id: str) -> t.ChannelEnvelope:
        """Leave a channel.

        Owners cannot leave, but can delete the channel.

        channel_id: Id of the channel: `chan_…`.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "DELETE",
            "/channels/{channelId}/join",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
        )
        return self._client.send(call)

    def read(
        self,
        channel_id: str,
        last_read_message_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ChannelEnvelope:
        """Mark a channel as read up to a message.

        channel_id: Id of the channel: `chan_…`.
        last_read_message_id: The newest message that you have read.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "POST",
            "/channels/{channelId}/read",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
            body={"lastReadMessageId": last_read_message_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def members(self, channel_id: str, *, limit: int | None = None) -> Pages[t.UserPage, t.User]:
        """List the members of a channel.

        channel_id: Id of the channel: `chan_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/channels/{channelId}/members",
            t.UserPage,
            path_members={"channelId": channel_id},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "users")

    def add(
        self,
        channel_id: str,
        usernames: Sequence[str],
        *,
        idempotency_key: str | None = None,
    ) -> t.ChannelEnvelope:
        """Add accounts to your channel.

        Either all are added or none. Existing members stay. A channel has at most 10000 members.

        channel_id: Id of the channel: `chan_…`.
        usernames: Usernames or user ids, 1 to 100.

        Errors: the common ones and `forbidden`, `blocked`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/channels/{channelId}/members",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
            body={"usernames": usernames},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def remove(self, channel_id: str, username: str) -> t.ChannelEnvelope:
        """Remove an account from your channel.

        channel_id: Id of the channel: `chan_…`.
        username: Username, ignoring case, or user id.

        Errors: the common ones and `forbidden`, `wrong_state`.
        """
        call = Call(
            "DELETE",
            "/channels/{channelId}/members/{username}",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id, "username": username},
        )
        return self._client.send(call)

    def messages(
        self,
        channel_id: str,
        *,
        order: t.Order | None = None,
        limit: int | None = None,
    ) -> Pages[t.ChannelMessagePage, t.ChannelMessage]:
        """List the messages of a channel.

        Messages of suspended and deleted accounts are not included.

        channel_id: Id of the channel: `chan_…`.
        order: Sort order; `desc` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/channels/{channelId}/messages",
            t.ChannelMessagePage,
            path_members={"channelId": channel_id},
            query={"order": order, "limit": limit},
        )
        return Pages(self._client.send, call, "messages")

    def get_message(self, channel_id: str, message_id: str) -> t.ChannelMessageEnvelope:
        """Get a message of a channel.

        Messages of suspended and deleted accounts are shown only to moderators and their sender.

        channel_id: Id of the channel: `chan_…`.
        message_id: Id of the message: `msg_…`.
        """
        call = Call(
            "GET",
            "/channels/{channelId}/messages/{messageId}",
            t.ChannelMessageEnvelope,
            path_members={"channelId": channel_id, "messageId": message_id},
        )
        return self._client.send(call)

    def post(
        self,
        channel_id: str,
        content: str,
        *,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
        reply_to_id: str | None = None,
        client_message_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ChannelMessageEnvelope:
        """Send a message to a channel that you are in.

        The same `clientMessageId` within 24 hours returns the first message. Services are ordered
        and answered only by direct messages.

        channel_id: Id of the channel: `chan_…`.
        content: The text: 1–40000 characters.
        schema: Name of the schema of `payload`. Send both or neither.
        payload: Structured data for programs, at most 16 KiB of JSON.
        reply_to_id: Id of the message that this one replies to, in the same channel.
        client_message_id: Your own id of the message, to prevent duplicates.

        Errors: the common ones and `credential_in_content`, `invalid_service_message`, `forbidden`.
        """
        call = Call(
            "POST",
            "/channels/{channelId}/messages",
            t.ChannelMessageEnvelope,
            path_members={"channelId": channel_id},
            body={
                "content": content,
                "schema": schema,
                "payload": payload,
                "replyToId": reply_to_id,
                "clientMessageId": client_message_id,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def delete_message(self, channel_id: str, message_id: str) -> t.Deleted:
        """Delete your message, or any message in your channel.

        channel_id: Id of the channel: `chan_…`.
        message_id: Id of the message: `msg_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/channels/{channelId}/messages/{messageId}",
            t.Deleted,
            path_members={"channelId": channel_id, "messageId": message_id},
        )
        return self._client.send(call)


class AsyncChannels(AsyncGroup):
    async def create(
        self,
        name: str,
        *,
        title: str | None = None,
        description: str | None = None,
        visibility: t.ChannelVisibility | None = None,
        post_policy: t.PostPolicy | None = None,
        idempotency_key: str | None = None,
    ) -> t.ChannelEnvelope:
        """Create a channel.

        You own at most 100 channels and are the first member of each.

        name: Unique name: 3–64 characters of a-z, 0-9 and -. It never changes. Anyone can
            find out that a name is taken, by a private channel too.
        title: Display name.
        description: What the channel is about.
        visibility: Who may read and join it; `public` when omitted.
        post_policy: Who may write to it; `members` when omitted.

        Errors: the common ones and `credential_in_content`, `already_exists`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/channels",
            t.ChannelEnvelope,
            body={
                "name": name,
                "title": title,
                "description": description,
                "visibility": visibility,
                "postPolicy": post_policy,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def list(
        self,
        *,
        q: str | None = None,
        mine: bool | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.ChannelPage, t.Channel]:
        """List public channels, or the channels you are in, by name.

        Public channels of suspended and deleted accounts are listed only among those you are in.

        q: Prefix of the name.
        mine: Only channels that you are a member of, including private ones.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `unauthorized`, `insufficient_scope`.
        """
        call = Call(
            "GET",
            "/channels",
            t.ChannelPage,
            query={"q": q, "mine": mine, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "channels")

    async def get(self, channel_id: str) -> t.ChannelEnvelope:
        """Get a channel.

        Only members can see a private channel, and only members and moderators one whose owner is
        suspended or deleted. Of such an owner, members see only the username.

        channel_id: Id of the channel: `chan_…`.
        """
        call = Call(
            "GET",
            "/channels/{channelId}",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
        )
        return await self._client.send(call)

    async def update(
        self,
        channel_id: str,
        *,
        title: str | None = None,
        description: str | None = None,
        visibility: t.ChannelVisibility | None = None,
        post_policy: t.PostPolicy | None = None,
    ) -> t.ChannelEnvelope:
        """Update your channel.

        Omitted values do not change; an empty `title` or `description` removes it. Members of a
        channel that becomes private stay. What was written before a channel becomes public is shown
        only to those who are members then.

        channel_id: Id of the channel: `chan_…`.
        title: Display name.
        description: What the channel is about.
        visibility: Who may read and join it.
        post_policy: Who may write to it.

        Errors: the common ones and `credential_in_content`, `forbidden`.
        """
        call = Call(
            "PATCH",
            "/channels/{channelId}",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
            body={
                "title": title,
                "description": description,
                "visibility": visibility,
                "postPolicy": post_policy,
            },
        )
        return await self._client.send(call)

    async def delete(self, channel_id: str) -> t.Deleted:
        """Delete your channel with its messages.

        The name becomes available again.

        channel_id: Id of the channel: `chan_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/channels/{channelId}",
            t.Deleted,
            path_members={"channelId": channel_id},
        )
        return await self._client.send(call)

    async def join(
        self,
        channel_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ChannelEnvelope:
        """Join a public channel.

        A channel has at most 10000 members. Private channels are joined when the owner adds you.

        channel_id: Id of the channel: `chan_…`.

        Errors: the common ones and `blocked`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/channels/{channelId}/join",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def leave(self, channel_id: str) -> t.ChannelEnvelope:
        """Leave a channel.

        Owners cannot leave, but can delete the channel.

        channel_id: Id of the channel: `chan_…`.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "DELETE",
            "/channels/{channelId}/join",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
        )
        return await self._client.send(call)

    async def read(
        self,
        channel_id: str,
        last_read_message_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ChannelEnvelope:
        """Mark a channel as read up to a message.

        channel_id: Id of the channel: `chan_…`.
        last_read_message_id: The newest message that you have read.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "POST",
            "/channels/{channelId}/read",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
            body={"lastReadMessageId": last_read_message_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def members(
        self,
        channel_id: str,
        *,
        limit: int | None = None,
    ) -> AsyncPages[t.UserPage, t.User]:
        """List the members of a channel.

        channel_id: Id of the channel: `chan_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/channels/{channelId}/members",
            t.UserPage,
            path_members={"channelId": channel_id},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "users")

    async def add(
        self,
        channel_id: str,
        usernames: Sequence[str],
        *,
        idempotency_key: str | None = None,
    ) -> t.ChannelEnvelope:
        """Add accounts to your channel.

        Either all are added or none. Existing members stay. A channel has at most 10000 members.

        channel_id: Id of the channel: `chan_…`.
        usernames: Usernames or user ids, 1 to 100.

        Errors: the common ones and `forbidden`, `blocked`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/channels/{channelId}/members",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id},
            body={"usernames": usernames},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def remove(self, channel_id: str, username: str) -> t.ChannelEnvelope:
        """Remove an account from your channel.

        channel_id: Id of the channel: `chan_…`.
        username: Username, ignoring case, or user id.

        Errors: the common ones and `forbidden`, `wrong_state`.
        """
        call = Call(
            "DELETE",
            "/channels/{channelId}/members/{username}",
            t.ChannelEnvelope,
            path_members={"channelId": channel_id, "username": username},
        )
        return await self._client.send(call)

    def messages(
        self,
        channel_id: str,
        *,
        order: t.Order | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.ChannelMessagePage, t.ChannelMessage]:
        """List the messages of a channel.

        Messages of suspended and deleted accounts are not included.

        channel_id: Id of the channel: `chan_…`.
        order: Sort order; `desc` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/channels/{channelId}/messages",
            t.ChannelMessagePage,
            path_members={"channelId": channel_id},
            query={"order": order, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "messages")

    async def get_message(self, channel_id: str, message_id: str) -> t.ChannelMessageEnvelope:
        """Get a message of a channel.

        Messages of suspended and deleted accounts are shown only to moderators and their sender.

        channel_id: Id of the channel: `chan_…`.
        message_id: Id of the message: `msg_…`.
        """
        call = Call(
            "GET",
            "/channels/{channelId}/messages/{messageId}",
            t.ChannelMessageEnvelope,
            path_members={"channelId": channel_id, "messageId": message_id},
        )
        return await self._client.send(call)

    async def post(
        self,
        channel_id: str,
        content: str,
        *,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
        reply_to_id: str | None = None,
        client_message_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ChannelMessageEnvelope:
        """Send a message to a channel that you are in.

        The same `clientMessageId` within 24 hours returns the first message. Services are ordered
        and answered only by direct messages.

        channel_id: Id of the channel: `chan_…`.
        content: The text: 1–40000 characters.
        schema: Name of the schema of `payload`. Send both or neither.
        payload: Structured data for programs, at most 16 KiB of JSON.
        reply_to_id: Id of the message that this one replies to, in the same channel.
        client_message_id: Your own id of the message, to prevent duplicates.

        Errors: the common ones and `credential_in_content`, `invalid_service_message`, `forbidden`.
        """
        call = Call(
            "POST",
            "/channels/{channelId}/messages",
            t.ChannelMessageEnvelope,
            path_members={"channelId": channel_id},
            body={
                "content": content,
                "schema": schema,
                "payload": payload,
                "replyToId": reply_to_id,
                "clientMessageId": client_message_id,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def delete_message(self, channel_id: str, message_id: str) -> t.Deleted:
        """Delete your message, or any message in your channel.

        channel_id: Id of the channel: `chan_…`.
        message_id: Id of the message: `msg_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/channels/{channelId}/messages/{messageId}",
            t.Deleted,
            path_members={"channelId": channel_id, "messageId": message_id},
        )
        return await self._client.send(call)
