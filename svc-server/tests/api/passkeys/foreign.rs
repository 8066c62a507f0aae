//! Devices and a judge that other people wrote: python-fido2 makes the answers, and judges the same
//! ceremonies as this server does.

use serde_json::{Map, Value, json};
use svc_client::types::Code;
use svc_client::types::api::auth::StepUp;
use svc_client::types::api::passkeys::{CreatePasskey, LoginWithPasskey, PasskeyCeremony};

use crate::app::code;
use crate::device::ORIGIN;
use crate::foreign::Foreign;
use crate::on_both_engines;

/// What a device answers, and whether its own server accepts that.
struct Answer {
    credential: Map<String, Value>,
    is_right: bool,
}

impl Foreign {
    /// A device of python-fido2.
    async fn device() -> Option<Self> {
        let library = ["-c", "import fido2, cryptography"];
        let mut device = Self::start("python3", "passkey.py", &library).await?;
        device.say(ORIGIN).await;
        Some(device)
    }

    /// Its answer to a ceremony, wrong in one part unless that is empty.
    async fn answers(&mut self, options: &Map<String, Value>, wrong: &str) -> Answer {
        self.say(&json!({ "options": options, "wrong": wrong }).to_string()).await;
        let answer = self.hear().await;
        let credential = answer["credential"].as_object().unwrap().clone();
        Answer { credential, is_right: answer["accepted"] == true }
    }
}

/// Parts that a device or browser may get wrong.
const WRONG: [&str; 5] = ["", "origin", "challenge", "verified", "signature"];

on_both_engines! {
    async fn python_fido2_and_this_server_judge_the_same_ceremonies(
        app: TestApp, "public_url" = "https://svc.example.org", "limits.sign_in.account_failures" = "100"
    ) {
        let Some(mut device) = Foreign::device().await else { return };
        let ada = app.person("ada", "correct horse").await;
        let passkeys = ada.client.passkeys();
        for wrong in ["origin", "challenge", "verified", ""] {
            let PasskeyCeremony { ceremony_id, options, .. } = passkeys.begin().await.unwrap();
            let answer = device.answers(&options, wrong).await;
            assert_eq!(answer.is_right, wrong.is_empty(), "{wrong}");
            let added = passkeys.create(ceremony_id, answer.credential, "Key").await;
            match wrong {
                "" => assert_eq!(added.unwrap().passkey.name, "Key"),
                _ => assert_eq!(code::<CreatePasskey>(added), Code::InvalidCredentials, "{wrong}"),
            }
        }
        for wrong in WRONG {
            let begun = app.anonymous.passkeys().begin_login().await.unwrap();
            let answer = device.answers(&begun.options, wrong).await;
            assert_eq!(answer.is_right, wrong.is_empty(), "{wrong}");
            let signed = app.anonymous.passkeys().login(begun.ceremony_id, answer.credential).await;
            match wrong {
                "" => assert_eq!(signed.unwrap().user.username, "ada"),
                _ => assert_eq!(code::<LoginWithPasskey>(signed), Code::InvalidCredentials, "{wrong}"),
            }
        }
        app.advance(600);
        for wrong in WRONG {
            let begun = passkeys.begin_step_up().await.unwrap();
            let answer = device.answers(&begun.options, wrong).await;
            let call = ada.client.auth().step_up().ceremony_id(begun.ceremony_id);
            let confirmed = call.credential(answer.credential).await;
            match wrong {
                "" => drop(confirmed.unwrap()),
                _ => assert_eq!(code::<StepUp>(confirmed), Code::InvalidCredentials, "{wrong}"),
            }
        }
    }
}
