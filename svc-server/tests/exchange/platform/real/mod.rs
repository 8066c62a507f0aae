//! The steps at a server, and the comparison with the model.

mod answers;
mod lists;
mod requests;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use svc_server::testing::Engine;
use svc_types::ServiceId;
use svc_types::api::messages::GetMessage;

use super::model::{Model, Outcome, SETTINGS, new_name, pair};
use super::step::{Call, Signer, Step};
use crate::calls::{Answer, Caller, Sent};
use crate::node::Node;
use crate::real::new_service;
use crate::step::{Actor, Name, Offer};

/// What leads nowhere.
const NO_KEY: &str = "nobody";

/// A server, and the moderator that all its histories share.
pub(crate) struct SharedServer {
    pub(crate) node: Node,
    mia: Caller,
}

impl SharedServer {
    /// A fresh server; `None` where the engine is missing.
    pub(crate) async fn on(engine: Engine) -> Option<Self> {
        let own = [
            // One request comes after the other, and a connection prepares each statement once.
            ("database.connections", "1"),
            ("database.readers", "1"),
            ("limits.budgets", "true"),
            ("limits.sign_up.count", "0"),
            ("exchange.signup_grant", "30"),
            ("exchange.grant_requires", "nothing"),
        ];
        let node = Node::with(engine, &[&own[..], &SETTINGS].concat()).await?;
        let mia = node.agent("mia").await;
        node.appoint(&mia, "moderator").await;
        Some(Self { node, mia })
    }
}

/// A key that was made: the secret, and its public part.
#[derive(Clone, Debug)]
struct Made {
    owner: Actor,
    secret: String,
    key_id: String,
}

/// One history at a server.
pub(crate) struct Real {
    server: Arc<SharedServer>,
    /// Sets the names of this history apart from those of others.
    number: u32,
    /// Milliseconds since the history began.
    now: i64,
    /// Default keys.
    keys: BTreeMap<Actor, String>,
    former: BTreeMap<Actor, String>,
    made: BTreeMap<Name, Made>,
    /// What the server calls the posts and messages.
    ids: BTreeMap<Name, String>,
    conversations: BTreeMap<(Actor, Actor), String>,
    /// The conversation of each message.
    of_message: BTreeMap<Name, String>,
    offers: BTreeMap<Offer, ServiceId>,
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
    /// Fresh accounts, as the model begins with.
    pub(crate) async fn begin(server: Arc<SharedServer>, number: u32, model: &Model) -> Self {
        let mut real = Self {
            server,
            number,
            now: 0,
            keys: BTreeMap::new(),
            former: BTreeMap::new(),
            made: BTreeMap::new(),
            ids: BTreeMap::new(),
            conversations: BTreeMap::new(),
            of_message: BTreeMap::new(),
            offers: BTreeMap::new(),
            count: 0,
            last: None,
        };
        for actor in model.at_first() {
            let sent = real.registration(actor);
            let answer = real.server.node.send_inside(&sent).await;
            real.note_key(actor, &answer);
        }
        if model.has_market {
            for offer in [Offer::Review, Offer::Art] {
                let seller = real.signer(Signer::Default(offer.provider().unwrap()));
                let made = real.ask(&seller, &new_service(offer)).await;
                real.offers.insert(offer, made.service.id);
            }
        }
        real
    }

    /// Takes the step that the model has taken, and compares.
    pub(crate) async fn take(&mut self, step: &Step, model: &Model) {
        let millis = u64::try_from(model.now - self.now).unwrap();
        self.now = model.now;
        self.server.node.advance(Duration::from_millis(millis));
        let sent = match (step, &self.last) {
            (Step::Wait { .. }, _) | (Step::Again, None) => return,
            (Step::Look { by, at }, _) => return self.look(*by, at, model).await,
            (Step::Again, Some(last)) => last.sent.clone(),
            (Step::Call { by, call }, _) => self.request(*by, call),
        };
        let answer = self.server.node.send_inside(&sent).await;
        compare_outcome(step, &answer, &model.outcome);
        let called = match (step, &self.last) {
            (Step::Again, Some(last)) => last.step.clone(),
            (step, _) => step.clone(),
        };
        if model.outcome == Outcome::Replayed {
            let first = &self.last.as_ref().unwrap().answer;
            assert_eq!(answer.body, first.body, "the answer again to {called:?}");
            return;
        }
        if let (Outcome::Done, Step::Call { by, call }) = (&model.outcome, &called) {
            self.note(*by, call, &answer, model);
            self.learn_conversation(*by, call, model).await;
            self.compare_answer((*by, call), &answer, model);
        }
        self.last = Some(Last { step: called, sent, answer });
    }

    /// At the end: what its accounts see of each other.
    pub(crate) async fn end(&mut self, mut model: Model) {
        for (by, at) in lists::at_the_end(&model) {
            let step = Step::Look { by, at };
            model.take(&step);
            self.take(&step, &model).await;
        }
    }

    /// Keeps what a later step needs: ids and secrets.
    fn note(&mut self, by: Signer, call: &Call, answer: &Answer, model: &Model) {
        match call {
            Call::Register(who) => self.note_key(*who, answer),
            Call::Regenerate => self.note_regenerated(by, answer),
            Call::MakeKey { name, .. } => self.note_made(by, *name, answer),
            _ => {}
        }
        let Some(name) = new_name(call) else { return };
        if model.posts.contains_key(&name) {
            let id = answers::post(answer).id.to_string();
            self.ids.insert(name, id);
        }
        if model.messages.contains_key(&name) {
            self.ids.insert(name, answers::message_id(call, answer));
        }
    }

    /// Keeps the conversation of a new message, which the answer to a placed order does not name.
    async fn learn_conversation(&mut self, by: Signer, call: &Call, model: &Model) {
        let Some(name) = new_name(call) else { return };
        let Some(message) = model.messages.get(&name) else { return };
        let parties = pair(message.from, message.to);
        if !self.conversations.contains_key(&parties) {
            let request = GetMessage { message_id: self.id("msg", name).as_str().into() };
            let sender = self.owner(by).unwrap();
            let found = self.ask(&self.signer(Signer::Default(sender)), &request).await.message;
            self.conversations.insert(parties, found.conversation_id.to_string());
        }
        self.of_message.insert(name, self.conversations[&parties].clone());
    }

    /// Asks for what must be granted.
    async fn ask<E: svc_types::Endpoint>(&self, by: &Caller, request: &E) -> E::Response {
        self.server.node.send_inside(&by.request(request)).await.read::<E>()
    }

    /// A name as the server knows it.
    fn username(&self, actor: Actor) -> String {
        if actor == Actor::Mia {
            return self.server.mia.name.clone();
        }
        format!("{actor:?}_{}", self.number).to_lowercase()
    }

    /// Who has this name.
    fn actor(&self, username: &str) -> Actor {
        let found = Actor::TRADERS.into_iter().find(|actor| self.username(*actor) == username);
        found.unwrap_or_else(|| panic!("{username} is nobody in this history"))
    }

    /// What has this id; none if it is of another history.
    fn named(&self, id: &str) -> Option<Name> {
        self.ids.iter().find(|(_, known)| *known == id).map(|(name, _)| *name)
    }
}

fn compare_outcome(step: &Step, answer: &Answer, expected: &Outcome) {
    let found = match answer.refusal() {
        None if answer.is_replay => Outcome::Replayed,
        None => Outcome::Done,
        Some(body) => match (body.retry_after, expected) {
            (Some(seconds), _) => {
                let header = answer.retry_after.clone();
                assert_eq!(header, Some(seconds.to_string()), "Retry-After of {}", answer.body);
                Outcome::Limited(i64::try_from(seconds).unwrap())
            }
            (None, Outcome::Refused(_, Some(_))) => Outcome::Refused(body.code, body.hint),
            (None, _) => Outcome::Refused(body.code, None),
        },
    };
    let body = &answer.body;
    assert_eq!(found, *expected, "answered (left) against expected (right) to {step:?}: {body}");
}
