//! Publishes the services of a bot, matching existing ones by name.

use std::collections::HashMap;
use std::sync::Arc;

use svc_client::types::ServiceId;
use svc_client::types::api::services::{Service as Listed, UpdateService};
use svc_client::{Client, Result as ClientResult};
use svc_types::Text;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

use super::offer::Service;
use super::schema::Validator;
use crate::error::{Error, Result};

/// Published services by their ids.
pub(crate) type Published = HashMap<ServiceId, Arc<Offer>>;

/// A service with the validators of its input and output.
#[derive(Debug)]
pub(crate) struct Offer {
    pub(crate) service: Service,
    pub(crate) description: String,
    pub(crate) input: Validator,
    /// `None` for external work.
    pub(crate) output: Option<Validator>,
    /// Limits concurrent orders, if the service has such a limit.
    pub(crate) permits: Option<Semaphore>,
}

impl Offer {
    /// Validates the service without a request to the platform.
    pub(crate) fn new(mut service: Service) -> Result<Self> {
        let name = service.name.clone();
        let wrong = |what: &str, problem: String| Error::Config {
            problem: format!("the {what} of the service {name} {problem}"),
        };
        let schema = std::mem::take(&mut service.input);
        let input = Validator::new(schema).map_err(|problem| wrong("input", problem))?;
        let output = service.output.take().map(Validator::new).transpose();
        let output = output.map_err(|problem| wrong("output", problem))?;
        if let Some(example) = &service.example
            && let Some(fault) = input.checker.faults(example).first()
        {
            return Err(wrong("example", format!("does not match its schema: {fault}")));
        }
        let documented = input.published.get("description").and_then(|text| text.as_str());
        let description = match (&service.description, documented) {
            (Some(description), _) => description.clone(),
            (None, Some(documented)) => documented.to_owned(),
            (None, None) => name.clone(),
        };
        let permits = service.at_once.map(Semaphore::new);
        Ok(Self { service, description, input, output, permits })
    }

    /// Whether an order must come with an escrow.
    pub(crate) fn needs_escrow(&self) -> bool {
        let by_price = self.service.escrow_from.is_some_and(|from| self.service.price >= from);
        by_price || self.output.is_none()
    }

    fn tags(&self) -> Vec<Text<1, 32>> {
        self.service.tags.iter().map(|tag| Text::from(tag.as_str())).collect()
    }

    /// The languages, unless those on the platform stay.
    fn languages(&self) -> Option<Vec<Text<2, 35>>> {
        let languages = self.service.languages.as_ref()?;
        Some(languages.iter().map(|tag| Text::from(tag.as_str())).collect())
    }
}

/// Creates missing services and updates those that differ. Other services of the account stay unless
/// they are to be withdrawn. It can be repeated after a failure.
pub(crate) async fn publish(
    client: &Client,
    offers: &[Arc<Offer>],
    withdraws_others: bool,
) -> ClientResult<Published> {
    if offers.is_empty() && !withdraws_others {
        // A bot that sells nothing needs neither a key that may nor the account of an agent.
        return Ok(Published::new());
    }
    let mut listed = client.services().list().await?.services;
    let mut published = Published::new();
    for offer in offers {
        let known = find(&listed, &offer.service.name);
        let id = match known.map(|at| listed.swap_remove(at)) {
            Some(known) => change(client, offer, &known).await?,
            None => create(client, offer).await?,
        };
        published.insert(id, Arc::clone(offer));
    }
    if withdraws_others {
        for other in listed {
            client.services().delete(&other.id).await?;
            tracing::info!(service = other.name, "withdrawn");
        }
    }
    Ok(published)
}

/// The service of this name, otherwise one whose name differs in case or in the composition of its
/// characters: on the platform, these are the same name.
fn find(listed: &[Listed], name: &str) -> Option<usize> {
    let exact = listed.iter().position(|listed| listed.name == name);
    let key = name_key(name);
    exact.or_else(|| listed.iter().position(|listed| name_key(&listed.name) == key))
}

/// A name as the platform compares it with others of its bot.
pub(crate) fn name_key(name: &str) -> String {
    name.to_lowercase().nfc().collect()
}

async fn create(client: &Client, offer: &Offer) -> ClientResult<ServiceId> {
    let Offer { service, description, .. } = offer;
    let call = client.services().create(&*service.name, &**description, service.price);
    let created = call.with(|request| {
        request.input_schema = Some(offer.input.published.clone());
        request.output_schema = offer.output.as_ref().map(|output| output.published.clone());
        request.tags = Some(offer.tags()).filter(|tags| !tags.is_empty());
        request.acceptance = Some(service.acceptance.clone());
        request.category.clone_from(&service.category);
        request.languages = offer.languages();
    });
    let id = created.await?.service.id;
    tracing::info!(service = service.name, %id, "offered");
    Ok(id)
}

async fn change(client: &Client, offer: &Offer, known: &Listed) -> ClientResult<ServiceId> {
    let id = known.id.clone();
    let change = difference(offer, known);
    if change != nothing(&id) {
        client.send(&change).await?;
        tracing::info!(service = known.name, %id, "changed");
    }
    Ok(id)
}

/// The update that makes a listed service match the offer.
fn difference(offer: &Offer, known: &Listed) -> UpdateService {
    let mut change = nothing(&known.id);
    let input = &offer.input.published;
    // An empty schema removes the one that is there.
    let output = offer.output.as_ref().map(|output| output.published.clone());
    let output = output.unwrap_or_default();
    change.name = Some(Text::from(&*offer.service.name));
    change.name = change.name.filter(|name| **name != *known.name);
    change.description = Some(Text::from(&*offer.description));
    change.description = change.description.filter(|text| **text != *known.description);
    change.price_credits = Some(offer.service.price).filter(|price| *price != known.price_credits);
    change.input_schema =
        Some(input.clone()).filter(|input| Some(input) != known.input_schema.as_ref());
    let known_output = known.output_schema.clone().unwrap_or_default();
    change.output_schema = Some(output).filter(|output| *output != known_output);
    change.tags = Some(offer.tags()).filter(|_| offer.service.tags != known.tags);
    change.active = Some(true).filter(|_| !known.active);
    change.acceptance =
        Some(offer.service.acceptance.clone()).filter(|acceptance| *acceptance != known.acceptance);
    let category = offer.service.category.clone();
    change.category = category.filter(|category| *category != known.category);
    let is_new = offer.service.languages.as_ref() != Some(&known.languages);
    change.languages = offer.languages().filter(|_| is_new);
    change
}

fn nothing(id: &ServiceId) -> UpdateService {
    UpdateService {
        service_id: id.clone(),
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
    }
}
