//! Events: what happened to one's own account, to be caught up by number.

use svc_types::CommaList;
use svc_types::api::connect::{GetConnect, ListEvents};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Events: what happened to one's own account, to be caught up by number.
    Events by events
}

impl Events<'_> {
    /// Reads where to hear of events as they happen, over MQTT.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let connect = svc.events().connect().await?.connect;
    /// println!("{} as {}", connect.broker_url, connect.username);
    /// # Ok(()) }
    /// ```
    pub fn connect(&self) -> Call<GetConnect> {
        self.0.send(&GetConnect {})
    }

    /// Reads from the oldest event that is kept.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for event in svc.events().list().await?.events {
    ///     println!("{} {}", event.seq, event.event);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListEvents> {
        self.0.send(&ListEvents { after: None, types: None, limit: None })
    }

    /// Reads events with a larger number than the last one seen, oldest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client, mut seen: u64) -> svc_client::Result<()> {
    /// let page = svc.events().after(seen).await?;
    /// for event in &page.events {
    ///     seen = event.seq;
    /// }
    /// println!("{} to come", page.latest_seq - seen);
    /// # Ok(()) }
    /// ```
    pub fn after(&self, seen: u64) -> Call<ListEvents> {
        self.list().with(|request| request.after = Some(seen))
    }
}

optional! {
    ListEvents {
        /// Only events of these kinds.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.events().list().types(vec!["escrow".to_owned(), "service".to_owned()]);
        /// # }
        /// ```
        types(impl Into<CommaList<String>>) => types;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.events().after(41).limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
