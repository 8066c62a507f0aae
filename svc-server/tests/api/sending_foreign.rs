//! A receiver in Python verifies calls with the Standard Webhooks library.

use crate::app::TestApp;
use crate::foreign::{Foreign, set_clock};
use crate::on_both_engines;

/// The receiver, if Python has the library.
async fn receiver(app: &TestApp) -> Option<Foreign> {
    let library = ["-c", "import standardwebhooks"];
    let receiver = Foreign::start("python3", "receiver.py", &library).await?;
    set_clock(app);
    Some(receiver)
}

on_both_engines! {
    async fn a_receiver_in_python_verifies_what_is_sent(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let Some(mut receiver) = receiver(&app).await else { return };
        let url = format!("http://127.0.0.1:{}/hook", receiver.line().await);
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let webhook = ada.client.webhooks().create(url).await.unwrap();
        receiver.say(webhook.secret.expose()).await;
        bob.write(&ada, "grüße 🦀 \" \\u0041").await;
        assert_eq!(receiver.line().await, "direct_message grüße 🦀 \" \\u0041");
    }

    async fn a_receiver_in_python_refuses_what_is_signed_with_another_secret(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let Some(mut receiver) = receiver(&app).await else { return };
        let url = format!("http://127.0.0.1:{}/hook", receiver.line().await);
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.client.webhooks().create(url).await.unwrap();
        receiver.say("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX").await;
        bob.write(&ada, "psst").await;
        assert_eq!(receiver.line().await, "refused: No matching signature found");
    }
}
