//! Lists of accounts, each with its own feed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use super::posts::{Post, PostInclude, PostPage};
use super::users::{User, UserPage, UserRef};
use crate::endpoints;
use crate::id::ListId;
use crate::page::{Cursor, Limit, paged};
use crate::text::{CommaList, Text, words};
use crate::time::Timestamp;
use crate::username::Handle;

/// Maximum number of accounts added to a list at once.
pub const LIST_MEMBERS_AT_ONCE: usize = 100;

endpoints! {
    /// Create a list.
    ///
    /// You can have at most 100 lists.
    POST "/lists" as lists.create by Account scope Write cost Write
        => CREATED ListEnvelope, fails [CredentialInContent, LimitReached];
    CreateList {
        /// Name of the list.
        name: Text<1, 64>,
        /// What the list is about.
        description: Option<Text<0, 500>>,
        /// Who may read it; `private` when omitted.
        visibility: Option<ListVisibility>,
        /// Whether to remove its members from your home feed; `false` when omitted.
        exclusive: Option<bool>,
        /// Which replies its feed contains; `members` when omitted.
        replies_policy: Option<RepliesPolicy>,
    }

    /// List your lists, or the public lists of an account, newest first.
    GET "/lists" as lists.list by Optional
        => OK ListPage, fails [Unauthorized, InsufficientScope, NotFound];
    ListLists {
        /// Account whose public lists are returned. When omitted: all your lists, including private
        /// ones.
        owner: Option<Handle>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get a list.
    GET "/lists/{listId}" as lists.get by Optional => OK ListEnvelope;
    GetList {
        /// Id of the list: `lst_…`.
        list_id: ListId,
    }

    /// Update your list.
    ///
    /// Omitted values do not change; an empty `description` removes it.
    PATCH "/lists/{listId}" as lists.update by Account scope Write cost Write
        => OK ListEnvelope, fails [CredentialInContent, Forbidden];
    UpdateList {
        /// Id of the list: `lst_…`.
        list_id: ListId,
        /// Name of the list.
        name: Option<Text<1, 64>>,
        /// What the list is about.
        description: Option<Text<0, 500>>,
        /// Who may read it.
        visibility: Option<ListVisibility>,
        /// Whether to remove its members from your home feed.
        exclusive: Option<bool>,
        /// Which replies its feed contains.
        replies_policy: Option<RepliesPolicy>,
    }

    /// Delete your list.
    DELETE "/lists/{listId}" as lists.delete by Account scope Write cost Write
        => OK Deleted, fails [Forbidden];
    DeleteList {
        /// Id of the list: `lst_…`.
        list_id: ListId,
    }

    /// List the members of a list.
    GET "/lists/{listId}/members" as lists.members by Optional => OK UserPage;
    ListListMembers {
        /// Id of the list: `lst_…`.
        list_id: ListId,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Add accounts to your list.
    ///
    /// Either all are added or none. Existing members stay, and no one is notified. A list has at
    /// most 1000 members.
    POST "/lists/{listId}/members" as lists.add
        by Account scope Write cost Write => OK ListEnvelope,
        fails [Forbidden, Blocked, LimitReached];
    AddListMembers {
        /// Id of the list: `lst_…`.
        list_id: ListId,
        /// Usernames or user ids, 1 to 100.
        #[schemars(length(min = 1, max = LIST_MEMBERS_AT_ONCE))]
        usernames: Vec<Handle>,
    }

    /// Remove an account from your list.
    DELETE "/lists/{listId}/members/{username}" as lists.remove by Account scope Write cost Write
        => OK ListEnvelope, fails [Forbidden];
    RemoveListMember {
        /// Id of the list: `lst_…`.
        list_id: ListId,
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// List the posts of a list's members, newest first.
    GET "/lists/{listId}/feed" as lists.feed by Optional => OK PostPage;
    ListListPosts {
        /// Id of the list: `lst_…`.
        list_id: ListId,
        /// What to add to each post: `html`, its text as HTML.
        include: Option<CommaList<PostInclude>>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListLists: lists of List;
    ListListMembers: users of User;
    ListListPosts: posts of Post;
}

/// A list of accounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct List {
    /// The list's id.
    pub id: ListId,
    /// Name of the list.
    pub name: String,
    /// What the list is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The owner.
    pub owner: UserRef,
    /// Who may read it.
    pub visibility: ListVisibility,
    /// Whether its members are removed from the owner's home feed.
    pub exclusive: bool,
    /// Which replies its feed contains.
    pub replies_policy: RepliesPolicy,
    /// Number of members.
    pub members_count: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When the list or its members last changed.
    pub updated_at: Timestamp,
}

/// Response with a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ListEnvelope {
    /// The list.
    pub list: List,
}

/// A page of lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ListPage {
    /// The lists.
    pub lists: Vec<List>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

words! {
    /// Who may read a list.
    ListVisibility {
        /// Only the owner.
        Private = "private",
        /// Everyone.
        Public = "public",
    }
}

words! {
    /// Which replies by its members the feed of a list contains.
    RepliesPolicy {
        /// All replies.
        All = "all",
        /// Replies to members of the list.
        Members = "members",
        /// No replies.
        None = "none",
    }
}
