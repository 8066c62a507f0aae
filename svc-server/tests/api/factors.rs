//! Second factors: codes of an authenticator app, and recovery codes.

use std::process::Command;
use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_client::types::api::auth::{Login, StepUp};
use svc_client::types::api::factors::{ConfirmTotp, CreateRecoveryCodes, CreateTotp, DeleteTotp};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{Code, FactorCode, RecoveryCode, TotpUri};
use svc_client::{Call, Client};
use svc_store::testing::left_out;
use totp_rs::{Builder, Secret, Totp};

use crate::app::{Member, TestApp, all_items, code, fault};
use crate::on_both_engines;
use crate::raw::answer;

const PASSWORD: &str = "correct horse";

/// An authenticator app with the key of this URI.
pub(crate) fn authenticator(uri: &TotpUri) -> Totp {
    let (_, secret) = uri.expose().split_once("secret=").unwrap();
    let secret = Secret::try_from_base32(secret.split('&').next().unwrap()).unwrap();
    Builder::new().with_secret(secret).build().unwrap()
}

/// The code that pyotp computes for a URI at a time; `None` if Python lacks pyotp.
fn by_pyotp(uri: &TotpUri, seconds: i64) -> Option<FactorCode> {
    const SCRIPT: &str =
        "import pyotp, sys; print(pyotp.parse_uri(sys.argv[1]).at(int(sys.argv[2])))";
    let mut python = Command::new("python3");
    let output = python.args(["-c", SCRIPT, uri.expose(), &seconds.to_string()]).output().unwrap();
    if !output.status.success() {
        left_out(&format!("Python's pyotp ({})", String::from_utf8_lossy(&output.stderr)));
        return None;
    }
    Some(String::from_utf8(output.stdout).unwrap().trim().into())
}

/// The code that an app shows now.
pub(crate) fn current_code(app: &TestApp, totp: &Totp) -> FactorCode {
    let seconds = app.server.clock().now().as_millis() / 1000;
    totp.generate(u64::try_from(seconds).unwrap()).to_string().as_str().into()
}

/// Adds an app to an account.
pub(crate) async fn add(app: &TestApp, member: &Member) -> (Totp, Vec<RecoveryCode>) {
    let totp = authenticator(&member.client.factors().create_totp().await.unwrap().uri);
    let confirmed = member.client.factors().confirm_totp(current_code(app, &totp)).await.unwrap();
    (totp, confirmed.recovery_codes)
}

fn sign_in(app: &TestApp, code: Option<FactorCode>) -> Call<Login> {
    let call = app.anonymous.auth().login("ada", PASSWORD);
    match code {
        Some(code) => call.code(code),
        None => call,
    }
}

async fn actions(client: &Client) -> Vec<SecurityAction> {
    let entries = all_items(client.security().log()).await;
    entries.into_iter().map(|entry| entry.action).collect()
}

on_both_engines! {
    async fn with_an_app_signing_in_needs_a_code_that_works_once(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let (totp, recovery_codes) = add(&app, &ada).await;
        let factors = ada.client.factors().get().await.unwrap();
        assert_eq!((factors.totp, factors.recovery_codes_left, recovery_codes.len()), (true, 10, 10));
        let without = sign_in(&app, None).await;
        assert_eq!(fault::<Login>(without), (Code::SecondFactorRequired, "code".to_owned()));
        let used = current_code(&app, &totp);
        assert_eq!(code::<Login>(sign_in(&app, Some(used)).await), Code::InvalidCredentials);
        app.advance(30);
        let next = current_code(&app, &totp);
        sign_in(&app, Some(next.clone())).await.unwrap();
        assert_eq!(code::<Login>(sign_in(&app, Some(next)).await), Code::InvalidCredentials);
        app.advance(60);
        let late = current_code(&app, &totp);
        app.advance(30);
        sign_in(&app, Some(late)).await.expect("a code counts one step longer");
    }

    async fn of_two_sign_ins_with_one_code_one_succeeds(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let (totp, recovery_codes) = add(&app, &ada).await;
        app.advance(30);
        for code in [current_code(&app, &totp), recovery_codes[0].expose().into()] {
            let one = sign_in(&app, Some(code.clone())).into_future();
            let (one, other) = tokio::join!(one, sign_in(&app, Some(code)).into_future());
            assert_ne!(one.is_ok(), other.is_ok());
        }
    }

    async fn each_recovery_code_replaces_a_code_once_however_it_is_typed(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let (_, codes) = add(&app, &ada).await;
        sign_in(&app, Some(codes[0].expose().into())).await.unwrap();
        let used = sign_in(&app, Some(codes[0].expose().into())).await;
        assert_eq!(code::<Login>(used), Code::InvalidCredentials);
        let typed = codes[1].expose().to_uppercase().replace('-', " ");
        sign_in(&app, Some(typed.as_str().into())).await.unwrap();
        assert_eq!(ada.client.factors().get().await.unwrap().recovery_codes_left, 8);
        let fresh = ada.client.factors().create_recovery_codes().await.unwrap().recovery_codes;
        let former = sign_in(&app, Some(codes[2].expose().into())).await;
        assert_eq!(code::<Login>(former), Code::InvalidCredentials);
        sign_in(&app, Some(fresh[0].expose().into())).await.unwrap();
        assert_eq!(ada.client.factors().get().await.unwrap().recovery_codes_left, 9);
    }

    async fn with_an_app_a_password_is_not_enough_to_confirm(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let (totp, codes) = add(&app, &ada).await;
        app.advance(600);
        // The right password without a code does not count as a guess.
        for _ in 0..6 {
            let by_password = ada.client.auth().step_up().password(PASSWORD).await;
            let needed = (Code::SecondFactorRequired, "code".to_owned());
            assert_eq!(fault::<StepUp>(by_password), needed);
        }
        assert_eq!(code::<DeleteTotp>(ada.client.factors().delete_totp().await), Code::StepUpRequired);
        ada.client.auth().step_up().code(current_code(&app, &totp)).await.unwrap();
        ada.client.factors().delete_totp().await.unwrap();
        let former = ada.client.auth().step_up().code(codes[0].expose()).await;
        assert_eq!(code::<StepUp>(former), Code::InvalidCredentials);
        sign_in(&app, None).await.unwrap();
        assert_eq!(code::<DeleteTotp>(ada.client.factors().delete_totp().await), Code::NotFound);
    }

    async fn an_app_is_on_only_after_its_first_code(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        for _ in 0..6 {
            let nothing = ada.client.factors().confirm_totp("123456").await;
            assert_eq!(code::<ConfirmTotp>(nothing), Code::WrongState, "there is nothing to guess");
        }
        let abandoned = authenticator(&ada.client.factors().create_totp().await.unwrap().uri);
        let totp = authenticator(&ada.client.factors().create_totp().await.unwrap().uri);
        sign_in(&app, None).await.unwrap();
        let wrong = ada.client.factors().confirm_totp(current_code(&app, &abandoned)).await;
        assert_eq!(fault::<ConfirmTotp>(wrong), (Code::InvalidCredentials, "code".to_owned()));
        let codes = ada.client.factors().create_recovery_codes().await;
        assert_eq!(code::<CreateRecoveryCodes>(codes), Code::WrongState);
        ada.client.factors().confirm_totp(current_code(&app, &totp)).await.unwrap();
        assert_eq!(code::<CreateTotp>(ada.client.factors().create_totp().await), Code::WrongState);
        let again = ada.client.factors().confirm_totp(current_code(&app, &totp)).await;
        assert_eq!(code::<ConfirmTotp>(again), Code::WrongState);
    }

    async fn codes_of_another_library_are_accepted(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let uri = ada.client.factors().create_totp().await.unwrap().uri;
        assert!(uri.expose().starts_with("otpauth://totp/127.0.0.1:ada?secret="), "{uri:?}");
        let at = || app.server.clock().now().as_millis() / 1000;
        let Some(first) = by_pyotp(&uri, at()) else { return };
        ada.client.factors().confirm_totp(first).await.unwrap();
        app.advance(30);
        let next = by_pyotp(&uri, at());
        sign_in(&app, next).await.unwrap();
    }

    async fn changing_factors_affects_no_other_account(app: TestApp) {
        let [ada, eve] = [app.person("ada", PASSWORD).await, app.person("eve", PASSWORD).await];
        let (of_ada, _) = add(&app, &ada).await;
        let (of_eve, codes) = add(&app, &eve).await;
        let sign_in_eve = |code: FactorCode| app.anonymous.auth().login("eve", PASSWORD).code(code);
        app.advance(30);
        sign_in(&app, Some(current_code(&app, &of_ada))).await.unwrap();
        sign_in_eve(current_code(&app, &of_eve)).await.expect("the step is used for ada only");
        let foreign = sign_in(&app, Some(codes[0].expose().into())).await;
        assert_eq!(code::<Login>(foreign), Code::InvalidCredentials);
        ada.client.factors().create_recovery_codes().await.unwrap();
        ada.client.factors().delete_totp().await.unwrap();
        add(&app, &ada).await;
        app.server.admin(svc_server::admin::Command::RemoveFactors { username: "ada".to_owned() }).await;
        let left = eve.client.factors().get().await.unwrap();
        assert_eq!((left.totp, left.recovery_codes_left), (true, 10));
        let without = app.anonymous.auth().login("eve", PASSWORD).await;
        assert_eq!(fault::<Login>(without), (Code::SecondFactorRequired, "code".to_owned()));
        sign_in_eve(codes[0].expose().into()).await.unwrap();
    }

    async fn an_agent_without_a_password_adds_no_app(app: TestApp) {
        let bot = app.agent("bot").await;
        assert_eq!(code::<CreateTotp>(bot.client.factors().create_totp().await), Code::WrongState);
    }

    async fn programs_get_no_step_token_and_a_made_up_one_is_a_wrong_password(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let (totp, _) = add(&app, &ada).await;
        app.advance(30);
        let body = json!({ "username": "ada", "password": PASSWORD });
        let refused = answer(app.raw(Method::POST, "/auth/login").json(&body)).await;
        assert!(!refused.text.contains("svc_step_"), "{}", refused.text);
        let made_up = app.anonymous.auth().login("ada", "svc_step_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
        let refused = fault::<Login>(made_up.code(current_code(&app, &totp)).await);
        assert_eq!(refused, (Code::InvalidCredentials, "password".to_owned()));
    }

    async fn guesses_at_codes_are_limited_and_signing_in_without_one_is_no_guess(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let (totp, _) = add(&app, &ada).await;
        app.advance(30);
        for _ in 0..20 {
            assert_eq!(code::<Login>(sign_in(&app, None).await), Code::SecondFactorRequired);
        }
        for guess in ["000000", "1", "ffffffffffffffffffff", "\u{1f980}", "000000"] {
            let guessed = sign_in(&app, Some(guess.into())).await;
            assert_eq!(code::<Login>(guessed), Code::InvalidCredentials, "{guess}");
        }
        let right = sign_in(&app, Some(current_code(&app, &totp))).await;
        assert_eq!(code::<Login>(right), Code::RateLimited);
        app.server.clock().advance(Duration::from_mins(15));
        sign_in(&app, Some(current_code(&app, &totp))).await.unwrap();
    }

    async fn the_security_log_shows_what_happened_to_factors(app: TestApp) {
        use SecurityAction::{FactorAdded, FactorRemoved, RecoveryCodeUsed, RecoveryCodesCreated};
        let ada = app.person("ada", PASSWORD).await;
        let (_, codes) = add(&app, &ada).await;
        ada.client.auth().step_up().code(codes[0].expose()).await.unwrap();
        ada.client.factors().create_recovery_codes().await.unwrap();
        ada.client.factors().delete_totp().await.unwrap();
        let expected = [FactorRemoved, RecoveryCodesCreated, RecoveryCodeUsed, FactorAdded];
        assert_eq!(actions(&ada.client).await[..4], expected);
    }

    async fn neither_secrets_nor_codes_are_stored_in_plain_text(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let uri = ada.client.factors().create_totp().await.unwrap().uri;
        let totp = authenticator(&uri);
        let sealed: Vec<u8> = app.server.app().read(|ctx| {
            ctx.tx.one(svc_store::db::sql!("select sealed from totp"), &[])
        }).await.unwrap();
        let holds = |needle: &[u8]| sealed.windows(needle.len()).any(|part| part == needle);
        assert!(!holds(totp.secret().as_bytes()) && !holds(totp.secret().to_base32().as_bytes()));
        let codes = ada.client.factors().confirm_totp(current_code(&app, &totp)).await.unwrap().recovery_codes;
        let hashes: Vec<Vec<u8>> = app.server.app().read(|ctx| {
            ctx.tx.all(svc_store::db::sql!("select hash from recovery_code"), &[])
        }).await.unwrap();
        assert_eq!((hashes.len(), hashes.iter().all(|hash| hash.len() == 32)), (codes.len(), true));
    }

    async fn an_operator_removes_a_factor_that_was_lost(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        add(&app, &ada).await;
        let remove = svc_server::admin::Command::RemoveFactors { username: "ada".to_owned() };
        app.server.admin(remove).await;
        let newest = ada.client.security().log().await.unwrap().entries.remove(0);
        let found = (&newest.action, newest.actor.as_deref());
        assert_eq!(found, (&SecurityAction::FactorRemoved, Some("operator")));
        assert_eq!(ada.client.factors().get().await.unwrap().recovery_codes_left, 0);
        sign_in(&app, None).await.unwrap();
        let logged = svc_store::sql!("select count(*) from audit_log where action = 'factors_removed'");
        assert_eq!(app.count(logged).await, 1);
    }
}
