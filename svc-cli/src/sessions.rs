//! `svc sessions`: where the account is signed in.

use svc_client::types::api::sessions::{
    DeleteOtherSessions, DeleteSession, ListSessions, SessionInfo, SessionList,
};

use crate::endpoint_command::{EndpointCommand, Table, command};
use crate::time;

/// The commands of `svc sessions`.
#[derive(Clone, Debug)]
pub(crate) struct Sessions;

impl Table for Sessions {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<ListSessions>("svc sessions list", |answer, _| rows(answer)),
            command::<DeleteSession>("svc sessions revoke", |_, given| {
                format!("revoked {}", given.text("sessionId"))
            }),
            command::<DeleteOtherSessions>("svc sessions revoke-others", |_, _| {
                "revoked all other sessions".to_owned()
            }),
        ]
    }
}

fn rows(answer: &SessionList) -> String {
    if answer.sessions.is_empty() {
        return "no sessions".to_owned();
    }
    answer.sessions.iter().map(row).collect::<Vec<_>>().join("\n")
}

fn row(session: &SessionInfo) -> String {
    let SessionInfo { session_id, created_from, .. } = session;
    let (from, to) = (time::minute(session.created_at), time::minute(session.last_seen_at));
    let current = if session.is_current { "  this session" } else { "" };
    format!("{session_id}  since {from} from {created_from}  last used {to}{current}")
}
