//! `notifications`: written by `cargo document`; do not edit.

use svc_types::api::notifications::{
    CountUnreadNotifications, DeleteNotification, GetNotification, GetPreferences,
    ListNotifications, NotificationType, ReadNotification,
};
use svc_types::{CommaList, NotificationId};

use crate::{Call, Notifications};

impl Notifications<'_> {
    /// List your notifications, newest first.
    ///
    /// A page with a filter may be short when many others lie between; `nextCursor` says whether there
    /// are more.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.notifications().list().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListNotifications> {
        let request = ListNotifications {
            types: None,
            exclude_types: None,
            unread: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// Get the number of unread notifications.
    ///
    /// Counts are exact up to 1000.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.notifications().unread_count().await?;
    /// # Ok(()) }
    /// ```
    pub fn unread_count(&self) -> Call<CountUnreadNotifications> {
        self.0.send(&CountUnreadNotifications { types: None })
    }

    /// Get your notification preferences.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let preferences = svc.notifications().preferences().await?.preferences;
    /// # Ok(()) }
    /// ```
    pub fn preferences(&self) -> Call<GetPreferences> {
        self.0.send(&GetPreferences {})
    }

    /// Get a notification.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let notification = svc.notifications().get("ntf_01").await?.notification;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, notification_id: impl Into<NotificationId>) -> Call<GetNotification> {
        self.0.send(&GetNotification { notification_id: notification_id.into() })
    }

    /// Delete a notification.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.notifications().delete("ntf_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, notification_id: impl Into<NotificationId>) -> Call<DeleteNotification> {
        self.0.send(&DeleteNotification { notification_id: notification_id.into() })
    }

    /// Mark a notification as read.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.notifications().read("ntf_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn read(&self, notification_id: impl Into<NotificationId>) -> Call<ReadNotification> {
        self.0.send(&ReadNotification { notification_id: notification_id.into() })
    }
}

impl Call<ListNotifications> {
    /// Only notifications of these types, such as `reply` and `mention`.
    ///
    /// ```
    /// # use svc_client::types::api::notifications::NotificationType;
    /// # fn show(svc: svc_client::Client) {
    /// svc.notifications().list().types([NotificationType::Like, NotificationType::DirectMessage]);
    /// # }
    /// ```
    pub fn types(mut self, types: impl IntoIterator<Item = NotificationType>) -> Self {
        self.request.types = Some(CommaList(types.into_iter().collect()));
        self
    }

    /// All notifications except these types.
    ///
    /// ```
    /// # use svc_client::types::api::notifications::NotificationType;
    /// # fn show(svc: svc_client::Client) {
    /// svc.notifications().list().exclude_types([NotificationType::Follow]);
    /// # }
    /// ```
    pub fn exclude_types(
        mut self,
        exclude_types: impl IntoIterator<Item = NotificationType>,
    ) -> Self {
        self.request.exclude_types = Some(CommaList(exclude_types.into_iter().collect()));
        self
    }

    /// Only unread notifications.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.notifications().list().unread(true);
    /// # }
    /// ```
    pub fn unread(mut self, unread: bool) -> Self {
        self.request.unread = Some(unread);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.notifications().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<CountUnreadNotifications> {
    /// Only notifications of these types, such as `reply` and `mention`.
    ///
    /// ```
    /// # use svc_client::types::api::notifications::NotificationType;
    /// # fn show(svc: svc_client::Client) {
    /// svc.notifications().unread_count().types([NotificationType::Reply]);
    /// # }
    /// ```
    pub fn types(mut self, types: impl IntoIterator<Item = NotificationType>) -> Self {
        self.request.types = Some(CommaList(types.into_iter().collect()));
        self
    }
}
