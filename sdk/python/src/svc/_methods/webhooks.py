"""`webhooks`: written by `cargo document`; do not edit."""

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


class Webhooks(Group):
    def create(
        self,
        url: str,
        *,
        events: Sequence[t.WebhookKind] | None = None,
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.WebhookWithSecret:
        """Create a webhook.

        Its secret is shown once. The URL must be https with a public host, without user and
        fragment. You can have at most 5 webhooks, 20 with the tier pro, including disabled ones. For
        `direct_message`, which is among the default events, a key also needs the scope `dm`.

        url: URL that receives the events.
        events: Kinds of events. When omitted: `follow`, `like`, `repost`, `reply`, `mention`
            and `direct_message`.
        description: Description of the webhook.

        Errors: the common ones and `webhook_url_refused`, `webhook_limit_reached`,
        `credential_in_content`.
        """
        call = Call(
            "POST",
            "/webhooks",
            t.WebhookWithSecret,
            body={"url": url, "events": events, "description": description},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="list the webhooks: if there is one of this URL, its secret is lost; delete it and create another",
        )
        return self._client.send(call)

    def list(self, *, limit: int | None = None) -> Pages[t.WebhookPage, t.Webhook]:
        """List your webhooks, newest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/webhooks",
            t.WebhookPage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "webhooks")

    def get(self, webhook_id: str) -> t.WebhookEnvelope:
        """Get a webhook.

        webhook_id: Id of the webhook: `wh_…`.
        """
        call = Call(
            "GET",
            "/webhooks/{webhookId}",
            t.WebhookEnvelope,
            path_members={"webhookId": webhook_id},
        )
        return self._client.send(call)

    def update(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        events: Sequence[t.WebhookKind] | None = None,
        description: str | None = None,
    ) -> t.WebhookEnvelope:
        """Update a webhook.

        Omitted values do not change; an empty `description` removes it. A new `url` resets the
        failure history. A key also needs the scope `dm` to subscribe to `direct_message`, and to change
        the `url` of a webhook that does.

        webhook_id: Id of the webhook: `wh_…`.
        url: URL that receives the events, including those that are waiting.
        events: Kinds of events. Waiting deliveries of other kinds are cancelled when they are
            due.
        description: Description of the webhook.

        Errors: the common ones and `webhook_url_refused`, `credential_in_content`.
        """
        call = Call(
            "PATCH",
            "/webhooks/{webhookId}",
            t.WebhookEnvelope,
            path_members={"webhookId": webhook_id},
            body={"url": url, "events": events, "description": description},
        )
        return self._client.send(call)

    def delete(self, webhook_id: str) -> t.Deleted:
        """Delete a webhook.

        Waiting deliveries are cancelled.

        webhook_id: Id of the webhook: `wh_…`.
        """
        call = Call(
            "DELETE",
            "/webhooks/{webhookId}",
            t.Deleted,
            path_members={"webhookId": webhook_id},
        )
        return self._client.send(call)

    def enable(self, webhook_id: str, *, idempotency_key: str | None = None) -> t.WebhookEnvelope:
        """Enable a webhook.

        Its failure history is reset. Deliveries held for less than 72 hours are sent; older ones
        are cancelled and can be recovered.

        webhook_id: Id of the webhook: `wh_…`.

        Errors: the common ones and `webhook_limit_reached`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/enable",
            t.WebhookEnvelope,
            path_members={"webhookId": webhook_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def disable(self, webhook_id: str, *, idempotency_key: str | None = None) -> t.WebhookEnvelope:
        """Disable a webhook.

        Waiting deliveries and events of the next 72 hours are held until it is enabled.

        webhook_id: Id of the webhook: `wh_…`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/disable",
            t.WebhookEnvelope,
            path_members={"webhookId": webhook_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def rotate_secret(
        self,
        webhook_id: str,
        *,
        overlap_seconds: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.WebhookSecretRotated:
        """Rotate the secret of a webhook.

        The new secret is shown once. Both secrets are valid until the overlap ends:
        `webhook-signature` contains a signature of each, and `X-Webhook-Signature` uses the old one
        until the new one is promoted or the overlap ends. An overlap of 0 ends the old secret at
        once, even during another overlap. For a webhook that receives `direct_message`, a key also
        needs the scope `dm`.

        webhook_id: Id of the webhook: `wh_…`.
        overlap_seconds: Seconds until the old secret ends, at most 7 days; 86400 when
            omitted.

        Errors: the common ones and `rotation_in_progress`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/rotate-secret",
            t.WebhookSecretRotated,
            path_members={"webhookId": webhook_id},
            body={"overlapSeconds": overlap_seconds},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="rotate again with an overlap of 0 seconds, which ends the old secret and the lost one",
        )
        return self._client.send(call)

    def promote_secret(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.WebhookEnvelope:
        """Promote the new secret of a webhook.

        `X-Webhook-Signature` uses the new secret from now on. The old one stays valid in
        `webhook-signature` until the overlap ends.

        webhook_id: Id of the webhook: `wh_…`.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/promote-secret",
            t.WebhookEnvelope,
            path_members={"webhookId": webhook_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def test(
        self,
        webhook_id: str,
        *,
        event: t.WebhookKind | None = None,
        idempotency_key: str | None = None,
    ) -> t.DeliveryEnvelope:
        """Test a webhook with a sample event.

        Works for disabled webhooks, too. The response contains the result; the attempt is not
        repeated and does not count as a failure. At most one test per 5 seconds.

        webhook_id: Id of the webhook: `wh_…`.
        event: Kind of the sample event; `mention` when omitted.

        Errors: the common ones and `rate_limited`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/test",
            t.DeliveryEnvelope,
            path_members={"webhookId": webhook_id},
            body={"event": event},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def deliveries(
        self,
        webhook_id: str,
        *,
        state: t.DeliveryState | None = None,
        event: t.WebhookKind | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
    ) -> Pages[t.DeliveryPage, t.Delivery]:
        """List the deliveries of a webhook, newest first.

        Deliveries are kept for 30 days by default. A short page is not necessarily the last.

        webhook_id: Id of the webhook: `wh_…`.
        state: Only deliveries in this state.
        event: Only deliveries of this kind of event.
        since: Only deliveries created at this time or later.
        until: Only deliveries created before this time.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/webhooks/{webhookId}/deliveries",
            t.DeliveryPage,
            path_members={"webhookId": webhook_id},
            query={"state": state, "event": event, "since": since, "until": until, "limit": limit},
        )
        return Pages(self._client.send, call, "deliveries")

    def delivery(self, webhook_id: str, delivery_id: str) -> t.DeliveryEnvelope:
        """Get a delivery with its body and attempts.

        The body is available as long as the event is kept; that of a `direct_message` only for keys with
        the scope `dm`.

        webhook_id: Id of the webhook: `wh_…`.
        delivery_id: Id of the delivery: `dlv_…`.
        """
        call = Call(
            "GET",
            "/webhooks/{webhookId}/deliveries/{deliveryId}",
            t.DeliveryEnvelope,
            path_members={"webhookId": webhook_id, "deliveryId": delivery_id},
        )
        return self._client.send(call)

    def redeliver(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.DeliveryEnvelope:
        """Redeliver an event.

        Creates a new delivery with the same `X-Webhook-Id`. It is held while the webhook is
        disabled. For a `direct_message`, a key also needs the scope `dm`.

        webhook_id: Id of the webhook: `wh_…`.
        delivery_id: Id of the delivery: `dlv_…`.

        Errors: the common ones and `event_expired`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
            t.DeliveryEnvelope,
            path_members={"webhookId": webhook_id, "deliveryId": delivery_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def recover(
        self,
        webhook_id: str,
        since: datetime | str,
        *,
        until: datetime | str | None = None,
        states: Sequence[t.RecoverableState] | None = None,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.RecoveryEnvelope:
        """Recover failed deliveries of a time range.

        Runs in the background, oldest event first; the response contains the number of matching
        events. Includes events whose latest delivery is in one of `states` and whose kind the
        webhook subscribes to and your preferences allow now, as far back as events are kept. Waiting
        deliveries are not queued twice. At most 10 recoveries of a webhook run at once.

        webhook_id: Id of the webhook: `wh_…`.
        since: Start of the time range, inclusive.
        until: End of the time range; now when omitted.
        states: States of the latest delivery; all of these when omitted.
        dry_run: Only count the events; `false` when omitted.

        Errors: the common ones and `limit_reached`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/recover",
            t.RecoveryEnvelope,
            path_members={"webhookId": webhook_id},
            body={"since": since, "until": until, "states": states, "dryRun": dry_run},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def recovery(self, webhook_id: str, recovery_id: str) -> t.RecoveryEnvelope:
        """Get the progress of a recovery.

        webhook_id: Id of the webhook: `wh_…`.
        recovery_id: Id of the recovery: `rcv_…`.
        """
        call = Call(
            "GET",
            "/webhooks/{webhookId}/recoveries/{recoveryId}",
            t.RecoveryEnvelope,
            path_members={"webhookId": webhook_id, "recoveryId": recovery_id},
        )
        return self._client.send(call)

    def stats(self, webhook_id: str) -> t.WebhookStatsEnvelope:
        """Get the statistics of a webhook.

        Based on the newest 10,000 deliveries of each window, durations on the newest 1000. Tests do
        not count.

        webhook_id: Id of the webhook: `wh_…`.
        """
        call = Call(
            "GET",
            "/webhooks/{webhookId}/stats",
            t.WebhookStatsEnvelope,
            path_members={"webhookId": webhook_id},
        )
        return self._client.send(call)


class AsyncWebhooks(AsyncGroup):
    async def create(
        self,
        url: str,
        *,
        events: Sequence[t.WebhookKind] | None = None,
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.WebhookWithSecret:
        """Create a webhook.

        Its secret is shown once. The URL must be https with a public host, without user and
        fragment. You can have at most 5 webhooks, 20 with the tier pro, including disabled ones. For
        `direct_message`, which is among the default events, a key also needs the scope `dm`.

        url: URL that receives the events.
        events: Kinds of events. When omitted: `follow`, `like`, `repost`, `reply`, `mention`
            and `direct_message`.
        description: Description of the webhook.

        Errors: the common ones and `webhook_url_refused`, `webhook_limit_reached`,
        `credential_in_content`.
        """
        call = Call(
            "POST",
            "/webhooks",
            t.WebhookWithSecret,
            body={"url": url, "events": events, "description": description},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="list the webhooks: if there is one of this URL, its secret is lost; delete it and create another",
        )
        return await self._client.send(call)

    def list(self, *, limit: int | None = None) -> AsyncPages[t.WebhookPage, t.Webhook]:
        """List your webhooks, newest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/webhooks",
            t.WebhookPage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "webhooks")

    async def get(self, webhook_id: str) -> t.WebhookEnvelope:
        """Get a webhook.

        webhook_id: Id of the webhook: `wh_…`.
        """
        call = Call(
            "GET",
            "/webhooks/{webhookId}",
            t.WebhookEnvelope,
            path_members={"webhookId": webhook_id},
        )
        return await self._client.send(call)

    async def update(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        events: Sequence[t.WebhookKind] | None = None,
        description: str | None = None,
    ) -> t.WebhookEnvelope:
        """Update a webhook.

        Omitted values do not change; an empty `description` removes it. A new `url` resets the
        failure history. A key also needs the scope `dm` to subscribe to `direct_message`, and to change
        the `url` of a webhook that does.

        webhook_id: Id of the webhook: `wh_…`.
        url: URL that receives the events, including those that are waiting.
        events: Kinds of events. Waiting deliveries of other kinds are cancelled when they are
            due.
        description: Description of the webhook.

        Errors: the common ones and `webhook_url_refused`, `credential_in_content`.
        """
        call = Call(
            "PATCH",
            "/webhooks/{webhookId}",
            t.WebhookEnvelope,
            path_members={"webhookId": webhook_id},
            body={"url": url, "events": events, "description": description},
        )
        return await self._client.send(call)

    async def delete(self, webhook_id: str) -> t.Deleted:
        """Delete a webhook.

        Waiting deliveries are cancelled.

        webhook_id: Id of the webhook: `wh_…`.
        """
        call = Call(
            "DELETE",
            "/webhooks/{webhookId}",
            t.Deleted,
            path_members={"webhookId": webhook_id},
        )
        return await self._client.send(call)

    async def enable(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.WebhookEnvelope:
        """Enable a webhook.

        Its failure history is reset. Deliveries held for less than 72 hours are sent; older ones
        are cancelled and can be recovered.

        webhook_id: Id of the webhook: `wh_…`.

        Errors: the common ones and `webhook_limit_reached`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/enable",
            t.WebhookEnvelope,
            path_members={"webhookId": webhook_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def disable(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.WebhookEnvelope:
        """Disable a webhook.

        Waiting deliveries and events of the next 72 hours are held until it is enabled.

        webhook_id: Id of the webhook: `wh_…`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/disable",
            t.WebhookEnvelope,
            path_members={"webhookId": webhook_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def rotate_secret(
        self,
        webhook_id: str,
        *,
        overlap_seconds: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.WebhookSecretRotated:
        """Rotate the secret of a webhook.

        The new secret is shown once. Both secrets are valid until the overlap ends:
        `webhook-signature` contains a signature of each, and `X-Webhook-Signature` uses the old one
        until the new one is promoted or the overlap ends. An overlap of 0 ends the old secret at
        once, even during another overlap. For a webhook that receives `direct_message`, a key also
        needs the scope `dm`.

        webhook_id: Id of the webhook: `wh_…`.
        overlap_seconds: Seconds until the old secret ends, at most 7 days; 86400 when
            omitted.

        Errors: the common ones and `rotation_in_progress`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/rotate-secret",
            t.WebhookSecretRotated,
            path_members={"webhookId": webhook_id},
            body={"overlapSeconds": overlap_seconds},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="rotate again with an overlap of 0 seconds, which ends the old secret and the lost one",
        )
        return await self._client.send(call)

    async def promote_secret(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.WebhookEnvelope:
        """Promote the new secret of a webhook.

        `X-Webhook-Signature` uses the new secret from now on. The old one stays valid in
        `webhook-signature` until the overlap ends.

        webhook_id: Id of the webhook: `wh_…`.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/promote-secret",
            t.WebhookEnvelope,
            path_members={"webhookId": webhook_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def test(
        self,
        webhook_id: str,
        *,
        event: t.WebhookKind | None = None,
        idempotency_key: str | None = None,
    ) -> t.DeliveryEnvelope:
        """Test a webhook with a sample event.

        Works for disabled webhooks, too. The response contains the result; the attempt is not
        repeated and does not count as a failure. At most one test per 5 seconds.

        webhook_id: Id of the webhook: `wh_…`.
        event: Kind of the sample event; `mention` when omitted.

        Errors: the common ones and `rate_limited`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/test",
            t.DeliveryEnvelope,
            path_members={"webhookId": webhook_id},
            body={"event": event},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def deliveries(
        self,
        webhook_id: str,
        *,
        state: t.DeliveryState | None = None,
        event: t.WebhookKind | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.DeliveryPage, t.Delivery]:
        """List the deliveries of a webhook, newest first.

        Deliveries are kept for 30 days by default. A short page is not necessarily the last.

        webhook_id: Id of the webhook: `wh_…`.
        state: Only deliveries in this state.
        event: Only deliveries of this kind of event.
        since: Only deliveries created at this time or later.
        until: Only deliveries created before this time.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/webhooks/{webhookId}/deliveries",
            t.DeliveryPage,
            path_members={"webhookId": webhook_id},
            query={"state": state, "event": event, "since": since, "until": until, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "deliveries")

    async def delivery(self, webhook_id: str, delivery_id: str) -> t.DeliveryEnvelope:
        """Get a delivery with its body and attempts.

        The body is available as long as the event is kept; that of a `direct_message` only for keys with
        the scope `dm`.

        webhook_id: Id of the webhook: `wh_…`.
        delivery_id: Id of the delivery: `dlv_…`.
        """
        call = Call(
            "GET",
            "/webhooks/{webhookId}/deliveries/{deliveryId}",
            t.DeliveryEnvelope,
            path_members={"webhookId": webhook_id, "deliveryId": delivery_id},
        )
        return await self._client.send(call)

    async def redeliver(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.DeliveryEnvelope:
        """Redeliver an event.

        Creates a new delivery with the same `X-Webhook-Id`. It is held while the webhook is
        disabled. For a `direct_message`, a key also needs the scope `dm`.

        webhook_id: Id of the webhook: `wh_…`.
        delivery_id: Id of the delivery: `dlv_…`.

        Errors: the common ones and `event_expired`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
            t.DeliveryEnvelope,
            path_members={"webhookId": webhook_id, "deliveryId": delivery_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def recover(
        self,
        webhook_id: str,
        since: datetime | str,
        *,
        until: datetime | str | None = None,
        states: Sequence[t.RecoverableState] | None = None,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.RecoveryEnvelope:
        """Recover failed deliveries of a time range.

        Runs in the background, oldest event first; the response contains the number of matching
        events. Includes events whose latest delivery is in one of `states` and whose kind the
        webhook subscribes to and your preferences allow now, as far back as events are kept. Waiting
        deliveries are not queued twice. At most 10 recoveries of a webhook run at once.

        webhook_id: Id of the webhook: `wh_…`.
        since: Start of the time range, inclusive.
        until: End of the time range; now when omitted.
        states: States of the latest delivery; all of these when omitted.
        dry_run: Only count the events; `false` when omitted.

        Errors: the common ones and `limit_reached`.
        """
        call = Call(
            "POST",
            "/webhooks/{webhookId}/recover",
            t.RecoveryEnvelope,
            path_members={"webhookId": webhook_id},
            body={"since": since, "until": until, "states": states, "dryRun": dry_run},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def recovery(self, webhook_id: str, recovery_id: str) -> t.RecoveryEnvelope:
        """Get the progress of a recovery.

        webhook_id: Id of the webhook: `wh_…`.
        recovery_id: Id of the recovery: `rcv_…`.
        """
        call = Call(
            "GET",
            "/webhooks/{webhookId}/recoveries/{recoveryId}",
            t.RecoveryEnvelope,
            path_members={"webhookId": webhook_id, "recoveryId": recovery_id},
        )
        return await self._client.send(call)

    async def stats(self, webhook_id: str) -> t.WebhookStatsEnvelope:
        """Get the statistics of a webhook.

        Based on the newest 10,000 deliveries of each window, durations on the newest 1000. Tests do
        not count.

        webhook_id: Id of the webhook: `wh_…`.
        """
        call = Call(
            "GET",
            "/webhooks/{webhookId}/stats",
            t.WebhookStatsEnvelope,
            path_members={"webhookId": webhook_id},
        )
        return await self._client.send(call)
