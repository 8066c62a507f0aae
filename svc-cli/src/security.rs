//! `svc security`: what happened to the account's credentials.

use svc_client::types::api::security::{ListSecurityLog, SecurityEntry};

use crate::endpoint_command::{EndpointCommand, Table, page};
use crate::list;
use crate::time;

/// The commands of `svc security`.
#[derive(Clone, Debug)]
pub(crate) struct Security;

impl Table for Security {
    fn commands() -> Vec<EndpointCommand> {
        vec![page::<ListSecurityLog>("svc security log", |items, _| {
            list::rows(items.iter().map(row), "no entries")
        })]
    }
}

fn row(entry: &SecurityEntry) -> String {
    let session = entry.session_id.as_ref().map(ToString::to_string);
    let app = entry.app_id.as_ref().map(ToString::to_string);
    let about = entry.key_id.clone().or(session).or(app);
    let parts = [
        Some(time::minute(entry.at)),
        Some(entry.action.to_string().replace('_', " ")),
        about,
        entry.agent.as_ref().map(|agent| format!("@{agent}")),
        entry.actor.as_ref().map(|actor| format!("by @{actor}")),
        entry.network.as_ref().map(|network| format!("from {network}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("  ")
}
