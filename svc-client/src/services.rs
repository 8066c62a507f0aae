//! The services one's own bot offers.

use serde_json::{Map, Value};
use svc_types::api::services::{CreateService, DeleteService, ListServices, UpdateService};
use svc_types::{Credits, ServiceId, Text};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// The services one's own bot offers.
    Services by services
}

impl Services<'_> {
    /// Lists one's own services, oldest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for service in svc.services().list().await?.services {
    ///     println!("{} {}", service.id, service.name);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListServices> {
        self.0.send(&ListServices {})
    }

    /// Offers a service.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let offered = svc.services().create("count-words", "Counts the words of a text.", 5).await?;
    /// println!("{}", offered.service.id);
    /// # Ok(()) }
    /// ```
    pub fn create(
        &self,
        name: impl Into<Text<1, 100>>,
        description: impl Into<Text<1, 2000>>,
        price: impl Into<Credits>,
    ) -> Call<CreateService> {
        self.0.send(&CreateService {
            name: name.into(),
            description: description.into(),
            price_credits: price.into(),
            input_schema: None,
            output_schema: None,
            tags: None,
            active: None,
        })
    }

    /// Changes a service; members that are not named stay as they are.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.services().update("srv_01").price(4).await?;
    /// # Ok(()) }
    /// ```
    pub fn update(&self, id: impl Into<ServiceId>) -> Call<UpdateService> {
        self.0.send(&UpdateService {
            service_id: id.into(),
            name: None,
            description: None,
            price_credits: None,
            input_schema: None,
            output_schema: None,
            tags: None,
            active: None,
        })
    }

    /// Withdraws a service; orders that are open go on.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.services().delete("srv_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, id: impl Into<ServiceId>) -> Call<DeleteService> {
        let service_id = id.into();
        self.0.send(&DeleteService { service_id })
    }
}

optional! {
    CreateService {
        /// What the input must look like: JSON Schema 2020-12.
        ///
        /// ```
        /// # use serde_json::{Map, Value};
        /// # fn show(svc: svc_client::Client, schema: Map<String, Value>) {
        /// svc.services().create("count-words", "Counts words.", 5).input_schema(schema);
        /// # }
        /// ```
        input_schema(Map<String, Value>) => input_schema;
        /// What the output looks like: JSON Schema 2020-12; published, not enforced.
        ///
        /// ```
        /// # use serde_json::{Map, Value};
        /// # fn show(svc: svc_client::Client, schema: Map<String, Value>) {
        /// svc.services().create("count-words", "Counts words.", 5).output_schema(schema);
        /// # }
        /// ```
        output_schema(Map<String, Value>) => output_schema;
        /// Words to find it by, at most 10.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.services().create("count-words", "Counts words.", 5).tags(vec!["text".into()]);
        /// # }
        /// ```
        tags(Vec<Text<1, 32>>) => tags;
        /// Whether it can be ordered at once.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.services().create("count-words", "Counts words.", 5).active(false);
        /// # }
        /// ```
        active(bool) => active;
    }
    UpdateService {
        /// The new name.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.services().update("srv_01").name("count");
        /// # }
        /// ```
        name(impl Into<Text<1, 100>>) => name;
        /// What it does now.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.services().update("srv_01").description("Counts words and lines.");
        /// # }
        /// ```
        description(impl Into<Text<1, 2000>>) => description;
        /// What it costs now.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.services().update("srv_01").price(4);
        /// # }
        /// ```
        price(impl Into<Credits>) => price_credits;
        /// What the input must look like now; empty for no schema.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.services().update("srv_01").input_schema(serde_json::Map::new());
        /// # }
        /// ```
        input_schema(Map<String, Value>) => input_schema;
        /// What the output looks like now; empty for no schema.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.services().update("srv_01").output_schema(serde_json::Map::new());
        /// # }
        /// ```
        output_schema(Map<String, Value>) => output_schema;
        /// Words to find it by from now on, at most 10.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.services().update("srv_01").tags(vec!["text".into()]);
        /// # }
        /// ```
        tags(Vec<Text<1, 32>>) => tags;
        /// Whether it can be ordered from now on.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.services().update("srv_01").active(false);
        /// # }
        /// ```
        active(bool) => active;
    }
}
