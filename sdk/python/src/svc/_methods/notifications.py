"""`notifications`: written by `cargo document`; do not edit."""

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


class Notifications(Group):
    def list(
        self,
        *,
        types: Sequence[str] | None = None,
        exclude_types: Sequence[str] | None = None,
        unread: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.NotificationPage, t.Notification]:
        """List your notifications, newest first.

        A page with a filter may be short when many others lie between; `nextCursor` says whether there
        are more.

        types: Only notifications of these types, such as `reply` and `mention`.
        exclude_types: All notifications except these types.
        unread: Only unread notifications.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/notifications",
            t.NotificationPage,
            query={
                "types": types,
                "excludeTypes": exclude_types,
                "unread": unread,
                "limit": limit,
            },
        )
        return Pages(self._client.send, call, "notifications")

    def unread_count(self, *, types: Sequence[str] | None = None) -> t.UnreadNotifications:
        """Get the number of unread notifications.

        Counts are exact up to 1000.

        types: Only notifications of these types, such as `reply` and `mention`.
        """
        call = Call(
            "GET",
            "/notifications/unread-count",
            t.UnreadNotifications,
            query={"types": types},
        )
        return self._client.send(call)

    def preferences(self) -> t.PreferencesEnvelope:
        """Get your notification preferences."""
        call = Call(
            "GET",
            "/notifications/preferences",
            t.PreferencesEnvelope,
        )
        return self._client.send(call)

    def set_preferences(
        self,
        preferences: t.PreferencesUpdate | Mapping[str, Any],
    ) -> t.PreferencesEnvelope:
        """Update your notification preferences.

        Omitted values do not change. Notifications about escrows, orders, billing, moderation, the
        system and security ignore `from`, proposals of samples apart; those about security cannot be
        turned off.

        preferences: The changes.
        """
        call = Call(
            "PUT",
            "/notifications/preferences",
            t.PreferencesEnvelope,
            body={"preferences": preferences},
        )
        return self._client.send(call)

    def read_all(
        self,
        *,
        ids: Sequence[str] | None = None,
        up_to: str | None = None,
        post_id: str | None = None,
        all: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.NotificationsRead:
        """Mark notifications as read.

        Send exactly one of `ids`, `upTo`, `postId` and `all`. `ids` and `postId` select from your
        notifications, so those without one are ignored. `upTo` is a place among them, so an id that is
        not there is 404.

        ids: Ids of the notifications, 1 to 100.
        up_to: This notification and all older ones.
        post_id: The notifications about this post among your newest 10,000 events.
        all: All notifications.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "POST",
            "/notifications/read",
            t.NotificationsRead,
            body={"ids": ids, "upTo": up_to, "postId": post_id, "all": all},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def get(self, notification_id: str) -> t.NotificationEnvelope:
        """Get a notification.

        notification_id: Id of the notification: `ntf_…`.
        """
        call = Call(
            "GET",
            "/notifications/{notificationId}",
            t.NotificationEnvelope,
            path_members={"notificationId": notification_id},
        )
        return self._client.send(call)

    def delete(self, notification_id: str) -> t.Deleted:
        """Delete a notification.

        notification_id: Id of the notification: `ntf_…`.
        """
        call = Call(
            "DELETE",
            "/notifications/{notificationId}",
            t.Deleted,
            path_members={"notificationId": notification_id},
        )
        return self._client.send(call)

    def read(
        self,
        notification_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.NotificationEnvelope:
        """Mark a notification as read.

        notification_id: Id of the notification: `ntf_…`.
        """
        call = Call(
            "POST",
            "/notifications/{notificationId}/read",
            t.NotificationEnvelope,
            path_members={"notificationId": notification_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncNotifications(AsyncGroup):
    def list(
        self,
        *,
        types: Sequence[str] | None = None,
        exclude_types: Sequence[str] | None = None,
        unread: bool | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.NotificationPage, t.Notification]:
        """List your notifications, newest first.

        A page with a filter may be short when many others lie between; `nextCursor` says whether there
        are more.

        types: Only notifications of these types, such as `reply` and `mention`.
        exclude_types: All notifications except these types.
        unread: Only unread notifications.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/notifications",
            t.NotificationPage,
            query={
                "types": types,
                "excludeTypes": exclude_types,
                "unread": unread,
                "limit": limit,
            },
        )
        return AsyncPages(self._client.send, call, "notifications")

    async def unread_count(self, *, types: Sequence[str] | None = None) -> t.UnreadNotifications:
        """Get the number of unread notifications.

        Counts are exact up to 1000.

        types: Only notifications of these types, such as `reply` and `mention`.
        """
        call = Call(
            "GET",
            "/notifications/unread-count",
            t.UnreadNotifications,
            query={"types": types},
        )
        return await self._client.send(call)

    async def preferences(self) -> t.PreferencesEnvelope:
        """Get your notification preferences."""
        call = Call(
            "GET",
            "/notifications/preferences",
            t.PreferencesEnvelope,
        )
        return await self._client.send(call)

    async def set_preferences(
        self,
        preferences: t.PreferencesUpdate | Mapping[str, Any],
    ) -> t.PreferencesEnvelope:
        """Update your notification preferences.

        Omitted values do not change. Notifications about escrows, orders, billing, moderation, the
        system and security ignore `from`, proposals of samples apart; those about security cannot be
        turned off.

        preferences: The changes.
        """
        call = Call(
            "PUT",
            "/notifications/preferences",
            t.PreferencesEnvelope,
            body={"preferences": preferences},
        )
        return await self._client.send(call)

    async def read_all(
        self,
        *,
        ids: Sequence[str] | None = None,
        up_to: str | None = None,
        post_id: str | None = None,
        all: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.NotificationsRead:
        """Mark notifications as read.

        Send exactly one of `ids`, `upTo`, `postId` and `all`. `ids` and `postId` select from your
        notifications, so those without one are ignored. `upTo` is a place among them, so an id that is
        not there is 404.

        ids: Ids of the notifications, 1 to 100.
        up_to: This notification and all older ones.
        post_id: The notifications about this post among your newest 10,000 events.
        all: All notifications.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "POST",
            "/notifications/read",
            t.NotificationsRead,
            body={"ids": ids, "upTo": up_to, "postId": post_id, "all": all},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def get(self, notification_id: str) -> t.NotificationEnvelope:
        """Get a notification.

        notification_id: Id of the notification: `ntf_…`.
        """
        call = Call(
            "GET",
            "/notifications/{notificationId}",
            t.NotificationEnvelope,
            path_members={"notificationId": notification_id},
        )
        return await self._client.send(call)

    async def delete(self, notification_id: str) -> t.Deleted:
        """Delete a notification.

        notification_id: Id of the notification: `ntf_…`.
        """
        call = Call(
            "DELETE",
            "/notifications/{notificationId}",
            t.Deleted,
            path_members={"notificationId": notification_id},
        )
        return await self._client.send(call)

    async def read(
        self,
        notification_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.NotificationEnvelope:
        """Mark a notification as read.

        notification_id: Id of the notification: `ntf_…`.
        """
        call = Call(
            "POST",
            "/notifications/{notificationId}/read",
            t.NotificationEnvelope,
            path_members={"notificationId": notification_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
