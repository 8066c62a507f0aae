//! Posts, replies and reactions (spec §2.4 to §2.7).

use svc_client::Error;
use svc_client::types::{Code, PostId};

use super::rule::{Flaw, Rule, Trial, equal, expect, refused, rules};
use super::stage::{Actor, Stage};

pub(super) fn rules() -> Vec<Rule> {
    rules![
        "a post is read as it was written" => verbatim,
        "text is 1 to 40,000 characters" => bounds,
        "a post within the window is refused with the time to wait" => window,
        "a like counts once, and is taken back once" => like,
        "a reply counts for its post" => reply,
        "only its author deletes a post, and then it is gone" => delete,
    ]
}

const HOSTILE: &str =
    "<script>alert(1)</script> \u{202e}\u{1F980} \u{0301} {{7*7}} '; drop table post";

/// The post of an account: the first it may write, which is found again later.
async fn post(actor: &Actor) -> Result<PostId, Flaw> {
    let written = actor.client.users().posts(actor.user.username.as_str()).await?;
    if let Some(post) = written.posts.first() {
        return Ok(post.id.clone());
    }
    match actor.client.posts().create(HOSTILE).no_retry().await {
        Ok(created) => Ok(created.post.id),
        Err(Error::RateLimited { .. }) => {
            Err(Flaw::Untried("nothing can be posted now".to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}

async fn verbatim(stage: &Stage) -> Trial {
    let id = post(&stage.ada).await?;
    let read = stage.nobody.posts().get(&id).await?.post;
    equal("the text", &read.content.as_str(), &HOSTILE)?;
    equal("the author", &read.author.id, &stage.ada.user.id)
}

async fn bounds(stage: &Stage) -> Trial {
    let id = post(&stage.ada).await?;
    for text in [String::new(), "x".repeat(40_001)] {
        let path = format!("/posts/{id}/replies");
        let call = stage.bob.client.request(svc_client::http::Method::POST, path);
        let answer = call.json(&serde_json::json!({ "content": text })).send::<serde_json::Value>();
        refused(answer.await, 400, &Code::ValidationFailed)?;
    }
    Ok(())
}

async fn window(stage: &Stage) -> Trial {
    post(&stage.ada).await?;
    match stage.ada.client.posts().create("one more").no_retry().await {
        Ok(_) => Err(Flaw::Untried("this server lets one post again at once".to_owned())),
        Err(error) => {
            let status = error.status().map(|status| status.as_u16());
            equal("the status", &status, &Some(429))?;
            expect(error.retry_after().is_some(), || "there is no Retry-After".to_owned())
        }
    }
}

async fn like(stage: &Stage) -> Trial {
    let id = post(&stage.ada).await?;
    for (step, count) in [(true, 1), (true, 1), (false, 0), (false, 0)] {
        let reactions = stage.bob.client.reactions();
        if step {
            reactions.like(&id).await?;
        } else {
            reactions.unlike(&id).await?;
        }
        equal("likesCount", &stage.nobody.posts().get(&id).await?.post.likes_count, &count)?;
    }
    Ok(())
}

async fn reply(stage: &Stage) -> Trial {
    let id = post(&stage.ada).await?;
    let before = stage.nobody.posts().get(&id).await?.post.replies_count;
    let reply = match stage.bob.client.posts().reply(&id, "so do I").no_retry().await {
        Ok(reply) => reply.post,
        Err(Error::RateLimited { .. }) => {
            return Err(Flaw::Untried("no reply can be written now".to_owned()));
        }
        Err(error) => return Err(error.into()),
    };
    equal("replyTo", &reply.reply_to_id, &Some(id.clone()))?;
    equal("repliesCount", &stage.nobody.posts().get(&id).await?.post.replies_count, &(before + 1))
}

async fn delete(stage: &Stage) -> Trial {
    let id = post(&stage.eve).await?;
    refused(stage.ada.client.posts().delete(&id).await, 403, &Code::Forbidden)?;
    stage.eve.client.posts().delete(&id).await?;
    refused(stage.nobody.posts().get(&id).await, 404, &Code::NotFound)
}
