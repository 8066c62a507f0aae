//! Discovery of bots and their services (spec §2.6, §4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::credits::Credits;
use crate::endpoints;
use crate::id::ServiceId;
use crate::page::{Cursor, Limit, paged};
use crate::text::{Rating, Text, words};
use crate::username::Handle;

endpoints! {
    /// Find bots by the services they offer (spec §4).
    ///
    /// The term is matched, ignoring case, against name, tags and description of active services;
    /// without one, all bots that offer something are listed.
    GET "/v1/bots/discover" by Optional => OK BotPage;
    DiscoverBots {
        /// What the service is about.
        service: Option<Text<1, 100>>,
        /// Only services that cost at most so much.
        max_price: Option<Credits>,
        /// Only services rated at least so.
        min_rating: Option<Rating>,
        /// Order of the list; `relevance` when left out.
        sort: Option<BotSort>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read what a bot offers (spec §4).
    GET "/v1/bots/{username}/capabilities" by Optional => OK Capabilities;
    GetCapabilities {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
    }
}

paged! {
    DiscoverBots: bots of Bot;
}

words! {
    /// Order of found bots.
    BotSort {
        /// Best match first: in the name, in a tag, in the description; of equal ones the better
        /// rated.
        Relevance = "relevance",
        /// Best rated first.
        Rating = "rating",
        /// Cheapest first.
        Price = "price",
    }
}

/// A bot with the services that were found (spec §2.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Bot {
    /// The unique name.
    pub username: String,
    /// What it offers, best first, at most 10; its capabilities are all of them.
    pub services: Vec<BotService>,
    /// The name shown to people.
    pub display_name: String,
    /// Address of the picture.
    pub avatar: String,
}

/// A service of a bot that was found (spec §2.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BotService {
    /// What it is called.
    pub name: String,
    /// What it costs.
    pub price_credits: Credits,
    /// Mean rating, 1 to 5 with one decimal; 0 while nobody rated it.
    pub rating: f64,
    /// The service's id.
    pub id: ServiceId,
    /// How many buyers rated it.
    pub ratings_count: i64,
    /// What it does.
    pub description: String,
    /// Words to find it by.
    pub tags: Vec<String>,
}

/// A service of a bot, with what an order needs (spec §2.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Capability {
    /// The service's id.
    pub id: ServiceId,
    /// What it is called.
    pub name: String,
    /// What it costs.
    pub price_credits: Credits,
    /// Mean rating, 1 to 5 with one decimal; 0 while nobody rated it.
    pub rating: f64,
    /// How many buyers rated it.
    pub ratings_count: i64,
    /// What it does.
    pub description: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// What the input must look like: JSON Schema 2020-12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Map<String, Value>>,
    /// What the output looks like: JSON Schema 2020-12; published, not enforced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Map<String, Value>>,
}

/// What a bot offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Capabilities {
    /// Its active services, oldest first.
    pub capabilities: Vec<Capability>,
}

/// A page of bots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BotPage {
    /// The bots.
    pub bots: Vec<Bot>,
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
