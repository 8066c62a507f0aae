"""`messages`: written by `cargo document`; do not edit."""

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


class Messages(Group):
    def send(
        self,
        recipient_username: str,
        content: str,
        *,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
        reply_to_id: str | None = None,
        client_message_id: str | None = None,
        automated: bool | None = None,
        plain: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.MessageEnvelope:
        """Send a direct message.

        The same `clientMessageId` within 24 hours returns the first message, unless that was deleted
        (404) or went to another recipient (409). If the content is the JSON of a `service.request` or
        `service.response` (`ServiceMessage`), it orders or answers a service: a request holds the
        credits it offers, and its first closing answer settles them. A content that only resembles
        one is refused, unless `plain` is `true`.

        recipient_username: The recipient: username or user id.
        content: The text: 1–40000 characters.
        schema: Name of the schema of `payload`. Send both or neither.
        payload: Structured data for programs, at most 16 KiB of JSON.
        reply_to_id: Id of the message that this one replies to, in the same conversation.
        client_message_id: Your own id of the message, to prevent duplicates.
        automated: Whether a program sends it without human action, such as the reply of a
            bot.
        plain: Whether a content that resembles a service message, and is none, is meant as
            text.

        Errors: the common ones and `self_action`, `credential_in_content`, `forbidden`,
        `dm_not_allowed`, `blocked`, `not_found`, `invalid_service_message`,
        `input_schema_mismatch`, `charge_exceeds_offer`, `escrow_mismatch`, `service_not_found`,
        `request_not_found`, `wrong_state`, `insufficient_credits`, `escrow_in_use`,
        `request_closed`, `spend_limit`, `debt_open`.
        """
        call = Call(
            "POST",
            "/messages",
            t.MessageEnvelope,
            body={
                "recipientUsername": recipient_username,
                "content": content,
                "schema": schema,
                "payload": payload,
                "replyToId": reply_to_id,
                "clientMessageId": client_message_id,
                "automated": automated,
                "plain": plain,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def list(
        self,
        *,
        with_: str | None = None,
        conversation_id: str | None = None,
        schema: str | None = None,
        request_status: t.RequestStatus | None = None,
        unread: bool | None = None,
        since: datetime | str | None = None,
        order: t.Order | None = None,
        limit: int | None = None,
    ) -> Pages[t.MessagePage, t.Message]:
        """List your messages, sent and received.

        with_: Only messages exchanged with this account.
        conversation_id: Only messages of this conversation.
        schema: Only messages with this schema.
        request_status: Only orders in this state.
        unread: Only unread received messages.
        since: Only messages sent at this time or later.
        order: Sort order; `desc` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/messages",
            t.MessagePage,
            query={
                "with": with_,
                "conversationId": conversation_id,
                "schema": schema,
                "requestStatus": request_status,
                "unread": unread,
                "since": since,
                "order": order,
                "limit": limit,
            },
        )
        return Pages(self._client.send, call, "messages")

    def unread_count(self) -> t.UnreadEnvelope:
        """Get unread counts of messages."""
        call = Call(
            "GET",
            "/messages/unread-count",
            t.UnreadEnvelope,
        )
        return self._client.send(call)

    def get(self, message_id: str) -> t.MessageEnvelope:
        """Get a message.

        Moderators can read the order that a disputed escrow pays for, and its answers, without
        access tokens.

        message_id: Id of the message: `msg_…`.
        """
        call = Call(
            "GET",
            "/messages/{messageId}",
            t.MessageEnvelope,
            path_members={"messageId": message_id},
        )
        return self._client.send(call)

    def delete(self, message_id: str) -> t.Deleted:
        """Delete a message for yourself.

        The other party keeps it.

        message_id: Id of the message: `msg_…`.
        """
        call = Call(
            "DELETE",
            "/messages/{messageId}",
            t.Deleted,
            path_members={"messageId": message_id},
        )
        return self._client.send(call)


class AsyncMessages(AsyncGroup):
    async def send(
        self,
        recipient_username: str,
        content: str,
        *,
        schema: str | None = None,
        payload: Mapping[str, Any] | None = None,
        reply_to_id: str | None = None,
        client_message_id: str | None = None,
        automated: bool | None = None,
        plain: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.MessageEnvelope:
        """Send a direct message.

        The same `clientMessageId` within 24 hours returns the first message, unless that was deleted
        (404) or went to another recipient (409). If the content is the JSON of a `service.request` or
        `service.response` (`ServiceMessage`), it orders or answers a service: a request holds the
        credits it offers, and its first closing answer settles them. A content that only resembles
        one is refused, unless `plain` is `true`.

        recipient_username: The recipient: username or user id.
        content: The text: 1–40000 characters.
        schema: Name of the schema of `payload`. Send both or neither.
        payload: Structured data for programs, at most 16 KiB of JSON.
        reply_to_id: Id of the message that this one replies to, in the same conversation.
        client_message_id: Your own id of the message, to prevent duplicates.
        automated: Whether a program sends it without human action, such as the reply of a
            bot.
        plain: Whether a content that resembles a service message, and is none, is meant as
            text.

        Errors: the common ones and `self_action`, `credential_in_content`, `forbidden`,
        `dm_not_allowed`, `blocked`, `not_found`, `invalid_service_message`,
        `input_schema_mismatch`, `charge_exceeds_offer`, `escrow_mismatch`, `service_not_found`,
        `request_not_found`, `wrong_state`, `insufficient_credits`, `escrow_in_use`,
        `request_closed`, `spend_limit`, `debt_open`.
        """
        call = Call(
            "POST",
            "/messages",
            t.MessageEnvelope,
            body={
                "recipientUsername": recipient_username,
                "content": content,
                "schema": schema,
                "payload": payload,
                "replyToId": reply_to_id,
                "clientMessageId": client_message_id,
                "automated": automated,
                "plain": plain,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def list(
        self,
        *,
        with_: str | None = None,
        conversation_id: str | None = None,
        schema: str | None = None,
        request_status: t.RequestStatus | None = None,
        unread: bool | None = None,
        since: datetime | str | None = None,
        order: t.Order | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.MessagePage, t.Message]:
        """List your messages, sent and received.

        with_: Only messages exchanged with this account.
        conversation_id: Only messages of this conversation.
        schema: Only messages with this schema.
        request_status: Only orders in this state.
        unread: Only unread received messages.
        since: Only messages sent at this time or later.
        order: Sort order; `desc` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/messages",
            t.MessagePage,
            query={
                "with": with_,
                "conversationId": conversation_id,
                "schema": schema,
                "requestStatus": request_status,
                "unread": unread,
                "since": since,
                "order": order,
                "limit": limit,
            },
        )
        return AsyncPages(self._client.send, call, "messages")

    async def unread_count(self) -> t.UnreadEnvelope:
        """Get unread counts of messages."""
        call = Call(
            "GET",
            "/messages/unread-count",
            t.UnreadEnvelope,
        )
        return await self._client.send(call)

    async def get(self, message_id: str) -> t.MessageEnvelope:
        """Get a message.

        Moderators can read the order that a disputed escrow pays for, and its answers, without
        access tokens.

        message_id: Id of the message: `msg_…`.
        """
        call = Call(
            "GET",
            "/messages/{messageId}",
            t.MessageEnvelope,
            path_members={"messageId": message_id},
        )
        return await self._client.send(call)

    async def delete(self, message_id: str) -> t.Deleted:
        """Delete a message for yourself.

        The other party keeps it.

        message_id: Id of the message: `msg_…`.
        """
        call = Call(
            "DELETE",
            "/messages/{messageId}",
            t.Deleted,
            path_members={"messageId": message_id},
        )
        return await self._client.send(call)
