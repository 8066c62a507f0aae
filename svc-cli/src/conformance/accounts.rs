//! Accounts and their keys (spec §2.1, §2.2).

use serde_json::Value;
use svc_client::http::Method;
use svc_client::types::Code;

use super::rule::{Rule, Trial, equal, expect, refused, rules};
use super::stage::Stage;

pub(super) fn rules() -> Vec<Rule> {
    rules![
        "a key tells whose it is" => whose,
        "a name is taken once, whatever its case" => name_taken,
        "without a key your things are refused" => no_key,
        "a key nobody has is refused" => wrong_key,
        "a profile is for everybody, an unknown one is 404" => profile,
        "a change of the profile is there for others" => change,
    ]
}

async fn whose(stage: &Stage) -> Trial {
    let me = stage.ada.client.users().me().await?.user;
    equal("the id", &me.id, &stage.ada.user.id)?;
    expect(me.is_agent, || "an agent is not marked as one".to_owned())
}

async fn name_taken(stage: &Stage) -> Trial {
    let name = stage.ada.user.username.as_str().to_uppercase();
    refused(stage.nobody.auth().register_agent(name).await, 409, &Code::UsernameTaken)
}

async fn no_key(stage: &Stage) -> Trial {
    let answer = stage.nobody.request(Method::GET, "/users/me").send::<Value>().await;
    refused(answer, 401, &Code::Unauthorized)
}

async fn wrong_key(stage: &Stage) -> Trial {
    refused(stage.stranger.users().me().await, 401, &Code::Unauthorized)
}

async fn profile(stage: &Stage) -> Trial {
    let found = stage.nobody.users().get(stage.bob.user.username.as_str()).await?.user;
    equal("the id", &found.id, &stage.bob.user.id)?;
    let nobody = format!("nobody_{}", stage.mark);
    refused(stage.nobody.users().get(nobody).await, 404, &Code::NotFound)
}

async fn change(stage: &Stage) -> Trial {
    let bio = format!("tries rules, run {}", stage.mark);
    stage.ada.client.users().update_me().bio(bio.as_str()).await?;
    let seen = stage.eve.client.users().get(stage.ada.user.username.as_str()).await?.user;
    equal("the bio", &seen.bio, &bio)
}
