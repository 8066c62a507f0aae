//! Escrows as people read them.

use serde_json::Value;
use svc_client::types::api::escrow::{
    CloseReason, Dispute, Escrow, EscrowEvent, EscrowSplit, EscrowStatus,
};
use svc_client::types::{PlanId, Timestamp};

use crate::output::one_line;
use crate::time;

/// An escrow on one line.
pub(super) fn row(escrow: &Escrow) -> String {
    let mut row = format!(
        "{}  {}  {}  @{} to @{}",
        escrow.id,
        escrow.status,
        escrow.amount.in_words(),
        escrow.buyer_username,
        escrow.provider_username,
    );
    if let Some(clock) = clock(escrow) {
        row = format!("{row}  {clock}");
    }
    format!("{row}  {}", one_line(&escrow.description))
}

/// The clock that runs, or how it ended.
fn clock(escrow: &Escrow) -> Option<String> {
    let until = |what: &str, time: Timestamp| format!("{what} {}", time::minute(time));
    match escrow.status {
        EscrowStatus::Created | EscrowStatus::Funded => {
            Some(until("delivery until", escrow.expires_at))
        }
        EscrowStatus::Delivered => {
            escrow.review_ends_at.map(|end| until("releases itself on", end))
        }
        _ => escrow.close_reason.as_ref().map(ToString::to_string),
    }
}

/// An escrow with its work and its dispute.
pub(super) fn whole(escrow: &Escrow) -> String {
    let mut lines = vec![row(escrow)];
    let mut line = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            lines.push(format!("  {name}: {}", one_line(value)));
        }
    };
    line("service", Some(escrow.service_id.as_str()));
    if let Some(work) = &escrow.deliverable {
        let version = escrow.deliverable_version;
        let work = serde_json::to_value(work).unwrap_or_default();
        line(&format!("delivery {version}"), Some(&without_token(work).to_string()));
    }
    line("notes", escrow.notes.as_deref());
    if let Some(dispute) = &escrow.dispute {
        self::dispute(dispute, &mut line);
    }
    if let Some(split) = &escrow.split {
        let is_agreed = escrow.close_reason == Some(CloseReason::Split);
        line("split", Some(&self::split(split, is_agreed)));
    }
    line("plan", escrow.plan_id.as_ref().map(PlanId::as_str));
    line("rating", escrow.rating.map(|rating| rating.to_string()).as_deref());
    line("feedback", escrow.feedback.as_deref());
    lines.join("\n")
}

/// People see that there is a credential, programs get it.
fn without_token(mut work: Value) -> Value {
    if let Some(token) = work.get_mut("accessToken") {
        *token = "[redacted, see --json]".into();
    }
    work
}

/// A split; while it is only offered, with the version that its acceptance names.
fn split(split: &EscrowSplit, is_agreed: bool) -> String {
    let part = format!("{} for the provider", split.provider_amount.in_words());
    if is_agreed {
        return part;
    }
    let by = split.by_username.as_ref().map(|by| format!("  offered by @{by}")).unwrap_or_default();
    format!("{part}{by}  version {}", split.offer_version)
}

fn dispute(dispute: &Dispute, line: &mut impl FnMut(&str, Option<&str>)) {
    let json = |value: &Option<Value>| value.as_ref().map(ToString::to_string);
    line("disputed", Some(&dispute.reason));
    line("evidence", json(&dispute.evidence).as_deref());
    line("response", dispute.response.as_deref());
    line("evidence of the response", json(&dispute.response_evidence).as_deref());
    line("outcome", dispute.outcome.as_ref().map(ToString::to_string).as_deref());
    line("note", dispute.note.as_deref());
}

/// A line of the log.
pub(super) fn event(event: &EscrowEvent) -> String {
    let actor = event.actor_username.as_ref().map(|name| format!("  by @{name}"));
    let note = event.note.as_deref().map(|note| format!("  {}", one_line(note)));
    format!(
        "{}  {}  {}  {}{}{}",
        event.seq,
        time::minute(event.at),
        event.action,
        event.to,
        actor.unwrap_or_default(),
        note.unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_split_names_its_offer_until_it_is_agreed() {
        let offer = json!({
            "providerAmount": 30.5, "offerVersion": 4, "byUsername": "ada",
            "at": "2026-01-31T09:30:00.000Z",
        });
        let offer: EscrowSplit = serde_json::from_value(offer).unwrap();
        let offered = "30.5 credits for the provider  offered by @ada  version 4";
        assert_eq!(split(&offer, false), offered);
        assert_eq!(split(&offer, true), "30.5 credits for the provider");
    }
}
