//! `webhooks`: written by `cargo document`; do not edit.

use svc_types::api::webhooks::{
    CreateWebhook, DeleteWebhook, DeliveryState, DisableWebhook, EnableWebhook, GetWebhook,
    GetWebhookDelivery, GetWebhookRecovery, GetWebhookStats, ListWebhookDeliveries, ListWebhooks,
    PromoteWebhookSecret, RecoverWebhook, RecoverableState, RedeliverWebhook, RotateWebhookSecret,
    TestWebhook, UpdateWebhook, WebhookKind, WebhookUrl,
};
use svc_types::{DeliveryId, RecoveryId, Text, Timestamp, WebhookId};

use crate::{Call, Webhooks};

impl Webhooks<'_> {
    /// Make a webhook; its secret is shown once.
    ///
    /// The address must be https at a public host, without user and fragment. An account has at
    /// most 5 webhooks, 20 of the tier pro, disabled ones included.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().create("https://hooks.example.org/svc").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WebhookUrlRefused`, `WebhookLimitReached`,
    /// `CredentialInContent`.
    pub fn create(&self, url: impl Into<WebhookUrl>) -> Call<CreateWebhook> {
        self.0.send(&CreateWebhook { url: url.into(), events: None, description: None })
    }

    /// List one's own webhooks, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.webhooks().list().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListWebhooks> {
        self.0.send(&ListWebhooks { limit: None, cursor: None })
    }

    /// Read a webhook.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let webhook = svc.webhooks().get("wh_01").await?.webhook;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, webhook_id: impl Into<WebhookId>) -> Call<GetWebhook> {
        self.0.send(&GetWebhook { webhook_id: webhook_id.into() })
    }

    /// Change a webhook.
    ///
    /// Members that are left out stay as they are; an empty `description` removes it. Another
    /// `url` forgets the failures of the one before.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().update("wh_01").url("https://hooks.example.org/other").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WebhookUrlRefused`, `CredentialInContent`.
    pub fn update(&self, webhook_id: impl Into<WebhookId>) -> Call<UpdateWebhook> {
        let request = UpdateWebhook {
            webhook_id: webhook_id.into(),
            url: None,
            events: None,
            description: None,
        };
        self.0.send(&request)
    }

    /// Delete a webhook; what waits is cancelled.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().delete("wh_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, webhook_id: impl Into<WebhookId>) -> Call<DeleteWebhook> {
        self.0.send(&DeleteWebhook { webhook_id: webhook_id.into() })
    }

    /// Let a webhook be called again.
    ///
    /// Its failures are forgotten. What was held for less than 72 hours is sent, the rest is
    /// cancelled and can be recovered.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().enable("wh_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WebhookLimitReached`.
    pub fn enable(&self, webhook_id: impl Into<WebhookId>) -> Call<EnableWebhook> {
        self.0.send(&EnableWebhook { webhook_id: webhook_id.into() })
    }

    /// Stop calling a webhook.
    ///
    /// What waits, and events of the next 72 hours, are held until it is enabled.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().disable("wh_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn disable(&self, webhook_id: impl Into<WebhookId>) -> Call<DisableWebhook> {
        self.0.send(&DisableWebhook { webhook_id: webhook_id.into() })
    }

    /// Give a webhook a new secret, which is shown once.
    ///
    /// For `overlapSeconds` both secrets are valid: `webhook-signature` holds a signature of each,
    /// `X-Webhook-Signature` is made with the old one until the new one is promoted or the overlap
    /// ends. With 0 the old secret ends at once, also amid an overlap.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().rotate_secret("wh_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `RotationInProgress`.
    pub fn rotate_secret(&self, webhook_id: impl Into<WebhookId>) -> Call<RotateWebhookSecret> {
        self.0.send(&RotateWebhookSecret { webhook_id: webhook_id.into(), overlap_seconds: None })
    }

    /// Sign `X-Webhook-Signature` with the new secret from now on.
    ///
    /// The old one stays valid in `webhook-signature` until the overlap ends.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().promote_secret("wh_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn promote_secret(&self, webhook_id: impl Into<WebhookId>) -> Call<PromoteWebhookSecret> {
        self.0.send(&PromoteWebhookSecret { webhook_id: webhook_id.into() })
    }

    /// Call a webhook with a sample event, once.
    ///
    /// Also while it is disabled. The answer tells how it went; the attempt is not repeated, and
    /// no failure of it counts. At most one in 5 seconds.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().test("wh_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `RateLimited`.
    pub fn test(&self, webhook_id: impl Into<WebhookId>) -> Call<TestWebhook> {
        self.0.send(&TestWebhook { webhook_id: webhook_id.into(), event: None })
    }

    /// List what was sent to a webhook or waits, newest first.
    ///
    /// Kept for 30 days. A short page is not the end.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.webhooks().deliveries("wh_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn deliveries(&self, webhook_id: impl Into<WebhookId>) -> Call<ListWebhookDeliveries> {
        let request = ListWebhookDeliveries {
            webhook_id: webhook_id.into(),
            state: None,
            event: None,
            since: None,
            until: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// Read a delivery with its body and its attempts.
    ///
    /// The body is there as long as the event is kept.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let delivery = svc.webhooks().delivery("wh_01", "dlv_01").await?.delivery;
    /// # Ok(()) }
    /// ```
    pub fn delivery(
        &self,
        webhook_id: impl Into<WebhookId>,
        delivery_id: impl Into<DeliveryId>,
    ) -> Call<GetWebhookDelivery> {
        let request =
            GetWebhookDelivery { webhook_id: webhook_id.into(), delivery_id: delivery_id.into() };
        self.0.send(&request)
    }

    /// Send an event again, as a delivery of its own.
    ///
    /// `X-Webhook-Id` stays the same. While the webhook is disabled the delivery is held.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().redeliver("wh_01", "dlv_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `EventExpired`.
    pub fn redeliver(
        &self,
        webhook_id: impl Into<WebhookId>,
        delivery_id: impl Into<DeliveryId>,
    ) -> Call<RedeliverWebhook> {
        let request =
            RedeliverWebhook { webhook_id: webhook_id.into(), delivery_id: delivery_id.into() };
        self.0.send(&request)
    }

    /// Send again what was not delivered in a span of time.
    ///
    /// Done in the background, oldest event first; the answer tells how many were found. Takes
    /// events whose latest delivery is in one of `states`, of the kinds the webhook lists now, as
    /// far back as events are kept. What waits already is not queued twice. At most 10 recoveries
    /// of a webhook go on at once.
    ///
    /// ```no_run
    /// # use svc_client::types::Timestamp;
    /// # async fn show(svc: svc_client::Client, since: Timestamp) -> svc_client::Result<()> {
    /// svc.webhooks().recover("wh_01", since).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `LimitReached`.
    pub fn recover(
        &self,
        webhook_id: impl Into<WebhookId>,
        since: Timestamp,
    ) -> Call<RecoverWebhook> {
        let request = RecoverWebhook {
            webhook_id: webhook_id.into(),
            since,
            until: None,
            states: None,
            dry_run: None,
        };
        self.0.send(&request)
    }

    /// Read how far a recovery is.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let recovery = svc.webhooks().recovery("wh_01", "rcv_01").await?.recovery;
    /// # Ok(()) }
    /// ```
    pub fn recovery(
        &self,
        webhook_id: impl Into<WebhookId>,
        recovery_id: impl Into<RecoveryId>,
    ) -> Call<GetWebhookRecovery> {
        let request =
            GetWebhookRecovery { webhook_id: webhook_id.into(), recovery_id: recovery_id.into() };
        self.0.send(&request)
    }

    /// Read how deliveries of a webhook fare.
    ///
    /// Taken from the newest 10,000 deliveries of each window, times from the newest 1000; tests
    /// do not count.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let stats = svc.webhooks().stats("wh_01").await?.stats;
    /// # Ok(()) }
    /// ```
    pub fn stats(&self, webhook_id: impl Into<WebhookId>) -> Call<GetWebhookStats> {
        self.0.send(&GetWebhookStats { webhook_id: webhook_id.into() })
    }
}

impl Call<CreateWebhook> {
    /// Which events; when left out `follow`, `like`, `repost`, `reply`, `mention` and
    /// `direct_message`.
    ///
    /// ```
    /// # use svc_client::types::api::webhooks::WebhookKind;
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks()
    ///     .create("https://hooks.example.org/svc")
    ///     .events([WebhookKind::Mention, WebhookKind::Escrow]);
    /// # }
    /// ```
    pub fn events(mut self, events: impl IntoIterator<Item = WebhookKind>) -> Self {
        self.request.events = Some(events.into_iter().collect());
        self
    }

    /// What it is for.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks().create("https://hooks.example.org/svc").description("tells the pager");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<Text<0, 200>>) -> Self {
        self.request.description = Some(description.into());
        self
    }
}

impl Call<ListWebhooks> {
    /// Items per page.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<UpdateWebhook> {
    /// Where events are sent from now on, what waits included.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks().update("wh_01").url("https://hooks.example.org/other");
    /// # }
    /// ```
    pub fn url(mut self, url: impl Into<WebhookUrl>) -> Self {
        self.request.url = Some(url.into());
        self
    }

    /// Which events from now on.
    ///
    /// ```
    /// # use svc_client::types::api::webhooks::WebhookKind;
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks().update("wh_01").events([WebhookKind::Reply]);
    /// # }
    /// ```
    pub fn events(mut self, events: impl IntoIterator<Item = WebhookKind>) -> Self {
        self.request.events = Some(events.into_iter().collect());
        self
    }

    /// What it is for.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks().update("wh_01").description("");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<Text<0, 200>>) -> Self {
        self.request.description = Some(description.into());
        self
    }
}

impl Call<RotateWebhookSecret> {
    /// Seconds until the old secret ends, at most 7 days; 86400 when left out.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks().rotate_secret("wh_01").overlap_seconds(3600);
    /// # }
    /// ```
    pub fn overlap_seconds(mut self, overlap_seconds: u32) -> Self {
        self.request.overlap_seconds = Some(overlap_seconds.into());
        self
    }
}

impl Call<TestWebhook> {
    /// The kind of the sample; `mention` when left out.
    ///
    /// ```
    /// # use svc_client::types::api::webhooks::WebhookKind;
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks().test("wh_01").event(WebhookKind::Like);
    /// # }
    /// ```
    pub fn event(mut self, event: WebhookKind) -> Self {
        self.request.event = Some(event);
        self
    }
}

impl Call<ListWebhookDeliveries> {
    /// Only those in this state.
    ///
    /// ```
    /// # use svc_client::types::api::webhooks::DeliveryState;
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks().deliveries("wh_01").state(DeliveryState::Failed);
    /// # }
    /// ```
    pub fn state(mut self, state: DeliveryState) -> Self {
        self.request.state = Some(state);
        self
    }

    /// Only those of events of this kind.
    ///
    /// ```
    /// # use svc_client::types::api::webhooks::WebhookKind;
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks().deliveries("wh_01").event(WebhookKind::DirectMessage);
    /// # }
    /// ```
    pub fn event(mut self, event: WebhookKind) -> Self {
        self.request.event = Some(event);
        self
    }

    /// Only those made at this instant or later.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, since: Timestamp) {
    /// svc.webhooks().deliveries("wh_01").since(since);
    /// # }
    /// ```
    pub fn since(mut self, since: Timestamp) -> Self {
        self.request.since = Some(since);
        self
    }

    /// Only those made before this instant.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, until: Timestamp) {
    /// svc.webhooks().deliveries("wh_01").until(until);
    /// # }
    /// ```
    pub fn until(mut self, until: Timestamp) -> Self {
        self.request.until = Some(until);
        self
    }

    /// Items per page.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.webhooks().deliveries("wh_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<RecoverWebhook> {
    /// Events up to this instant; up to now when left out.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, since: Timestamp, until: Timestamp) {
    /// svc.webhooks().recover("wh_01", since).until(until);
    /// # }
    /// ```
    pub fn until(mut self, until: Timestamp) -> Self {
        self.request.until = Some(until);
        self
    }

    /// What became of them so far; all of these when left out.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # use svc_client::types::api::webhooks::RecoverableState;
    /// # fn show(svc: svc_client::Client, since: Timestamp) {
    /// svc.webhooks().recover("wh_01", since).states([RecoverableState::Cancelled]);
    /// # }
    /// ```
    pub fn states(mut self, states: impl IntoIterator<Item = RecoverableState>) -> Self {
        self.request.states = Some(states.into_iter().collect());
        self
    }

    /// Only count; false when left out.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, since: Timestamp) {
    /// svc.webhooks().recover("wh_01", since).dry_run(true);
    /// # }
    /// ```
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.request.dry_run = Some(dry_run);
        self
    }
}
