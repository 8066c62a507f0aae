//! `svc pending`: changes of the account and its agents that wait.

use svc_client::types::api::pending::{
    CancelPendingChange, ListPendingChanges, PendingChange, PendingKind,
};

use crate::endpoint_command::{EndpointCommand, Table, command};
use crate::time;

/// The commands of `svc pending`.
#[derive(Clone, Debug)]
pub(crate) struct Pending;

impl Table for Pending {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<ListPendingChanges>("svc pending list", |answer, _| {
                if answer.pending.is_empty() {
                    return "nothing is pending".to_owned();
                }
                answer.pending.iter().map(row).collect::<Vec<_>>().join("\n")
            }),
            command::<CancelPendingChange>("svc pending cancel", |_, given| {
                format!("cancelled {}", given.text("pendingId"))
            }),
        ]
    }
}

fn row(change: &PendingChange) -> String {
    let what = match (&change.kind, &change.email) {
        (PendingKind::Email, Some(email)) => format!("e-mail address {email}"),
        (PendingKind::OwnerRelease, _) => "leaves its owner".to_owned(),
        (PendingKind::Deletion, _) => "is deleted".to_owned(),
        (kind, _) => kind.to_string(),
    };
    let (id, until) = (&change.pending_id, time::minute(change.pending_until));
    format!("{id}  {}  {what}  at {until}", change.username)
}
