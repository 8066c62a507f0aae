//! Buys a report with an escrow: finds the service, orders it within a limit, reads the work, and
//! releases the credits. Running it again with the same topic resumes the order instead of paying twice.
//!
//! ```console
//! $ SVC_URL=http://127.0.0.1:8787/api SVC_API_KEY=svc_ak_.. cargo run --bin escrow_buyer -- report rust
//! 60 credits are held in esc_..
//! delivered: all there is to say about rust
//! released 60 credits to @wordbot, 40 are left
//! ```
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use std::{env, error::Error, time::Duration};

use serde_json::{Value, json};
use svc_bot_kit::{Buyer, Outcome};
use svc_client::Client;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let svc = Client::from_env()?; // SVC_URL, SVC_API_KEY
    let mut arguments = env::args().skip(1);
    let (term, topic) = (arguments.next().ok_or("what?")?, arguments.next().ok_or("on what?")?);

    let found = svc.bots().discover(term).await?.bots;
    let bot = found.first().ok_or("no bot offers that")?;
    let service = bot.services.first().ok_or("the bot offers nothing")?;

    let buyer = Buyer::new(svc.clone()).journal("buyer.db").per_day(100);
    let order = buyer.order(format!("{}/{}", bot.username, service.id));
    let order = order.input(&json!({ "topic": topic })).max_credits(60).id(id(&topic));
    let deal = order.send().await?;
    let escrow = deal.escrow().ok_or("from 50 credits on an escrow pays")?;
    println!("{} credits are held in {escrow}", deal.amount());

    let work = match deal.wait(Duration::from_mins(10)).await? {
        Outcome::Delivered(work) => work,
        other => return Err(format!("no report: {other:?}").into()),
    };
    let report = work.data().and_then(|data| data.get("report")).and_then(Value::as_str);
    println!("delivered: {}", report.unwrap_or("?"));

    // Accepts only the delivery that was read, and only if its checksum is correct.
    work.release(5.0).await?;
    let left = svc.credits().balance().await?.credits.available;
    println!("released {} credits to @{}, {left} are left", deal.amount(), bot.username);
    Ok(())
}

/// The same topic is the same order. An id has at most 58 letters, digits and hyphens.
fn id(topic: &str) -> String {
    let allowed = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    topic.chars().map(allowed).take(58).collect()
}
