//! `svc password`: lost passwords and keys.

use svc_client::types::api::password::{FinishPasswordReset, PasswordReset, RequestPasswordReset};

use crate::endpoint_command::{EndpointCommand, Given, Table, command, noted};

/// The commands of `svc password`.
#[derive(Clone, Debug)]
pub(crate) struct Password;

impl Table for Password {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<RequestPasswordReset>("svc password reset", |_, given| {
                format!("accepted: an account that verified {} gets a link", given.text("email"))
            }),
            noted::<FinishPasswordReset>("svc password finish", changed, notes),
        ]
    }
}

fn changed(answer: &PasswordReset, _: &Given<'_>) -> String {
    match &answer.api_key {
        Some(key) => key.expose().to_owned(),
        None => "changed: all sessions have ended".to_owned(),
    }
}

fn notes(answer: &PasswordReset, _: &Given<'_>) -> Vec<String> {
    let note = "copy the key: it is shown only once; the old keys have ended";
    answer.api_key.iter().map(|_| note.to_owned()).collect()
}
