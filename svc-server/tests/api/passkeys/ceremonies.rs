//! Ceremonies: what begins one, whose it is, how long it lasts, and which answers it accepts.

use serde_json::{Map, Value, json};
use svc_client::Client;
use svc_client::types::Code;
use svc_client::types::api::auth::StepUp;
use svc_client::types::api::passkeys::{
    BeginPasskeyLogin, CREDENTIAL_BYTES_MAX, CreatePasskey, LoginWithPasskey, PasskeyCeremony,
};
use svc_store::db::sql;

use super::{LIFE, PASSWORD, begin_login};
use crate::app::{code, fault};
use crate::device::{Device, PRESENT, Says, coded};
use crate::on_both_engines;

/// How an answer is made wrong.
type Wrong = (&'static str, fn(&mut Says));

const WRONGS: [Wrong; 8] = [
    ("origin", |says| says.origin = "https://svc.example.net".into()),
    ("port", |says| says.origin = "https://svc.example.org:8443".into()),
    ("scheme", |says| says.origin = "http://svc.example.org".into()),
    ("subdomain", |says| says.origin = "https://evil.svc.example.org".into()),
    ("challenge", |says| says.challenge = coded(&[7; 32])),
    ("host", |says| says.rp_id = "example.org".into()),
    ("kind", |says| says.kind = "payment.get".into()),
    ("verification", |says| says.flags = PRESENT),
];

on_both_engines! {
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
        let padded = |length: usize| with("authenticatorAttachment", json!("x".repeat(length)));
        let room = CREDENTIAL_BYTES_MAX - serde_json::to_string(&padded(0)).unwrap().len();
        let wrongs: [Map<String, Value>; 5] = [
            Map::new(), with("rawId", json!("!")), with("response", json!({})),
            with("response", Value::Null), padded(room + 1),
        ];
        for wrong in wrongs {
            let refused = app.anonymous.passkeys().login(&ceremony_id, wrong).await;
            let refused = fault::<LoginWithPasskey>(refused);
            assert_eq!(refused, (Code::ValidationFailed, "credential".to_owned()));
        }
        let largest = app.anonymous.passkeys().login(&ceremony_id, padded(room)).await;
        largest.expect("what is malformed ends no ceremony");
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
}
