//! Each check on its own.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use svc_client::types::ServiceId;

use super::*;
use crate::service::{Ctx, Fail, Handover, Service, service};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Ask {
    #[schemars(length(min = 1, max = 9))]
    text: String,
}

#[derive(serde::Serialize, JsonSchema)]
struct Answer {
    words: usize,
}

fn count() -> Service {
    let count = async |_: Ctx, ask: Ask| Ok::<_, Fail>(Answer { words: ask.text.len() });
    service("count", count).price(5)
}

fn offer(service: Service) -> Offer {
    Offer::new(service).unwrap()
}

fn asked() -> ServiceRequest {
    ServiceRequest {
        service_id: ServiceId::from("srv_1"),
        service_name: "count".into(),
        input: json!({ "text": "a bb" }).as_object().cloned().unwrap(),
        offered_credits: 5.into(),
        escrow_id: None,
    }
}

fn escrow() -> Escrow {
    let escrow = json!({
        "id": "esc_1", "status": "funded", "amount": 5, "buyerUsername": "ada",
        "providerUsername": "wordbot", "serviceId": "srv_1", "description": "words",
        "createdAt": "2026-01-31T09:30:00.000Z", "expiresAt": "2026-02-07T09:30:00.000Z",
        "version": 2, "deliverableVersion": 0,
    });
    serde_json::from_value(escrow).unwrap()
}

/// The pointer and the message of a rejection.
fn fault<T>(checked: Result<T, Rejection>) -> (String, String) {
    let mut rejection = checked.err().unwrap();
    let fault = rejection.faults.remove(0);
    (fault.pointer, fault.message)
}

#[test]
fn a_service_that_is_not_offered_is_declined() {
    let services = Published::from([(ServiceId::from("srv_1"), Arc::new(offer(count())))]);
    assert!(known(&services, &asked()).is_ok());
    let other = ServiceRequest { service_id: ServiceId::from("srv_2"), ..asked() };
    assert_eq!(fault(known(&services, &other)).0, "/serviceId");
}

#[test]
fn a_rejection_lists_every_fault_of_an_input_with_an_example() {
    let example = json!({ "text": "a bb" });
    let offer = offer(count().example(example.clone()));
    assert_eq!(input(&offer, &asked()), Ok(()));
    let wrong = json!({ "text": "", "page": 1 }).as_object().cloned().unwrap();
    let rejection = input(&offer, &ServiceRequest { input: wrong, ..asked() }).unwrap_err();
    let mut pointers: Vec<&str> = rejection.faults.iter().map(|f| f.pointer.as_str()).collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["/input", "/input/text"]);
    assert_eq!(rejection.example, Some(example));
}

#[test]
fn an_example_that_does_not_match_the_schema_is_a_config_error() {
    let problem = Offer::new(count().example(json!({}))).unwrap_err().to_string();
    assert!(problem.contains("the example of the service count"), "{problem}");
}

#[test]
fn less_than_the_price_is_declined_and_more_is_not() {
    let offer = offer(count());
    for (offered, is_enough) in [(4, false), (5, true), (6, true)] {
        let asked = ServiceRequest { offered_credits: offered.into(), ..asked() };
        assert_eq!(price(&offer, &asked).is_ok(), is_enough, "{offered}");
    }
}

#[test]
fn an_escrow_is_required_from_a_price_on_and_for_delivered_work() {
    let program = async |_: Ctx, _: Ask| -> Result<Handover, Fail> { Err(Fail::reject("no")) };
    for (service, is_demanded) in [
        (count(), false),
        (count().escrow_from(6), false),
        (count().escrow_from(5), true),
        (service("program", program), true),
    ] {
        let offer = offer(service);
        assert_eq!(demand(&offer, &asked()).is_err(), is_demanded, "{:?}", offer.service);
        let paid = ServiceRequest { escrow_id: Some("esc_1".into()), ..asked() };
        assert_eq!(demand(&offer, &paid), Ok(()));
    }
}

#[test]
fn an_escrow_of_other_parties_or_another_service_is_declined() {
    let checked = |change: fn(&mut Escrow)| {
        let mut escrow = escrow();
        change(&mut escrow);
        parties(&escrow, &asked(), "wordbot", "ada")
    };
    assert_eq!(checked(|_| ()), Ok(()));
    let provider = checked(|escrow| escrow.provider_username = "eve".to_owned());
    assert!(fault(provider).1.contains("provider"));
    let buyer = checked(|escrow| escrow.buyer_username = "eve".to_owned());
    assert!(fault(buyer).1.contains("requester"));
    let service = checked(|escrow| escrow.service_id = "srv_2".into());
    assert!(fault(service).1.contains("service"));
}

#[test]
fn an_escrow_that_does_not_pay_is_declined() {
    let checked = |change: fn(&mut Escrow)| {
        let mut escrow = escrow();
        change(&mut escrow);
        funds(&escrow, &offer(count()))
    };
    assert_eq!(checked(|_| ()), Ok(()));
    assert_eq!(checked(|escrow| escrow.amount = 6.into()), Ok(()));
    let created = checked(|escrow| escrow.status = EscrowStatus::Created);
    assert!(fault(created).1.contains("is created"));
    let cancelled = checked(|escrow| escrow.status = EscrowStatus::Cancelled);
    assert!(fault(cancelled).1.contains("is cancelled"));
    let small = checked(|escrow| escrow.amount = 4.into());
    assert!(fault(small).1.contains("the price, 5"));
}
