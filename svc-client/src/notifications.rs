//! What accounts are told in the app.

use svc_types::api::notifications::{
    ChannelsUpdate, CountUnreadNotifications, DeleteNotification, GetNotification, GetPreferences,
    ListNotifications, NotificationType, NotifyFrom, PreferencesUpdate, ReadNotification,
    ReadNotifications, UpdatePreferences,
};
use svc_types::{NotificationId, PostId};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// What accounts are told in the app, and what they want to be told.
    Notifications by notifications
}

impl Notifications<'_> {
    /// Lists one's own notices, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let new = svc.notifications().list().unread(true).page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListNotifications> {
        self.0.send(&ListNotifications {
            types: None,
            exclude_types: None,
            unread: None,
            limit: None,
            cursor: None,
        })
    }

    /// Counts what is not read, exactly up to 1000.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} new", svc.notifications().unread_count().await?.unread_count);
    /// # Ok(()) }
    /// ```
    pub fn unread_count(&self) -> Call<CountUnreadNotifications> {
        self.0.send(&CountUnreadNotifications { types: None })
    }

    /// Reads a notice.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.notifications().get("ntf_01").await?.notification.r#type);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, id: impl Into<NotificationId>) -> Call<GetNotification> {
        self.0.send(&GetNotification { notification_id: id.into() })
    }

    /// Deletes a notice.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.notifications().delete("ntf_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, id: impl Into<NotificationId>) -> Call<DeleteNotification> {
        self.0.send(&DeleteNotification { notification_id: id.into() })
    }

    /// Marks a notice as read, and answers with it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.notifications().read("ntf_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn read(&self, id: impl Into<NotificationId>) -> Call<ReadNotification> {
        self.0.send(&ReadNotification { notification_id: id.into() })
    }

    /// Marks these notices as read, 1 to 100.
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
        self.0.send(&ReadNotifications { ids: Some(ids), ..NOTHING })
    }

    /// Marks a notice and all before it as read.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.notifications().read_up_to("ntf_02").await?;
    /// # Ok(()) }
    /// ```
    pub fn read_up_to(&self, id: impl Into<NotificationId>) -> Call<ReadNotifications> {
        self.0.send(&ReadNotifications { up_to: Some(id.into()), ..NOTHING })
    }

    /// Marks all notices about a post as read.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.notifications().read_of_post("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn read_of_post(&self, id: impl Into<PostId>) -> Call<ReadNotifications> {
        self.0.send(&ReadNotifications { post_id: Some(id.into()), ..NOTHING })
    }

    /// Marks all notices as read.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} were new", svc.notifications().read_all().await?.marked);
    /// # Ok(()) }
    /// ```
    pub fn read_all(&self) -> Call<ReadNotifications> {
        self.0.send(&ReadNotifications { all: Some(true), ..NOTHING })
    }

    /// Reads what one wants to be told.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{:?}", svc.notifications().preferences().await?.preferences.types["like"]);
    /// # Ok(()) }
    /// ```
    pub fn preferences(&self) -> Call<GetPreferences> {
        self.0.send(&GetPreferences {})
    }

    /// Changes what one wants to be told; what is not named stays.
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

const NOTHING: ReadNotifications =
    ReadNotifications { ids: None, up_to: None, post_id: None, all: None };

impl Call<UpdatePreferences> {
    /// The ways in which a type is told.
    ///
    /// ```
    /// # use svc_client::types::api::notifications::{ChannelsUpdate, NotificationType};
    /// # fn show(svc: svc_client::Client) {
    /// let quiet = ChannelsUpdate { webhook: Some(false), ..Default::default() };
    /// svc.notifications().set_preferences().of(NotificationType::Repost, quiet);
    /// # }
    /// ```
    #[expect(clippy::needless_pass_by_value, reason = "a word is given like any other argument")]
    pub fn of(mut self, kind: NotificationType, ways: ChannelsUpdate) -> Self {
        let types = self.request.preferences.types.get_or_insert_default();
        types.insert(kind.to_string(), ways);
        self
    }

    /// From whom notices come.
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

optional! {
    ListNotifications {
        /// Only notices of these types.
        ///
        /// ```
        /// # use svc_client::types::api::notifications::NotificationType;
        /// # fn show(svc: svc_client::Client) {
        /// svc.notifications().list().types(vec![NotificationType::Reply]);
        /// # }
        /// ```
        types(Vec<NotificationType>) => types;
        /// No notices of these types.
        ///
        /// ```
        /// # use svc_client::types::api::notifications::NotificationType;
        /// # fn show(svc: svc_client::Client) {
        /// svc.notifications().list().exclude_types(vec![NotificationType::Like]);
        /// # }
        /// ```
        exclude_types(Vec<NotificationType>) => exclude_types;
        /// Only those that are not read.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.notifications().list().unread(true);
        /// # }
        /// ```
        unread(bool) => unread;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.notifications().list().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    CountUnreadNotifications {
        /// Only notices of these types.
        ///
        /// ```
        /// # use svc_client::types::api::notifications::NotificationType;
        /// # fn show(svc: svc_client::Client) {
        /// svc.notifications().unread_count().types(vec![NotificationType::Escrow]);
        /// # }
        /// ```
        types(Vec<NotificationType>) => types;
    }
}
