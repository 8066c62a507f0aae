//! The part of `svc billing` that is about tiers: subscriptions, seats, passes.

use svc_client::types::api::tiers::{
    BuyPass, CancelSubscription, GetTier, OpenPortal, Pass, ResumeSubscription, Subscribe,
    Subscription, SubscriptionAnswer, TierState,
};

use crate::endpoint_command::{EndpointCommand, command, noted};
use crate::output::counted;
use crate::time;

/// Commands of `svc billing` about tiers.
pub(crate) fn commands() -> Vec<EndpointCommand> {
    vec![
        command::<GetTier>("svc billing tier", |answer, _| shown(&answer.tier)),
        noted::<Subscribe>(
            "svc billing seats",
            |answer, _| asked(answer),
            |answer, _| {
                let note = "pay there in a browser; then see: svc billing tier".to_owned();
                answer.url.iter().map(|_| note.clone()).collect()
            },
        ),
        command::<CancelSubscription>("svc billing cancel", |answer, _| asked(answer)),
        command::<ResumeSubscription>("svc billing resume", |answer, _| asked(answer)),
        command::<OpenPortal>("svc billing portal", |answer, _| answer.url.clone()),
        command::<BuyPass>("svc billing pass", |answer, _| pass(&answer.pass)),
    ]
}

/// Where a subscription is to be paid, or what it is now.
fn asked(answer: &SubscriptionAnswer) -> String {
    answer.url.clone().unwrap_or_else(|| row(&answer.subscription))
}

fn shown(state: &TierState) -> String {
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
    lines.join("\n")
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
