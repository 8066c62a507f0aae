//! Lists of accounts.

use svc_types::api::lists::{
    AddListMembers, CreateList, DeleteList, GetList, ListListMembers, ListListPosts, ListLists,
    ListVisibility, RemoveListMember, RepliesPolicy, UpdateList,
};
use svc_types::{Handle, ListId, Text};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Lists of accounts, each with a feed of its own.
    Lists by lists
}

impl Lists<'_> {
    /// Makes a list; it is private unless said otherwise.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.lists().create("Counters").await?.list.id);
    /// # Ok(()) }
    /// ```
    pub fn create(&self, name: impl Into<Text<1, 64>>) -> Call<CreateList> {
        self.0.send(&CreateList {
            name: name.into(),
            description: None,
            visibility: None,
            exclusive: None,
            replies_policy: None,
        })
    }

    /// Lists one's own lists, newest first; with an owner, that one's public ones.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let mine = svc.lists().list().page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListLists> {
        self.0.send(&ListLists { owner: None, limit: None, cursor: None })
    }

    /// Reads a list.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.lists().get("lst_01").await?.list.name);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, id: impl Into<ListId>) -> Call<GetList> {
        self.0.send(&GetList { list_id: id.into() })
    }

    /// Changes one's own list; members that are not named stay as they are.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.lists().update("lst_01").name("Writers").await?;
    /// # Ok(()) }
    /// ```
    pub fn update(&self, id: impl Into<ListId>) -> Call<UpdateList> {
        self.0.send(&UpdateList {
            list_id: id.into(),
            name: None,
            description: None,
            visibility: None,
            exclusive: None,
            replies_policy: None,
        })
    }

    /// Deletes one's own list.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.lists().delete("lst_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, id: impl Into<ListId>) -> Call<DeleteList> {
        self.0.send(&DeleteList { list_id: id.into() })
    }

    /// Lists the members of a list.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let members = svc.lists().members("lst_01").page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn members(&self, id: impl Into<ListId>) -> Call<ListListMembers> {
        self.0.send(&ListListMembers { list_id: id.into(), limit: None, cursor: None })
    }

    /// Adds accounts to one's own list, all of them or none.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.lists().add("lst_01", ["ada", "bob"]).await?;
    /// # Ok(()) }
    /// ```
    pub fn add(
        &self,
        id: impl Into<ListId>,
        usernames: impl IntoIterator<Item = impl Into<Handle>>,
    ) -> Call<AddListMembers> {
        let usernames = usernames.into_iter().map(Into::into).collect();
        self.0.send(&AddListMembers { list_id: id.into(), usernames })
    }

    /// Takes an account off one's own list.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.lists().remove("lst_01", "bob").await?;
    /// # Ok(()) }
    /// ```
    pub fn remove(
        &self,
        id: impl Into<ListId>,
        username: impl Into<Handle>,
    ) -> Call<RemoveListMember> {
        self.0.send(&RemoveListMember { list_id: id.into(), username: username.into() })
    }

    /// Lists the posts of a list's members, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let posts = svc.lists().feed("lst_01").page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn feed(&self, id: impl Into<ListId>) -> Call<ListListPosts> {
        self.0.send(&ListListPosts { list_id: id.into(), limit: None, cursor: None })
    }
}

optional! {
    CreateList {
        /// What it is about.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().create("Counters").description("who counts words");
        /// # }
        /// ```
        description(impl Into<Text<0, 500>>) => description;
        /// Who may read it.
        ///
        /// ```
        /// # use svc_client::types::api::lists::ListVisibility;
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().create("Counters").visibility(ListVisibility::Public);
        /// # }
        /// ```
        visibility(ListVisibility) => visibility;
        /// Whether its members leave the home feed.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().create("Counters").exclusive(true);
        /// # }
        /// ```
        exclusive(bool) => exclusive;
        /// Which replies its feed holds.
        ///
        /// ```
        /// # use svc_client::types::api::lists::RepliesPolicy;
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().create("Counters").replies_policy(RepliesPolicy::None);
        /// # }
        /// ```
        replies_policy(RepliesPolicy) => replies_policy;
    }
    UpdateList {
        /// What it is called from now on.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().update("lst_01").name("Writers");
        /// # }
        /// ```
        name(impl Into<Text<1, 64>>) => name;
        /// What it is about; empty for nothing.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().update("lst_01").description("");
        /// # }
        /// ```
        description(impl Into<Text<0, 500>>) => description;
        /// Who may read it.
        ///
        /// ```
        /// # use svc_client::types::api::lists::ListVisibility;
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().update("lst_01").visibility(ListVisibility::Private);
        /// # }
        /// ```
        visibility(ListVisibility) => visibility;
        /// Whether its members leave the home feed.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().update("lst_01").exclusive(false);
        /// # }
        /// ```
        exclusive(bool) => exclusive;
        /// Which replies its feed holds.
        ///
        /// ```
        /// # use svc_client::types::api::lists::RepliesPolicy;
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().update("lst_01").replies_policy(RepliesPolicy::All);
        /// # }
        /// ```
        replies_policy(RepliesPolicy) => replies_policy;
    }
    ListLists {
        /// Whose public lists.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().list().owner("ada");
        /// # }
        /// ```
        owner(impl Into<Handle>) => owner;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().list().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListListMembers {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().members("lst_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListListPosts {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.lists().feed("lst_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
