//! The span of a job in the logs.

use schemars::JsonSchema;
use serde::Serialize;
use svc_bot_kit::{Bot, Ctx, Fail, Journal, Service, service};
use svc_client::types::api::messages::RequestStatus;

use super::logs;
use super::market::{Ask, Count, Market, done, open_once};

/// The log line with this ending.
fn line(end: &str) -> String {
    let text = logs::text();
    let line = text.lines().find(|line| line.ends_with(end));
    line.unwrap_or_else(|| panic!("no line {end:?} in {text}")).to_owned()
}

/// Counts words, and logs that it does.
fn logging() -> Service {
    let count = async |_: Ctx, ask: Ask| {
        tracing::info!("counting");
        match ask.text.as_str() {
            "nothing" => Err(Fail::reject("there is nothing to count")),
            _ => Ok(Count { words: 2 }),
        }
    };
    service("count-words", count)
}

#[tokio::test]
async fn logs_of_a_job_name_order_buyer_service_and_attempt() {
    logs::start();
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let bot = || {
        let bot = Bot::new(market.bot.clone()).journal(journal.clone()).service(logging());
        bot.on_message(async |_, _| Ok(()))
    };
    open_once(bot()).await;
    let service = market.services().await.remove(0).0;
    let order = market.order(&service, "a bb", 0).await;
    let rejected = market.order(&service, "nothing", 0).await;
    let message = market.buyer.messages().send("wordbot", "hello").await.unwrap().message;
    let all = async {
        market.closed(&order).await;
        market.closed(&rejected).await;
        done(&journal).await;
    };
    bot().run_until(all).await.unwrap();
    let job = format!(r#"job{{order="{order}" attempt=1 buyer="ada" service="count-words"}}"#);
    assert!(line("counting").contains(&job), "{}", line("counting"));
    let reason = r#"rejected reason="there is nothing to count""#;
    assert!(line(reason).contains(rejected.as_str()), "{}", line(reason));
    let handled = line("handled");
    let job = format!(r#"job{{message_id="{}" attempt=1 sender="ada"}}"#, message.message_id);
    assert!(handled.contains(&job), "{handled}");
}

#[derive(Serialize, JsonSchema)]
struct Essay {
    text: String,
}

#[tokio::test]
async fn the_log_says_why_an_output_that_no_message_holds_was_not_sent() {
    logs::start();
    let market = Market::open().await;
    let essay = || {
        let write = async |_: Ctx, _: Ask| Ok::<_, Fail>(Essay { text: "x".repeat(40_000) });
        service("count-words", write)
    };
    let service = market.publish(essay()).await;
    let order = market.order(&service, "a bb", 0).await;
    let closed = async {
        assert_eq!(market.closed(&order).await.status, RequestStatus::Error);
    };
    market.bot().service(essay()).run_until(closed).await.unwrap();
    let text = logs::text();
    assert!(text.contains("longer than the 40,000 characters of a message"), "{text}");
}
