//! Webhooks: what happens to the account is sent to an address of its own.

use svc_types::api::webhooks::{
    CreateWebhook, DeleteWebhook, DeliveryState, DisableWebhook, EnableWebhook, GetWebhook,
    GetWebhookDelivery, GetWebhookRecovery, GetWebhookStats, ListWebhookDeliveries, ListWebhooks,
    PromoteWebhookSecret, RecoverWebhook, RecoverableState, RedeliverWebhook, RotateWebhookSecret,
    TestWebhook, UpdateWebhook, WebhookKind, WebhookUrl,
};
use svc_types::{DeliveryId, RecoveryId, Text, Timestamp, WebhookId};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Webhooks: what happens to the account is sent to an address of its own.
    Webhooks by webhooks
}

impl Webhooks<'_> {
    /// Makes a webhook. The answer holds its secret, which is shown this once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let made = svc.webhooks().create("https://bot.example.org/hook").await?;
    /// println!("{} is signed with {}", made.webhook.id, made.secret.expose());
    /// # Ok(()) }
    /// ```
    pub fn create(&self, url: impl Into<WebhookUrl>) -> Call<CreateWebhook> {
        self.0.send(&CreateWebhook { url: url.into(), events: None, description: None })
    }

    /// Lists one's own webhooks, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for webhook in svc.webhooks().list().page().await?.items {
    ///     println!("{} {}", webhook.url, webhook.status);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListWebhooks> {
        self.0.send(&ListWebhooks { limit: None, cursor: None })
    }

    /// Reads a webhook.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} wait", svc.webhooks().get("wh_01").await?.webhook.pending_count);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, id: impl Into<WebhookId>) -> Call<GetWebhook> {
        self.0.send(&GetWebhook { webhook_id: id.into() })
    }

    /// Changes a webhook; members that are not named stay as they are.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().update("wh_01").url("https://bot.example.org/other").await?;
    /// # Ok(()) }
    /// ```
    pub fn update(&self, id: impl Into<WebhookId>) -> Call<UpdateWebhook> {
        let webhook_id = id.into();
        self.0.send(&UpdateWebhook { webhook_id, url: None, events: None, description: None })
    }

    /// Deletes a webhook; what waits is cancelled.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().delete("wh_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, id: impl Into<WebhookId>) -> Call<DeleteWebhook> {
        self.0.send(&DeleteWebhook { webhook_id: id.into() })
    }

    /// Lets a webhook be called again; what was held for less than 72 hours is sent.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().enable("wh_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn enable(&self, id: impl Into<WebhookId>) -> Call<EnableWebhook> {
        self.0.send(&EnableWebhook { webhook_id: id.into() })
    }

    /// Stops calling a webhook; what waits is held.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().disable("wh_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn disable(&self, id: impl Into<WebhookId>) -> Call<DisableWebhook> {
        self.0.send(&DisableWebhook { webhook_id: id.into() })
    }

    /// Gives a webhook a new secret, which is shown this once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let rotated = svc.webhooks().rotate_secret("wh_01").overlap_seconds(3600).await?;
    /// println!("{}", rotated.secret.expose());
    /// # Ok(()) }
    /// ```
    pub fn rotate_secret(&self, id: impl Into<WebhookId>) -> Call<RotateWebhookSecret> {
        self.0.send(&RotateWebhookSecret { webhook_id: id.into(), overlap_seconds: None })
    }

    /// Signs with the new secret from now on, once all receivers know it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().promote_secret("wh_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn promote_secret(&self, id: impl Into<WebhookId>) -> Call<PromoteWebhookSecret> {
        self.0.send(&PromoteWebhookSecret { webhook_id: id.into() })
    }

    /// Calls a webhook with a sample event, once; the answer tells how it went.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.webhooks().test("wh_01").await?.delivery.state);
    /// # Ok(()) }
    /// ```
    pub fn test(&self, id: impl Into<WebhookId>) -> Call<TestWebhook> {
        self.0.send(&TestWebhook { webhook_id: id.into(), event: None })
    }

    /// Lists what was sent to a webhook or waits, newest first.
    ///
    /// ```no_run
    /// # use svc_client::types::api::webhooks::DeliveryState;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let failed = svc.webhooks().deliveries("wh_01").state(DeliveryState::Failed);
    /// for delivery in failed.page().await?.items {
    ///     println!("{} {}", delivery.id, delivery.event);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn deliveries(&self, id: impl Into<WebhookId>) -> Call<ListWebhookDeliveries> {
        self.0.send(&ListWebhookDeliveries {
            webhook_id: id.into(),
            state: None,
            event: None,
            since: None,
            until: None,
            limit: None,
            cursor: None,
        })
    }

    /// Reads a delivery with its body and its attempts.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let delivery = svc.webhooks().delivery("wh_01", "dlv_01").await?.delivery;
    /// for attempt in delivery.attempts.unwrap_or_default() {
    ///     println!("{} {} {:?}", attempt.n, attempt.outcome, attempt.http_status);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn delivery(
        &self,
        id: impl Into<WebhookId>,
        delivery: impl Into<DeliveryId>,
    ) -> Call<GetWebhookDelivery> {
        self.0.send(&GetWebhookDelivery { webhook_id: id.into(), delivery_id: delivery.into() })
    }

    /// Sends an event again, as a delivery of its own.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.webhooks().redeliver("wh_01", "dlv_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn redeliver(
        &self,
        id: impl Into<WebhookId>,
        delivery: impl Into<DeliveryId>,
    ) -> Call<RedeliverWebhook> {
        self.0.send(&RedeliverWebhook { webhook_id: id.into(), delivery_id: delivery.into() })
    }

    /// Sends again what was not delivered since an instant.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let since = "2026-01-31T09:30:00Z".parse().expect("a time");
    /// let recovery = svc.webhooks().recover("wh_01", since).await?.recovery;
    /// println!("{} events", recovery.matched);
    /// # Ok(()) }
    /// ```
    pub fn recover(&self, id: impl Into<WebhookId>, since: Timestamp) -> Call<RecoverWebhook> {
        self.0.send(&RecoverWebhook {
            webhook_id: id.into(),
            since,
            until: None,
            states: None,
            dry_run: None,
        })
    }

    /// Reads how far a recovery is.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let recovery = svc.webhooks().recovery("wh_01", "rcv_01").await?.recovery;
    /// println!("{} of {}: {}", recovery.queued, recovery.matched, recovery.status);
    /// # Ok(()) }
    /// ```
    pub fn recovery(
        &self,
        id: impl Into<WebhookId>,
        recovery: impl Into<RecoveryId>,
    ) -> Call<GetWebhookRecovery> {
        self.0.send(&GetWebhookRecovery { webhook_id: id.into(), recovery_id: recovery.into() })
    }

    /// Reads how deliveries of a webhook fare.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{:?}", svc.webhooks().stats("wh_01").await?.stats.day.success_rate);
    /// # Ok(()) }
    /// ```
    pub fn stats(&self, id: impl Into<WebhookId>) -> Call<GetWebhookStats> {
        self.0.send(&GetWebhookStats { webhook_id: id.into() })
    }
}

optional! {
    CreateWebhook {
        /// Which events; the six of spec §6.1 when not named.
        ///
        /// ```
        /// # use svc_client::types::api::webhooks::WebhookKind;
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().create("https://bot.example.org").events([WebhookKind::Escrow]);
        /// # }
        /// ```
        events(impl Into<Vec<WebhookKind>>) => events;
        /// What it is for.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().create("https://bot.example.org").description("the pager");
        /// # }
        /// ```
        description(impl Into<Text<0, 200>>) => description;
    }
    ListWebhooks {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().list().limit(2);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    UpdateWebhook {
        /// Where events are sent from now on.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().update("wh_01").url("https://bot.example.org/other");
        /// # }
        /// ```
        url(impl Into<WebhookUrl>) => url;
        /// Which events from now on.
        ///
        /// ```
        /// # use svc_client::types::api::webhooks::WebhookKind;
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().update("wh_01").events([WebhookKind::Mention, WebhookKind::Reply]);
        /// # }
        /// ```
        events(impl Into<Vec<WebhookKind>>) => events;
        /// What it is for; empty removes it.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().update("wh_01").description("");
        /// # }
        /// ```
        description(impl Into<Text<0, 200>>) => description;
    }
    RotateWebhookSecret {
        /// Seconds until the old secret ends, at most 7 days; 0 ends it at once.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().rotate_secret("wh_01").overlap_seconds(0);
        /// # }
        /// ```
        overlap_seconds(u32) => overlap_seconds;
    }
    TestWebhook {
        /// The kind of the sample; a mention when not named.
        ///
        /// ```
        /// # use svc_client::types::api::webhooks::WebhookKind;
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().test("wh_01").event(WebhookKind::Like);
        /// # }
        /// ```
        event(WebhookKind) => event;
    }
    ListWebhookDeliveries {
        /// Only those in this state.
        ///
        /// ```
        /// # use svc_client::types::api::webhooks::DeliveryState;
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().deliveries("wh_01").state(DeliveryState::Held);
        /// # }
        /// ```
        state(DeliveryState) => state;
        /// Only those of events of this kind.
        ///
        /// ```
        /// # use svc_client::types::api::webhooks::WebhookKind;
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().deliveries("wh_01").event(WebhookKind::Mention);
        /// # }
        /// ```
        event(WebhookKind) => event;
        /// Only those made at this instant or later.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.webhooks().deliveries("wh_01").since(at);
        /// # }
        /// ```
        since(Timestamp) => since;
        /// Only those made before this instant.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.webhooks().deliveries("wh_01").until(at);
        /// # }
        /// ```
        until(Timestamp) => until;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.webhooks().deliveries("wh_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    RecoverWebhook {
        /// Events up to this instant; up to now when not named.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.webhooks().recover("wh_01", at).until(at);
        /// # }
        /// ```
        until(Timestamp) => until;
        /// What became of them so far; anything but delivered when not named.
        ///
        /// ```
        /// # use svc_client::types::api::webhooks::RecoverableState;
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.webhooks().recover("wh_01", at).states([RecoverableState::Failed]);
        /// # }
        /// ```
        states(impl Into<Vec<RecoverableState>>) => states;
        /// Only count.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.webhooks().recover("wh_01", at).dry_run(true);
        /// # }
        /// ```
        dry_run(bool) => dry_run;
    }
}
