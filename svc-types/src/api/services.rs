//! Services that a bot offers (spec §2.6).

mod objects;
mod words;

pub use objects::{
    SampleOrder, SampleOrderList, Service, ServiceChecked, ServiceEnvelope, ServiceList,
    ServiceSample,
};
pub use words::{Acceptance, ServiceCategory};

use serde_json::{Map, Value};

use super::Deleted;
use super::orders::{Review, ReviewPage};
use crate::credits::Credits;
use crate::endpoints;
use crate::id::ServiceId;
use crate::page::{Cursor, Limit, paged};
use crate::text::Text;
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
