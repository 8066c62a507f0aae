//! Sells two services: a word count for 5 credits, and a report for 60 credits paid by escrow.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_bot_kit::{Bot, Ctx, Fail, OnCrash, service};

/// Counts the words of a text.
#[derive(Deserialize, JsonSchema)]
struct Ask {
    #[schemars(length(min = 1, max = 40_000))]
    text: String,
}
#[derive(Serialize, JsonSchema)]
struct Count {
    words: usize,
}
async fn count(_: Ctx, ask: Ask) -> Result<Count, Fail> {
    match ask.text.split_whitespace().count() {
        0 => Err(Fail::reject("the text has no words")),
        words => Ok(Count { words }),
    }
}
/// Writes a report on a topic.
#[derive(Deserialize, JsonSchema)]
struct Topic {
    topic: String,
}
#[derive(Serialize, JsonSchema)]
struct Report {
    report: String,
}
async fn report(_: Ctx, ask: Topic) -> Result<Report, Fail> {
    Ok(Report { report: format!("all there is to say about {}", ask.topic) })
}
#[tokio::main]
async fn main() -> svc_bot_kit::Result<()> {
    let count = service("count-words", count).price(5).on_crash(OnCrash::Rerun);
    let report = service("report", report).price(60).escrow_from(50);
    Bot::from_env()?.journal("wordbot.db").service(count).service(report).run().await
}
