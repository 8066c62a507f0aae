//! `svc keys`: API keys of the account.

use svc_client::types::api::keys::{
    ApiKeyEnvelope, ApiKeyInfo, ApiKeyList, CreateApiKey, DeleteApiKey, GetCurrentApiKey,
    KeySpending, ListApiKeys, ReportApiKey, UpdateApiKey,
};
use svc_client::types::{Scope, Scopes};

use crate::endpoint_command::{EndpointCommand, Given, Table, command, noted};
use crate::time;

/// The commands of `svc keys`.
#[derive(Clone, Debug)]
pub(crate) struct Keys;

impl Table for Keys {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<ListApiKeys>("svc keys list", |answer, _| rows(answer)),
            command::<GetCurrentApiKey>("svc keys current", one),
            noted::<CreateApiKey>(
                "svc keys create",
                |answer, _| answer.api_key.expose().to_owned(),
                |answer, _| {
                    vec!["copy the key: it is shown only once".to_owned(), row(&answer.key)]
                },
            ),
            command::<UpdateApiKey>("svc keys edit", one),
            command::<DeleteApiKey>("svc keys revoke", |_, given| {
                format!("revoked {}", given.text("keyId"))
            }),
            command::<ReportApiKey>("svc keys report", |_, _| {
                "received: if the key is valid, it has ended".to_owned()
            }),
        ]
    }
}

fn one(answer: &ApiKeyEnvelope, _: &Given<'_>) -> String {
    row(&answer.key)
}

fn rows(answer: &ApiKeyList) -> String {
    let rows: Vec<String> = answer.keys.iter().map(row).collect();
    rows.join("\n")
}

/// A key on a line: what it may do, from where, until when, and when it was last used.
fn row(key: &ApiKeyInfo) -> String {
    let scopes: Scopes = key.scopes.iter().collect();
    let scopes = if scopes == Scopes::ALL {
        "every scope".to_owned()
    } else {
        key.scopes.iter().map(Scope::as_str).collect::<Vec<_>>().join(",")
    };
    let mut parts = vec![key.key_id.clone(), key.name.clone(), scopes];
    if !key.allow_from.is_empty() {
        parts.push(format!("from {}", key.allow_from.join(",")));
    }
    if let Some(end) = key.expires_at {
        parts.push(format!("expires {}", time::minute(end)));
    }
    parts.extend(key.spend.as_ref().map(spending));
    parts.push(match (key.last_used_at, &key.last_used_from) {
        (Some(at), Some(from)) => format!("used {} from {from}", time::minute(at)),
        (Some(at), None) => format!("used {}", time::minute(at)),
        (None, _) => "never used".to_owned(),
    });
    parts.join("  ")
}

/// What a key may spend, and what of it is spent.
fn spending(spend: &KeySpending) -> String {
    let order = spend.per_order.map(|most| format!("at most {most} an order"));
    let day = spend.per_day.map(|most| format!("{} of {most} spent in 24 h", spend.spent_today));
    order.into_iter().chain(day).collect::<Vec<_>>().join(", ")
}
