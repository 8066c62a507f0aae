//! The e-mail address of an account: pending, verified, taken.

use http::Method;
use serde_json::json;
use svc_client::Client;
use svc_client::types::api::auth::Register;
use svc_client::types::api::email::{SendVerification, VerifyEmail};
use svc_client::types::api::pending::UndoPendingChange;
use svc_client::types::api::security::SecurityAction;
use svc_client::types::api::users::{UpdateMe, User};
use svc_client::types::{Code, Scope};
use svc_core::tasks::sweep;
use svc_server::mail::{self, Recorded, Recorder};
use svc_store::error::Result;
use svc_store::{sql, values};

use crate::app::{TestApp, all_items, code, fault};
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

/// The status of a sign-in with an address.
/// The token of the link in a notice, which takes a new address back.
pub(crate) fn undo_of(notice: &Recorded) -> String {
    notice.text.lines().find_map(|line| line.split_once("/undo/")).unwrap().1.to_owned()
}

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

    async fn a_changed_address_counts_once_verified_and_the_former_one_is_told(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let first = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(first).await.unwrap();
        let user = ada.client.users().update_me().email("Two@example.org").bio("hi").await.unwrap();
        assert_eq!((user.user.bio.as_str(), user.user.pending_email), ("hi", Some("two@example.org".to_owned())));
        let mails = mails(&app, &recorder).await;
        let recipients: Vec<&str> = mails.iter().map(|mail| mail.recipient.as_str()).collect();
        assert_eq!(recipients, ["two@example.org", "ada@example.org"]);
        assert!(!mails[1].text.contains("token="), "{}", mails[1].text);
        assert!(mails[1].text.contains("the account @ada on "), "{}", mails[1].text);
        let advice = format!(
            "The link works once, within 72 hours. Then set a new password, or get a new API key for\n\
             an agent without a password:\n\n{}/forgot\n",
            app.server.app().public_url
        );
        assert!(mails[1].text.ends_with(&advice), "{}", mails[1].text);
        assert_eq!(mails[1].subject, "Your e-mail address is being changed");
        let expected = state("ada@example.org", true, "two@example.org");
        assert_eq!(addresses(&ada.client).await, expected);
        assert_eq!(sign_in(&app, "ada@example.org").await, 200);
        assert_eq!(sign_in(&app, "two@example.org").await, 401);
        app.anonymous.auth().verify_email(mails[0].token()).await.unwrap();
        assert_eq!(addresses(&ada.client).await, state("two@example.org", true, ""));
        assert_eq!(sign_in(&app, "two@example.org").await, 200);
        assert_eq!(sign_in(&app, "ada@example.org").await, 401);
        let log = actions(&ada.client).await;
        let position = |action| log.iter().position(|entry| *entry == action).unwrap();
        assert!(position(SecurityAction::EmailChanged) < position(SecurityAction::EmailPending));
    }

    async fn the_former_address_takes_a_new_one_back_before_and_after_it_counts(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let first = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(first).await.unwrap();
        let undo = |notice: &Recorded| app.anonymous.pending().undo(undo_of(notice));
        let verify = |mail: &Recorded| app.anonymous.auth().verify_email(mail.token());
        let own = state("ada@example.org", true, "");
        ada.client.users().update_me().email("thief@example.org").await.unwrap();
        let [of_thief, notice] = mails(&app, &recorder).await.try_into().unwrap();
        assert!(undo(&notice).await.unwrap().undone);
        assert_eq!(addresses(&ada.client).await, own);
        assert_eq!(code::<VerifyEmail>(verify(&of_thief).await), Code::NotFound);
        app.advance(2 * HOUR);
        ada.client.auth().step_up().password(PASSWORD).await.unwrap();
        ada.client.users().update_me().email("thief@example.org").await.unwrap();
        let [of_thief, notice] = mails(&app, &recorder).await.try_into().unwrap();
        verify(&of_thief).await.unwrap();
        ada.client.users().update_me().email("third@example.org").await.unwrap();
        let [of_third, notice_to_thief] = mails(&app, &recorder).await.try_into().unwrap();
        app.advance(72 * HOUR - 1);
        assert!(undo(&notice).await.unwrap().undone);
        assert_eq!(addresses(&ada.client).await, own);
        assert_eq!(sign_in(&app, "ada@example.org").await, 200);
        assert_eq!(actions(&ada.client).await[1], SecurityAction::EmailChanged);
        assert_eq!(code::<VerifyEmail>(verify(&of_third).await), Code::NotFound);
        for used in [&notice, &notice_to_thief] {
            assert_eq!(code::<UndoPendingChange>(undo(used).await), Code::NotFound);
        }
    }

    async fn a_former_address_takes_nothing_back_after_72_hours_or_once_another_account_has_it(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        for mail in mails(&app, &recorder).await {
            app.anonymous.auth().verify_email(mail.token()).await.unwrap();
        }
        let mut notices = Vec::new();
        for (member, address) in [(&ada, "ada2@example.org"), (&bob, "bob2@example.org")] {
            member.client.users().update_me().email(address).await.unwrap();
            let [new, notice] = mails(&app, &recorder).await.try_into().unwrap();
            app.anonymous.auth().verify_email(new.token()).await.unwrap();
            notices.push(undo_of(&notice));
        }
        let cyd = app.agent("cyd").await;
        verified(&app, &recorder, &cyd.client, "bob@example.org").await;
        let undo = |number: usize| app.anonymous.pending().undo(&*notices[number]);
        assert_eq!(code::<UndoPendingChange>(undo(1).await), Code::NotFound);
        assert_eq!(addresses(&bob.client).await, state("bob2@example.org", true, ""));
        app.advance(72 * HOUR);
        assert_eq!(code::<UndoPendingChange>(undo(0).await), Code::NotFound);
        assert_eq!(addresses(&ada.client).await, state("ada2@example.org", true, ""));
        assert_eq!(addresses(&cyd.client).await, state("bob@example.org", true, ""));
    }

    async fn a_newer_address_ends_the_link_of_the_pending_one(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let first = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(first).await.unwrap();
        ada.client.users().update_me().email("two@example.org").await.unwrap();
        let [two, _] = mails(&app, &recorder).await.try_into().unwrap();
        ada.client.users().update_me().email("two@example.org").await.unwrap();
        assert_eq!(mails(&app, &recorder).await, [], "it is pending already");
        ada.client.users().update_me().email("three@example.org").await.unwrap();
        let verify = |mail: &Recorded| app.anonymous.auth().verify_email(mail.token());
        assert_eq!(code::<VerifyEmail>(verify(&two).await), Code::NotFound);
        let [three, _] = mails(&app, &recorder).await.try_into().unwrap();
        ada.client.users().update_me().email("ada@example.org").await.unwrap();
        assert_eq!(addresses(&ada.client).await, state("ada@example.org", true, ""));
        assert_eq!(code::<VerifyEmail>(verify(&three).await), Code::NotFound);
        assert_eq!(mails(&app, &recorder).await, []);
    }

    async fn of_accounts_with_the_same_pending_address_the_first_to_verify_gets_it(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut links = Vec::new();
        for member in [&ada, &bob] {
            member.client.users().update_me().email("shared@example.org").await.unwrap();
            links.push(one_mail(&app, &recorder).await.token());
        }
        app.anonymous.auth().verify_email(&*links[1]).await.unwrap();
        for _ in 0..2 {
            let late = app.anonymous.auth().verify_email(&*links[0]).await;
            assert_eq!(code::<VerifyEmail>(late), Code::EmailTaken);
        }
        assert_eq!(addresses(&ada.client).await, state("", false, "shared@example.org"));
        assert_eq!(addresses(&bob.client).await, state("shared@example.org", true, ""));
        let again = ada.client.auth().send_verification().await;
        assert_eq!(fault::<SendVerification>(again), (Code::EmailTaken, "email".to_owned()));
        let cyd = app.agent("cyd").await;
        let taken = cyd.client.users().update_me().email("shared@example.org").await;
        assert_eq!(fault::<UpdateMe>(taken), (Code::EmailTaken, "email".to_owned()));
        assert_eq!(mails(&app, &recorder).await, []);
    }

    async fn an_address_that_was_only_entered_is_no_obstacle_to_its_owner(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let squatter = app.person("ada", PASSWORD).await;
        let link = one_mail(&app, &recorder).await.token();
        let owner = app.agent("owner").await;
        verified(&app, &recorder, &owner.client, "ada@example.org").await;
        assert_eq!(addresses(&owner.client).await, state("ada@example.org", true, ""));
        let displaced = state("", false, "ada@example.org");
        assert_eq!(addresses(&squatter.client).await, displaced);
        let newest = async |of: &Client| of.security().log().await.unwrap().entries.remove(0);
        let lost = newest(&squatter.client).await;
        assert_eq!((lost.action, lost.network), (SecurityAction::EmailLost, None));
        let changed = newest(&owner.client).await;
        assert_eq!(changed.network.as_deref(), Some("127.0.0.0/24"), "its own is shown");
        let late = app.anonymous.auth().verify_email(link).await;
        assert_eq!(code::<VerifyEmail>(late), Code::EmailTaken);
        app.anonymous.auth().login("ada", PASSWORD).await.unwrap();
    }

    async fn an_address_that_was_only_entered_keeps_nobody_from_signing_up_with_it(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let squatter = app.person("ada", PASSWORD).await;
        one_mail(&app, &recorder).await;
        let sign_up = |name: &str| {
            app.anonymous.auth().register_person(name, "Ada@Example.org", PASSWORD)
        };
        let owner = app.client(sign_up("owner").await.unwrap().api_key);
        assert_eq!(addresses(&owner).await, state("", false, "ada@example.org"));
        let link = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(link).await.unwrap();
        assert_eq!(addresses(&owner).await, state("ada@example.org", true, ""));
        assert_eq!(addresses(&squatter.client).await, state("", false, "ada@example.org"));
        assert_eq!(sign_in(&app, "ada@example.org").await, 200);
        let late = sign_up("late").await;
        assert_eq!(fault::<Register>(late), (Code::EmailTaken, "email".to_owned()));
    }

    async fn an_account_gets_three_links_an_hour(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let sends = (0..5).map(|_| ada.client.auth().send_verification().into_future());
        let sent = futures_util::future::join_all(sends).await;
        let (sent, refused): (Vec<_>, Vec<_>) = sent.into_iter().partition(Result::is_ok);
        assert_eq!((sent.len(), refused.len()), (2, 3), "the sign-up sent the first");
        for refused in refused {
            assert_eq!(code::<SendVerification>(refused), Code::RateLimited);
        }
        let moved = ada.client.users().update_me().email("two@example.org").await;
        assert_eq!(code::<UpdateMe>(moved), Code::RateLimited);
        assert_eq!(me(&ada.client).await.pending_email, None);
        assert_eq!(mails(&app, &recorder).await.len(), 3);
        app.advance(HOUR - 1);
        sweep::once(app.server.app()).await.unwrap();
        let early = ada.client.auth().send_verification().await;
        assert_eq!(code::<SendVerification>(early), Code::RateLimited, "what counts is not swept");
        app.advance(1);
        ada.client.auth().send_verification().await.unwrap();
    }

    async fn links_are_counted_for_as_long_as_the_operator_says(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "limits.mails.per_account" = "1",
        "limits.mails.window" = "2h"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        app.advance(2 * HOUR - 1);
        let early = ada.client.auth().send_verification().await;
        assert_eq!(code::<SendVerification>(early), Code::RateLimited);
        app.advance(1);
        ada.client.auth().send_verification().await.unwrap();
    }

    async fn links_are_not_limited_where_the_limits_are_off(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "limits.mails.per_account" = "0",
        "limits.mails.per_recipient" = "0"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        for _ in 0..10 {
            ada.client.auth().send_verification().await.unwrap();
        }
        assert_eq!(mails(&app, &recorder).await.len(), 11, "the sign-up sent the first");
    }

    async fn an_address_gets_ten_links_an_hour_from_all_accounts(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        for number in 0..10 {
            let agent = app.agent(&format!("agent_{number}")).await;
            agent.client.users().update_me().email("victim@example.org").await.unwrap();
        }
        let last = app.agent("last").await;
        let refused = last.client.users().update_me().email("victim@example.org").await;
        assert_eq!(code::<UpdateMe>(refused), Code::RateLimited);
        assert_eq!(mails(&app, &recorder).await.len(), 10);
        app.person("victim", PASSWORD).await;
        assert_eq!(mails(&app, &recorder).await, [], "the account exists, the mail is left out");
    }

    async fn probing_addresses_of_others_is_counted_although_it_is_refused(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "limits.budgets" = "true"
    ) {
        let recorder = app.server.record_mails();
        app.person("ada", PASSWORD).await;
        let first = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(first).await.unwrap();
        let bob = app.agent("bob").await;
        let probe = || bob.client.users().update_me().email("ada@example.org");
        for _ in 0..10 {
            assert_eq!(code::<UpdateMe>(probe().await), Code::EmailTaken);
        }
        assert_eq!(code::<UpdateMe>(probe().await), Code::RateLimited, "or addresses could be harvested");
        bob.client.users().update_me().email("bob@example.org").await.unwrap();
        app.advance(HOUR);
        assert_eq!(code::<UpdateMe>(probe().await), Code::EmailTaken);
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

    async fn the_database_holds_no_link(app: TestApp, "mail.url" = "smtp://127.0.0.1:9") {
        let recorder = app.server.record_mails();
        app.person("ada", PASSWORD).await;
        let waiting = |ctx: &mut svc_core::app::Ctx<'_, '_>| {
            let sql = sql!("select subject, recipient, sealed from mail_outbox");
            ctx.tx.all::<(String, String, Vec<u8>)>(sql, values![])
        };
        let [(_, _, sealed)] = app.server.app().read(waiting).await.unwrap().try_into().unwrap();
        let token = one_mail(&app, &recorder).await.token();
        let stored = app.server.app().read(|ctx| {
            ctx.tx.all::<Vec<u8>>(sql!("select hash from mail_token"), values![])
        });
        let [hash] = stored.await.unwrap().try_into().unwrap();
        for bytes in [&sealed, &hash] {
            for text in [&*token, "token=", "verify"] {
                assert!(!bytes.windows(text.len()).any(|part| part == text.as_bytes()));
            }
        }
        assert_eq!(app.count(sql!("select count(*) from mail_outbox")).await, 0, "it is sent");
    }

    async fn a_mail_that_cannot_be_decrypted_waits_for_a_node_that_can(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        app.person("ada", PASSWORD).await;
        let sql = sql!("select sealed from mail_outbox");
        let sealed = app.server.app().read(move |ctx| ctx.tx.one::<Vec<u8>>(sql, values![]));
        let sealed = sealed.await.unwrap();
        let keep = async |sealed: Vec<u8>| {
            let sql = sql!("update mail_outbox set sealed = $1");
            app.execute(move |ctx| ctx.tx.execute(sql, values![sealed])).await;
        };
        keep(vec![0; 64]).await;
        assert_eq!(mails(&app, &recorder).await, []);
        keep(sealed).await;
        app.advance(60);
        let link = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(link).await.unwrap();
    }

    async fn a_deleted_account_leaves_no_link_and_no_mail(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let link = one_mail(&app, &recorder).await.token();
        ada.client.users().update_me().email("two@example.org").await.unwrap();
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(mails(&app, &recorder).await, []);
        let late = app.anonymous.auth().verify_email(link).await;
        assert_eq!(code::<VerifyEmail>(late), Code::NotFound);
        assert_eq!(app.count(sql!("select count(*) from mail_token")).await, 0);
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

    async fn a_mail_whose_time_is_over_is_given_up(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        // Nobody listens there, so each try fails.
        app.person("ada", PASSWORD).await;
        app.server.send_mails().await;
        assert_eq!(app.count(sql!("select count(*) from mail_outbox where attempt = 1")).await, 1);
        app.advance(24 * HOUR);
        let recorder = app.server.record_mails();
        assert_eq!(mails(&app, &recorder).await, []);
        assert_eq!(app.count(sql!("select count(*) from mail_outbox")).await, 0);
    }

    async fn of_mails_that_were_sent_at_once_only_the_one_that_is_not_recorded_stays(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        for name in ["ada", "bob"] {
            app.person(name, PASSWORD).await;
        }
        // The first can't be deleted.
        app.execute(|ctx| {
            let keep = sql!("create table kept (mail text not null references mail_outbox (id))");
            ctx.tx.execute(keep, &[])?;
            let first =
                sql!("insert into kept select id from mail_outbox order by due_at, id limit 1");
            ctx.tx.execute(first, &[])
        }).await;
        mail::once(app.server.app()).await.unwrap_err();
        assert_eq!(recorder.take().len(), 2);
        assert_eq!(app.count(sql!("select count(*) from mail_outbox")).await, 1);
    }

    async fn a_new_address_needs_a_confirmation_where_the_account_has_a_password(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        one_mail(&app, &recorder).await;
        app.advance(HOUR);
        let propose = || ada.client.users().update_me().email("two@example.org");
        assert_eq!(code::<UpdateMe>(propose().await), Code::StepUpRequired);
        assert_eq!(mails(&app, &recorder).await, []);
        ada.client.users().update_me().email("ada@example.org").bio("hi").await.unwrap();
        ada.client.auth().step_up().password(PASSWORD).await.unwrap();
        propose().await.unwrap();
        assert_eq!(one_mail(&app, &recorder).await.recipient, "two@example.org");
    }
}
