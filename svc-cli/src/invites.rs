//! `svc invites`: with one, somebody may sign up.

use svc_client::types::api::invites::{CreateInvite, DeleteInvite, Invite, ListInvites};

use crate::endpoint_command::{EndpointCommand, Table, command, noted, page};
use crate::list;
use crate::time;

/// The commands of `svc invites`.
#[derive(Clone, Debug)]
pub(crate) struct Invites;

impl Table for Invites {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            page::<ListInvites>("svc invites list", |invites, _| {
                list::rows(invites.iter().map(row), "no invites")
            }),
            noted::<CreateInvite>(
                "svc invites create",
                |answer, _| answer.url.expose().to_owned(),
                |answer, _| {
                    let end = time::minute(answer.invite.expires_at);
                    vec![
                        format!("valid until {end}, once; it is shown only once"),
                        format!("or as a code: {}", answer.code.expose()),
                    ]
                },
            ),
            command::<DeleteInvite>("svc invites delete", |_, given| {
                format!("deleted {}", given.text("inviteId"))
            }),
        ]
    }
}

/// An invite on a line.
fn row(invite: &Invite) -> String {
    let state = match (&invite.used_by, invite.used_at) {
        (Some(name), Some(at)) => format!("used by @{name} at {}", time::minute(at)),
        _ => format!("valid until {}", time::minute(invite.expires_at)),
    };
    format!("{}  {state}", invite.invite_id)
}
