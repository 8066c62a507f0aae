//! `svc grants`: programs that act for the account.

use svc_client::types::api::grants::{DeleteGrant, Grant, GrantList, ListGrants};

use crate::endpoint_command::{EndpointCommand, Table, command};
use crate::time;

/// The commands of `svc grants`.
#[derive(Clone, Debug)]
pub(crate) struct Grants;

impl Table for Grants {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<ListGrants>("svc grants list", |answer, _| rows(answer)),
            command::<DeleteGrant>("svc grants revoke", |_, given| {
                format!("revoked {}", given.text("grantId"))
            }),
        ]
    }
}

fn rows(answer: &GrantList) -> String {
    if answer.grants.is_empty() {
        return "no program acts for you".to_owned();
    }
    answer.grants.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// A grant on a line: the program, the account it acts for, what it may do and spend, and when it was last
/// used.
fn row(grant: &Grant) -> String {
    let Grant { grant_id, client, user, scopes, .. } = grant;
    let program = if client.host == client.name {
        client.name.clone()
    } else {
        format!("{} of {}", client.name, client.host)
    };
    let scopes = scopes.join(",");
    let mut parts = vec![format!("{grant_id}  {program}  @{}  {scopes}", user.username)];
    if let Some(caps) = &grant.caps {
        parts.extend(caps.per_order.map(|most| format!("at most {most} an order")));
        parts.extend(caps.per_day.map(|most| format!("at most {most} in 24 h")));
    }
    parts.push(match grant.last_used_at {
        Some(at) => format!("used {}", time::minute(at)),
        None => "never used".to_owned(),
    });
    parts.join("  ")
}
