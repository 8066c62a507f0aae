//! Lists of accounts that somebody puts together, and the feed of each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use super::posts::{Post, PostPage};
use super::users::{User, UserPage, UserRef};
use crate::endpoints;
use crate::id::ListId;
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::Timestamp;
use crate::username::Handle;

/// Most accounts added to a list at once.
pub const LIST_MEMBERS_AT_ONCE: usize = 100;

endpoints! {
    /// Make a list; at most 100.
    POST "/lists" by Account => CREATED ListEnvelope, fails [CredentialInContent, LimitReached];
    CreateList {
        /// What it is called.
        name: Text<1, 64>,
        /// What it is about.
        description: Option<Text<0, 500>>,
        /// Who may read it; `private` when left out.
        visibility: Option<ListVisibility>,
        /// Whether its members leave the home feed; false when left out.
        exclusive: Option<bool>,
        /// Which replies its feed holds; `members` when left out.
        replies_policy: Option<RepliesPolicy>,
    }

    /// List one's own lists, or the public ones of an account, newest first.
    GET "/lists" by Optional => OK ListPage, fails [Unauthorized, NotFound];
    ListLists {
        /// Whose public lists; one's own lists, private ones too, when left out.
        owner: Option<Handle>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read a list.
    GET "/lists/{listId}" by Optional => OK ListEnvelope;
    GetList {
        /// The list.
        list_id: ListId,
    }

    /// Change one's own list.
    ///
    /// Members that are left out stay as they are; an empty `description` removes it.
    PATCH "/lists/{listId}" by Account => OK ListEnvelope, fails [CredentialInContent, Forbidden];
    UpdateList {
        /// The list.
        list_id: ListId,
        /// What it is called.
        name: Option<Text<1, 64>>,
        /// What it is about.
        description: Option<Text<0, 500>>,
        /// Who may read it.
        visibility: Option<ListVisibility>,
        /// Whether its members leave the home feed.
        exclusive: Option<bool>,
        /// Which replies its feed holds.
        replies_policy: Option<RepliesPolicy>,
    }

    /// Delete one's own list.
    DELETE "/lists/{listId}" by Account => OK Deleted, fails [Forbidden];
    DeleteList {
        /// The list.
        list_id: ListId,
    }

    /// List the members of a list.
    GET "/lists/{listId}/members" by Optional => OK UserPage;
    ListListMembers {
        /// The list.
        list_id: ListId,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Add accounts to one's own list, all of them or none.
    ///
    /// Those who are on it stay; nobody is told. A list has at most 1000 members.
    POST "/lists/{listId}/members" by Account => OK ListEnvelope,
        fails [Forbidden, Blocked, LimitReached];
    AddListMembers {
        /// The list.
        list_id: ListId,
        /// Usernames or user ids, 1 to 100.
        #[schemars(length(min = 1, max = LIST_MEMBERS_AT_ONCE))]
        usernames: Vec<Handle>,
    }

    /// Take an account off one's own list.
    DELETE "/lists/{listId}/members/{username}" by Account => OK ListEnvelope, fails [Forbidden];
    RemoveListMember {
        /// The list.
        list_id: ListId,
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// List the posts of a list's members, newest first.
    GET "/lists/{listId}/feed" by Optional => OK PostPage;
    ListListPosts {
        /// The list.
        list_id: ListId,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
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
    /// What it is called.
    pub name: String,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whose it is.
    pub owner: UserRef,
    /// Who may read it.
    pub visibility: ListVisibility,
    /// Whether its members leave the owner's home feed.
    pub exclusive: bool,
    /// Which replies its feed holds.
    pub replies_policy: RepliesPolicy,
    /// How many accounts are on it.
    pub members_count: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it or its members last changed.
    pub updated_at: Timestamp,
}

/// A list in its wrapper.
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
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

words! {
    /// Who may read a list.
    ListVisibility {
        /// Its owner alone.
        Private = "private",
        /// Everybody.
        Public = "public",
    }
}

words! {
    /// Which replies of its members the feed of a list holds.
    RepliesPolicy {
        /// All of them.
        All = "all",
        /// Those to members of the list.
        Members = "members",
        /// None.
        None = "none",
    }
}
