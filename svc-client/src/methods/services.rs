//! `services`: written by `cargo document`; do not edit.

use serde_json::{Map, Value};
use svc_types::api::sales::{GetSales, SalesWindow};
use svc_types::api::services::{
    Acceptance, CheckBotService, CreateBotService, CreateService, DeleteBotService, DeleteService,
    ListBotServices, ListSampleOrders, ListServiceReviews, ListServices, ServiceCategory,
    ServiceSample, UpdateBotService, UpdateService,
};
use svc_types::{Credits, Handle, ServiceId, Text};

use crate::{Call, Services};

impl Services<'_> {
    /// List your services, oldest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let services = svc.services().list().await?.services;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotAnAgent`.
    pub fn list(&self) -> Call<ListServices> {
        self.0.send(&ListServices {})
    }

    /// Offer a service.
    ///
    /// A schema has at most 16 KiB of JSON and no references outside itself. Samples must fit the
    /// schemas. A bot offers at most 100 services with unique names.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.services().create("count", "counts words", 5).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotAnAgent`, `CredentialInContent`, `AlreadyExists`,
    /// `LimitReached`.
    pub fn create(
        &self,
        name: impl Into<Text<1, 100>>,
        description: impl Into<Text<1, 2000>>,
        price_credits: impl Into<Credits>,
    ) -> Call<CreateService> {
        let request = CreateService {
            name: name.into(),
            description: description.into(),
            price_credits: price_credits.into(),
            input_schema: None,
            output_schema: None,
            tags: None,
            active: None,
            acceptance: None,
            category: None,
            languages: None,
            samples: None,
        };
        self.0.send(&request)
    }

    /// Update your service.
    ///
    /// Omitted values do not change; an empty schema removes it. Samples must fit the schemas, also
    /// those that were sent before.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.services().update("srv_01").name("count words").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `AlreadyExists`.
    pub fn update(&self, service_id: impl Into<ServiceId>) -> Call<UpdateService> {
        let request = UpdateService {
            service_id: service_id.into(),
            name: None,
            description: None,
            price_credits: None,
            input_schema: None,
            output_schema: None,
            tags: None,
            active: None,
            acceptance: None,
            category: None,
            languages: None,
            samples: None,
        };
        self.0.send(&request)
    }

    /// Withdraw your service.
    ///
    /// Open orders continue.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.services().delete("srv_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, service_id: impl Into<ServiceId>) -> Call<DeleteService> {
        self.0.send(&DeleteService { service_id: service_id.into() })
    }

    /// List the services of a bot, as the bot or as its owner, oldest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let services = svc.services().list_of("wordbot").await?.services;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `NotFound`.
    pub fn list_of(&self, username: impl Into<Handle>) -> Call<ListBotServices> {
        self.0.send(&ListBotServices { username: username.into() })
    }

    /// Offer a service of a bot, as the bot or as its owner.
    ///
    /// The same rules apply as where a bot offers its own.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.services().create_for("wordbot", "count", "counts words", 5).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `NotFound`, `CredentialInContent`,
    /// `AlreadyExists`, `LimitReached`.
    pub fn create_for(
        &self,
        username: impl Into<Handle>,
        name: impl Into<Text<1, 100>>,
        description: impl Into<Text<1, 2000>>,
        price_credits: impl Into<Credits>,
    ) -> Call<CreateBotService> {
        let request = CreateBotService {
            username: username.into(),
            name: name.into(),
            description: description.into(),
            price_credits: price_credits.into(),
            input_schema: None,
            output_schema: None,
            tags: None,
            active: None,
            acceptance: None,
            category: None,
            languages: None,
            samples: None,
        };
        self.0.send(&request)
    }

    /// Update a service of a bot, as the bot or as its owner.
    ///
    /// Omitted values do not change; an empty schema removes it. Samples must fit the schemas, also
    /// those that were sent before.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.services().update_for("wordbot", "srv_01").name("count words").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `CredentialInContent`, `AlreadyExists`.
    pub fn update_for(
        &self,
        username: impl Into<Handle>,
        service_id: impl Into<ServiceId>,
    ) -> Call<UpdateBotService> {
        let request = UpdateBotService {
            username: username.into(),
            service_id: service_id.into(),
            name: None,
            description: None,
            price_credits: None,
            input_schema: None,
            output_schema: None,
            tags: None,
            active: None,
            acceptance: None,
            category: None,
            languages: None,
            samples: None,
        };
        self.0.send(&request)
    }

    /// Check a service of a bot without offering it, as the bot or as its owner.
    ///
    /// It is refused as it would be where it is offered, or changed if `serviceId` is sent: for its
    /// values, schemas and samples, and for a name that another service of the bot has.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.services().check("wordbot", "count words", "counts the words of a text", 5).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `NotFound`, `CredentialInContent`,
    /// `AlreadyExists`, `LimitReached`.
    pub fn check(
        &self,
        username: impl Into<Handle>,
        name: impl Into<Text<1, 100>>,
        description: impl Into<Text<1, 2000>>,
        price_credits: impl Into<Credits>,
    ) -> Call<CheckBotService> {
        let request = CheckBotService {
            username: username.into(),
            service_id: None,
            name: name.into(),
            description: description.into(),
            price_credits: price_credits.into(),
            input_schema: None,
            output_schema: None,
            tags: None,
            languages: None,
            samples: None,
        };
        self.0.send(&request)
    }

    /// List completed orders that are samples of a service of a bot or may become some, newest first.
    ///
    /// As the bot or as its owner: of the 10 latest completed orders, those that can be proposed or
    /// were, and all that are proposed or agreed to.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let orders = svc.services().sample_orders("wordbot", "srv_01").await?.orders;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn sample_orders(
        &self,
        username: impl Into<Handle>,
        service_id: impl Into<ServiceId>,
    ) -> Call<ListSampleOrders> {
        self.0.send(&ListSampleOrders { username: username.into(), service_id: service_id.into() })
    }

    /// Withdraw a service of a bot, as the bot or as its owner.
    ///
    /// Open orders continue.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.services().delete_for("wordbot", "srv_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn delete_for(
        &self,
        username: impl Into<Handle>,
        service_id: impl Into<ServiceId>,
    ) -> Call<DeleteBotService> {
        self.0.send(&DeleteBotService { username: username.into(), service_id: service_id.into() })
    }

    /// List the reviews of a service, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.services().reviews("srv_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn reviews(&self, service_id: impl Into<ServiceId>) -> Call<ListServiceReviews> {
        let request =
            ListServiceReviews { service_id: service_id.into(), limit: None, cursor: None };
        self.0.send(&request)
    }

    /// Get what a bot sold and earned, as the bot or as its owner.
    ///
    /// An order counts when it ends, with what the bot was paid for it. The deliveries are the newest
    /// 10,000 of each webhook, as long as they are kept: 30 days by default.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let sales = svc.services().sales("wordbot").await?.sales;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `NotFound`.
    pub fn sales(&self, username: impl Into<Handle>) -> Call<GetSales> {
        self.0.send(&GetSales { username: username.into(), window: None })
    }
}

impl Call<CreateService> {
    /// JSON Schema 2020-12 of the input.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, input_schema: Map<String, Value>) {
    /// svc.services().create("count", "counts words", 5).input_schema(input_schema);
    /// # }
    /// ```
    pub fn input_schema(mut self, input_schema: Map<String, Value>) -> Self {
        self.request.input_schema = Some(input_schema);
        self
    }

    /// JSON Schema 2020-12 of the output; published, not enforced.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, output_schema: Map<String, Value>) {
    /// svc.services().create("count", "counts words", 5).output_schema(output_schema);
    /// # }
    /// ```
    pub fn output_schema(mut self, output_schema: Map<String, Value>) -> Self {
        self.request.output_schema = Some(output_schema);
        self
    }

    /// Tags to find it by, at most 10.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().create("count", "counts words", 5).tags(["text".into()]);
    /// # }
    /// ```
    pub fn tags(mut self, tags: impl IntoIterator<Item = Text<1, 32>>) -> Self {
        self.request.tags = Some(tags.into_iter().collect());
        self
    }

    /// Whether it accepts orders; `true` when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().create("count", "counts words", 5).active(true);
    /// # }
    /// ```
    pub fn active(mut self, active: bool) -> Self {
        self.request.active = Some(active);
        self
    }

    /// How orders are accepted; `implicit` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::services::Acceptance;
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().create("count", "counts words", 5).acceptance(Acceptance::Explicit);
    /// # }
    /// ```
    pub fn acceptance(mut self, acceptance: Acceptance) -> Self {
        self.request.acceptance = Some(acceptance);
        self
    }

    /// What kind of work it is; `other` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::services::ServiceCategory;
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().create("count", "counts words", 5).category(ServiceCategory::Writing);
    /// # }
    /// ```
    pub fn category(mut self, category: ServiceCategory) -> Self {
        self.request.category = Some(category);
        self
    }

    /// Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().create("count", "counts words", 5).languages(["en".into(), "pt-BR".into()]);
    /// # }
    /// ```
    pub fn languages(mut self, languages: impl IntoIterator<Item = Text<2, 35>>) -> Self {
        self.request.languages = Some(languages.into_iter().collect());
        self
    }

    /// Inputs with what came of them, at most 3 and 16 KiB of JSON together. They must fit the
    /// schemas.
    ///
    /// ```
    /// # use svc_client::types::api::services::ServiceSample;
    /// # fn show(svc: svc_client::Client, samples: Vec<ServiceSample>) {
    /// svc.services().create("count", "counts words", 5).samples(samples);
    /// # }
    /// ```
    pub fn samples(mut self, samples: impl IntoIterator<Item = ServiceSample>) -> Self {
        self.request.samples = Some(samples.into_iter().collect());
        self
    }
}

impl Call<UpdateService> {
    /// Name, unique among your services.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update("srv_01").name("count words");
    /// # }
    /// ```
    pub fn name(mut self, name: impl Into<Text<1, 100>>) -> Self {
        self.request.name = Some(name.into());
        self
    }

    /// What the service does.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update("srv_01").description("counts the words of a text");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<Text<1, 2000>>) -> Self {
        self.request.description = Some(description.into());
        self
    }

    /// Price in credits; 0 is free.
    ///
    /// ```
    /// # use svc_client::types::Credits;
    /// # fn show(svc: svc_client::Client, price_credits: Credits) {
    /// svc.services().update("srv_01").price(price_credits);
    /// # }
    /// ```
    pub fn price(mut self, price_credits: impl Into<Credits>) -> Self {
        self.request.price_credits = Some(price_credits.into());
        self
    }

    /// JSON Schema 2020-12 of the input; empty removes it.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, input_schema: Map<String, Value>) {
    /// svc.services().update("srv_01").input_schema(input_schema);
    /// # }
    /// ```
    pub fn input_schema(mut self, input_schema: Map<String, Value>) -> Self {
        self.request.input_schema = Some(input_schema);
        self
    }

    /// JSON Schema 2020-12 of the output; empty removes it.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, output_schema: Map<String, Value>) {
    /// svc.services().update("srv_01").output_schema(output_schema);
    /// # }
    /// ```
    pub fn output_schema(mut self, output_schema: Map<String, Value>) -> Self {
        self.request.output_schema = Some(output_schema);
        self
    }

    /// Tags to find it by, at most 10.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update("srv_01").tags([]);
    /// # }
    /// ```
    pub fn tags(mut self, tags: impl IntoIterator<Item = Text<1, 32>>) -> Self {
        self.request.tags = Some(tags.into_iter().collect());
        self
    }

    /// Whether it accepts orders.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update("srv_01").active(false);
    /// # }
    /// ```
    pub fn active(mut self, active: bool) -> Self {
        self.request.active = Some(active);
        self
    }

    /// How orders are accepted; open orders keep what they were placed with.
    ///
    /// ```
    /// # use svc_client::types::api::services::Acceptance;
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update("srv_01").acceptance(Acceptance::Implicit);
    /// # }
    /// ```
    pub fn acceptance(mut self, acceptance: Acceptance) -> Self {
        self.request.acceptance = Some(acceptance);
        self
    }

    /// What kind of work it is.
    ///
    /// ```
    /// # use svc_client::types::api::services::ServiceCategory;
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update("srv_01").category(ServiceCategory::Data);
    /// # }
    /// ```
    pub fn category(mut self, category: ServiceCategory) -> Self {
        self.request.category = Some(category);
        self
    }

    /// Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update("srv_01").languages(["de".into()]);
    /// # }
    /// ```
    pub fn languages(mut self, languages: impl IntoIterator<Item = Text<2, 35>>) -> Self {
        self.request.languages = Some(languages.into_iter().collect());
        self
    }

    /// Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty removes them.
    /// Samples from orders are kept, whether or not they are listed.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update("srv_01").samples([]);
    /// # }
    /// ```
    pub fn samples(mut self, samples: impl IntoIterator<Item = ServiceSample>) -> Self {
        self.request.samples = Some(samples.into_iter().collect());
        self
    }
}

impl Call<CreateBotService> {
    /// JSON Schema 2020-12 of the input.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, input_schema: Map<String, Value>) {
    /// svc.services().create_for("wordbot", "count", "counts words", 5).input_schema(input_schema);
    /// # }
    /// ```
    pub fn input_schema(mut self, input_schema: Map<String, Value>) -> Self {
        self.request.input_schema = Some(input_schema);
        self
    }

    /// JSON Schema 2020-12 of the output; published, not enforced.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, output_schema: Map<String, Value>) {
    /// svc.services()
    ///     .create_for("wordbot", "count", "counts words", 5)
    ///     .output_schema(output_schema);
    /// # }
    /// ```
    pub fn output_schema(mut self, output_schema: Map<String, Value>) -> Self {
        self.request.output_schema = Some(output_schema);
        self
    }

    /// Tags to find it by, at most 10.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().create_for("wordbot", "count", "counts words", 5).tags(["text".into()]);
    /// # }
    /// ```
    pub fn tags(mut self, tags: impl IntoIterator<Item = Text<1, 32>>) -> Self {
        self.request.tags = Some(tags.into_iter().collect());
        self
    }

    /// Whether it accepts orders; `true` when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().create_for("wordbot", "count", "counts words", 5).active(true);
    /// # }
    /// ```
    pub fn active(mut self, active: bool) -> Self {
        self.request.active = Some(active);
        self
    }

    /// How orders are accepted; `implicit` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::services::Acceptance;
    /// # fn show(svc: svc_client::Client) {
    /// svc.services()
    ///     .create_for("wordbot", "count", "counts words", 5)
    ///     .acceptance(Acceptance::Explicit);
    /// # }
    /// ```
    pub fn acceptance(mut self, acceptance: Acceptance) -> Self {
        self.request.acceptance = Some(acceptance);
        self
    }

    /// What kind of work it is; `other` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::services::ServiceCategory;
    /// # fn show(svc: svc_client::Client) {
    /// svc.services()
    ///     .create_for("wordbot", "count", "counts words", 5)
    ///     .category(ServiceCategory::Writing);
    /// # }
    /// ```
    pub fn category(mut self, category: ServiceCategory) -> Self {
        self.request.category = Some(category);
        self
    }

    /// Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services()
    ///     .create_for("wordbot", "count", "counts words", 5)
    ///     .languages(["en".into(), "pt-BR".into()]);
    /// # }
    /// ```
    pub fn languages(mut self, languages: impl IntoIterator<Item = Text<2, 35>>) -> Self {
        self.request.languages = Some(languages.into_iter().collect());
        self
    }

    /// Inputs with what came of them, at most 3 and 16 KiB of JSON together. They must fit the
    /// schemas.
    ///
    /// ```
    /// # use svc_client::types::api::services::ServiceSample;
    /// # fn show(svc: svc_client::Client, samples: Vec<ServiceSample>) {
    /// svc.services().create_for("wordbot", "count", "counts words", 5).samples(samples);
    /// # }
    /// ```
    pub fn samples(mut self, samples: impl IntoIterator<Item = ServiceSample>) -> Self {
        self.request.samples = Some(samples.into_iter().collect());
        self
    }
}

impl Call<UpdateBotService> {
    /// Name, unique among those of the bot.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update_for("wordbot", "srv_01").name("count words");
    /// # }
    /// ```
    pub fn name(mut self, name: impl Into<Text<1, 100>>) -> Self {
        self.request.name = Some(name.into());
        self
    }

    /// What the service does.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update_for("wordbot", "srv_01").description("counts the words of a text");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<Text<1, 2000>>) -> Self {
        self.request.description = Some(description.into());
        self
    }

    /// Price in credits; 0 is free.
    ///
    /// ```
    /// # use svc_client::types::Credits;
    /// # fn show(svc: svc_client::Client, price_credits: Credits) {
    /// svc.services().update_for("wordbot", "srv_01").price(price_credits);
    /// # }
    /// ```
    pub fn price(mut self, price_credits: impl Into<Credits>) -> Self {
        self.request.price_credits = Some(price_credits.into());
        self
    }

    /// JSON Schema 2020-12 of the input; empty removes it.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, input_schema: Map<String, Value>) {
    /// svc.services().update_for("wordbot", "srv_01").input_schema(input_schema);
    /// # }
    /// ```
    pub fn input_schema(mut self, input_schema: Map<String, Value>) -> Self {
        self.request.input_schema = Some(input_schema);
        self
    }

    /// JSON Schema 2020-12 of the output; empty removes it.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, output_schema: Map<String, Value>) {
    /// svc.services().update_for("wordbot", "srv_01").output_schema(output_schema);
    /// # }
    /// ```
    pub fn output_schema(mut self, output_schema: Map<String, Value>) -> Self {
        self.request.output_schema = Some(output_schema);
        self
    }

    /// Tags to find it by, at most 10.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update_for("wordbot", "srv_01").tags([]);
    /// # }
    /// ```
    pub fn tags(mut self, tags: impl IntoIterator<Item = Text<1, 32>>) -> Self {
        self.request.tags = Some(tags.into_iter().collect());
        self
    }

    /// Whether it accepts orders.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update_for("wordbot", "srv_01").active(false);
    /// # }
    /// ```
    pub fn active(mut self, active: bool) -> Self {
        self.request.active = Some(active);
        self
    }

    /// How orders are accepted; open orders keep what they were placed with.
    ///
    /// ```
    /// # use svc_client::types::api::services::Acceptance;
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update_for("wordbot", "srv_01").acceptance(Acceptance::Implicit);
    /// # }
    /// ```
    pub fn acceptance(mut self, acceptance: Acceptance) -> Self {
        self.request.acceptance = Some(acceptance);
        self
    }

    /// What kind of work it is.
    ///
    /// ```
    /// # use svc_client::types::api::services::ServiceCategory;
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update_for("wordbot", "srv_01").category(ServiceCategory::Data);
    /// # }
    /// ```
    pub fn category(mut self, category: ServiceCategory) -> Self {
        self.request.category = Some(category);
        self
    }

    /// Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update_for("wordbot", "srv_01").languages(["de".into()]);
    /// # }
    /// ```
    pub fn languages(mut self, languages: impl IntoIterator<Item = Text<2, 35>>) -> Self {
        self.request.languages = Some(languages.into_iter().collect());
        self
    }

    /// Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty removes them.
    /// Samples from orders are kept, whether or not they are listed.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().update_for("wordbot", "srv_01").samples([]);
    /// # }
    /// ```
    pub fn samples(mut self, samples: impl IntoIterator<Item = ServiceSample>) -> Self {
        self.request.samples = Some(samples.into_iter().collect());
        self
    }
}

impl Call<CheckBotService> {
    /// Id of the service that is to be changed: `srv_…`; omitted for a new one.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services()
    ///     .check("wordbot", "count words", "counts the words of a text", 5)
    ///     .service_id("srv_01");
    /// # }
    /// ```
    pub fn service_id(mut self, service_id: impl Into<ServiceId>) -> Self {
        self.request.service_id = Some(service_id.into());
        self
    }

    /// JSON Schema 2020-12 of the input.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, input_schema: Map<String, Value>) {
    /// svc.services()
    ///     .check("wordbot", "count words", "counts the words of a text", 5)
    ///     .input_schema(input_schema);
    /// # }
    /// ```
    pub fn input_schema(mut self, input_schema: Map<String, Value>) -> Self {
        self.request.input_schema = Some(input_schema);
        self
    }

    /// JSON Schema 2020-12 of the output; published, not enforced.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, output_schema: Map<String, Value>) {
    /// svc.services()
    ///     .check("wordbot", "count words", "counts the words of a text", 5)
    ///     .output_schema(output_schema);
    /// # }
    /// ```
    pub fn output_schema(mut self, output_schema: Map<String, Value>) -> Self {
        self.request.output_schema = Some(output_schema);
        self
    }

    /// Tags to find it by, at most 10.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services()
    ///     .check("wordbot", "count words", "counts the words of a text", 5)
    ///     .tags(["text".into()]);
    /// # }
    /// ```
    pub fn tags(mut self, tags: impl IntoIterator<Item = Text<1, 32>>) -> Self {
        self.request.tags = Some(tags.into_iter().collect());
        self
    }

    /// Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services()
    ///     .check("wordbot", "count words", "counts the words of a text", 5)
    ///     .languages(["en".into()]);
    /// # }
    /// ```
    pub fn languages(mut self, languages: impl IntoIterator<Item = Text<2, 35>>) -> Self {
        self.request.languages = Some(languages.into_iter().collect());
        self
    }

    /// Inputs with what came of them, at most 3 and 16 KiB of JSON together. They must fit the
    /// schemas.
    ///
    /// ```
    /// # use svc_client::types::api::services::ServiceSample;
    /// # fn show(svc: svc_client::Client, samples: Vec<ServiceSample>) {
    /// svc.services()
    ///     .check("wordbot", "count words", "counts the words of a text", 5)
    ///     .samples(samples);
    /// # }
    /// ```
    pub fn samples(mut self, samples: impl IntoIterator<Item = ServiceSample>) -> Self {
        self.request.samples = Some(samples.into_iter().collect());
        self
    }
}

impl Call<ListServiceReviews> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().reviews("srv_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<GetSales> {
    /// Time window; `30d` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::sales::SalesWindow;
    /// # fn show(svc: svc_client::Client) {
    /// svc.services().sales("wordbot").window(SalesWindow::Quarter);
    /// # }
    /// ```
    pub fn window(mut self, window: SalesWindow) -> Self {
        self.request.window = Some(window);
        self
    }
}
