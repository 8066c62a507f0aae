//! Where consent is remembered: at the websites where people gave it.

use super::{DONE, asking, returned, with};
use crate::on_both_engines;

on_both_engines! {
    async fn what_was_allowed_at_one_website_is_asked_for_at_another(app: TestApp) {
        let (ada, gate) = (app.visitor("ada").await, app.gate().await);
        let id = gate.app.id.as_str();
        ada.agree(&app, &asking(id, "read write")).await;
        // With a key that was stolen.
        let other = "https://thief.example.org/done";
        gate.client.developers().update().redirect_uris([DONE.into(), other.into()]).await.unwrap();
        let elsewhere = |scope: &str| with(asking(id, scope), "redirect_uri", other);
        ada.agree(&app, &elsewhere("read")).await;
        let silent = with(elsewhere("read write"), "prompt", "none");
        let answered = returned(&ada.open(&app, &silent).await, "error");
        assert_eq!(answered.as_deref(), Some("consent_required"));
        for known in [asking(id, "read write"), elsewhere("read")] {
            assert!(returned(&ada.open(&app, &known).await, "code").is_some());
        }
        ada.agree(&app, &elsewhere("write")).await;
        assert!(returned(&ada.open(&app, &elsewhere("read write")).await, "code").is_some());
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants.len(), 1);
    }
}
