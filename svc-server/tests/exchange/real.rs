//! The steps at a server, and the comparison with the model.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use svc_types::api::bots::GetCapabilities;
use svc_types::api::credits::ListTransactions;
use svc_types::api::escrow::{Escrow, EscrowEnvelope, GetEscrow, Released};
use svc_types::api::messages::{GetMessage, MessageEnvelope};
use svc_types::api::orders::OrderEnvelope;
use svc_types::api::services::{Acceptance, CreateService};
use svc_types::{Balance, Credits, ServiceId};

use crate::calls::{Answer, Caller, Sent, grant, message, service};
use crate::model::{self, Model, Outcome, new_name};
use crate::node::Node;
use crate::step::{Act, Actor, Name, Offer, PRICE, Step};

pub(crate) mod requests;

/// A server, and the staff that all its histories share.
pub(crate) struct SharedServer {
    pub(crate) node: Node,
    staff: BTreeMap<Actor, Caller>,
}

impl SharedServer {
    /// Hires the staff of a fresh server.
    pub(crate) async fn of(node: Node) -> Self {
        let (ada, mia) = (node.admin("ada").await, node.person("mia").await);
        node.appoint(&mia, "moderator").await;
        Self { node, staff: BTreeMap::from([(Actor::Ada, ada), (Actor::Mia, mia)]) }
    }
}

/// One history at a server.
pub(crate) struct Real {
    server: Arc<SharedServer>,
    /// Milliseconds since the history began.
    now: i64,
    actors: BTreeMap<Actor, Caller>,
    offers: BTreeMap<Offer, ServiceId>,
    /// What the server calls the orders and escrows.
    ids: BTreeMap<Name, String>,
    /// Requests sent so far, for keys that are used once.
    count: u32,
    last: Option<Last>,
}

/// The last request.
struct Last {
    step: Step,
    sent: Sent,
    answer: Answer,
}

impl Real {
    /// Fresh accounts with the credits and services that the model begins with.
    pub(crate) async fn begin(server: Arc<SharedServer>, number: u32) -> Self {
        let mut actors = server.staff.clone();
        for actor in Actor::TRADERS {
            let name = format!("{actor:?}_{number}").to_lowercase();
            let caller = server.node.agent(&name).await;
            if actor.purse() > 0 {
                server.node.grant(&actors[&Actor::Ada], &caller, actor.purse()).await;
            }
            actors.insert(actor, caller);
        }
        let mut offers = BTreeMap::from([(Offer::Unknown, "svc_nobody".into())]);
        for offer in Offer::ALL {
            let provider = if offer == Offer::Art { Actor::Dan } else { Actor::Cora };
            let id = server.node.offer(&actors[&provider], &new_service(offer)).await;
            offers.insert(offer, id);
        }
        let ids = BTreeMap::new();
        Self { server, now: 0, actors, offers, ids, count: 0, last: None }
    }

    /// Takes the step that the model has taken, and compares.
    pub(crate) async fn take(&mut self, step: &Step, model: &Model) {
        self.pass(model);
        if matches!(step, Step::Sweep) {
            self.server.node.sweep().await;
        }
        let sent = match (step, &self.last) {
            (Step::Again, Some(last)) => Some(last.sent.clone()),
            (Step::Misuse, Some(last)) => Some(last.sent.misused("/v1/escrow/esc_nobody/cancel")),
            (step, _) => self.request(step),
        };
        if let Some(sent) = sent {
            let answer = self.server.node.send(&sent).await;
            self.compare(step, &answer, model);
            self.note(step, sent, answer);
        }
        for actor in model.concerned(step) {
            self.compare_credits(step, actor, model).await;
        }
    }

    /// The clock goes where the model's is.
    fn pass(&mut self, model: &Model) {
        let millis = u64::try_from(model.now - self.now).unwrap();
        self.now = model.now;
        self.server.node.advance(Duration::from_millis(millis));
    }

    /// Keeps what a later step needs: the id that a name has now, and the request to repeat.
    fn note(&mut self, step: &Step, sent: Sent, answer: Answer) {
        let step = match (step, &self.last) {
            (Step::Misuse, _) => return,
            (Step::Again, Some(last)) => last.step.clone(),
            (step, _) => step.clone(),
        };
        if let Some(name) = new_name(&step).filter(|_| answer.status.is_success()) {
            self.ids.insert(name, new_id(&step, &answer));
        }
        self.last = Some(Last { step, sent, answer });
    }

    fn compare(&self, step: &Step, answer: &Answer, model: &Model) {
        let refusal = answer.refusal();
        let found = match &refusal {
            None if answer.is_replay => Outcome::Replayed,
            None => Outcome::Done,
            Some(body) => {
                let hint = match &model.outcome {
                    Outcome::Refused(_, Some(_)) => body.hint.clone(),
                    _ => None,
                };
                Outcome::Refused(body.code.clone(), hint)
            }
        };
        assert_eq!(found, model.outcome, "answered (left) against expected (right) to {step:?}");
        match (&found, step, &self.last) {
            (Outcome::Replayed, _, Some(last)) => assert_eq!(answer.body, last.answer.body),
            (Outcome::Done, Step::Again, Some(last)) => compare_body(&last.step, answer, model),
            (Outcome::Done, step, _) => compare_body(step, answer, model),
            _ => {}
        }
    }

    async fn compare_credits(&self, step: &Step, actor: Actor, model: &Model) {
        let credits = self.server.node.credits(&self.actors[&actor]).await;
        let found = (credits.available.micros(), credits.held.micros());
        let wanted = (model.available[&actor], model.held(actor));
        assert_eq!(found, wanted, "{actor:?}'s available and held after {step:?}");
    }

    /// At the end: every order, every escrow, every rating, every balance, and the audit.
    pub(crate) async fn end(self, mut model: Model) {
        for actor in Actor::TRADERS {
            self.compare_orders(actor, &model).await;
            model.read_credits(actor);
            self.compare_credits(&Step::Sweep, actor, &model).await;
        }
        for (name, wanted) in &model.escrows {
            let escrow_id = self.ids[name].as_str().into();
            let request = GetEscrow { escrow_id };
            let buyer = &self.actors[&wanted.buyer];
            let found = self.server.node.ask(buyer, &request).await.escrow;
            compare_escrow(*name, &found, wanted);
        }
        for actor in Actor::ALL {
            model.read_credits(actor);
            self.compare_credits(&Step::Sweep, actor, &model).await;
            self.compare_movements(actor, &model).await;
        }
        self.compare_ratings(&model).await;
        self.server.node.audit().await;
    }

    /// The orders an actor sent, as returned before overdue ones are advanced.
    async fn compare_orders(&self, actor: Actor, model: &Model) {
        let mut advanced = model.clone();
        advanced.read_credits(actor);
        for (name, order) in model.orders.iter().filter(|(_, order)| order.requester == actor) {
            let request = GetMessage { message_id: self.ids[name].as_str().into() };
            let found = self.server.node.ask(&self.actors[&actor], &request).await.message;
            let found = found.request.unwrap();
            let escrow_due = order.escrow.and_then(|name| model.escrows[&name].due);
            let overdue = order.due.or(escrow_due).is_some_and(|due| due <= model.now);
            let wanted = if overdue { &advanced.orders[name] } else { order };
            let charged = found.charged_credits.map(Credits::micros);
            let reported = (&found.status, charged, found.offered_credits.micros());
            let expected = (&wanted.state, wanted.charged, wanted.micros);
            assert_eq!(reported, expected, "state, charge and offer of order {name:?}");
        }
    }

    /// What moved an actor's credits adds up to what there is.
    async fn compare_movements(&self, actor: Actor, model: &Model) {
        let limit = Some(100.into());
        let request = ListTransactions { kind: None, limit, cursor: None };
        let page = self.server.node.ask(&self.actors[&actor], &request).await;
        assert_eq!(page.next_cursor, None, "a history fits on a page");
        let sum: i64 = page.transactions.iter().map(|it| it.amount.micros()).sum();
        let last = page.transactions.first().map_or(0, |it| it.balance_after.micros());
        let wanted = model.available[&actor];
        assert_eq!((sum, last), (wanted, wanted), "movements of {actor:?}");
    }

    async fn compare_ratings(&self, model: &Model) {
        for provider in [Actor::Cora, Actor::Dan] {
            let username = (&self.actors[&provider].name).into();
            let request = GetCapabilities { username };
            let found = self.server.node.ask(&self.actors[&provider], &request).await.capabilities;
            let offer = if provider == Actor::Dan { Offer::Art } else { Offer::Review };
            let (count, tenths) = model.rating(offer);
            let tenths = f64::from(i32::try_from(tenths).unwrap()) / 10.0;
            let found: Vec<_> = found.iter().map(|it| (it.ratings_count, it.rating)).collect();
            assert_eq!(found, [(count, tenths)], "ratings of {offer:?}");
        }
    }
}

/// The id of what a step made.
fn new_id(step: &Step, answer: &Answer) -> String {
    if matches!(step, Step::Open(_)) {
        return answer_escrow(step, answer).id.to_string();
    }
    if matches!(step, Step::Order(new) if new.by_endpoint) {
        return serde_json::from_str::<OrderEnvelope>(&answer.body).unwrap().order.id.to_string();
    }
    let sent: MessageEnvelope = serde_json::from_str(&answer.body).unwrap();
    sent.message.message_id.to_string()
}

/// The service as it is offered.
pub(crate) fn new_service(offer: Offer) -> CreateService {
    let mut new = service(&format!("{offer:?}"));
    new.active = Some(offer != Offer::Retired);
    if offer == Offer::Art {
        new.acceptance = Some(Acceptance::Explicit);
    }
    if offer == Offer::Review {
        let properties = json!({ "code": { "type": "string" } });
        let schema = json!({ "required": ["code"], "properties": properties });
        new.input_schema = schema.as_object().cloned();
        new.price_credits = Credits::from_micros(PRICE);
    }
    new
}

/// The escrow that an answer shows.
fn answer_escrow(step: &Step, answer: &Answer) -> Escrow {
    if let Step::Move { act: Act::Release { .. }, .. } = step {
        return serde_json::from_str::<Released>(&answer.body).unwrap().escrow;
    }
    serde_json::from_str::<EscrowEnvelope>(&answer.body).unwrap().escrow
}

/// A success reports the new state.
fn compare_body(step: &Step, answer: &Answer, model: &Model) {
    let name = match step {
        Step::Open(new) => new.name,
        Step::Move { escrow, .. } => *escrow,
        _ => return,
    };
    compare_escrow(name, &answer_escrow(step, answer), &model.escrows[&name]);
}

fn compare_escrow(name: Name, found: &Escrow, wanted: &model::Escrow) {
    let reported = (&found.status, found.version, found.deliverable_version, &found.close_reason);
    let expected = (&wanted.status, wanted.version, wanted.delivery, &wanted.end);
    assert_eq!(reported, expected, "status, version, delivery and end of escrow {name:?}");
    assert_eq!(found.amount.bounded(), Balance::from_micros(wanted.micros));
    assert_eq!(found.dispute.is_some(), wanted.was_disputed, "dispute of {name:?}");
    let half_steps = found.rating.map(svc_types::Rating::half_steps);
    assert_eq!(half_steps, wanted.half_steps, "rating of escrow {name:?}");
}
