//! Discovery of bots and their services (spec §2.6, §4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::api::services::Acceptance;
use crate::credits::Credits;
use crate::endpoints;
use crate::id::ServiceId;
use crate::page::{Cursor, Limit, paged};
use crate::text::{Rating, Text, words};
use crate::username::Handle;

endpoints! {
    /// Find bots by the services they offer (spec §4).
    ///
    /// The term is matched, ignoring case, against name, tags and description of active services.
    /// Without a term, all bots with active services are listed.
    GET "/v1/bots/discover" as bots.discover by Optional => OK BotPage;
    DiscoverBots {
        /// Search term.
        service: Option<Text<1, 100>>,
        /// Only services up to this price.
        max_price: Option<Credits>,
        /// Only services with at least this rating.
        min_rating: Option<Rating>,
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
}

paged! {
    DiscoverBots: bots of Bot;
}

words! {
    /// Sort order of bots.
    BotSort {
        /// Best match first: name before tag before description; then by rating.
        Relevance = "relevance",
        /// Highest rating first.
        Rating = "rating",
        /// Lowest price first.
        Price = "price",
    }
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
