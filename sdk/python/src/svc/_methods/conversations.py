"""`conversations`: written by `cargo document`; do not edit."""

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


class Conversations(Group):
    def list(
        self,
        *,
        unread: bool | None = None,
        folder: t.ConversationFolder | None = None,
        limit: int | None = None,
    ) -> Pages[t.ConversationPage, t.Conversation]:
        """List your conversations, latest message first.

        Conversations that a stranger began are in the folder `requests`: somebody you neither follow nor
        have written to, and who has not ordered a service from you. Their messages reach webhooks and
        events as all others do. A conversation that gets a message while you page moves to the front,
        where later pages miss it: read the first page again after the last.

        unread: Only conversations with unread messages.
        folder: The folder; `inbox` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/conversations",
            t.ConversationPage,
            query={"unread": unread, "folder": folder, "limit": limit},
        )
        return Pages(self._client.send, call, "conversations")

    def get(self, conversation_id: str) -> t.ConversationEnvelope:
        """Get a conversation.

        conversation_id: Id of the conversation: `conv_…`.
        """
        call = Call(
            "GET",
            "/conversations/{conversationId}",
            t.ConversationEnvelope,
            path_members={"conversationId": conversation_id},
        )
        return self._client.send(call)

    def messages(
        self,
        conversation_id: str,
        *,
        order: t.Order | None = None,
        limit: int | None = None,
    ) -> Pages[t.MessagePage, t.Message]:
        """List the messages of a conversation.

        conversation_id: Id of the conversation: `conv_…`.
        order: Sort order; `desc` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/conversations/{conversationId}/messages",
            t.MessagePage,
            path_members={"conversationId": conversation_id},
            query={"order": order, "limit": limit},
        )
        return Pages(self._client.send, call, "messages")

    def read(
        self,
        conversation_id: str,
        last_read_message_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ConversationEnvelope:
        """Mark a conversation as read up to a message.

        conversation_id: Id of the conversation: `conv_…`.
        last_read_message_id: The newest message that you have read.
        """
        call = Call(
            "POST",
            "/conversations/{conversationId}/read",
            t.ConversationEnvelope,
            path_members={"conversationId": conversation_id},
            body={"lastReadMessageId": last_read_message_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def accept(
        self,
        conversation_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ConversationEnvelope:
        """Accept a conversation that a stranger began.

        It moves to the inbox, and the sender may write as much as others do. Answering accepts too.

        conversation_id: Id of the conversation: `conv_…`.
        """
        call = Call(
            "POST",
            "/conversations/{conversationId}/accept",
            t.ConversationEnvelope,
            path_members={"conversationId": conversation_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def decline(
        self,
        conversation_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ConversationEnvelope:
        """Decline a conversation that a stranger began.

        It leaves your lists and stays away, whatever the sender writes, until you accept it or answer.
        The sender does not learn of it. Later messages are stored and are events, but no
        notifications; blocking the sender ends them.

        conversation_id: Id of the conversation: `conv_…`.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/conversations/{conversationId}/decline",
            t.ConversationEnvelope,
            path_members={"conversationId": conversation_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def mute(self, conversation_id: str, *, idempotency_key: str | None = None) -> t.Muted:
        """Mute a conversation.

        Muted conversations do not count as unread.

        conversation_id: Id of the conversation: `conv_…`.
        """
        call = Call(
            "POST",
            "/conversations/{conversationId}/mute",
            t.Muted,
            path_members={"conversationId": conversation_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def unmute(self, conversation_id: str) -> t.Muted:
        """Unmute a conversation.

        conversation_id: Id of the conversation: `conv_…`.
        """
        call = Call(
            "DELETE",
            "/conversations/{conversationId}/mute",
            t.Muted,
            path_members={"conversationId": conversation_id},
        )
        return self._client.send(call)


class AsyncConversations(AsyncGroup):
    def list(
        self,
        *,
        unread: bool | None = None,
        folder: t.ConversationFolder | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.ConversationPage, t.Conversation]:
        """List your conversations, latest message first.

        Conversations that a stranger began are in the folder `requests`: somebody you neither follow nor
        have written to, and who has not ordered a service from you. Their messages reach webhooks and
        events as all others do. A conversation that gets a message while you page moves to the front,
        where later pages miss it: read the first page again after the last.

        unread: Only conversations with unread messages.
        folder: The folder; `inbox` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/conversations",
            t.ConversationPage,
            query={"unread": unread, "folder": folder, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "conversations")

    async def get(self, conversation_id: str) -> t.ConversationEnvelope:
        """Get a conversation.

        conversation_id: Id of the conversation: `conv_…`.
        """
        call = Call(
            "GET",
            "/conversations/{conversationId}",
            t.ConversationEnvelope,
            path_members={"conversationId": conversation_id},
        )
        return await self._client.send(call)

    def messages(
        self,
        conversation_id: str,
        *,
        order: t.Order | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.MessagePage, t.Message]:
        """List the messages of a conversation.

        conversation_id: Id of the conversation: `conv_…`.
        order: Sort order; `desc` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/conversations/{conversationId}/messages",
            t.MessagePage,
            path_members={"conversationId": conversation_id},
            query={"order": order, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "messages")

    async def read(
        self,
        conversation_id: str,
        last_read_message_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ConversationEnvelope:
        """Mark a conversation as read up to a message.

        conversation_id: Id of the conversation: `conv_…`.
        last_read_message_id: The newest message that you have read.
        """
        call = Call(
            "POST",
            "/conversations/{conversationId}/read",
            t.ConversationEnvelope,
            path_members={"conversationId": conversation_id},
            body={"lastReadMessageId": last_read_message_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def accept(
        self,
        conversation_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ConversationEnvelope:
        """Accept a conversation that a stranger began.

        It moves to the inbox, and the sender may write as much as others do. Answering accepts too.

        conversation_id: Id of the conversation: `conv_…`.
        """
        call = Call(
            "POST",
            "/conversations/{conversationId}/accept",
            t.ConversationEnvelope,
            path_members={"conversationId": conversation_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def decline(
        self,
        conversation_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ConversationEnvelope:
        """Decline a conversation that a stranger began.

        It leaves your lists and stays away, whatever the sender writes, until you accept it or answer.
        The sender does not learn of it. Later messages are stored and are events, but no
        notifications; blocking the sender ends them.

        conversation_id: Id of the conversation: `conv_…`.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/conversations/{conversationId}/decline",
            t.ConversationEnvelope,
            path_members={"conversationId": conversation_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def mute(self, conversation_id: str, *, idempotency_key: str | None = None) -> t.Muted:
        """Mute a conversation.

        Muted conversations do not count as unread.

        conversation_id: Id of the conversation: `conv_…`.
        """
        call = Call(
            "POST",
            "/conversations/{conversationId}/mute",
            t.Muted,
            path_members={"conversationId": conversation_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def unmute(self, conversation_id: str) -> t.Muted:
        """Unmute a conversation.

        conversation_id: Id of the conversation: `conv_…`.
        """
        call = Call(
            "DELETE",
            "/conversations/{conversationId}/mute",
            t.Muted,
            path_members={"conversationId": conversation_id},
        )
        return await self._client.send(call)
