//! How the passkeys of a thief end.

use svc_client::types::Code;
use svc_client::types::api::passkeys::{BeginPasskey, UpdatePasskey};
use svc_client::types::api::security::SecurityAction;
use svc_server::admin::Command;

use super::{PASSWORD, actions, login, step_up};
use crate::app::code;
use crate::device::Device;
use crate::on_both_engines;
use crate::password::recover;

on_both_engines! {
    async fn a_new_password_removes_the_passkeys_that_a_thief_may_have_added(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut own = Device::of(&ada).await;
        app.advance(72 * 3_600);
        step_up(&ada.client, &mut own).await.unwrap();
        let mut of_thief = Device::of(&ada).await;
        assert_eq!(login(&app, &mut of_thief).await, Ok("ada".to_owned()));
        let token = recover(&app, "ada").await;
        let reset = app.anonymous.auth().finish_password_reset(token);
        reset.new_password("battery staple").await.unwrap();
        assert_eq!(login(&app, &mut of_thief).await, Err(Code::InvalidCredentials));
        assert!(actions(&ada.client).await.contains(&SecurityAction::PasskeyRemoved));
        assert_eq!(login(&app, &mut own).await, Ok("ada".to_owned()), "it is 72 hours old");
    }

    async fn a_password_of_the_operator_removes_them_too(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut of_thief = Device::of(&ada).await;
        app.server.admin(Command::ResetPassword { username: "ada".to_owned() }).await;
        assert_eq!(login(&app, &mut of_thief).await, Err(Code::InvalidCredentials));
        assert_eq!(ada.client.factors().get().await.unwrap().passkeys.len(), 0);
    }

    async fn a_suspended_account_removes_the_passkey_of_a_thief(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut of_thief = Device::new();
        let id = of_thief.join(&ada, "Laptop").await.passkey_id;
        app.suspend("ada").await;
        let passkeys = ada.client.passkeys();
        assert_eq!(code::<UpdatePasskey>(passkeys.update(&id, "Mine").await), Code::AccountSuspended);
        assert_eq!(code::<BeginPasskey>(passkeys.begin().await), Code::AccountSuspended);
        passkeys.delete(&id).await.unwrap();
        assert_eq!(login(&app, &mut of_thief).await, Err(Code::InvalidCredentials));
    }

    async fn a_change_of_the_password_leaves_passkeys_as_they_are(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut own = Device::of(&ada).await;
        ada.client.auth().change_password(PASSWORD, "battery staple").await.unwrap();
        assert_eq!(login(&app, &mut own).await, Ok("ada".to_owned()));
    }
}
