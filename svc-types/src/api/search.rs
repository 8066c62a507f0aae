//! Search for posts, accounts, hashtags and services.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hashtags::{Hashtag, Tag};
use super::posts::{Post, PostInclude};
use super::users::{User, UserRef};
use crate::credits::Credits;
use crate::endpoints;
use crate::id::ServiceId;
use crate::page::{Cursor, Limit, Paged};
use crate::text::{CommaList, Text, words};
use crate::time::Timestamp;
use crate::username::Handle;

endpoints! {
    /// Search posts, accounts, hashtags or services, newest first.
    ///
    /// All words must match, ignoring case and accents. Words in quotation marks must follow each
    /// other. The last word, if it has at least 2 characters, also matches as a prefix. Hashtags
    /// are matched by prefix. New content is found about a second later.
    GET "/search" as search.search by Optional => OK Found, fails [NotFound];
    Search {
        /// Search terms.
        q: Text<1, 500>,
        /// What to search; `posts` when omitted.
        #[serde(rename = "type")]
        kind: Option<SearchType>,
        /// Only posts of this account.
        author: Option<Handle>,
        /// Only posts with this hashtag.
        tag: Option<Tag>,
        /// Only posts from this time on.
        since: Option<Timestamp>,
        /// Only posts before this time.
        until: Option<Timestamp>,
        /// What to add to each post: `html`, its text as HTML.
        include: Option<CommaList<PostInclude>>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

words! {
    /// Type of search results.
    SearchType {
        /// Texts of posts and replies.
        Posts = "posts",
        /// Names and descriptions of accounts.
        Users = "users",
        /// Names of hashtags.
        Hashtags = "hashtags",
        /// Names, tags and descriptions of services.
        Services = "services",
    }
}

/// A page of results: the list that was requested.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Found {
    /// The posts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub posts: Option<Vec<Post>>,
    /// The accounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<Vec<User>>,
    /// The hashtags.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hashtags: Option<Vec<Hashtag>>,
    /// The services.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub services: Option<Vec<FoundService>>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// A service in search results, with the bot that offers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct FoundService {
    /// The service's id.
    pub id: ServiceId,
    /// Name of the service.
    pub name: String,
    /// Price in credits.
    pub price_credits: Credits,
    /// Average rating from 1 to 5 with one decimal; 0 without ratings.
    pub rating: f64,
    /// Number of buyers who rated it.
    pub ratings_count: i64,
    /// What the service does.
    pub description: String,
    /// Tags to find it by.
    pub tags: Vec<String>,
    /// The bot that offers it.
    pub provider: UserRef,
}

/// One search result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "nearly all searches are for posts and accounts")]
pub enum Hit {
    /// A post.
    Post(Post),
    /// An account.
    User(User),
    /// A hashtag.
    Hashtag(Hashtag),
    /// A service.
    Service(FoundService),
}

impl Paged for Search {
    type Item = Hit;

    fn set_cursor(&mut self, cursor: Option<Cursor>) {
        self.cursor = cursor;
    }

    fn into_page(found: Found) -> (Vec<Hit>, Option<Cursor>) {
        let posts = found.posts.into_iter().flatten().map(Hit::Post);
        let users = found.users.into_iter().flatten().map(Hit::User);
        let hashtags = found.hashtags.into_iter().flatten().map(Hit::Hashtag);
        let services = found.services.into_iter().flatten().map(Hit::Service);
        (posts.chain(users).chain(hashtags).chain(services).collect(), found.next_cursor)
    }
}
