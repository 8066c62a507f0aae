//! The e-mail address of an account: pending, verified, taken.

mod changes;
mod limits;
mod outbox;
mod taken;

use http::Method;
use serde_json::json;
use svc_client::Client;
use svc_client::types::api::email::{SendVerification, VerifyEmail};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::api::users::User;
use svc_client::types::{Code, Scope};
use svc_core::tasks::sweep;
use svc_server::mail::{Recorded, Recorder};
use svc_store::sql;

use crate::app::{TestApp, all_items, code};
use crate::on_both_engines;
use crate::raw::{answer, code_of};

const PASSWORD: &str = "correct horse";
const HOUR: u64 = 3_600;

/// Subject of the mails about entries of the security log.
pub(crate) const SECURITY: &str = "Security of your account";

/// The mails that are due, as a mail server gets them, without those about the security log.
pub(crate) async fn mails(app: &TestApp, recorder: &Recorder) -> Vec<Recorded> {
    let mut mails = all_mails(app, recorder).await;
    mails.retain(|mail| mail.subject != SECURITY);
    mails
}

/// All mails that are due.
pub(crate) async fn all_mails(app: &TestApp, recorder: &Recorder) -> Vec<Recorded> {
    app.server.send_mails().await;
    recorder.take()
}

/// The only mail that is due.
pub(crate) async fn one_mail(app: &TestApp, recorder: &Recorder) -> Recorded {
    let [mail] = mails(app, recorder).await.try_into().expect("one mail is due");
    mail
}

/// Makes this the verified address of an account.
pub(crate) async fn verified(app: &TestApp, recorder: &Recorder, client: &Client, email: &str) {
    client.users().update_me().email(email).await.unwrap();
    let link = mails(app, recorder).await.into_iter().find(|mail| mail.recipient == email);
    app.anonymous.auth().verify_email(link.unwrap().token()).await.unwrap();
}

async fn me(client: &Client) -> User {
    client.users().me().await.unwrap().user
}

/// The address, whether it is verified, and the pending one; texts that are absent are empty.
async fn addresses(client: &Client) -> (String, bool, String) {
    let user = me(client).await;
    let [email, pending] = [user.email, user.pending_email].map(Option::unwrap_or_default);
    (email, user.email_verified.unwrap(), pending)
}

/// The same as it is expected.
fn state(email: &str, is_verified: bool, pending: &str) -> (String, bool, String) {
    (email.to_owned(), is_verified, pending.to_owned())
}

async fn actions(client: &Client) -> Vec<SecurityAction> {
    let entries = all_items(client.security().log()).await;
    entries.into_iter().map(|entry| entry.action).collect()
}

/// The token of the link in a notice, which takes a new address back.
pub(crate) fn undo_of(notice: &Recorded) -> String {
    notice.text.lines().find_map(|line| line.split_once("/undo/")).unwrap().1.to_owned()
}

/// The status of a sign-in with an address.
async fn sign_in(app: &TestApp, email: &str) -> u16 {
    let members = json!({ "email": email, "password": PASSWORD });
    answer(app.raw(Method::POST, "/auth/login").json(&members)).await.status.as_u16()
}

on_both_engines! {
    async fn without_a_mail_server_what_needs_mail_answers_503(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let reader = ada.client.keys().create("reader", vec![Scope::Read]).await.unwrap().api_key;
        let post = |path: &str| app.raw(Method::POST, path);
        assert_eq!(code_of(post("/auth/email/send")).await, Code::Unauthorized);
        let limited = post("/auth/email/send").bearer_auth(reader.expose());
        assert_eq!(code_of(limited).await, Code::InsufficientScope);
        for path in ["send", "verify"].map(|name| format!("/auth/email/{name}")).iter()
            .chain(&["/auth/password/reset".to_owned()])
        {
            for body in [json!({}), json!({ "token": "a", "email": "ada@example.org" })] {
                let request = post(path).bearer_auth(ada.key.expose()).json(&body);
                assert_eq!(code_of(request).await, Code::FeatureNotConfigured, "{path} {body}");
            }
        }
        // A link of the operator works without mail, and only its token tells it from others.
        let finish = post("/auth/password/reset/finish").json(&json!({ "token": "a" }));
        assert_eq!(code_of(finish).await, Code::FeatureNotConfigured);
    }

    async fn without_a_mail_server_a_new_address_counts_at_once(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        ada.client.users().update_me().email("Two@Example.org").await.unwrap();
        assert_eq!(addresses(&ada.client).await, state("two@example.org", false, ""));
        assert_eq!(app.count(sql!("select count(*) from mail_outbox")).await, 0);
        assert_eq!(sign_in(&app, "two@example.org").await, 200);
    }

    async fn a_new_person_verifies_the_address_by_a_link_that_works_once(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        assert_eq!(addresses(&ada.client).await, state("ada@example.org", false, ""));
        let mail = one_mail(&app, &recorder).await;
        assert_eq!(mail.recipient, "ada@example.org");
        let link = format!("{}/verify?token={}", app.server.app().public_url, mail.token());
        assert!(mail.text.contains(&link) && mail.text.contains("@ada"), "{}", mail.text);
        let verify = || app.anonymous.auth().verify_email(mail.token());
        assert!(verify().await.unwrap().verified);
        assert_eq!(code::<VerifyEmail>(verify().await), Code::NotFound);
        assert_eq!(addresses(&ada.client).await, state("ada@example.org", true, ""));
        assert_eq!(actions(&ada.client).await[0], SecurityAction::EmailVerified);
        let again = ada.client.auth().send_verification().await;
        assert_eq!(code::<SendVerification>(again), Code::WrongState);
        assert_eq!(mails(&app, &recorder).await, []);
    }

    async fn an_agent_without_an_address_gets_no_mail(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.agent("ada").await;
        assert_eq!(addresses(&ada.client).await, state("", false, ""));
        let sent = ada.client.auth().send_verification().await;
        assert_eq!(code::<SendVerification>(sent), Code::WrongState);
        assert_eq!(mails(&app, &recorder).await, []);
        verified(&app, &recorder, &ada.client, "ada@example.org").await;
        assert_eq!(addresses(&ada.client).await, state("ada@example.org", true, ""));
    }

    async fn a_mail_says_what_its_link_does_how_long_it_works_and_what_to_do_otherwise(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let url = app.server.app().public_url.clone();
        app.person("ada", PASSWORD).await;
        let mail = one_mail(&app, &recorder).await;
        assert_eq!(mail.subject, "Verify your e-mail address");
        for line in [
            &*format!("The account @ada on {url} uses this e-mail address.\n"),
            "The link works once, within 24 hours. If this is not your account, ignore this mail:\n",
        ] {
            assert!(mail.text.contains(line), "{line}: {}", mail.text);
        }
        app.anonymous.auth().verify_email(mail.token()).await.unwrap();
        let bot = app.agent("bot").await;
        verified(&app, &recorder, &bot.client, "bot@example.org").await;
        for (name, subject, what, effect) in [
            ("ada", "Reset your password", "a new password", "All sessions end when you set it."),
            ("bot", "Get a new API key", "a new API key", "All API keys of the account end with it."),
        ] {
            app.anonymous.auth().reset_password(&*format!("{name}@example.org")).await.unwrap();
            let mail = one_mail(&app, &recorder).await;
            assert_eq!(mail.subject, subject);
            for line in [
                format!("Somebody asked for {what} for the account @{name} on {url}.\n"),
                format!("\n{url}/reset?token={}\n", mail.token()),
                format!("The link works once, within an hour. {effect}\n"),
                "If it was not you who asked, ignore this mail: nothing changes.\n".to_owned(),
            ] {
                assert!(mail.text.contains(&line), "{line}: {}", mail.text);
            }
        }
    }

    async fn a_link_works_for_a_day_and_an_unknown_token_never(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let first = one_mail(&app, &recorder).await.token();
        app.advance(24 * HOUR - 1);
        ada.client.auth().send_verification().await.unwrap();
        let second = one_mail(&app, &recorder).await.token();
        app.advance(1);
        for unknown in [&first, "unknown", &second[1..]] {
            let verified = app.anonymous.auth().verify_email(unknown).await;
            assert_eq!(code::<VerifyEmail>(verified), Code::NotFound, "{unknown}");
        }
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from mail_token")).await, 1);
        app.anonymous.auth().verify_email(second).await.unwrap();
        assert_eq!(me(&ada.client).await.email_verified, Some(true));
    }

    async fn others_see_neither_state_nor_pending_address(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        ada.client.users().update_me().email("two@example.org").await.unwrap();
        let bob = app.agent("bob").await;
        let seen = answer(bob.raw(&app, Method::GET, "/users/ada")).await;
        for private in ["two@", "ada@", "emailVerified", "pendingEmail"] {
            assert!(!seen.text.contains(private), "{}", seen.text);
        }
    }

    async fn an_address_can_not_forge_headers(app: TestApp, "mail.url" = "smtp://127.0.0.1:9") {
        let recorder = app.server.record_mails();
        let ada = app.agent("ada").await;
        for forged in [
            "a@example.org\r\nBcc: victim@example.org",
            "a@example.org, victim@example.org",
            "\"a\r\n\"@example.org",
            "ä@example.org",
            "a@exämple.org",
            "a@example.org\u{2028}Bcc: victim@example.org",
        ] {
            let request = ada.raw(&app, Method::PATCH, "/users/me");
            let refused = code_of(request.json(&json!({ "email": forged }))).await;
            assert_eq!(refused, Code::ValidationFailed, "{forged}");
        }
        assert_eq!(mails(&app, &recorder).await, []);
    }
}
