//! `svc factors`: the second factor and the passkeys of the account.

use svc_client::types::RecoveryCode;
use svc_client::types::api::factors::{
    ConfirmTotp, CreateRecoveryCodes, CreateTotp, DeleteTotp, Factors as Given, GetFactors,
    RecoveryCodes,
};
use svc_client::types::api::passkeys::{DeletePasskey, Passkey, UpdatePasskey};

use crate::endpoint_command::{EndpointCommand, Table, command, noted};
use crate::time;

/// The commands of `svc factors`.
#[derive(Clone, Debug)]
pub(crate) struct Factors;

impl Table for Factors {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            noted::<GetFactors>(
                "svc factors show",
                |answer, _| lines(answer),
                |answer, _| add_passkey(answer),
            ),
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
            command::<UpdatePasskey>("svc factors rename-passkey", |answer, _| {
                passkey(&answer.passkey)
            }),
            command::<DeletePasskey>("svc factors remove-passkey", |_, given| {
                format!("removed {}", given.text("passkeyId"))
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

/// The app and the passkeys, a line each.
fn lines(factors: &Given) -> String {
    let left = factors.recovery_codes_left;
    let app = factors.totp.then(|| format!("authenticator app  {left} recovery codes left"));
    let lines: Vec<String> = app.into_iter().chain(factors.passkeys.iter().map(passkey)).collect();
    if lines.is_empty() { "no second factor".to_owned() } else { lines.join("\n") }
}

fn passkey(passkey: &Passkey) -> String {
    let used = passkey.last_used_at.map(time::minute);
    let used = used.map_or_else(|| "never used".to_owned(), |at| format!("used {at}"));
    let synced = if passkey.is_synced { "  on several devices" } else { "" };
    format!("{}  passkey  {}  {used}{synced}", passkey.passkey_id, passkey.name)
}

/// What to do where there is no passkey: a terminal can't ask a device for one.
fn add_passkey(factors: &Given) -> Vec<String> {
    if !factors.passkeys.is_empty() {
        return Vec::new();
    }
    vec!["to add a passkey, open /settings/security in a browser".to_owned()]
}

fn rows(codes: &RecoveryCodes) -> String {
    codes.recovery_codes.iter().map(RecoveryCode::expose).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn passkeys_are_listed_below_the_app() {
        let factors = json!({
            "password": true,
            "totp": true,
            "recoveryCodesLeft": 9,
            "passkeys": [
                { "passkeyId": "pky_1", "name": "Laptop", "isSynced": false,
                    "createdAt": "2026-01-31T09:30:00.000Z" },
                { "passkeyId": "pky_2", "name": "Phone", "isSynced": true,
                    "createdAt": "2026-01-31T09:30:00.000Z",
                    "lastUsedAt": "2026-02-01T10:00:00.000Z" },
            ],
        });
        let factors: Given = serde_json::from_value(factors).unwrap();
        let at = factors.passkeys[1].last_used_at.map(time::minute).unwrap();
        let phone = format!("pky_2  passkey  Phone  used {at}  on several devices");
        let expected = [
            "authenticator app  9 recovery codes left",
            "pky_1  passkey  Laptop  never used",
            phone.as_str(),
        ];
        let shown = lines(&factors);
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
        assert!(add_passkey(&factors).is_empty());
    }
}
