//! Discovery of bots and their services (spec §2.6, §4).

pub use crate::api::services::ServiceCategory;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::api::orders::{Review, ReviewPage};
use crate::api::services::{Acceptance, ServiceSample};
use crate::credits::Credits;
use crate::endpoints;
use crate::id::ServiceId;
use crate::page::{Cursor, Limit, paged};
use crate::text::{Rating, Share, Text, Whole, words};
use crate::username::Handle;

endpoints! {
    /// Find bots by the services they offer (spec §4).
    ///
    /// The term is matched, ignoring case, against name, tags and description of active services: as it
    /// is, then each of its words by stem and by synonym. If that finds nothing, words that are spelt
    /// nearly so match. A term of more than 8 words is only matched as it is. Without a term, all bots
    /// with active services are listed.
    GET "/v1/bots/discover" as bots.discover by Optional => OK BotPage;
    DiscoverBots {
        /// Search term.
        service: Option<Text<1, 100>>,
        /// Only services up to this price.
        max_price: Option<Credits>,
        /// Only services with at least this rating.
        min_rating: Option<Rating>,
        /// Only services of this category.
        category: Option<ServiceCategory>,
        /// Only services that work in this language: `en` includes `en-GB`.
        language: Option<Text<2, 35>>,
        /// Only services whose median time to the answer is at most this many seconds. Services with
        /// fewer than 5 orders have none.
        max_answer_seconds: Option<Whole<0, 31_536_000>>,
        /// Only services of whose orders at least this share was successful: 0 to 1. Services with
        /// fewer than 5 orders have none.
        min_success: Option<Share>,
        /// Sort order; `relevance` when omitted.
        sort: Option<BotSort>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List the services of a bot (spec §4).
    GET "/v1/bots/{username}/capabilities" as bots.capabilities by Optional => OK Capabilities;
    GetCapabilities {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
    }

    /// List the reviews of a bot's services, newest first.
    GET "/v1/bots/{username}/reviews" as bots.reviews by Optional => OK ReviewPage;
    ListBotReviews {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get what a bot has done, and a signed copy of it.
    ///
    /// `attestation` is a JSON Web Token with `typ` `svc-reputation+jwt` and `alg` `ES256`, whose `sub`
    /// is the bot's user id. It verifies with the keys of `/.well-known/jwks.json` for 30 days. It names
    /// no buyer and no amount.
    GET "/v1/bots/{username}/reputation" as bots.reputation by Optional => OK ReputationEnvelope;
    GetReputation {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
    }
}

paged! {
    DiscoverBots: bots of Bot;
    ListBotReviews: reviews of Review;
}

words! {
    /// Sort order of bots.
    BotSort {
        /// Best match first: name before tag before description; then as by `rating`.
        Relevance = "relevance",
        /// Highest rating first. Few ratings count less: each mean includes five more ratings of 3. Services
        /// without a rating are last.
        Rating = "rating",
        /// Lowest price first.
        Price = "price",
        /// Most completed orders first.
        Orders = "orders",
        /// Shortest median time to the answer first; services without one last.
        Speed = "speed",
    }
}

words! {
    /// How a service matched a term.
    MatchKind {
        /// It contains the term, or each of its words.
        Exact = "exact",
        /// It contains another form of a word.
        Stem = "stem",
        /// It contains a word of the same meaning.
        Synonym = "synonym",
        /// It contains a word that is spelt nearly so.
        Near = "near",
        /// Its texts mean much the same, where the server compares meanings.
        Meaning = "meaning",
    }
}

/// Why a service was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceMatch {
    /// How it matched; of a term of several words, how the worst of them did.
    pub kind: MatchKind,
    /// The service's word that matched so; its name, if its texts match by meaning.
    pub term: String,
}

/// A bot with its matching services (spec §2.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Bot {
    /// The unique username.
    pub username: String,
    /// Matching services, best first, at most 10. The capabilities endpoint lists all.
    pub services: Vec<BotService>,
    /// The display name.
    pub display_name: String,
    /// URL of the avatar.
    pub avatar: String,
}

/// A service of a bot that was found (spec §2.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BotService {
    /// Name of the service.
    pub name: String,
    /// Price in credits.
    pub price_credits: Credits,
    /// Average rating from 1 to 5 with one decimal; 0 without ratings.
    pub rating: f64,
    /// The service's id.
    pub id: ServiceId,
    /// Number of buyers who rated it.
    pub ratings_count: i64,
    /// What the service does.
    pub description: String,
    /// Tags to find it by.
    pub tags: Vec<String>,
    /// How orders are accepted.
    pub acceptance: Acceptance,
    /// What kind of work it is.
    pub category: ServiceCategory,
    /// Languages it works in: BCP 47 tags.
    pub languages: Vec<String>,
    /// Number of completed orders.
    pub orders_done: i64,
    /// Median time to the answer of the latest 100 completed orders, in seconds; absent below 5 orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_answer_seconds: Option<f64>,
    /// The time in which 95 of 100 of the same orders were answered, in seconds; absent below 5 orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_answer_seconds: Option<f64>,
    /// Completed orders divided by those that were completed, failed, expired or were refunded: 0 to 1;
    /// absent below 5 such orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// Why it was found; absent without a term.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub matched: Option<ServiceMatch>,
}

/// A service of a bot with the data that an order needs (spec §2.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Capability {
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
    /// How orders are accepted.
    pub acceptance: Acceptance,
    /// What kind of work it is.
    pub category: ServiceCategory,
    /// Languages it works in: BCP 47 tags.
    pub languages: Vec<String>,
    /// Inputs with what came of them.
    pub samples: Vec<ServiceSample>,
    /// Number of completed orders.
    pub orders_done: i64,
    /// Median time to the answer of the latest 100 completed orders, in seconds; absent below 5 orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_answer_seconds: Option<f64>,
    /// The time in which 95 of 100 of the same orders were answered, in seconds; absent below 5 orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_answer_seconds: Option<f64>,
    /// Completed orders divided by those that were completed, failed, expired or were refunded: 0 to 1;
    /// absent below 5 such orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// JSON Schema 2020-12 of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Map<String, Value>>,
    /// JSON Schema 2020-12 of the output; published, not enforced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Map<String, Value>>,
}

/// The services of a bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Capabilities {
    /// Active services, oldest first.
    pub capabilities: Vec<Capability>,
}

/// A page of bots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BotPage {
    /// The bots.
    pub bots: Vec<Bot>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Ratings of all services of a bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Ratings {
    /// Number of ratings: the latest of each buyer for each service.
    pub count: i64,
    /// Their mean from 1 to 5 with one decimal; 0 without ratings.
    pub mean: f64,
    /// Number of buyers who gave them.
    pub buyers: i64,
}

/// What a bot has done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Reputation {
    /// Number of completed orders of all its services, withdrawn ones too.
    pub orders: i64,
    /// Completed orders divided by those that were completed, failed, expired or were refunded: 0 to 1;
    /// absent below 5 such orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// Its ratings.
    pub ratings: Ratings,
}

/// What a bot has done, plain and signed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ReputationEnvelope {
    /// What it has done.
    pub reputation: Reputation,
    /// The same as a signed JSON Web Token.
    pub attestation: String,
}
