//! Lost passwords and keys: a link to the verified address leads back into an account.

mod operator;

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Value, json};
use svc_client::Client;
use svc_client::types::Code;
use svc_client::types::api::email::VerifyEmail;
use svc_client::types::api::password::FinishPasswordReset;
use svc_client::types::api::security::SecurityAction;
use svc_server::admin::Command;
use svc_server::mail::Recorder;
use svc_store::sql;

use crate::app::{Member, TestApp, code, fault};
use crate::email::{mails, one_mail, verified};
use crate::factors::{add, current_code};
use crate::on_both_engines;
use crate::owners::own;
use crate::raw::{Raw, answer};

const PASSWORD: &str = "correct horse";
const NEW: &str = "battery staple";
const HOUR: u64 = 3_600;

/// A person with a verified address.
async fn person(app: &TestApp, recorder: &Recorder, name: &str) -> Member {
    let person = app.person(name, PASSWORD).await;
    let link = one_mail(app, recorder).await.token();
    app.anonymous.auth().verify_email(link).await.unwrap();
    person
}

/// The token of the link for an address.
async fn link(app: &TestApp, recorder: &Recorder, email: &str) -> String {
    app.anonymous.auth().reset_password(email).await.unwrap();
    let mail = one_mail(app, recorder).await;
    assert_eq!(mail.recipient, email.to_lowercase());
    mail.token()
}

async fn ask_from(app: &TestApp, address: &str, email: &str) -> Raw {
    let request = app.raw(Method::POST, "/auth/password/reset");
    let request = request.header("x-forwarded-for", address);
    answer(request.json(&json!({ "email": email }))).await
}

async fn finish(app: &TestApp, members: &Value) -> Raw {
    answer(app.raw(Method::POST, "/auth/password/reset/finish").json(members)).await
}

/// The token of a link that the operator hands out.
pub(crate) async fn recover(app: &TestApp, username: &str) -> String {
    let command = Command::Recover { username: username.to_owned() };
    let link = app.server.admin(command).await.remove(0).account().unwrap().link.unwrap();
    link.expose().split_once("/reset?token=").unwrap().1.to_owned()
}

async fn actions(client: &Client) -> Vec<SecurityAction> {
    let entries = client.security().log().await.unwrap().entries;
    entries.into_iter().map(|entry| entry.action).collect()
}

on_both_engines! {
    async fn a_link_sets_a_new_password_and_ends_all_sessions(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        use SecurityAction::{PasswordChanged, Recovered, SessionEnded};
        let recorder = app.server.record_mails();
        let ada = person(&app, &recorder, "ada").await;
        let session = app.browser(&app.sign_in("ada", PASSWORD).await);
        let token = link(&app, &recorder, "Ada@Example.org").await;
        let finished = app.anonymous.auth().finish_password_reset(&*token).new_password(NEW);
        let finished = finished.await.unwrap();
        assert_eq!((finished.changed, finished.api_key), (true, None));
        session.auth().session().await.unwrap_err();
        ada.client.auth().session().await.unwrap();
        assert_eq!(ada.client.sessions().list().await.unwrap().sessions, []);
        app.anonymous.auth().login("ada", PASSWORD).await.unwrap_err();
        app.sign_in("ada", NEW).await;
        let again = app.anonymous.auth().finish_password_reset(token).new_password(PASSWORD).await;
        assert_eq!(code::<FinishPasswordReset>(again), Code::NotFound);
        let log = actions(&ada.client).await;
        let recovery = log.iter().position(|action| *action == Recovered).unwrap();
        assert_eq!(log[recovery - 2..=recovery], [SessionEnded, PasswordChanged, Recovered]);
    }

    async fn an_agent_without_a_password_gets_a_new_default_key(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        use SecurityAction::{KeyCreated, KeyEnded, Recovered};
        let recorder = app.server.record_mails();
        let ada = app.agent("ada").await;
        verified(&app, &recorder, &ada.client, "ada@example.org").await;
        let identity = ada.client.agents().create_identity_token().await.unwrap().token;
        let gate = app.developer("Gate").await;
        let token = link(&app, &recorder, "ada@example.org").await;
        let finished = app.anonymous.auth().finish_password_reset(&*token).await.unwrap();
        let key = finished.api_key.unwrap();
        ada.client.auth().session().await.unwrap_err();
        let client = app.client(key);
        assert!(client.keys().current().await.unwrap().key.is_default);
        gate.client.agents().verify_identity(identity).await.unwrap_err();
        let again = app.anonymous.auth().finish_password_reset(token).await;
        assert_eq!(code::<FinishPasswordReset>(again), Code::NotFound);
        assert_eq!(actions(&client).await[..3], [KeyCreated, KeyEnded, Recovered]);
    }

    async fn a_recovery_gives_up_the_address_that_a_thief_entered(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = person(&app, &recorder, "ada").await;
        ada.client.users().update_me().email("thief@example.org").await.unwrap();
        let [of_thief, _] = mails(&app, &recorder).await.try_into().unwrap();
        let token = link(&app, &recorder, "ada@example.org").await;
        let reset = app.anonymous.auth().finish_password_reset(token).new_password(NEW);
        reset.await.unwrap();
        let late = app.anonymous.auth().verify_email(of_thief.token()).await;
        assert_eq!(code::<VerifyEmail>(late), Code::NotFound);
        let user = ada.client.users().me().await.unwrap().user;
        assert_eq!((user.email.as_deref(), user.pending_email), (Some("ada@example.org"), None));
        assert!(actions(&ada.client).await.contains(&SecurityAction::ChangeCancelled));
    }

    async fn a_recovery_within_72_hours_ends_the_ownership_of_who_claimed_the_agent(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let bot = app.agent("bot").await;
        verified(&app, &recorder, &bot.client, "bot@example.org").await;
        let eve = person(&app, &recorder, "eve").await;
        let owned = async || eve.client.agents().owned().await.unwrap().agents.len();
        let recovered = async || {
            let token = link(&app, &recorder, "bot@example.org").await;
            let finished = app.anonymous.auth().finish_password_reset(token).await.unwrap();
            app.client(finished.api_key.unwrap())
        };
        own(&eve, &bot).await;
        eve.client.agents().pause("bot").await.unwrap();
        app.advance(72 * HOUR - 1);
        let bot = recovered().await;
        assert_eq!(owned().await, 0);
        bot.posts().create("mine again").await.unwrap();
        let claim = bot.agents().create_claim_link().await.unwrap().url;
        eve.client.agents().claim(claim).await.unwrap();
        app.advance(72 * HOUR);
        recovered().await;
        assert_eq!(owned().await, 1, "whom nobody objected to stays the owner");
    }

    async fn a_new_password_is_sent_for_accounts_that_have_one_and_no_others(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        person(&app, &recorder, "ada").await;
        let bot = app.agent("bot").await;
        verified(&app, &recorder, &bot.client, "bot@example.org").await;
        let of_person = link(&app, &recorder, "ada@example.org").await;
        let of_agent = link(&app, &recorder, "bot@example.org").await;
        let wrong = (Code::ValidationFailed, "newPassword".to_owned());
        let reset = |token: &str| app.anonymous.auth().finish_password_reset(token);
        assert_eq!(fault::<FinishPasswordReset>(reset(&of_person).await), wrong);
        let short = reset(&of_person).new_password("short").await;
        assert_eq!(fault::<FinishPasswordReset>(short), wrong);
        let needless = reset(&of_agent).new_password(NEW).await;
        assert_eq!(fault::<FinishPasswordReset>(needless), wrong);
        reset(&of_person).new_password(NEW).await.unwrap();
        assert!(reset(&of_agent).await.unwrap().api_key.is_some());
    }

    async fn nobody_learns_which_address_has_an_account(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        person(&app, &recorder, "ada").await;
        app.person("bob", PASSWORD).await;
        one_mail(&app, &recorder).await;
        let rows = || app.count(sql!("select count(*) from mail_outbox"));
        let mut shapes = BTreeSet::new();
        for (count, name) in (1..).zip(["ada", "bob", "nobody"]) {
            let email = format!("{name}@example.org");
            let request = app.raw(Method::POST, "/auth/password/reset");
            let received = answer(request.json(&json!({ "email": email }))).await;
            let headers: Vec<String> = received.headers.keys().map(ToString::to_string).collect();
            shapes.insert((received.status, received.text, headers));
            assert_eq!(rows().await, count, "each request writes the same row");
        }
        assert_eq!(shapes.len(), 1, "{shapes:?}");
        assert_eq!(shapes.first().unwrap().1, r#"{"accepted":true}"#);
        assert_eq!(one_mail(&app, &recorder).await.recipient, "ada@example.org");
        assert_eq!(rows().await, 0);
    }

    async fn a_link_works_for_an_hour(app: TestApp, "mail.url" = "smtp://127.0.0.1:9") {
        let recorder = app.server.record_mails();
        person(&app, &recorder, "ada").await;
        let (early, late) = (
            link(&app, &recorder, "ada@example.org").await,
            link(&app, &recorder, "ada@example.org").await,
        );
        app.advance(HOUR - 1);
        finish(&app, &json!({ "token": early, "newPassword": NEW })).await.json();
        let used = finish(&app, &json!({ "token": late, "newPassword": NEW })).await;
        assert_eq!(used.refusal().code, Code::NotFound, "the first one ended the others");
        let token = link(&app, &recorder, "ada@example.org").await;
        app.advance(HOUR);
        for token in [&*token, "unknown"] {
            let refused = finish(&app, &json!({ "token": token, "newPassword": NEW })).await;
            assert_eq!(refused.refusal().code, Code::NotFound);
        }
    }

    async fn a_link_to_a_former_address_ends(app: TestApp, "mail.url" = "smtp://127.0.0.1:9") {
        let recorder = app.server.record_mails();
        let ada = person(&app, &recorder, "ada").await;
        let token = link(&app, &recorder, "ada@example.org").await;
        verified(&app, &recorder, &ada.client, "two@example.org").await;
        let refused = finish(&app, &json!({ "token": token, "newPassword": NEW })).await;
        assert_eq!(refused.refusal().code, Code::NotFound);
        app.sign_in("ada", PASSWORD).await;
        app.anonymous.auth().reset_password("ada@example.org").await.unwrap();
        assert_eq!(mails(&app, &recorder).await, []);
        let token = link(&app, &recorder, "two@example.org").await;
        // As if the address had changed while that mail was written.
        let change = sql!("update account set email = 'three@example.org' where username = 'ada'");
        app.execute(move |ctx| ctx.tx.execute(change, &[])).await;
        let refused = finish(&app, &json!({ "token": token, "newPassword": NEW })).await;
        assert_eq!(refused.refusal().code, Code::NotFound);
    }

    async fn a_change_of_the_password_ends_its_links(app: TestApp, "mail.url" = "smtp://127.0.0.1:9") {
        let recorder = app.server.record_mails();
        let ada = person(&app, &recorder, "ada").await;
        let mailed = link(&app, &recorder, "ada@example.org").await;
        let given = recover(&app, "ada").await;
        ada.client.auth().change_password(PASSWORD, NEW).await.unwrap();
        for token in [mailed, given] {
            let members = json!({ "token": token, "newPassword": PASSWORD });
            assert_eq!(finish(&app, &members).await.refusal().code, Code::NotFound);
        }
        app.sign_in("ada", NEW).await;
    }

    async fn of_a_change_of_the_password_and_a_use_of_a_link_at_once_one_takes_effect(
        app: TestApp, "database.connections" = "4"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let other = "another horse";
        let members = json!({ "token": recover(&app, "ada").await, "newPassword": other });
        let change = ada.client.auth().change_password(PASSWORD, NEW).into_future();
        let (changed, reset) = tokio::join!(change, finish(&app, &members));
        assert_ne!(changed.is_ok(), reset.status.is_success(), "{changed:?} {}", reset.text);
        app.sign_in("ada", if changed.is_ok() { NEW } else { other }).await;
    }

    async fn a_link_of_another_kind_is_of_no_use(app: TestApp, "mail.url" = "smtp://127.0.0.1:9") {
        let recorder = app.server.record_mails();
        app.person("ada", PASSWORD).await;
        let verifies = one_mail(&app, &recorder).await.token();
        let refused = finish(&app, &json!({ "token": verifies, "newPassword": NEW })).await;
        assert_eq!(refused.refusal().code, Code::NotFound);
        app.anonymous.auth().verify_email(verifies).await.unwrap();
        let resets = link(&app, &recorder, "ada@example.org").await;
        app.anonymous.auth().verify_email(resets).await.unwrap_err();
    }

    async fn of_concurrent_uses_of_a_link_one_takes_effect(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "database.connections" = "4"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.agent("ada").await;
        verified(&app, &recorder, &ada.client, "ada@example.org").await;
        let members = json!({ "token": link(&app, &recorder, "ada@example.org").await });
        let calls = (0..10).map(|_| finish(&app, &members));
        let answers = futures_util::future::join_all(calls).await;
        let (used, refused): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|answer| answer.status.is_success());
        assert_eq!((used.len(), refused.len()), (1, 9));
        assert!(refused.iter().all(|refused| refused.refusal().code == Code::NotFound));
        let key = used[0].json()["apiKey"].as_str().unwrap().to_owned();
        app.client(&*key).auth().session().await.unwrap();
    }

    async fn a_network_asks_five_times_an_hour_even_at_once(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "limits.budgets" = "true",
        "trusted_proxies" = "127.0.0.1", "database.connections" = "4"
    ) {
        let emails: Vec<String> = (0..20).map(|n| format!("nobody{n}@example.org")).collect();
        let asks = emails.iter().map(|email| ask_from(&app, "203.0.113.7", email));
        let answers = futures_util::future::join_all(asks).await;
        let accepted = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(accepted, 5);
        let refused = answers.iter().find(|answer| answer.status != 200).unwrap().refusal();
        assert_eq!(refused.code, Code::RateLimited);
        assert_eq!(app.count(sql!("select count(*) from mail_outbox")).await, 5);
        assert_eq!(ask_from(&app, "203.0.114.7", "nobody@example.org").await.status, 200);
        app.advance(HOUR);
        assert_eq!(ask_from(&app, "203.0.113.7", "nobody@example.org").await.status, 200);
    }

    async fn an_account_gets_three_links_an_hour_from_all_callers(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        person(&app, &recorder, "ada").await;
        for _ in 0..5 {
            app.anonymous.auth().reset_password("ada@example.org").await.unwrap();
        }
        assert_eq!(mails(&app, &recorder).await.len(), 3);
        app.advance(HOUR);
        link(&app, &recorder, "ada@example.org").await;
    }

    async fn a_deleted_account_has_no_way_back_by_mail(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = person(&app, &recorder, "ada").await;
        let token = link(&app, &recorder, "ada@example.org").await;
        app.anonymous.auth().reset_password("ada@example.org").await.unwrap();
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(mails(&app, &recorder).await, []);
        let refused = finish(&app, &json!({ "token": token, "newPassword": NEW })).await;
        assert_eq!(refused.refusal().code, Code::NotFound);
    }

    async fn a_second_factor_is_asked_for_and_guesses_at_it_are_counted(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = person(&app, &recorder, "ada").await;
        let (totp, _) = add(&app, &ada).await;
        app.advance(30);
        let token = link(&app, &recorder, "ada@example.org").await;
        let reset = || app.anonymous.auth().finish_password_reset(&*token).new_password(NEW);
        let needed = (Code::SecondFactorRequired, "code".to_owned());
        assert_eq!(fault::<FinishPasswordReset>(reset().await), needed);
        let wrong = reset().code("not a code").await;
        assert_eq!(fault::<FinishPasswordReset>(wrong), (Code::InvalidCredentials, "code".to_owned()));
        reset().code(current_code(&app, &totp)).await.unwrap();
        app.anonymous.auth().login("ada", PASSWORD).await.unwrap_err();
        let token = link(&app, &recorder, "ada@example.org").await;
        let reset = || app.anonymous.auth().finish_password_reset(&*token).new_password(PASSWORD);
        let mut last = None;
        for _ in 0..6 {
            last = Some(code::<FinishPasswordReset>(reset().code("000-000").await));
        }
        assert_eq!(last, Some(Code::RateLimited));
    }

    async fn a_new_password_that_is_refused_is_no_guess_at_the_code(
        app: TestApp, "passwords.breached_file" = "tests/api/breached.txt"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let (totp, _) = add(&app, &ada).await;
        app.advance(30);
        let token = recover(&app, "ada").await;
        let reset = |new: &str| {
            let call = app.anonymous.auth().finish_password_reset(&*token).new_password(new);
            call.code(current_code(&app, &totp))
        };
        for _ in 0..6 {
            let refused = code::<FinishPasswordReset>(reset("correct horse battery staple").await);
            assert_eq!(refused, Code::PasswordTooCommon);
        }
        reset(NEW).await.unwrap();
    }

    async fn a_weak_password_is_refused_here_too(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        person(&app, &recorder, "ada").await;
        let token = link(&app, &recorder, "ada@example.org").await;
        let reset = |password: &str| {
            app.anonymous.auth().finish_password_reset(&*token).new_password(password)
        };
        let weak = (Code::PasswordTooCommon, "newPassword".to_owned());
        for password in ["password", "ada@example.org"] {
            assert_eq!(fault::<FinishPasswordReset>(reset(password).await), weak);
        }
        reset(NEW).await.unwrap();
    }

    async fn a_mail_names_its_account_and_what_its_link_gives(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        person(&app, &recorder, "ada").await;
        let bot = app.agent("bot").await;
        verified(&app, &recorder, &bot.client, "bot@example.org").await;
        let link = format!("{}/reset?token=", app.server.app().public_url);
        for (name, subject, given) in [
            ("ada", "Reset your password", "a new password for the account @ada"),
            ("bot", "Get a new API key", "a new API key for the account @bot"),
        ] {
            let email = format!("{name}@example.org");
            app.anonymous.auth().reset_password(&*email).await.unwrap();
            let mail = one_mail(&app, &recorder).await;
            assert_eq!((mail.recipient, &*mail.subject), (email, subject));
            assert!(mail.text.contains(given) && mail.text.contains(&link), "{}", mail.text);
        }
    }
}
