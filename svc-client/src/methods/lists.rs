//! `lists`: written by `cargo document`; do not edit.

use svc_types::api::lists::{
    AddListMembers, CreateList, DeleteList, GetList, ListListMembers, ListListPosts, ListLists,
    ListVisibility, RemoveListMember, RepliesPolicy, UpdateList,
};
use svc_types::api::posts::PostInclude;
use svc_types::{CommaList, Handle, ListId, Text};

use crate::{Call, Lists};

impl Lists<'_> {
    /// Create a list.
    ///
    /// You can have at most 100 lists.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.lists().create("Counters").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `LimitReached`.
    pub fn create(&self, name: impl Into<Text<1, 64>>) -> Call<CreateList> {
        let request = CreateList {
            name: name.into(),
            description: None,
            visibility: None,
            exclusive: None,
            replies_policy: None,
        };
        self.0.send(&request)
    }

    /// List your lists, or the public lists of an account, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.lists().list().page().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Unauthorized`, `InsufficientScope`, `NotFound`.
    pub fn list(&self) -> Call<ListLists> {
        self.0.send(&ListLists { owner: None, limit: None, cursor: None })
    }

    /// Get a list.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let list = svc.lists().get("lst_01").await?.list;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, list_id: impl Into<ListId>) -> Call<GetList> {
        self.0.send(&GetList { list_id: list_id.into() })
    }

    /// Update your list.
    ///
    /// Omitted values do not change; an empty `description` removes it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.lists().update("lst_01").name("Writers").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `Forbidden`.
    pub fn update(&self, list_id: impl Into<ListId>) -> Call<UpdateList> {
        let request = UpdateList {
            list_id: list_id.into(),
            name: None,
            description: None,
            visibility: None,
            exclusive: None,
            replies_policy: None,
        };
        self.0.send(&request)
    }

    /// Delete your list.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.lists().delete("lst_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn delete(&self, list_id: impl Into<ListId>) -> Call<DeleteList> {
        self.0.send(&DeleteList { list_id: list_id.into() })
    }

    /// List the members of a list.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.lists().members("lst_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn members(&self, list_id: impl Into<ListId>) -> Call<ListListMembers> {
        self.0.send(&ListListMembers { list_id: list_id.into(), limit: None, cursor: None })
    }

    /// Add accounts to your list.
    ///
    /// Either all are added or none. Existing members stay, and no one is notified. A list has at
    /// most 1000 members.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.lists().add("lst_01", ["bob"]).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `Blocked`, `LimitReached`.
    pub fn add(
        &self,
        list_id: impl Into<ListId>,
        usernames: impl IntoIterator<Item = impl Into<Handle>>,
    ) -> Call<AddListMembers> {
        let request = AddListMembers {
            list_id: list_id.into(),
            usernames: usernames.into_iter().map(Into::into).collect(),
        };
        self.0.send(&request)
    }

    /// Remove an account from your list.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.lists().remove("lst_01", "bob").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn remove(
        &self,
        list_id: impl Into<ListId>,
        username: impl Into<Handle>,
    ) -> Call<RemoveListMember> {
        self.0.send(&RemoveListMember { list_id: list_id.into(), username: username.into() })
    }

    /// List the posts of a list's members, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.lists().feed("lst_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn feed(&self, list_id: impl Into<ListId>) -> Call<ListListPosts> {
        let request =
            ListListPosts { list_id: list_id.into(), include: None, limit: None, cursor: None };
        self.0.send(&request)
    }
}

impl Call<CreateList> {
    /// What the list is about.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().create("Counters").description("who counts words");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<Text<0, 500>>) -> Self {
        self.request.description = Some(description.into());
        self
    }

    /// Who may read it; `private` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::lists::ListVisibility;
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().create("Counters").visibility(ListVisibility::Public);
    /// # }
    /// ```
    pub fn visibility(mut self, visibility: ListVisibility) -> Self {
        self.request.visibility = Some(visibility);
        self
    }

    /// Whether to remove its members from your home feed; `false` when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().create("Counters").exclusive(true);
    /// # }
    /// ```
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.request.exclusive = Some(exclusive);
        self
    }

    /// Which replies its feed contains; `members` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::lists::RepliesPolicy;
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().create("Counters").replies_policy(RepliesPolicy::All);
    /// # }
    /// ```
    pub fn replies_policy(mut self, replies_policy: RepliesPolicy) -> Self {
        self.request.replies_policy = Some(replies_policy);
        self
    }
}

impl Call<ListLists> {
    /// Account whose public lists are returned. When omitted: all your lists, including private
    /// ones.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().list().owner("bob");
    /// # }
    /// ```
    pub fn owner(mut self, owner: impl Into<Handle>) -> Self {
        self.request.owner = Some(owner.into());
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<UpdateList> {
    /// Name of the list.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().update("lst_01").name("Writers");
    /// # }
    /// ```
    pub fn name(mut self, name: impl Into<Text<1, 64>>) -> Self {
        self.request.name = Some(name.into());
        self
    }

    /// What the list is about.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().update("lst_01").description("");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<Text<0, 500>>) -> Self {
        self.request.description = Some(description.into());
        self
    }

    /// Who may read it.
    ///
    /// ```
    /// # use svc_client::types::api::lists::ListVisibility;
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().update("lst_01").visibility(ListVisibility::Private);
    /// # }
    /// ```
    pub fn visibility(mut self, visibility: ListVisibility) -> Self {
        self.request.visibility = Some(visibility);
        self
    }

    /// Whether to remove its members from your home feed.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().update("lst_01").exclusive(false);
    /// # }
    /// ```
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.request.exclusive = Some(exclusive);
        self
    }

    /// Which replies its feed contains.
    ///
    /// ```
    /// # use svc_client::types::api::lists::RepliesPolicy;
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().update("lst_01").replies_policy(RepliesPolicy::None);
    /// # }
    /// ```
    pub fn replies_policy(mut self, replies_policy: RepliesPolicy) -> Self {
        self.request.replies_policy = Some(replies_policy);
        self
    }
}

impl Call<ListListMembers> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().members("lst_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListListPosts> {
    /// What to add to each post: `html`, its text as HTML.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().feed("lst_01").include([PostInclude::Html]);
    /// # }
    /// ```
    pub fn include(mut self, include: impl IntoIterator<Item = PostInclude>) -> Self {
        self.request.include = Some(CommaList(include.into_iter().collect()));
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.lists().feed("lst_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
