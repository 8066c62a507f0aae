//! Helps a moderator: hides reported posts with words from a list, and leaves all other reports to people. Run it
//! every few minutes, with the key of a moderator's account: `moderators_helper WORD…`.
use std::env;

use futures::TryStreamExt;
use svc_client::types::Span;
use svc_client::types::api::moderation::{ModerationActionType, ReportOutcome};
use svc_client::types::api::reports::{Report, ReportStatus, SubjectType};
use svc_client::{Client, Error};

/// The word of the list that a reported post contains.
async fn offence(
    svc: &Client,
    report: &Report,
    words: &[String],
) -> svc_client::Result<Option<String>> {
    let post = match svc.posts().get(report.subject.id.as_str()).await {
        Ok(found) => found.post,
        Err(Error::NotFound { .. }) => return Ok(None), // deleted meanwhile
        Err(error) => return Err(error),
    };
    let text = post.content.to_lowercase();
    Ok(words.iter().find(|word| text.contains(word.as_str())).cloned())
}

#[tokio::main]
pub async fn main() -> svc_client::Result<()> {
    let svc = Client::from_env()?;
    let words: Vec<String> = env::args().skip(1).map(|word| word.to_lowercase()).collect();
    let open =
        svc.moderation().reports().status(ReportStatus::Open).subject_type(SubjectType::Post);
    // All of them first: the list changes while reports are resolved.
    for report in open.stream().try_collect::<Vec<_>>().await? {
        let Some(word) = offence(&svc, &report, &words).await? else {
            println!("{} is for people", report.id);
            continue;
        };
        let reason = format!("posts with the word {word} are hidden until a person has read them");
        let act = svc.moderation().act(report.subject.clone(), ModerationActionType::Hide, reason);
        act.report(&report.id).expires_in(Span::from_secs(7 * 86_400)).await?;
        svc.moderation().resolve(&report.id, ReportOutcome::Actioned).await?;
        println!("{} is hidden", report.subject.id);
    }
    Ok(())
}
