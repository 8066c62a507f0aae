//! Passkeys: adding them, signing in and confirming with them, and what is refused.

mod foreign;
mod mutated;

use http::Method;
use serde_json::{Map, Value, json};
use svc_client::Client;
use svc_client::types::api::auth::StepUp;
use svc_client::types::api::factors::DeleteTotp;
use svc_client::types::api::keys::CreateApiKey;
use svc_client::types::api::passkeys::{
    BeginPasskey, BeginPasskeyLogin, BeginPasskeyStepUp, CREDENTIAL_BYTES_MAX, CreatePasskey,
    DeletePasskey, LoginWithPasskey, PASSKEYS_MAX, PasskeyCeremony, UpdatePasskey,
};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::api::users::GetMe;
use svc_client::types::{Code, Id, PasskeyId, Scope, Scopes, Span};
use svc_server::admin::Command;
use svc_store::db::{sql, values};

use crate::app::{TestApp, all_items, code, fault};
use crate::device::{Device, PRESENT, Says, coded};
use crate::on_both_engines;
use crate::raw::answer;

const PASSWORD: &str = "correct horse";

/// How long a confirmation and a ceremony last, in seconds.
const LIFE: u64 = 600;

/// How an answer is made wrong.
type Wrong = (&'static str, fn(&mut Says));

const WRONGS: [Wrong; 8] = [
    ("origin", |says| says.origin = "https://svc.example.net".to_owned()),
    ("port", |says| says.origin = "https://svc.example.org:8443".to_owned()),
    ("scheme", |says| says.origin = "http://svc.example.org".to_owned()),
    ("subdomain", |says| says.origin = "https://evil.svc.example.org".to_owned()),
    ("challenge", |says| says.challenge = coded(&[7; 32])),
    ("host", |says| says.rp_id = "example.org".to_owned()),
    ("kind", |says| says.kind = "payment.get".to_owned()),
    ("verification", |says| says.flags = PRESENT),
];

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

    async fn an_answer_that_is_wrong_in_any_part_changes_nothing(
        app: TestApp, "public_url" = "https://svc.example.org", "limits.sign_in.account_failures" = "100",
        "limits.sign_in.address_failures" = "100", "limits.sign_in.everywhere_failures" = "100"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::of(&ada).await;
        let forged: Wrong = ("signature", |says| says.is_forged = true);
        let handle: Wrong = ("handle", |says| says.handle = coded(&[1; 16]));
        for (what, wrong) in WRONGS.into_iter().chain([forged, handle]) {
            let PasskeyCeremony { ceremony_id, options, .. } = begin_login(&app).await;
            let signed = device.signs_but(&options, wrong);
            let refused = app.anonymous.passkeys().login(&ceremony_id, signed).await;
            let refused = fault::<LoginWithPasskey>(refused);
            assert_eq!(refused, (Code::InvalidCredentials, "credential".to_owned()), "{what}");
            let late = app.anonymous.passkeys().login(&ceremony_id, device.signs(&options)).await;
            let late = code::<LoginWithPasskey>(late);
            assert_eq!(late, Code::InvalidCredentials, "{what}: it is answered once");
        }
        for (what, wrong) in WRONGS.into_iter().chain([forged]) {
            let PasskeyCeremony { ceremony_id, options, .. } =
                ada.client.passkeys().begin_step_up().await.unwrap();
            let call = ada.client.auth().step_up().ceremony_id(ceremony_id);
            let refused = call.credential(device.signs_but(&options, wrong)).await;
            assert_eq!(code::<StepUp>(refused), Code::InvalidCredentials, "{what}");
        }
        for (what, wrong) in WRONGS {
            let passkeys = ada.client.passkeys();
            let PasskeyCeremony { ceremony_id, options, .. } = passkeys.begin().await.unwrap();
            let enrolment = Device::new().enrols_but(&options, wrong);
            let refused = passkeys.create(ceremony_id, enrolment, "Phone").await;
            assert_eq!(code::<CreatePasskey>(refused), Code::InvalidCredentials, "{what}");
        }
        let listed = ada.client.factors().get().await.unwrap().passkeys;
        assert_eq!((listed.len(), listed[0].last_used_at), (1, None));
        assert_eq!(app.count(sql!("select count(*) from session")).await, 1, "that of the sign-up");
    }

    async fn a_ceremony_works_once_for_ten_minutes(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::of(&ada).await;
        let PasskeyCeremony { ceremony_id, options, .. } = begin_login(&app).await;
        let signed = device.signs(&options);
        app.anonymous.passkeys().login(&ceremony_id, signed.clone()).await.unwrap();
        let again = app.anonymous.passkeys().login(&ceremony_id, signed).await;
        assert_eq!(code::<LoginWithPasskey>(again), Code::InvalidCredentials);
        let PasskeyCeremony { ceremony_id, options, .. } = begin_login(&app).await;
        app.advance(LIFE);
        let late = app.anonymous.passkeys().login(&ceremony_id, device.signs(&options)).await;
        assert_eq!(code::<LoginWithPasskey>(late), Code::InvalidCredentials);
        let PasskeyCeremony { ceremony_id, options, .. } = begin_login(&app).await;
        app.advance(LIFE - 1);
        app.anonymous.passkeys().login(&ceremony_id, device.signs(&options)).await.unwrap();
    }

    async fn of_two_answers_to_one_ceremony_one_is_accepted(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::of(&ada).await;
        let PasskeyCeremony { ceremony_id, options, .. } = begin_login(&app).await;
        let signed = device.signs(&options);
        let call = || app.anonymous.passkeys().login(&ceremony_id, signed.clone()).into_future();
        let (one, other) = tokio::join!(call(), call());
        assert_ne!(one.is_ok(), other.is_ok());
    }

    async fn a_ceremony_belongs_to_its_account_and_its_purpose(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let (ada, eve) = (app.person("ada", PASSWORD).await, app.person("eve", PASSWORD).await);
        let (mut device, mut other) = (Device::of(&ada).await, Device::of(&eve).await);
        let begun = ada.client.passkeys().begin().await.unwrap();
        let enrolment = Device::new().enrols(&begun.options);
        let by_eve = eve.client.passkeys().create(&begun.ceremony_id, enrolment.clone(), "mine").await;
        assert_eq!(code::<CreatePasskey>(by_eve), Code::InvalidCredentials);
        ada.client.passkeys().create(&begun.ceremony_id, enrolment, "hers").await
            .expect("strangers end no ceremony");
        let begun = ada.client.passkeys().begin_step_up().await.unwrap();
        let to_sign_in = app.anonymous.passkeys().login(&begun.ceremony_id, device.signs(&begun.options));
        assert_eq!(code::<LoginWithPasskey>(to_sign_in.await), Code::InvalidCredentials);
        let confirms = |client: &Client, credential| {
            client.auth().step_up().ceremony_id(&begun.ceremony_id).credential(credential)
        };
        let by_eve = confirms(&eve.client, other.signs(&begun.options)).await;
        assert_eq!(code::<StepUp>(by_eve), Code::InvalidCredentials);
        let by_key_of_eve = confirms(&ada.client, other.signs(&begun.options)).await;
        assert_eq!(code::<StepUp>(by_key_of_eve), Code::InvalidCredentials);
        let former = ada.client.passkeys().begin().await.unwrap();
        ada.client.passkeys().begin().await.unwrap();
        let enrolment = Device::new().enrols(&former.options);
        let replaced = ada.client.passkeys().create(former.ceremony_id, enrolment, "late").await;
        assert_eq!(code::<CreatePasskey>(replaced), Code::InvalidCredentials);
    }

    async fn beginning_to_sign_in_shows_nothing_about_a_name(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let (ada, _) = (app.person("ada", PASSWORD).await, app.person("eve", PASSWORD).await);
        let mut device = Device::of(&ada).await;
        let mut seen = Vec::new();
        for name in ["ada", "eve", "nobody", "ADA"] {
            let begun = app.anonymous.passkeys().begin_login().username(name).await.unwrap();
            assert!(begun.ceremony_id.as_str().len() == 26, "{begun:?}");
            let mut options = begun.options.clone();
            options["publicKey"]["challenge"] = json!("");
            seen.push(options);
            let signed = app.anonymous.passkeys().login(begun.ceremony_id, device.signs(&begun.options));
            assert_eq!(signed.await.is_ok(), name.eq_ignore_ascii_case("ada"), "{name}");
        }
        assert!(seen.iter().all(|options| *options == seen[0]), "{seen:?}");
        assert_eq!(seen[0]["publicKey"]["allowCredentials"], json!([]));
        assert_eq!(seen[0].keys().collect::<Vec<_>>(), ["publicKey"]);
    }

    async fn options_ask_for_a_key_that_needs_no_name_and_a_person_who_is_verified(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let device = Device::of(&ada).await;
        let PasskeyCeremony { options, .. } = ada.client.passkeys().begin().await.unwrap();
        let asked = &options["publicKey"];
        let selection = &asked["authenticatorSelection"];
        assert_eq!((&selection["residentKey"], &selection["userVerification"]), (&json!("required"), &json!("required")));
        assert_eq!(asked["rp"]["id"], "svc.example.org");
        assert_eq!(asked["user"]["name"], "ada");
        assert_eq!(asked["attestation"], "none");
        assert_eq!(asked["excludeCredentials"][0]["id"], coded(&device.id));
        assert!(!asked["user"]["id"].as_str().unwrap().contains(ada.user.id.as_str()));
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
        let bot = app.agent("bot").await;
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
        ada.client.passkeys().begin().await.unwrap();
        ada.client.users().delete_me("ada").await.unwrap();
        app.server.admin(Command::Erase { username: "ada".into() }).await;
        app.server.erase().await;
        assert_eq!(app.count(sql!("select count(*) from passkey")).await, 0);
        assert_eq!(app.count(sql!("select count(*) from ceremony")).await, 0);
        assert_eq!(login(&app, &mut device).await, Err(Code::InvalidCredentials));
    }

    async fn an_operator_removes_the_passkeys_with_the_factors(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::of(&ada).await;
        app.server.admin(Command::RemoveFactors { username: "ada".into() }).await;
        assert_eq!(login(&app, &mut device).await, Err(Code::InvalidCredentials));
        assert_eq!(actions(&ada.client).await[0], SecurityAction::PasskeyRemoved);
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

    async fn a_network_begins_300_sign_ins_an_hour(
        app: TestApp, "public_url" = "https://svc.example.org", "limits.budgets" = "true"
    ) {
        for _ in 0..300 {
            begin_login(&app).await;
        }
        let beyond = app.anonymous.passkeys().begin_login().await;
        assert_eq!(code::<BeginPasskeyLogin>(beyond), Code::RateLimited);
        app.advance(3_600);
        begin_login(&app).await;
    }

    async fn a_credential_is_of_a_bounded_size_and_of_the_form_that_browsers_send(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::of(&ada).await;
        let PasskeyCeremony { ceremony_id, options, .. } = begin_login(&app).await;
        let good = device.signs(&options);
        let with = |member: &str, value: Value| {
            let mut wrong = good.clone();
            wrong.insert(member.to_owned(), value);
            wrong
        };
        let large = "x".repeat(CREDENTIAL_BYTES_MAX);
        let wrongs: [Map<String, Value>; 5] = [
            Map::new(), with("rawId", json!("!")), with("response", json!({})),
            with("response", Value::Null), with("authenticatorAttachment", json!(large)),
        ];
        for wrong in wrongs {
            let refused = app.anonymous.passkeys().login(&ceremony_id, wrong).await;
            let refused = fault::<LoginWithPasskey>(refused);
            assert_eq!(refused, (Code::ValidationFailed, "credential".to_owned()));
        }
        app.anonymous.passkeys().login(&ceremony_id, good).await.expect("what is malformed ends no ceremony");
    }

    async fn a_confirmation_is_by_passkey_or_typed_and_not_both(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let mut device = Device::of(&ada).await;
        let begun = ada.client.passkeys().begin_step_up().await.unwrap();
        let signed = device.signs(&begun.options);
        let call = || ada.client.auth().step_up();
        for wrong in [
            call().ceremony_id(&begun.ceremony_id),
            call().credential(signed.clone()),
            call().ceremony_id(&begun.ceremony_id).credential(signed.clone()).password(PASSWORD),
            call().ceremony_id(&begun.ceremony_id).credential(signed.clone()).code("123456"),
        ] {
            let refused = fault::<StepUp>(wrong.await);
            assert_eq!(refused, (Code::ValidationFailed, "credential".to_owned()));
        }
        call().ceremony_id(&begun.ceremony_id).credential(signed).await.unwrap();
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
