//! Proofs of work.

use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::auth::Proof;
use svc_core::tasks::sweep;
use svc_store::sql;

use super::{refused, register, sign_up, solved};
use crate::foreign::{Foreign, set_clock};
use crate::on_both_engines;
use crate::raw::answer;

on_both_engines! {
    async fn a_proof_of_work_works_once_and_for_ten_minutes(
        app: TestApp, "signup.proof" = "true", "signup.proof_cost" = "2"
    ) {
        let needed = sign_up(&app, "ada", json!({})).await.refusal();
        assert_eq!((needed.code, needed.field.as_deref()), (Code::ProofRequired, Some("proof")));
        let proof = solved(&app).await;
        assert_eq!(sign_up(&app, "ada", json!({ "proof": proof })).await.status, 201);
        let again = sign_up(&app, "bob", json!({ "proof": proof })).await;
        assert_eq!(refused(&again), (Code::ProofRequired, "the proof was used before".to_owned()));

        let late = solved(&app).await;
        app.advance(600);
        let expired = sign_up(&app, "bob", json!({ "proof": late })).await;
        assert_eq!(refused(&expired), (Code::ProofRequired, "the challenge has expired".to_owned()));
        assert_eq!(app.count(sql!("select count(*) from spent_proof")).await, 1);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from spent_proof")).await, 0);
        let fresh = solved(&app).await;
        app.advance(599);
        assert_eq!(sign_up(&app, "bob", json!({ "proof": fresh })).await.status, 201);
    }

    async fn a_proof_is_not_spent_on_a_sign_up_that_was_not_understood(
        app: TestApp, "signup.proof" = "true", "signup.proof_cost" = "2"
    ) {
        let proof = solved(&app).await;
        assert_eq!(sign_up(&app, "ada", json!({ "proof": proof })).await.status, 201);
        let proof = solved(&app).await;
        let taken = sign_up(&app, "ada", json!({ "proof": proof })).await;
        assert_eq!(taken.refusal().code, Code::UsernameTaken);
        assert_eq!(sign_up(&app, "bob", json!({ "proof": proof })).await.status, 201);
    }

    async fn a_sign_up_is_repeated_under_its_key_without_another_proof(
        app: TestApp, "signup.proof" = "true", "signup.proof_cost" = "2"
    ) {
        let keyed = |name, more| register(&app, name, more).header("idempotency-key", "one-0123456789abcdefgh");
        let proof = json!({ "proof": solved(&app).await });
        let first = answer(keyed("ada", proof)).await;
        assert_eq!(first.status, 201);
        // A client whose answer was lost begins as before, without a proof.
        let other_proof = json!({ "proof": solved(&app).await });
        for more in [json!({}), other_proof] {
            assert_eq!(answer(keyed("ada", more)).await.text, first.text);
        }
        let malformed = answer(keyed("ada", json!({ "proof": {} }))).await;
        assert_eq!(malformed.refusal().code, Code::ValidationFailed);
        let bob = answer(keyed("bob", json!({}))).await;
        assert_eq!(bob.refusal().code, Code::IdempotencyConflict);
        assert_eq!(app.count(sql!("select count(*) from spent_proof")).await, 1);
    }

    async fn of_many_who_use_a_proof_at_once_one_gets_in(
        app: TestApp, "signup.proof" = "true", "signup.proof_cost" = "2", "database.connections" = "4"
    ) {
        let proof = solved(&app).await;
        let coming = (0..6).map(|number| {
            answer(register(&app, &format!("ada_{number}"), json!({ "proof": proof })))
        });
        let answers = futures_util::future::join_all(coming).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    }

    async fn a_proof_that_proves_nothing_is_refused(
        app: TestApp, "signup.proof" = "true", "signup.proof_cost" = "2"
    ) {
        for (number, (change, message)) in forgeries().into_iter().enumerate() {
            let mut payload = opened(&solved(&app).await);
            change(&mut payload);
            let raw = sign_up(&app, "ada", json!({ "proof": closed(&payload) })).await;
            assert_eq!(refused(&raw), (Code::ProofRequired, message.to_owned()), "{number}");
        }
        for text in ["nonsense", "bnVsbA==", "e30="] {
            let raw = sign_up(&app, "ada", json!({ "proof": text })).await;
            assert_eq!(refused(&raw), (Code::ProofRequired, "the proof is malformed".to_owned()));
        }
        assert_eq!(app.count(sql!("select count(*) from spent_proof")).await, 0);
    }

    async fn the_library_of_altcha_solves_our_challenges_and_accepts_our_proofs(
        app: TestApp, "signup.proof" = "true", "signup.proof_cost" = "50"
    ) {
        let library = ["-e", "require('altcha-lib')"];
        let Some(mut altcha) = Foreign::start("node", "altcha.cjs", &library).await else { return };
        set_clock(&app);
        let challenge = app.anonymous.auth().challenge().await.unwrap();
        altcha.say(&json!({ "challenge": challenge }).to_string()).await;
        let answer = altcha.hear().await;
        let raw = sign_up(&app, "ada", json!({ "proof": answer["proof"] })).await;
        assert_eq!(raw.status, 201, "{}", raw.text);

        let secret = app.server.app().encrypt.challenge_secrets().next().unwrap().to_owned();
        let proof = solved(&app).await;
        altcha.say(&json!({ "proof": proof, "secret": secret }).to_string()).await;
        assert_eq!(altcha.hear().await["verified"], true);
        let mut payload = opened(&proof);
        payload["solution"]["counter"] = json!(payload["solution"]["counter"].as_u64().unwrap() + 1);
        altcha.say(&json!({ "proof": closed(&payload), "secret": secret }).to_string()).await;
        assert_eq!(altcha.hear().await["invalidSolution"], true);
    }
}

/// A change of a proof, and how it is refused.
type Forgery = (fn(&mut Value), &'static str);

fn forgeries() -> [Forgery; 7] {
    const FOREIGN: &str = "the challenge is not of this server";
    const WRONG: &str = "the solution is wrong";
    [
        (|payload| payload["challenge"]["parameters"]["cost"] = json!(1), FOREIGN),
        (|payload| payload["challenge"]["parameters"]["keyPrefix"] = json!(""), FOREIGN),
        (
            |payload| payload["challenge"]["parameters"]["expiresAt"] = json!(4_000_000_000_u32),
            FOREIGN,
        ),
        (|payload| payload["challenge"]["signature"] = json!(""), FOREIGN),
        (
            |payload| {
                payload["challenge"].as_object_mut().unwrap().remove("signature");
            },
            FOREIGN,
        ),
        (|payload| payload["solution"]["derivedKey"] = json!("00zz"), WRONG),
        (
            |payload| {
                let counter = payload["solution"]["counter"].as_u64().unwrap();
                payload["solution"]["counter"] = json!(counter + 1);
            },
            WRONG,
        ),
    ]
}

fn opened(proof: &Proof) -> Value {
    use base64::Engine;
    let json = base64::engine::general_purpose::STANDARD.decode(proof.as_str()).unwrap();
    serde_json::from_slice(&json).unwrap()
}

fn closed(payload: &Value) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(payload.to_string())
}
