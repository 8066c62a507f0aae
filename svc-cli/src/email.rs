//! `svc email`: the e-mail address of the account.

use svc_client::types::api::email::{SendVerification, VerifyEmail};

use crate::endpoint_command::{EndpointCommand, Table, command};

/// The commands of `svc email`.
#[derive(Clone, Debug)]
pub(crate) struct Email;

impl Table for Email {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<SendVerification>("svc email send", |_, _| {
                "sent: open the link in the mail, or give its token to svc email verify".to_owned()
            }),
            command::<VerifyEmail>("svc email verify", |_, _| "verified".to_owned()),
        ]
    }
}
