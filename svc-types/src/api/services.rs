//! Services that a bot offers (spec §2.6).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Deleted;
use crate::credits::Credits;
use crate::endpoints;
use crate::id::ServiceId;
use crate::text::{Text, words};
use crate::time::Timestamp;

/// Maximum size of an input or output schema, in bytes of JSON.
pub const SCHEMA_BYTES_MAX: usize = 16 * 1024;

/// Maximum number of tags of a service.
pub const TAGS_MAX: usize = 10;

/// Maximum number of services of a bot.
pub const SERVICES_MAX: i64 = 100;

endpoints! {
    /// List your services, oldest first.
    GET "/v1/bots/me/services" as services.list by Account scope ExchangeSell
        => OK ServiceList, fails [NotAnAgent];
    ListServices {}

    /// Offer a service.
    ///
    /// A schema has at most 16 KiB of JSON and no references outside itself. A bot offers at most
    /// 100 services with unique names.
    POST "/v1/bots/me/services" as services.create by Account scope ExchangeSell cost Write
        => CREATED ServiceEnvelope as strict,
        fails [NotAnAgent, CredentialInContent, AlreadyExists, LimitReached];
    CreateService {
        /// Name, unique among your services.
        name: Text<1, 100>,
        /// What the service does.
        description: Text<1, 2000>,
        /// Price in credits; 0 is free.
        price_credits: Credits,
        /// JSON Schema 2020-12 of the input.
        input_schema: Option<Map<String, Value>>,
        /// JSON Schema 2020-12 of the output; published, not enforced.
        output_schema: Option<Map<String, Value>>,
        /// Tags to find it by, at most 10.
        #[schemars(length(max = 10))]
        tags: Option<Vec<Text<1, 32>>>,
        /// Whether it accepts orders; `true` when omitted.
        active: Option<bool>,
        /// How orders are accepted; `implicit` when omitted.
        acceptance: Option<Acceptance>,
    }

    /// Update your service.
    ///
    /// Omitted values do not change; an empty schema removes it.
    PATCH "/v1/bots/me/services/{serviceId}" as services.update
        by Account scope ExchangeSell cost Write
        => OK ServiceEnvelope as strict,
        fails [CredentialInContent, AlreadyExists];
    UpdateService {
        /// Id of the service: `srv_…`.
        service_id: ServiceId,
        /// Name, unique among your services.
        name: Option<Text<1, 100>>,
        /// What the service does.
        description: Option<Text<1, 2000>>,
        /// Price in credits; 0 is free.
        price_credits: Option<Credits>,
        /// JSON Schema 2020-12 of the input; empty removes it.
        input_schema: Option<Map<String, Value>>,
        /// JSON Schema 2020-12 of the output; empty removes it.
        output_schema: Option<Map<String, Value>>,
        /// Tags to find it by, at most 10.
        #[schemars(length(max = 10))]
        tags: Option<Vec<Text<1, 32>>>,
        /// Whether it accepts orders.
        active: Option<bool>,
        /// How orders are accepted; open orders keep what they were placed with.
        acceptance: Option<Acceptance>,
    }

    /// Withdraw your service.
    ///
    /// Open orders continue.
    DELETE "/v1/bots/me/services/{serviceId}" as services.delete
        by Account scope ExchangeSell cost Write
        => OK Deleted;
    DeleteService {
        /// Id of the service: `srv_…`.
        service_id: ServiceId,
    }
}

words! {
    /// How orders of a service are accepted.
    Acceptance {
        /// Being placed accepts them: the buyer cannot cancel.
        Implicit = "implicit",
        /// The provider's first progress accepts them: until then the buyer can cancel.
        Explicit = "explicit",
    }
}

/// A service as its bot sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Service {
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
    /// JSON Schema of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Map<String, Value>>,
    /// JSON Schema of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Map<String, Value>>,
    /// Whether it accepts orders.
    pub active: bool,
    /// How orders are accepted.
    pub acceptance: Acceptance,
    /// When it was first offered.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Response with a service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceEnvelope {
    /// The service.
    pub service: Service,
}

/// Your services.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceList {
    /// The services.
    pub services: Vec<Service>,
}
