//! Sells the count of words for 6 credits, and has it made by the cheapest of other bots:
//! `order_router SERVICE…`.
use std::{env, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_bot_kit::{Bot, Buyer, Ctx, Fail, OnCrash, Outcome, service};

/// Counts the words of a text.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Ask {
    text: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Count {
    words: u32,
}

/// The service with the lowest price, which must leave a gain.
async fn cheapest(cx: &Ctx) -> Result<String, Fail> {
    let mut offers = Vec::new();
    let services: Vec<String> = env::args().skip(1).collect();
    for service in services {
        let (bot, name) = service.split_once('/').unwrap_or((&service, ""));
        let found = cx.client().bots().capabilities(bot).await?.capabilities;
        let price = found.into_iter().find(|it| it.name == name).map(|it| it.price_credits);
        offers.extend(price.filter(|price| *price < 6.into()).map(|price| (price, service)));
    }
    offers.sort();
    let best = offers.into_iter().next().map(|(_, service)| service);
    best.ok_or_else(|| Fail::reject("nobody offers this now"))
}

async fn count(cx: Ctx, ask: Ask) -> Result<Count, Fail> {
    // After a crash the same order goes on, with the provider that was chosen.
    let service = cx.once("provider", async || cheapest(&cx).await).await?;
    let buyer = Buyer::new(cx.client().clone()).journal("order_router_buyer.db");
    let order = buyer.order(service).input(&ask).output::<Count>().max_credits(5);
    let deal = order.id(cx.request_id.as_str()).send().await?;
    match deal.wait(Duration::from_secs(50)).await? {
        Outcome::Completed { output, .. } => Ok(output),
        Outcome::Rejected { reason, .. } => Err(Fail::reject(reason)),
        // The provider still works on it, and would be paid: this handler runs again and waits for more.
        Outcome::Open => Err(Fail::retry(Duration::from_secs(1))),
        _ => Err(Fail::reject("the provider failed; you pay nothing")),
    }
}

#[tokio::main]
pub async fn main() -> svc_bot_kit::Result<()> {
    let count = service("count-words", count).price(6).on_crash(OnCrash::Rerun);
    Bot::from_env()?.journal("order_router.db").service(count).run().await
}
