//! `svc factors`: the second factor of the account.

use svc_client::types::RecoveryCode;
use svc_client::types::api::factors::{
    ConfirmTotp, CreateRecoveryCodes, CreateTotp, DeleteTotp, Factors as Given, GetFactors,
    RecoveryCodes,
};

use crate::endpoint_command::{EndpointCommand, Table, command, noted};

/// The commands of `svc factors`.
#[derive(Clone, Debug)]
pub(crate) struct Factors;

impl Table for Factors {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<GetFactors>("svc factors show", |answer, _| line(answer)),
            noted::<CreateTotp>(
                "svc factors add-totp",
                |answer, _| answer.uri.expose().to_owned(),
                |_, _| {
                    vec![
                        "put the URI into the authenticator app: it is shown only once".to_owned(),
                        "then turn it on: svc factors confirm-totp CODE".to_owned(),
                    ]
                },
            ),
            noted::<ConfirmTotp>(
                "svc factors confirm-totp",
                |answer, _| rows(answer),
                |_, _| vec![KEEP.to_owned()],
            ),
            command::<DeleteTotp>("svc factors remove-totp", |_, _| {
                "removed the authenticator app".to_owned()
            }),
            noted::<CreateRecoveryCodes>(
                "svc factors recovery-codes",
                |answer, _| rows(answer),
                |_, _| vec![KEEP.to_owned()],
            ),
        ]
    }
}

/// What to do with recovery codes.
const KEEP: &str =
    "copy the codes: each replaces a code of the app once, and they are shown only once";

fn line(factors: &Given) -> String {
    if factors.totp {
        format!("authenticator app  {} recovery codes left", factors.recovery_codes_left)
    } else {
        "no second factor".to_owned()
    }
}

fn rows(codes: &RecoveryCodes) -> String {
    codes.recovery_codes.iter().map(RecoveryCode::expose).collect::<Vec<_>>().join("\n")
}
