//! Passkeys: adding them, signing in and confirming with them, and what is refused.

mod ceremonies;
mod foreign;
mod mutated;
mod recovered;

use http::Method;
use serde_json::json;
use svc_client::Client;
use svc_client::types::api::factors::DeleteTotp;
use svc_client::types::api::keys::CreateApiKey;
use svc_client::types::api::passkeys::{
    BeginPasskey, BeginPasskeyLogin, BeginPasskeyStepUp, CreatePasskey, DeletePasskey,
    LoginWithPasskey, PASSKEYS_MAX, PasskeyCeremony, UpdatePasskey,
};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::api::users::GetMe;
use svc_client::types::{Code, Id, PasskeyId, Scope, Scopes, Span};
use svc_server::admin::Command;
use svc_store::db::{sql, values};

use crate::app::{TestApp, all_items, code};
use crate::device::Device;
use crate::on_both_engines;
use crate::raw::answer;

const PASSWORD: &str = "correct horse";

/// How long a confirmation and a ceremony last, in seconds.
const LIFE: u64 = 600;

async fn begin_login(app: &TestApp) -> PasskeyCeremony {
    app.anonymous.passkeys().begin_login().await.unwrap()
}

async fn login(app: &TestApp, device: &mut Device) -> Result<String, Code> {
    let PasskeyCeremony { ceremony_id, options, .. } = begin_login(app).await;
    let answered = app.anonymous.passkeys().login(ceremony_id, device.signs(&options)).await;
    answered.map(|answer| answer.user.username).map_err(|error| error.code().unwrap().clone())
}

async fn step_up(client: &Client, device: &mut Device) -> Result<(), Code> {
    let PasskeyCeremony { ceremony_id, options, .. } =
        client.passkeys().begin_step_up().await.unwrap();
    let call = client.auth().step_up().ceremony_id(ceremony_id);
    let answered = call.credential(device.signs(&options)).await;
    answered.map(drop).map_err(|error| error.code().unwrap().clone())
}

async fn actions(client: &Client) -> Vec<SecurityAction> {
    let entries = all_items(client.security().log()).await;
    entries.into_iter().map(|entry| entry.action).collect()
}

on_both_engines! {
    async fn a_passkey_signs_in_alone_even_where_a_password_needs_a_code(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        crate::factors::add(&app, &ada).await;
        let mut device = Device::new();
        let added = device.join(&ada, "Laptop").await;
        assert_eq!((added.name.as_str(), added.is_synced, added.last_used_at), ("Laptop", false, None));
        let cookie = device.sign_in(&app).await;
        let browser = app.browser(&cookie);
        assert_eq!(browser.users().me().await.unwrap().user.username, "ada");
        browser.keys().create("fresh", [Scope::Read]).await.expect("signing in is a confirmation");
        let listed = ada.client.factors().get().await.unwrap().passkeys;
        let used_at = Some(app.server.clock().now());
        assert_eq!(listed.iter().map(|one| (&one.passkey_id, one.last_used_at)).collect::<Vec<_>>(),
            [(&added.passkey_id, used_at)]);
    }

    async fn a_passkey_confirms_the_session_or_key_that_sends_it(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        crate::factors::add(&app, &ada).await;
        let mut device = Device::of(&ada).await;
        let browser = app.browser(&device.sign_in(&app).await);
        app.advance(LIFE);
        for client in [&browser, &ada.client] {
            let refused = client.keys().create("one", [Scope::Read]).await;
            assert_eq!(code::<CreateApiKey>(refused), Code::StepUpRequired);
            step_up(client, &mut device).await.unwrap();
            let made = client.keys().create("one", [Scope::Read]).await.unwrap();
            client.keys().delete(made.key.key_id).await.unwrap();
        }
        ada.client.factors().delete_totp().await.unwrap();
    }

    async fn an_agent_with_a_passkey_has_something_to_confirm_with(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let bot = app.agent("bot").await;
        app.advance(LIFE);
        let mut device = Device::of(&bot).await;
        let refused = bot.client.keys().create("one", [Scope::Read]).await;
        assert_eq!(code::<CreateApiKey>(refused), Code::StepUpRequired);
        step_up(&bot.client, &mut device).await.unwrap();
        bot.client.keys().create("one", [Scope::Read]).await.unwrap();
        assert_eq!(login(&app, &mut device).await, Ok("bot".to_owned()));
        let listed = bot.client.factors().get().await.unwrap().passkeys;
        bot.client.passkeys().delete(&listed[0].passkey_id).await.unwrap();
        app.advance(LIFE);
        bot.client.keys().create("two", [Scope::Read]).await.expect("it has nothing else again");
    }

    async fn a_passkey_belongs_to_one_account(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let (ada, eve) = (app.person("ada", PASSWORD).await, app.person("eve", PASSWORD).await);
        let mut device = Device::of(&ada).await;
        for member in [&ada, &eve] {
            let passkeys = member.client.passkeys();
            let PasskeyCeremony { ceremony_id, options, .. } = passkeys.begin().await.unwrap();
            let again = passkeys.create(ceremony_id, device.enrols(&options), "again").await;
            assert_eq!(code::<CreatePasskey>(again), Code::InvalidCredentials);
        }
    }

    async fn a_counter_that_goes_back_shows_a_copied_key(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::of(&ada).await;
        login(&app, &mut device).await.unwrap();
        let by_copy = async |device: &mut Device, counter| {
            let PasskeyCeremony { ceremony_id, options, .. } = begin_login(&app).await;
            let signed = device.signs_but(&options, |says| says.counter = counter);
            app.anonymous.passkeys().login(ceremony_id, signed).await.is_ok()
        };
        assert!(by_copy(&mut device, 7).await);
        assert!(!by_copy(&mut device, 7).await && !by_copy(&mut device, 3).await);
        assert!(by_copy(&mut device, 8).await);
    }

    async fn the_last_way_into_an_account_is_not_removed(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let [bot, eve] = app.agents(["bot", "eve"]).await;
        // What lets eve in lets nobody else in.
        Device::of(&eve).await;
        let mut device = Device::of(&bot).await;
        let browser = app.browser(&device.sign_in(&app).await);
        let keys = browser.keys().list().await.unwrap().keys;
        browser.keys().delete(&*keys[0].key_id).await.expect("the passkey is left");
        let passkey = browser.factors().get().await.unwrap().passkeys.remove(0).passkey_id;
        let last = browser.passkeys().delete(&passkey).await;
        assert_eq!(code::<DeletePasskey>(last), Code::LastCredential);
        login(&app, &mut device).await.unwrap();
        let PasskeyCeremony { ceremony_id, options, .. } = browser.passkeys().begin().await.unwrap();
        let mut second = Device::new();
        browser.passkeys().create(ceremony_id, second.enrols(&options), "Phone").await.unwrap();
        browser.passkeys().delete(&passkey).await.unwrap();
        assert_eq!(login(&app, &mut device).await, Err(Code::InvalidCredentials));
        assert_eq!(login(&app, &mut second).await, Ok("bot".to_owned()));
    }

    async fn passkeys_are_renamed_and_removed_by_who_has_confirmed(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let (ada, eve) = (app.person("ada", PASSWORD).await, app.person("eve", PASSWORD).await);
        let mut device = Device::new();
        let id = device.join(&ada, "Laptop").await.passkey_id;
        let passkeys = ada.client.passkeys();
        let renamed = passkeys.update(&id, "Old laptop").await.unwrap().passkey;
        assert_eq!((&renamed.passkey_id, renamed.name.as_str()), (&id, "Old laptop"));
        let unseen = passkeys.update(&id, "\u{200b} ").await;
        assert_eq!(code::<UpdatePasskey>(unseen), Code::ValidationFailed);
        let foreign = eve.client.passkeys();
        assert_eq!(code::<UpdatePasskey>(foreign.update(&id, "mine").await), Code::NotFound);
        assert_eq!(code::<DeletePasskey>(foreign.delete(&id).await), Code::NotFound);
        let none = PasskeyId::from_number(7);
        assert_eq!(code::<DeletePasskey>(passkeys.delete(&none).await), Code::NotFound);
        app.advance(LIFE);
        assert_eq!(code::<BeginPasskey>(passkeys.begin().await), Code::StepUpRequired);
        assert_eq!(code::<UpdatePasskey>(passkeys.update(&id, "x").await), Code::StepUpRequired);
        assert_eq!(code::<DeletePasskey>(passkeys.delete(&id).await), Code::StepUpRequired);
        step_up(&ada.client, &mut device).await.unwrap();
        passkeys.delete(&id).await.unwrap();
        assert_eq!(login(&app, &mut device).await, Err(Code::InvalidCredentials));
        let none_left = passkeys.begin_step_up().await;
        assert_eq!(code::<BeginPasskeyStepUp>(none_left), Code::WrongState);
    }

    async fn the_security_log_shows_what_happened_to_passkeys(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        use SecurityAction::{PasskeyAdded, PasskeyChanged, PasskeyRemoved, SignInFailed, SignedIn};
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::new();
        let id = device.join(&ada, "Laptop").await.passkey_id;
        login(&app, &mut device).await.unwrap();
        ada.client.passkeys().update(&id, "Old").await.unwrap();
        ada.client.passkeys().delete(&id).await.unwrap();
        let expected = [PasskeyRemoved, PasskeyChanged, SignedIn, PasskeyAdded];
        assert_eq!(actions(&ada.client).await[..4], expected);
        let bot = app.agent("bot").await;
        let mut device = Device::of(&bot).await;
        let PasskeyCeremony { ceremony_id, options, .. } = begin_login(&app).await;
        let forged = device.signs_but(&options, |says| says.is_forged = true);
        app.anonymous.passkeys().login(ceremony_id, forged).await.unwrap_err();
        assert_eq!(actions(&bot.client).await[..2], [SignInFailed, PasskeyAdded]);
    }

    async fn an_account_has_25_passkeys_at_most(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        for _ in 1..PASSKEYS_MAX {
            Device::of(&ada).await;
        }
        let passkeys = ada.client.passkeys();
        let begun = passkeys.begin().await.unwrap();
        let (account, spare) = (ada.user.id.clone(), "pky_0000000000001");
        // One more comes in while the device is asked.
        app.execute(move |ctx| {
            let sql = sql!(
                "insert into passkey (id, account, name, credential_id, credential, is_synced, created_at)
                 values ($1, $2, 'Spare', $3, '{}', false, 0)"
            );
            ctx.tx.execute(sql, values![spare, account, vec![0_u8]])
        }).await;
        let enrolment = Device::new().enrols(&begun.options);
        let late = passkeys.create(begun.ceremony_id, enrolment, "one too many").await;
        assert_eq!(code::<CreatePasskey>(late), Code::LimitReached);
        let begun = passkeys.begin().await;
        assert_eq!(code::<BeginPasskey>(begun), Code::LimitReached, "before a device is asked");
        assert_eq!(ada.client.factors().get().await.unwrap().passkeys.len(), PASSKEYS_MAX);
    }

    async fn suspended_and_deleted_accounts_sign_in_as_by_password(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::of(&ada).await;
        app.suspend("ada").await;
        let browser = app.browser(&device.sign_in(&app).await);
        browser.users().me().await.expect("it may read");
        let posted = browser.posts().create("hi").await.unwrap_err();
        assert_eq!(posted.code(), Some(&Code::AccountSuspended));
        app.unsuspend("ada").await;
        ada.client.users().delete_me("ada").await.unwrap();
        let PasskeyCeremony { ceremony_id, options, .. } = begin_login(&app).await;
        let answer = app.anonymous.passkeys().login(ceremony_id, device.signs(&options)).await.unwrap();
        assert!(answer.erased_at.is_some());
        let browser = app.browser(&device.sign_in(&app).await);
        assert_eq!(code::<GetMe>(browser.users().me().await), Code::AccountDeleted);
        browser.auth().restore().await.unwrap();
        assert_eq!(login(&app, &mut device).await, Ok("ada".to_owned()));
    }

    async fn an_erased_account_leaves_no_passkey(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::of(&ada).await;
        let mut kept = Device::of(&app.agent("bot").await).await;
        ada.client.passkeys().begin().await.unwrap();
        ada.client.users().delete_me("ada").await.unwrap();
        app.server.admin(Command::Erase { username: "ada".into() }).await;
        app.server.erase().await;
        assert_eq!(app.count(sql!("select count(*) from passkey")).await, 1, "that of bot");
        assert_eq!(app.count(sql!("select count(*) from ceremony")).await, 0);
        assert_eq!(login(&app, &mut device).await, Err(Code::InvalidCredentials));
        assert_eq!(login(&app, &mut kept).await, Ok("bot".to_owned()));
    }

    async fn an_operator_removes_the_passkeys_with_the_factors(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        crate::factors::add(&app, &ada).await;
        let mut device = Device::of(&ada).await;
        app.server.admin(Command::RemoveFactors { username: "ada".into() }).await;
        assert_eq!(login(&app, &mut device).await, Err(Code::InvalidCredentials));
        let removed = [SecurityAction::FactorRemoved, SecurityAction::PasskeyRemoved];
        assert_eq!(actions(&ada.client).await[..2], removed);
        app.sign_in("ada", PASSWORD).await;
        let factors = ada.client.factors().get().await.unwrap();
        assert_eq!((factors.totp, factors.recovery_codes_left), (false, 0));
        let noted = sql!("select count(*) from audit_log where action = 'factors_removed'");
        assert_eq!(app.count(noted).await, 1);
    }

    async fn guesses_at_a_passkey_are_limited_apart_from_those_at_the_password(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::of(&ada).await;
        for _ in 0..5 {
            let PasskeyCeremony { ceremony_id, options, .. } = begin_login(&app).await;
            let forged = device.signs_but(&options, |says| says.is_forged = true);
            let refused = app.anonymous.passkeys().login(ceremony_id, forged).await;
            assert_eq!(code::<LoginWithPasskey>(refused), Code::InvalidCredentials);
        }
        assert_eq!(login(&app, &mut device).await, Err(Code::RateLimited));
        app.sign_in("ada", PASSWORD).await;
        app.advance(15 * 60);
        login(&app, &mut device).await.unwrap();
    }

    async fn a_server_without_a_host_name_has_no_passkeys(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let none = ada.client.passkeys().begin().await;
        assert_eq!(code::<BeginPasskey>(none), Code::FeatureNotConfigured);
        let none = app.anonymous.passkeys().begin_login().await;
        assert_eq!(code::<BeginPasskeyLogin>(none), Code::FeatureNotConfigured);
        let body = json!({ "ceremonyId": "cer_x", "credential": {} });
        let received = answer(app.raw(Method::POST, "/auth/login/passkey").json(&body)).await;
        assert_eq!(received.status, 503, "before it is judged");
        assert!(ada.client.factors().get().await.unwrap().passkeys.is_empty());
        let id = PasskeyId::from_number(1);
        assert_eq!(code::<DeletePasskey>(ada.client.passkeys().delete(id).await), Code::NotFound);
    }

    async fn a_passkey_confirms_what_would_wait_once_it_is_72_hours_old(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let (ada, bot) = (app.person("ada", PASSWORD).await, app.agent("bot").await);
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        let mut device = Device::of(&bot).await;
        step_up(&bot.client, &mut device).await.unwrap();
        let by_thief = bot.client.agents().release("bot").await.unwrap();
        assert!(by_thief.pending_until.is_some(), "a stolen key may have added the passkey");
        let browser = app.browser(&device.sign_in(&app).await);
        let by_session = browser.agents().release("bot").await.unwrap();
        assert_eq!(by_session.pending_until, by_thief.pending_until);
        let waiting = ada.client.pending().list().await.unwrap().pending.remove(0).pending_id;
        ada.client.pending().cancel(waiting).await.unwrap();
        app.advance(72 * 3_600);
        step_up(&bot.client, &mut device).await.unwrap();
        let released = bot.client.agents().release("bot").await.unwrap();
        assert_eq!(released.pending_until, None);
    }

    async fn rotating_the_key_of_an_agent_ends_the_passkeys_that_a_thief_added(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let (ada, bot) = (app.person("ada", PASSWORD).await, app.agent("bot").await);
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        let mut device = Device::of(&bot).await;
        login(&app, &mut device).await.unwrap();
        ada.client.agents().rotate_key("bot").await.unwrap();
        assert_eq!(login(&app, &mut device).await, Err(Code::InvalidCredentials));
    }

    async fn recovering_an_agent_ends_the_passkeys_that_a_thief_added(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let bot = app.agent("bot").await;
        let mut device = Device::of(&bot).await;
        login(&app, &mut device).await.unwrap();
        let command = Command::Recover { username: "bot".into() };
        let link = app.server.admin(command).await.remove(0).account().unwrap().link.unwrap();
        let (_, token) = link.expose().split_once("/reset?token=").unwrap();
        let reset = app.anonymous.auth().finish_password_reset(token).await.unwrap();
        assert_eq!(login(&app, &mut device).await, Err(Code::InvalidCredentials));
        app.client(reset.api_key.unwrap()).users().me().await.unwrap();
    }

    async fn a_key_that_may_do_less_adds_no_passkey_which_could_do_all(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let keys = ada.client.keys();
        let keeper = keys.create("keeper", [Scope::Account]).await.unwrap();
        let brief = keys.create("brief", Scopes::ALL.iter()).expires_in(Span::from_secs(3_600)).await.unwrap();
        for key in [keeper.api_key, brief.api_key] {
            let client = app.client(key);
            client.auth().step_up().password(PASSWORD).await.unwrap();
            let refused = client.passkeys().begin().await;
            assert_eq!(code::<BeginPasskey>(refused), Code::InsufficientScope);
            let begun = ada.client.passkeys().begin().await.unwrap();
            let enrolment = Device::new().enrols(&begun.options);
            let refused = client.passkeys().create(begun.ceremony_id, enrolment, "mine").await;
            assert_eq!(code::<CreatePasskey>(refused), Code::InsufficientScope);
        }
    }

    async fn without_an_app_a_passkey_leaves_the_password_as_it_is(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        Device::of(&ada).await;
        app.sign_in("ada", PASSWORD).await;
        app.advance(LIFE);
        ada.client.auth().step_up().password(PASSWORD).await.unwrap();
        let no_app = ada.client.factors().delete_totp().await;
        assert_eq!(code::<DeleteTotp>(no_app), Code::NotFound);
    }
}
