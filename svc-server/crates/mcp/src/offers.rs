//! Tools that list all services of a bot: one of them may be named.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use svc_types::Endpoint;

use crate::backend::Backend;
use crate::brief::{self, services_of};
use crate::schema::{listed, schema};
use crate::tool::{Tool, marked, of, read_beside};

/// The argument that names one service.
const SERVICE: &str = "service";

/// An endpoint that lists services as a tool, which can be asked for one of them.
pub(crate) fn offers<B: Backend, E: Endpoint>(name: &'static str, title: &'static str) -> Tool<B> {
    Tool {
        input: with_service::<E>,
        output: listed::<E::Response>,
        run: |backend, given| Box::pin(send::<B, E>(backend, given)),
        ..of::<B, E>(name, title)
    }
}

fn with_service<E: JsonSchema>() -> Map<String, Value> {
    let mut schema = schema::<E>();
    let about = "Only this service: its id, or its name, ignoring case.";
    let service = json!({ "type": ["string", "null"], "description": about });
    let members = schema.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(members) = members {
        members.insert(SERVICE.to_owned(), service);
    }
    schema
}

async fn send<B: Backend, E: Endpoint>(
    backend: &B,
    mut given: Map<String, Value>,
) -> Result<Value, B::Error> {
    let wanted = given.remove(SERVICE).filter(|wanted| !wanted.is_null());
    let mut answer = backend.send(read_beside::<B, E>(&given, Some(SERVICE))?).await?;
    let Some(wanted) = wanted else { return Ok(brief::services(answer)) };
    let wanted = wanted.as_str().unwrap_or_default();
    let found = services_of(&mut answer).is_some_and(|services| keep(services, wanted));
    if found {
        return Ok(marked(answer));
    }
    let hint = "leave the argument service out to see all";
    Err(B::misused("the bot offers no such service".to_owned(), hint))
}

/// Leaves only the service that is meant; whether there is one.
fn keep(services: &mut Vec<Value>, wanted: &str) -> bool {
    let Some(found) = take(services, wanted) else { return false };
    *services = vec![found];
    true
}

/// Takes the service that is meant, as the tool order finds it: by id or name, then ignoring case.
pub(crate) fn take(services: &mut Vec<Value>, wanted: &str) -> Option<Value> {
    let is_exact = |it: &Value| it["id"] == wanted || it["name"] == wanted;
    let is_alike = |it: &Value| it["name"].as_str().is_some_and(|name| is_named(name, wanted));
    let found =
        services.iter().position(is_exact).or_else(|| services.iter().position(is_alike))?;
    Some(services.swap_remove(found))
}

/// Whether a service has this name, ignoring case in any script. No bot has two that differ only by that.
pub fn is_named(name: &str, wanted: &str) -> bool {
    name.to_lowercase() == wanted.to_lowercase()
}
