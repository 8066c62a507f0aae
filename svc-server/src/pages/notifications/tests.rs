use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::json;
use svc_core::services::notification::Data;
use svc_types::Credits;
use svc_types::api::billing::BillingObject;
use svc_types::api::connect::{
    BillingData, EscrowData, ModerationData, OrderData, ServiceData, SystemData,
};
use svc_types::api::escrow::{EscrowAction, EscrowStatus};
use svc_types::api::messages::RequestStatus;
use svc_types::api::moderation::ModerationActionType;
use svc_types::api::orders::{OrderAction, OrderStatus};
use svc_types::api::reports::{Subject, SubjectType};
use svc_types::api::security::SecurityEntry;

use super::*;
use crate::language::{Language, escaped};
use crate::pages::visitor::Visitor;

/// The texts of notifications with one, each with its type.
fn texts() -> Vec<(NotificationType, String)> {
    let mut texts = Vec::new();
    let mut add = |kind: NotificationType, data: Data<'_>| texts.push((kind, data.text().unwrap()));
    for action in EscrowAction::WORDS {
        add(NotificationType::Escrow, escrow(action));
    }
    for action in ["split_offered", "split", "resolved"] {
        add(NotificationType::Escrow, split(action));
    }
    for status in RequestStatus::WORDS {
        add(NotificationType::ServiceRequest, service(status));
    }
    for action in OrderAction::WORDS {
        add(NotificationType::ServiceRequest, order(action));
    }
    for (object, status) in MONEY {
        add(NotificationType::Billing, billing(object, status));
    }
    for act in ModerationActionType::WORDS {
        for kind in SubjectType::WORDS {
            add(NotificationType::Moderation, moderation(act, kind));
        }
    }
    for text in SYSTEM {
        let data = SystemData { code: "code".to_owned(), text: text.to_owned() };
        add(NotificationType::System, Data::System(Cow::Owned(data)));
    }
    for entry in entries() {
        add(NotificationType::Security, Data::Security(&entry));
    }
    texts
}

fn escrow(action: &str) -> Data<'static> {
    Data::Escrow(Cow::Owned(escrow_data(action)))
}

/// The same of credits that are split, or are offered to be.
fn split(action: &str) -> Data<'static> {
    let part = Some(Credits::from_micros(1_000_000));
    Data::Escrow(Cow::Owned(EscrowData { provider_amount: part, ..escrow_data(action) }))
}

fn escrow_data(action: &str) -> EscrowData {
    EscrowData {
        escrow_id: "esc_1".into(),
        action: EscrowAction::from(action),
        status: EscrowStatus::Funded,
        previous_status: None,
        close_reason: None,
        amount: Credits::from_micros(1_500_000),
        provider_amount: None,
        service_id: "srv_1".into(),
        buyer_username: "ada".to_owned(),
        provider_username: "bob".to_owned(),
        actor_username: None,
    }
}

fn service(status: &str) -> Data<'static> {
    Data::Service(Cow::Owned(ServiceData {
        request_id: "msg_1".into(),
        status: RequestStatus::from(status),
        service_id: "srv_1".into(),
        offered_credits: Credits::from_micros(1_000_000),
        charged_credits: None,
        escrow_id: None,
        requester_username: "ada".to_owned(),
        provider_username: "bob".to_owned(),
    }))
}

fn order(action: &str) -> Data<'static> {
    Data::Order(Cow::Owned(OrderData {
        order_id: "msg_1".into(),
        action: OrderAction::from(action),
        status: OrderStatus::Working,
        service_id: "srv_1".into(),
        buyer_username: "ada".to_owned(),
        provider_username: "bob".to_owned(),
        percent: None,
    }))
}

/// What happens to money, where people are notified.
const MONEY: [(BillingObject, &str); 14] = [
    (BillingObject::Payment, "open"),
    (BillingObject::Payment, "paid"),
    (BillingObject::Payment, "mismatch"),
    (BillingObject::Refund, "done"),
    (BillingObject::Refund, "failed"),
    (BillingObject::Dispute, "open"),
    (BillingObject::Dispute, "won"),
    (BillingObject::Dispute, "lost"),
    (BillingObject::Subscription, "active"),
    (BillingObject::Subscription, "past_due"),
    (BillingObject::Subscription, "ended"),
    (BillingObject::Payout, "sent"),
    (BillingObject::Payout, "denied"),
    (BillingObject::Payout, "returned"),
];

fn billing(object: BillingObject, status: &str) -> Data<'static> {
    Data::Billing(Cow::Owned(BillingData {
        object,
        id: "pay_1".to_owned(),
        status: status.to_owned(),
        account: "usr_1".into(),
        username: "ada".to_owned(),
        payment_id: None,
        credits: Some(Credits::from_micros(500_000_000)),
    }))
}

fn moderation(act: &str, kind: &str) -> Data<'static> {
    Data::Moderation(ModerationData {
        action_id: "act_1".into(),
        r#type: ModerationActionType::from(act),
        subject: Subject::new(SubjectType::from(kind), "post_1"),
        reason: "Das ist Werbung: überall.".to_owned(),
        expires_at: None,
    })
}

/// What the server says of itself.
const SYSTEM: [&str; 6] = [
    "your webhook whk_1 has taken nothing for a day and will be disabled if that goes on: the latest \
     attempt, of a like (delivery dlv_1), ended with http_status 500",
    "your webhook whk_1 is disabled, because it answered 410: the latest attempt, of a like (delivery \
     dlv_1), ended with http_status 410",
    "your webhook whk_1 is disabled, because it has taken nothing for five days: the latest attempt, of \
     a like (delivery dlv_1), ended with timeout",
    "the tier free has 2 webhooks; 3 of yours, the newest, are disabled now",
    "The scheduled post sch_1 was not published: the post it answers is gone.",
    "escrow esc_1 over 5 credits is disputed",
];

/// An entry of the security log for each action, alone and by somebody else for an agent.
fn entries() -> Vec<SecurityEntry> {
    let entry = |action: &str, agent: Option<&str>, actor: Option<&str>| {
        let mut entry = json!({
            "entryId": "sec_1", "action": action, "at": "2026-01-02T03:04:05.678Z",
        });
        for (name, value) in [("agent", agent), ("actor", actor)] {
            if let Some(value) = value {
                entry[name] = json!(value);
            }
        }
        serde_json::from_value(entry).unwrap()
    };
    let both = |word: &&str| [entry(word, None, None), entry(word, Some("bob"), Some("eve"))];
    SecurityAction::WORDS.iter().flat_map(both).collect()
}

#[test]
fn every_text_of_a_notification_is_german_on_a_german_page() {
    let frame = Frame::unknown(Language::German);
    for (kind, text) in texts() {
        let shown = sentence(&frame, &kind, &text).to_string();
        assert!(!shown.contains("lang=\"en\""), "{kind}: {text}");
        for word in [" the ", " of ", "(by @", "credits", " a "] {
            assert!(!shown.contains(word), "{kind}: {shown}");
        }
    }
    let told = |kind, data: &Data<'_>| sentence(&frame, &kind, &data.text().unwrap()).to_string();
    let paid = told(NotificationType::Escrow, &escrow("funded"));
    assert_eq!(paid, "@ada hat eine Bestellung bei @bob bezahlt: 1,5 Credits");
    let hidden = told(NotificationType::Moderation, &moderation("hide", "post"));
    assert_eq!(hidden, "Dein Beitrag wurde moderiert (ausgeblendet): Das ist Werbung: überall.");
    let bought = told(NotificationType::Billing, &billing(BillingObject::Payment, "paid"));
    assert_eq!(bought, "@ada hat 500 Credits gekauft");
    let failed = sentence(&frame, &NotificationType::System, SYSTEM[4]).to_string();
    assert!(failed.contains("auf den er antwortet"), "{failed}");
}

#[test]
fn an_english_page_shows_the_text_of_a_notification_as_a_sentence() {
    let frame = Frame::unknown(Language::English);
    // The security log has words of its own.
    let texts = texts().into_iter().filter(|(kind, _)| *kind != NotificationType::Security);
    for (kind, text) in texts {
        let shown = sentence(&frame, &kind, &text).to_string();
        assert_eq!(shown.to_lowercase(), escaped(&text).to_lowercase(), "{kind}");
        assert!(!shown.starts_with(char::is_lowercase), "{shown}");
    }
}

/// What an account reads of an order.
fn text_for(language: Language, reader: &str, data: &Data<'_>) -> String {
    let mut frame = Frame::unknown(language);
    frame.visitor = Some(Visitor {
        id: "usr_1".to_owned(),
        username: reader.to_owned(),
        display_name: String::new(),
        avatar: String::new(),
        is_agent: false,
        is_moderator: false,
        is_suspended: false,
    });
    let kind = match data {
        Data::Escrow(_) => NotificationType::Escrow,
        _ => NotificationType::ServiceRequest,
    };
    sentence(&frame, &kind, &data.text().unwrap()).to_string()
}

#[test]
fn an_order_addresses_its_parties_in_the_second_person() {
    let (english, german) = (Language::English, Language::German);
    let (sent, done) = (escrow("delivered"), service("completed"));
    assert_eq!(text_for(english, "ada", &sent), "@bob delivered your order, 1.5 credits");
    assert_eq!(text_for(german, "ada", &sent), "@bob hat deine Bestellung geliefert, 1,5 Credits");
    assert_eq!(text_for(english, "ada", &done), "@bob completed your order");
    assert_eq!(text_for(english, "bob", &done), "The order of @ada was completed");
    assert_eq!(text_for(english, "eve", &done), "@bob completed the order of @ada");
    assert_eq!(text_for(english, "ada", &service("expired")), "Your order from @bob expired");
    let paid = escrow("funded");
    assert_eq!(text_for(english, "bob", &paid), "@ada paid for an order with you, 1.5 credits");
    assert_eq!(
        text_for(german, "bob", &paid),
        "@ada hat eine Bestellung bei dir bezahlt: 1,5 Credits"
    );
}

#[test]
fn a_split_names_its_parts() {
    let (english, german) = (Language::English, Language::German);
    let data = split("split");
    let said = "the credits of the order of @ada from @bob were split: 1 credit for the seller, 0.5 credits \
                for the buyer";
    assert_eq!(data.text().unwrap(), said);
    let buyer = "The credits of your order from @bob were split: 0.5 credits for you, 1 credit for the seller";
    assert_eq!(text_for(english, "ada", &data), buyer);
    let seller = "Die Credits der Bestellung von @ada wurden aufgeteilt: 1 Credit für dich, 0,5 Credits für \
                  den Käufer";
    assert_eq!(text_for(german, "bob", &data), seller);
}

#[test]
fn a_cancelled_order_has_a_sentence_of_its_own() {
    let (english, cancelled) = (Language::English, service("cancelled"));
    assert_eq!(cancelled.text().unwrap(), "the order of @ada from @bob was cancelled");
    assert_eq!(text_for(english, "bob", &cancelled), "The order of @ada was cancelled");
    // Servers before this one wrote it so.
    let frame = Frame::unknown(Language::German);
    let kind = NotificationType::ServiceRequest;
    for (state, said) in [("cancelled", "wurde storniert"), ("expired", "ist abgelaufen")] {
        let text = format!("the order of @ada from @bob: {state}");
        let expected = format!("Die Bestellung von @ada bei @bob {said}");
        assert_eq!(sentence(&frame, &kind, &text).to_string(), expected);
    }
    let failed = sentence(&frame, &kind, "@bob failed the order of @ada").to_string();
    assert_eq!(failed, "Die Bestellung von @ada bei @bob ist fehlgeschlagen");
}

/// The end of the id of each text about an order, in the words of the API or of a party.
fn events_of(begin: &str) -> BTreeSet<String> {
    let lines = [
        include_str!("../../../locales/en/api.ftl"),
        include_str!("../../../locales/en/messages.ftl"),
    ];
    let ids = lines.iter().flat_map(|file| file.lines()).filter_map(|line| line.split_once(" ="));
    ids.filter_map(|(id, _)| id.strip_prefix(begin)).map(str::to_owned).collect()
}

#[test]
fn what_a_party_reads_is_something_that_the_api_says() {
    let said = events_of("api-notice-");
    for side in ["notice-buyer-", "notice-seller-"] {
        let events = events_of(side);
        assert!(!events.is_empty() && events.is_subset(&said), "{side}: {events:?}");
    }
}

#[test]
fn every_type_of_notification_has_a_text() {
    let with_text: BTreeSet<String> =
        texts().iter().map(|(kind, _)| kind.as_str().to_owned()).collect();
    let without = ["direct_message", "follow", "like", "mention", "quote", "reply", "repost"];
    let mut all: BTreeSet<String> = without.map(str::to_owned).into();
    assert!(all.is_disjoint(&with_text));
    all.extend(with_text);
    let words = NotificationType::WORDS.iter().map(|word| (*word).to_owned());
    assert_eq!(all, words.collect::<BTreeSet<_>>());
    for word in without {
        let id = format!("notice-{}", word.trim_start_matches("direct_"));
        assert!(Language::ALL.iter().all(|language| language.has(&id)), "{id}");
    }
}

#[test]
fn a_text_of_a_newer_server_stays_english() {
    let told = |language| {
        sentence(&Frame::unknown(language), &NotificationType::System, "the <moon> is full")
            .to_string()
    };
    assert_eq!(told(Language::English), "The &#60;moon&#62; is full");
    assert_eq!(told(Language::German), "<span lang=\"en\">The &#60;moon&#62; is full</span>");
}
