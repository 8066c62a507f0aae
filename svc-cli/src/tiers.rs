//! The part of `svc billing` that is about tiers: subscriptions, seats, passes.

use svc_client::types::api::tiers::{
    BuyPass, CancelSubscription, GetTier, OpenPortal, Pass, ResumeSubscription, Subscribe,
    Subscription, SubscriptionAnswer, TierPrices, TierState,
};
use svc_client::types::money;

use crate::caller::Caller;
use crate::credits;
use crate::endpoint_command::{EndpointCommand, Given, command, noted};
use crate::error::Result;
use crate::output::counted;
use crate::time;

/// Commands of `svc billing` about tiers.
pub(crate) fn commands() -> Vec<EndpointCommand> {
    vec![
        command::<GetTier>("svc billing tier", |answer, _| format_tier(&answer.tier)),
        noted::<Subscribe>(
            "svc billing seats",
            |answer, _| format_answer(answer),
            |answer, _| {
                let note = "pay there in a browser; then see: svc billing tier".to_owned();
                answer.url.iter().map(|_| note.clone()).collect()
            },
        ),
        command::<CancelSubscription>("svc billing cancel", |answer, _| format_answer(answer)),
        command::<ResumeSubscription>("svc billing resume", |answer, _| format_answer(answer)),
        command::<OpenPortal>("svc billing portal", |answer, _| answer.url.clone()),
        command::<BuyPass>("svc billing pass", |answer, _| pass(&answer.pass))
            .ask(|caller, given| Box::pin(buys_a_pass(caller, given))),
    ]
}

/// What is asked before a pass is bought.
async fn buys_a_pass(caller: &Caller, given: &Given<'_>) -> Result<String> {
    let tier = given.text("tier");
    let prices = caller.read(GetTier {}).await?.value.tier.prices;
    let price = prices.and_then(|prices| match tier {
        "boost" => prices.boost_pass,
        _ => prices.pro_pass,
    });
    let Some(price) = price else {
        return Ok(format!("buy a {tier} pass, of which no price is known?"));
    };
    let (price, available) = (price.in_words(), credits::of(caller).await?.available);
    Ok(format!("pay {price} of {available} to the operator for a {tier} pass?"))
}

/// Where a subscription is to be paid, or what it is now.
fn format_answer(answer: &SubscriptionAnswer) -> String {
    answer.url.clone().unwrap_or_else(|| row(&answer.subscription))
}

fn format_tier(state: &TierState) -> String {
    let mut first = state.tier.to_string();
    if let Some(until) = state.until {
        first = format!("{first} until {}", time::minute(until));
    }
    if state.by_operator {
        first.push_str(", set by the operator");
    }
    let mut lines = vec![first];
    lines.extend(state.subscription.as_ref().map(row));
    lines.extend(state.passes.iter().map(pass));
    lines.extend(state.prices.as_ref().map(prices));
    lines.join("\n")
}

/// What a seat and a pass cost.
fn prices(prices: &TierPrices) -> String {
    let seat = money::in_words(prices.pro, &prices.currency);
    let passes = [("boost", prices.boost_pass), ("pro", prices.pro_pass)];
    let passes = passes.into_iter().filter_map(|(tier, price)| Some((tier, price?)));
    passes.fold(format!("a pro seat costs {seat} a month"), |line, (tier, price)| {
        format!("{line}, a {tier} pass {}", price.in_words())
    })
}

fn row(subscription: &Subscription) -> String {
    let seats: Vec<String> =
        subscription.seats.iter().map(|seat| format!("@{}", seat.username)).collect();
    let mut row = format!(
        "{}  {}  {} paid: {}",
        subscription.subscription_id,
        subscription.status,
        counted(subscription.paid_seats, "seat"),
        seats.join(" "),
    );
    if let Some(until) = subscription.paid_until {
        row = format!("{row}  until {}", time::minute(until));
    }
    if subscription.cancels {
        row.push_str("  cancelled");
    }
    if subscription.in_test {
        row.push_str("  test");
    }
    if let Some(url) = &subscription.url {
        row = format!("{row}  {url}");
    }
    row
}

fn pass(pass: &Pass) -> String {
    format!(
        "{}  {}  {}  {} to {}",
        pass.pass_id,
        pass.tier,
        pass.credits.in_words(),
        time::minute(pass.from),
        time::minute(pass.until),
    )
}
