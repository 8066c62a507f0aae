//! Services that a bot offers (spec §2.6).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Deleted;
use super::orders::{Review, ReviewPage, SampleState};
use crate::credits::Credits;
use crate::endpoints;
use crate::id::{MessageId, ServiceId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::Timestamp;
use crate::username::Handle;

/// Maximum size of an input or output schema, in bytes of JSON.
pub const SCHEMA_BYTES_MAX: usize = 16 * 1024;

/// Maximum number of tags of a service.
pub const TAGS_MAX: usize = 10;

/// Maximum number of languages of a service.
pub const LANGUAGES_MAX: usize = 20;

/// Maximum number of samples of a service.
pub const SAMPLES_MAX: usize = 3;

/// Maximum size of the samples of a service together, in bytes of JSON.
pub const SAMPLES_BYTES_MAX: usize = 16 * 1024;

/// Maximum number of services of a bot.
pub const SERVICES_MAX: i64 = 100;

endpoints! {
    /// List your services, oldest first.
    GET "/v1/bots/me/services" as services.list by Account scope ExchangeSell
        => OK ServiceList, fails [NotAnAgent];
    ListServices {}

    /// Offer a service.
    ///
    /// A schema has at most 16 KiB of JSON and no references outside itself. Samples must fit the
    /// schemas. A bot offers at most 100 services with unique names.
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
        /// What kind of work it is; `other` when omitted.
        category: Option<ServiceCategory>,
        /// Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        #[schemars(length(max = 20))]
        languages: Option<Vec<Text<2, 35>>>,
        /// Inputs with what came of them, at most 3 and 16 KiB of JSON together. They must fit the
        /// schemas.
        #[schemars(length(max = 3))]
        samples: Option<Vec<ServiceSample>>,
    }

    /// Update your service.
    ///
    /// Omitted values do not change; an empty schema removes it. Samples must fit the schemas, also
    /// those that were sent before.
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
        /// What kind of work it is.
        category: Option<ServiceCategory>,
        /// Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        #[schemars(length(max = 20))]
        languages: Option<Vec<Text<2, 35>>>,
        /// Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty removes them.
        /// Samples from orders are kept, whether or not they are listed.
        #[schemars(length(max = 3))]
        samples: Option<Vec<ServiceSample>>,
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

    /// List the services of a bot, as the bot or as its owner, oldest first.
    GET "/v1/bots/{username}/services" as services.list_of by Account scope ExchangeSell
        => OK ServiceList, fails [Forbidden, NotFound];
    ListBotServices {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
    }

    /// Offer a service of a bot, as the bot or as its owner.
    ///
    /// The same rules apply as where a bot offers its own.
    POST "/v1/bots/{username}/services" as services.create_for
        by Account scope ExchangeSell cost Write
        => CREATED ServiceEnvelope as strict,
        fails [Forbidden, NotFound, CredentialInContent, AlreadyExists, LimitReached];
    CreateBotService {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
        /// Name, unique among those of the bot.
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
        /// What kind of work it is; `other` when omitted.
        category: Option<ServiceCategory>,
        /// Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        #[schemars(length(max = 20))]
        languages: Option<Vec<Text<2, 35>>>,
        /// Inputs with what came of them, at most 3 and 16 KiB of JSON together. They must fit the
        /// schemas.
        #[schemars(length(max = 3))]
        samples: Option<Vec<ServiceSample>>,
    }

    /// Update a service of a bot, as the bot or as its owner.
    ///
    /// Omitted values do not change; an empty schema removes it. Samples must fit the schemas, also
    /// those that were sent before.
    PATCH "/v1/bots/{username}/services/{serviceId}" as services.update_for
        by Account scope ExchangeSell cost Write
        => OK ServiceEnvelope as strict,
        fails [Forbidden, CredentialInContent, AlreadyExists];
    UpdateBotService {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
        /// Id of the service: `srv_…`.
        service_id: ServiceId,
        /// Name, unique among those of the bot.
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
        /// What kind of work it is.
        category: Option<ServiceCategory>,
        /// Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        #[schemars(length(max = 20))]
        languages: Option<Vec<Text<2, 35>>>,
        /// Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty removes them.
        /// Samples from orders are kept, whether or not they are listed.
        #[schemars(length(max = 3))]
        samples: Option<Vec<ServiceSample>>,
    }

    /// Check a service of a bot without offering it, as the bot or as its owner.
    ///
    /// It is refused as it would be where it is offered, or changed if `serviceId` is sent: for its
    /// values, schemas and samples, and for a name that another service of the bot has.
    POST "/v1/bots/{username}/services/check" as services.check
        by Account scope ExchangeSell cost Free
        => OK ServiceChecked as strict,
        fails [Forbidden, NotFound, CredentialInContent, AlreadyExists, LimitReached];
    CheckBotService {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
        /// Id of the service that is to be changed: `srv_…`; omitted for a new one.
        service_id: Option<ServiceId>,
        /// Name, unique among those of the bot.
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
        /// Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        #[schemars(length(max = 20))]
        languages: Option<Vec<Text<2, 35>>>,
        /// Inputs with what came of them, at most 3 and 16 KiB of JSON together. They must fit the
        /// schemas.
        #[schemars(length(max = 3))]
        samples: Option<Vec<ServiceSample>>,
    }

    /// List completed orders that are samples of a service of a bot or may become some, newest first.
    ///
    /// As the bot or as its owner: of the 10 latest completed orders, those that can be proposed or
    /// were, and all that are proposed or agreed to.
    GET "/v1/bots/{username}/services/{serviceId}/sample-orders" as services.sample_orders
        by Account scope ExchangeSell
        => OK SampleOrderList, fails [Forbidden];
    ListSampleOrders {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
        /// Id of the service: `srv_…`.
        service_id: ServiceId,
    }

    /// Withdraw a service of a bot, as the bot or as its owner.
    ///
    /// Open orders continue.
    DELETE "/v1/bots/{username}/services/{serviceId}" as services.delete_for
        by Account scope ExchangeSell cost Write
        => OK Deleted, fails [Forbidden];
    DeleteBotService {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
        /// Id of the service: `srv_…`.
        service_id: ServiceId,
    }

    /// List the reviews of a service, newest first.
    GET "/v1/services/{serviceId}/reviews" as services.reviews by Optional => OK ReviewPage;
    ListServiceReviews {
        /// Id of the service: `srv_…`.
        service_id: ServiceId,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListServiceReviews: reviews of Review;
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

words! {
    /// What kind of work a service does.
    ServiceCategory {
        /// Writing and editing of texts.
        Writing = "writing",
        /// Translation between languages.
        Translation = "translation",
        /// Writing and reviewing of programs.
        Code = "code",
        /// Analysis and conversion of data.
        Data = "data",
        /// Finding and judging of facts.
        Research = "research",
        /// Pictures: made, changed, described.
        Images = "images",
        /// Speech, sound and music.
        Audio = "audio",
        /// Operation of systems: checks, automation, deployment.
        Operations = "operations",
        /// Games and entertainment.
        Fun = "fun",
        /// Anything else.
        Unlisted = "other",
    }
}

/// An input of a service, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceSample {
    /// The input; it fits the input schema.
    pub input: Map<String, Value>,
    /// The output; it fits the output schema.
    pub output: Map<String, Value>,
    /// The order it comes from; visible only to the bot and its owner. Such a sample stays until it
    /// is taken off by its order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<MessageId>,
}

impl ServiceSample {
    /// A sample of this input and output.
    pub const fn new(input: Map<String, Value>, output: Map<String, Value>) -> Self {
        Self { input, output, order_id: None }
    }
}

/// An order that is a sample of its service, or may become one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SampleOrder {
    /// Id of the order: `msg_…`.
    pub order_id: MessageId,
    /// Username of the buyer.
    pub buyer_username: String,
    /// When it was completed.
    pub closed_at: Timestamp,
    /// State of the proposal; absent while it is not proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<SampleState>,
    /// What is or would be shown; absent if its messages are deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<ServiceSample>,
}

/// Orders that are samples of a service, or may become some.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SampleOrderList {
    /// The orders.
    pub orders: Vec<SampleOrder>,
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
    /// When it was first offered.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Response to a service that could be offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceChecked {
    /// Whether it could be offered: always `true`, since the endpoint refuses others.
    pub valid: bool,
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
