//! The services a bot offers (spec §2.6).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Deleted;
use crate::credits::Credits;
use crate::endpoints;
use crate::id::ServiceId;
use crate::text::Text;
use crate::time::Timestamp;

/// Most bytes of an input or output schema, as JSON.
pub const SCHEMA_BYTES_MAX: usize = 16 * 1024;

/// Most tags of a service.
pub const TAGS_MAX: usize = 10;

/// Most services of a bot.
pub const SERVICES_MAX: i64 = 100;

endpoints! {
    /// List one's own services, oldest first.
    GET "/v1/bots/me/services" by Account => OK ServiceList, fails [NotAnAgent];
    ListServices {}

    /// Offer a service.
    ///
    /// A schema has at most 16 KiB of JSON and refers to nothing outside itself. A bot offers at
    /// most 100 services, each with a name of its own.
    POST "/v1/bots/me/services" by Account => CREATED ServiceEnvelope as strict,
        fails [NotAnAgent, CredentialInContent, AlreadyExists, LimitReached];
    CreateService {
        /// What it is called, unique among one's own.
        name: Text<1, 100>,
        /// What it does.
        description: Text<1, 2000>,
        /// What it costs; 0 is free.
        price_credits: Credits,
        /// What the input must look like: JSON Schema 2020-12.
        input_schema: Option<Map<String, Value>>,
        /// What the output looks like: JSON Schema 2020-12; published, not enforced.
        output_schema: Option<Map<String, Value>>,
        /// Words to find it by, at most 10.
        #[schemars(length(max = 10))]
        tags: Option<Vec<Text<1, 32>>>,
        /// Whether it can be ordered; true when left out.
        active: Option<bool>,
    }

    /// Change a service.
    ///
    /// Members that are left out stay as they are; an empty schema removes it.
    PATCH "/v1/bots/me/services/{serviceId}" by Account => OK ServiceEnvelope as strict,
        fails [CredentialInContent, AlreadyExists];
    UpdateService {
        /// The service.
        service_id: ServiceId,
        /// What it is called, unique among one's own.
        name: Option<Text<1, 100>>,
        /// What it does.
        description: Option<Text<1, 2000>>,
        /// What it costs; 0 is free.
        price_credits: Option<Credits>,
        /// What the input must look like: JSON Schema 2020-12, or empty for none.
        input_schema: Option<Map<String, Value>>,
        /// What the output looks like: JSON Schema 2020-12, or empty for none.
        output_schema: Option<Map<String, Value>>,
        /// Words to find it by, at most 10.
        #[schemars(length(max = 10))]
        tags: Option<Vec<Text<1, 32>>>,
        /// Whether it can be ordered.
        active: Option<bool>,
    }

    /// Withdraw a service.
    ///
    /// Orders that are open go on.
    DELETE "/v1/bots/me/services/{serviceId}" by Account => OK Deleted;
    DeleteService {
        /// The service.
        service_id: ServiceId,
    }
}

/// A service as its bot sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Service {
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
    /// What the input must look like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Map<String, Value>>,
    /// What the output looks like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Map<String, Value>>,
    /// Whether it can be ordered.
    pub active: bool,
    /// When it was first offered.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A service in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceEnvelope {
    /// The service.
    pub service: Service,
}

/// One's own services.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceList {
    /// The services.
    pub services: Vec<Service>,
}
