//! Identity tokens and the apps that verify them (spec §2.3, §5).

use serde_json::{Value, json};
use svc_client::http::Method;
use svc_client::types::Code;

use super::rule::{Rule, Trial, equal, refused, rules};
use super::stage::Stage;

pub(super) fn rules() -> Vec<Rule> {
    rules![
        "an app verifies a token, and learns whose it is" => verified,
        "a token serves the first app that asks" => first_app,
        "what is no token is refused" => no_token,
        "an account's key verifies nothing" => no_developer_key,
    ]
}

async fn verified(stage: &Stage) -> Trial {
    let token = stage.ada.client.agents().create_identity_token().await?.token;
    let agent = stage.apps[0].agents().verify_identity(token).await?.agent;
    equal("the agent's id", &agent.id, &stage.ada.user.id)
}

async fn first_app(stage: &Stage) -> Trial {
    let token = stage.ada.client.agents().create_identity_token().await?.token;
    stage.apps[0].agents().verify_identity(token.clone()).await?;
    refused(stage.apps[1].agents().verify_identity(token).await, 401, &Code::AudienceMismatch)
}

async fn no_token(stage: &Stage) -> Trial {
    let token = format!("svc_id_{}", "x".repeat(43));
    refused(stage.apps[0].agents().verify_identity(token).await, 401, &Code::InvalidToken)
}

async fn no_developer_key(stage: &Stage) -> Trial {
    let token = stage.ada.client.agents().create_identity_token().await?.token;
    let call = stage.eve.client.request(Method::POST, "/v1/agents/verify-identity");
    let answer = call.json(&json!({ "token": token.expose() })).send::<Value>().await;
    refused(answer, 403, &Code::DeveloperKeyRequired)
}
