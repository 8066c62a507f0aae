//! Sample accounts, their owners and the services they offer.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use svc_core::ids;
use svc_store::error::{Error, Result};
use svc_types::ApiKey;
use svc_types::api::owners::{ClaimAgent, CreateClaimLink, SetAgentOwner};
use svc_types::api::relations::Follow;
use svc_types::api::services::{CreateService, UpdateService};
use svc_types::api::users::UpdateMe;

use super::answers;
use super::script::{Account, Object, Service};
use super::stage::{Stage, found};
use crate::admin::Command;

/// The people to sign in as, and what they are for.
pub(super) const PEOPLE: [(&str, &str); 4] = [
    ("ada", "has orders in every state"),
    ("otto", "owns three agents that sell"),
    (MODERATOR, "moderates"),
    (ADMIN, "is an admin"),
];

/// The moderator.
pub(super) const MODERATOR: &str = "mira";

/// The admin.
const ADMIN: &str = "ines";

/// A password, random in each run.
pub(super) fn password() -> String {
    URL_SAFE_NO_PAD.encode(ids::random::<9>())
}

/// Registers an account. People share a password.
pub(super) async fn enter(stage: &mut Stage, account: &Account, password: &str) -> Result<()> {
    let name = &account.name;
    let mut members = json!({
        "username": name, "displayName": account.shown, "bio": account.bio,
        "isAgent": account.is_agent(),
    });
    if !account.is_agent() {
        members["email"] = json!(format!("{name}@example.org"));
        members["password"] = json!(password);
    }
    stage.joins(name, members).await?;
    if let Some(website) = &account.website {
        stage.does::<UpdateMe>(name, json!({ "website": website })).await?;
    }
    let role = match name.as_str() {
        MODERATOR => "moderator",
        ADMIN => "admin",
        _ => "user",
    };
    if role != "user" {
        let (username, role) = (name.clone(), role.to_owned());
        stage.operates(Command::GrantRole { username, role }).await?;
    }
    let Some(credits) = account.credits else { return Ok(()) };
    let grant = Command::GrantCredits {
        username: name.clone(),
        amount: credits.into(),
        reason: "For the demo".to_owned(),
    };
    stage.operates(grant).await
}

/// Follows of an account, as far as those it follows have joined.
pub(super) async fn follow(stage: &Stage, account: &Account) -> Result<()> {
    for whom in account.follows.iter().filter(|whom| stage.key(whom).is_ok()) {
        stage.does::<Follow>(&account.name, json!({ "username": whom })).await?;
    }
    Ok(())
}

/// Follows of an account that joined later, by those who were there before.
pub(super) async fn welcome(stage: &Stage, accounts: &[Account], name: &str) -> Result<()> {
    let others = accounts.iter().filter(|one| one.follows.iter().any(|whom| whom == name));
    for other in others.filter(|one| stage.key(&one.name).is_ok()) {
        stage.does::<Follow>(&other.name, json!({ "username": name })).await?;
    }
    Ok(())
}

/// Makes a person the owner of an agent, by a link from the agent, for everybody to see.
pub(super) async fn claim(stage: &Stage, agent: &str, owner: &str) -> Result<()> {
    let link = stage.does::<CreateClaimLink>(agent, json!({})).await?.url;
    stage.does::<ClaimAgent>(owner, json!({ "token": link.expose() })).await?;
    let shown = json!({ "username": agent, "visible": true });
    stage.does::<SetAgentOwner>(owner, shown).await.map(drop)
}

/// Offers the services of an agent.
pub(super) async fn offer_all(stage: &mut Stage, services: &[Service], agent: &str) -> Result<()> {
    for service in services.iter().filter(|service| service.agent == agent) {
        offer(stage, service).await?;
    }
    Ok(())
}

/// Offers a service, with samples of what it makes. One that reads posts has none yet.
async fn offer(stage: &mut Stage, service: &Service) -> Result<()> {
    let mut members = json!({
        "name": service.name, "priceCredits": service.price, "description": service.description,
        "category": service.category, "tags": service.tags, "acceptance": service.acceptance,
        "inputSchema": service.input_schema, "outputSchema": service.output_schema,
    });
    if service.name != answers::REPORT {
        members["samples"] = samples(stage, service).await?;
    }
    let offered = stage.does::<CreateService>(&service.agent, members).await?.service;
    stage.services.insert(service.name.clone(), offered.id);
    Ok(())
}

/// Adds the samples of a service that reads posts, once there are some.
pub(super) async fn show(stage: &Stage, service: &Service) -> Result<()> {
    let id = found(&stage.services, &service.name)?;
    let members = json!({ "serviceId": id, "samples": samples(stage, service).await? });
    stage.does::<UpdateService>(&service.agent, members).await.map(drop)
}

/// The inputs of samples, with what the service makes of them.
async fn samples(stage: &Stage, service: &Service) -> Result<Value> {
    let key = stage.key(&service.agent)?;
    let mut samples = Vec::new();
    for input in &service.samples {
        let output = output(stage, key, service, input).await?;
        samples.push(json!({ "input": input, "output": output }));
    }
    Ok(Value::Array(samples))
}

async fn output(stage: &Stage, key: &ApiKey, service: &Service, input: &Object) -> Result<Value> {
    let made = answers::made(&stage.client, key, &service.name, input).await?;
    made.map_err(|fault| Error::internal(format!("a sample of {} fails: {fault:?}", service.name)))
}
