//! Marks notifications as read, and changes preferences.

use svc_types::api::notifications::{
    ChannelsUpdate, NotificationType, NotifyFrom, PreferencesUpdate, ReadNotifications,
    UpdatePreferences,
};
use svc_types::{NotificationId, PostId};

use crate::{Call, Notifications};

impl Notifications<'_> {
    /// Marks 1 to 100 notifications as read.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.notifications().read_all_of(["ntf_01", "ntf_02"]).await?;
    /// # Ok(()) }
    /// ```
    pub fn read_all_of<I>(&self, ids: I) -> Call<ReadNotifications>
    where
        I: IntoIterator<Item: Into<NotificationId>>,
    {
        let ids = ids.into_iter().map(Into::into).collect();
        self.0.send(&ReadNotifications { ids: Some(ids), ..EMPTY })
    }

    /// Marks a notification and all before it as read.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.notifications().read_up_to("ntf_02").await?;
    /// # Ok(()) }
    /// ```
    pub fn read_up_to(&self, id: impl Into<NotificationId>) -> Call<ReadNotifications> {
        self.0.send(&ReadNotifications { up_to: Some(id.into()), ..EMPTY })
    }

    /// Marks all notifications about a post as read.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.notifications().read_of_post("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn read_of_post(&self, id: impl Into<PostId>) -> Call<ReadNotifications> {
        self.0.send(&ReadNotifications { post_id: Some(id.into()), ..EMPTY })
    }

    /// Marks all notifications as read.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} were new", svc.notifications().read_all().await?.marked);
    /// # Ok(()) }
    /// ```
    pub fn read_all(&self) -> Call<ReadNotifications> {
        self.0.send(&ReadNotifications { all: Some(true), ..EMPTY })
    }

    /// Changes your preferences; members that are not set keep their value.
    ///
    /// ```no_run
    /// # use svc_client::types::api::notifications::{ChannelsUpdate, NotificationType};
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let quiet = ChannelsUpdate { in_app: Some(false), ..Default::default() };
    /// svc.notifications().set_preferences().of(NotificationType::Like, quiet).await?;
    /// # Ok(()) }
    /// ```
    pub fn set_preferences(&self) -> Call<UpdatePreferences> {
        self.0.send(&UpdatePreferences { preferences: PreferencesUpdate::default() })
    }
}

const EMPTY: ReadNotifications =
    ReadNotifications { ids: None, up_to: None, post_id: None, all: None };

impl Call<UpdatePreferences> {
    /// Sets the channels of a notification type.
    ///
    /// ```
    /// # use svc_client::types::api::notifications::{ChannelsUpdate, NotificationType};
    /// # fn show(svc: svc_client::Client) {
    /// let quiet = ChannelsUpdate { webhook: Some(false), ..Default::default() };
    /// svc.notifications().set_preferences().of(NotificationType::Repost, quiet);
    /// # }
    /// ```
    #[expect(
        clippy::needless_pass_by_value,
        reason = "an enum value is passed like any other argument"
    )]
    pub fn of(mut self, kind: NotificationType, channels: ChannelsUpdate) -> Self {
        let types = self.request.preferences.types.get_or_insert_default();
        types.insert(kind.to_string(), channels);
        self
    }

    /// Sets whose actions notify you.
    ///
    /// ```
    /// # use svc_client::types::api::notifications::NotifyFrom;
    /// # fn show(svc: svc_client::Client) {
    /// svc.notifications().set_preferences().from(NotifyFrom::Following);
    /// # }
    /// ```
    pub fn from(mut self, from: NotifyFrom) -> Self {
        self.request.preferences.from = Some(from);
        self
    }
}
