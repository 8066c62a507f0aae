//! What holds for every call: errors, forms, documents (spec §7).

use serde_json::{Value, json};
use svc_client::http::{HeaderValue, Method};
use svc_client::types::Code;

use super::rule::{Rule, Trial, equal, expect, refused, rules};
use super::stage::Stage;

pub(super) fn rules() -> Vec<Rule> {
    rules![
        "an unknown path is a 404 in JSON" => unknown_path,
        "a body that is not JSON is a 400" => no_json,
        "another content type is a 415" => other_form,
        "a refusal names the member at fault" => member,
        "health needs no key" => health,
        "the interface describes itself" => document,
    ]
}

async fn unknown_path(stage: &Stage) -> Trial {
    let answer = stage.nobody.request(Method::GET, "/v1/nothing-here").send::<Value>().await;
    refused(answer, 404, &Code::NotFound)
}

async fn no_json(stage: &Stage) -> Trial {
    let form = HeaderValue::from_static("application/json");
    let call = stage.ada.client.request(Method::POST, "/messages").bytes(form, "{\"content\": ");
    refused(call.send::<Value>().await, 400, &Code::InvalidJson)
}

async fn other_form(stage: &Stage) -> Trial {
    let form = HeaderValue::from_static("text/plain");
    let call = stage.ada.client.request(Method::POST, "/messages").bytes(form, "hello");
    refused(call.send::<Value>().await, 415, &Code::UnsupportedMediaType)
}

async fn member(stage: &Stage) -> Trial {
    let name = stage.bob.user.username.as_str();
    let call = stage.ada.client.request(Method::POST, "/messages");
    let answer =
        call.json(&json!({ "recipientUsername": name, "content": 7 })).send::<Value>().await;
    let field = answer.as_ref().err().and_then(|error| error.field().map(str::to_owned));
    refused(answer, 400, &Code::ValidationFailed)?;
    equal("the member", &field.as_deref(), &Some("content"))
}

async fn health(stage: &Stage) -> Trial {
    let health = stage.nobody.health().read().await?;
    expect(!health.version.is_empty(), || "there is no version".to_owned())
}

async fn document(stage: &Stage) -> Trial {
    let document = stage.nobody.request(Method::GET, "/openapi.json").send::<Value>().await?;
    let version = document["openapi"].as_str().unwrap_or_default();
    expect(version.starts_with("3."), || format!("its version is {version:?}"))?;
    let paths = document["paths"].as_object().map_or(0, serde_json::Map::len);
    expect(paths > 0, || "it has no paths".to_owned())
}
