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
    /// Create a webhook.
    ///
    /// Its secret is shown once. The URL must be https with a public host, without user and
    /// fragment. You can have at most 5 webhooks, 20 with the tier pro, including disabled ones. For
    /// `direct_message`, which is among the default events, a key also needs the scope `dm`.
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

    /// List your webhooks, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.webhooks().list().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListWebhooks> {
        self.0.send(&ListWebhooks { limit: None, cursor: None })
    }

    /// Get a webhook.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let webhook = svc.webhooks().get("wh_01").await?.webhook;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, webhook_id: impl Into<WebhookId>) -> Call<GetWebhook> {
        self.0.send(&GetWebhook { webhook_id: webhook_id.into() })
    }

    /// Update a webhook.
    ///
    /// Omitted values do not change; an empty `description` removes it. A new `url` resets the
    /// failure history. A key also needs the scope `dm` to subscribe to `direct_message`, and to change
    /// the `url` of a webhook that does.
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

    /// Delete a webhook.
    ///
    /// Waiting deliveries are cancelled.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().delete("wh_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, webhook_id: impl Into<WebhookId>) -> Call<DeleteWebhook> {
        self.0.send(&DeleteWebhook { webhook_id: webhook_id.into() })
    }

    /// Enable a webhook.
    ///
    /// Its failure history is reset. Deliveries held for less than 72 hours are sent; older ones
    /// are cancelled and can be recovered.
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

    /// Disable a webhook.
    ///
    /// Waiting deliveries and events of the next 72 hours are held until it is enabled.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().disable("wh_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn disable(&self, webhook_id: impl Into<WebhookId>) -> Call<DisableWebhook> {
        self.0.send(&DisableWebhook { webhook_id: webhook_id.into() })
    }

    /// Rotate the secret of a webhook.
    ///
    /// The new secret is shown once. Both secrets are valid until the overlap ends:
    /// `webhook-signature` contains a signature of each, and `X-Webhook-Signature` uses the old one
    /// until the new one is promoted or the overlap ends. An overlap of 0 ends the old secret at
    /// once, even during another overlap. For a webhook that receives `direct_message`, a key also
    /// needs the scope `dm`.
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

    /// Promote the new secret of a webhook.
    ///
    /// `X-Webhook-Signature` uses the new secret from now on. The old one stays valid in
    /// `webhook-signature` until the overlap ends.
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

    /// Test a webhook with a sample event.
    ///
    /// Works for disabled webhooks, too. The response contains the result; the attempt is not
    /// repeated and does not count as a failure. At most one test per 5 seconds.
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

    /// List the deliveries of a webhook, newest first.
    ///
    /// Deliveries are kept for 30 days by default. A short page is not necessarily the last.
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

    /// Get a delivery with its body and attempts.
    ///
    /// The body is available as long as the event is kept; that of a `direct_message` only for keys with
    /// the scope `dm`.
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

    /// Redeliver an event.
    ///
    /// Creates a new delivery with the same `X-Webhook-Id`. It is held while the webhook is
    /// disabled. For a `direct_message`, a key also needs the scope `dm`.
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

    /// Recover failed deliveries of a time range.
    ///
    /// Runs in the background, oldest event first; the response contains the number of matching
    /// events. Includes events whose latest delivery is in one of `states` and whose kind the
    /// webhook subscribes to and your preferences allow now, as far back as events are kept. Waiting
    /// deliveries are not queued twice. At most 10 recoveries of a webhook run at once.
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

    /// Get the progress of a recovery.
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

    /// Get the statistics of a webhook.
    ///
    /// Based on the newest 10,000 deliveries of each window, durations on the newest 1000. Tests do
    /// not count.
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
    /// Kinds of events. When omitted: `follow`, `like`, `repost`, `reply`, `mention` and
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

    /// Description of the webhook.
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
    /// Page size: 1 to 100, 20 when omitted.
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
    /// URL that receives the events, including those that are waiting.
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

    /// Kinds of events. Waiting deliveries of other kinds are cancelled when they are due.
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

    /// Description of the webhook.
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
    /// Seconds until the old secret ends, at most 7 days; 86400 when omitted.
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
    /// Kind of the sample event; `mention` when omitted.
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
    /// Only deliveries in this state.
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

    /// Only deliveries of this kind of event.
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

    /// Only deliveries created at this time or later.
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

    /// Only deliveries created before this time.
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

    /// Page size: 1 to 100, 20 when omitted.
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
    /// End of the time range; now when omitted.
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

    /// States of the latest delivery; all of these when omitted.
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

    /// Only count the events; `false` when omitted.
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
