//! What the tests of the exchange share: services, orders, escrows, and what accounts have.

use http::Method;
use serde_json::{Map, Value, json};
use svc_client::Call;
use svc_client::types::api::escrow::{CreateEscrow, Deliverable, Escrow, EscrowStatus};
use svc_client::types::api::messages::{Message, SendMessage};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{
    Code, Credits, EscrowId, MessageId, ServiceId, ServiceRequest, ServiceResponse,
};
use svc_core::audit;

use crate::app::{Member, TestApp, code};
use crate::raw::answer;

/// A token that only the parties of an escrow may read.
pub(crate) const TOKEN: &str = "a-token-for-two";

/// A buyer and a bot with a service, on a server.
pub(crate) struct Market {
    pub(crate) app: TestApp,
    pub(crate) ada: Member,
    pub(crate) bob: Member,
    pub(crate) service: ServiceId,
}

impl Market {
    /// Ada with 100 credits, and bob, who has as many and offers `work` for 5.
    pub(crate) async fn new(app: TestApp) -> Self {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let service = offer(&bob, "work", 5).await;
        Self { app, ada, bob, service }
    }

    /// An escrow of ada's with bob.
    pub(crate) fn opening(&self, amount: u32) -> Call<CreateEscrow> {
        self.ada.client.escrow().create("bob", &self.service, amount, "a report on rust")
    }

    /// The same, opened.
    pub(crate) async fn open(&self, amount: u32) -> Escrow {
        self.opening(amount).await.unwrap().escrow
    }

    /// Bob delivers.
    pub(crate) async fn deliver(&self, id: &EscrowId) -> Escrow {
        self.bob.client.escrow().deliver(id, work()).await.unwrap().escrow
    }

    /// Ada refuses the work.
    pub(crate) async fn dispute(&self, id: &EscrowId) -> Escrow {
        self.ada.client.escrow().dispute(id, "it fails").await.unwrap().escrow
    }

    /// An escrow as ada sees it.
    pub(crate) async fn seen(&self, id: &EscrowId) -> Escrow {
        self.ada.client.escrow().get(id).await.unwrap().escrow
    }

    /// An escrow over 10 credits in this state. One in state `created` could be paid for by now.
    pub(crate) async fn escrow(&self, status: &EscrowStatus) -> Escrow {
        if *status == EscrowStatus::Created {
            return self.unpaid().await;
        }
        let id = self.open(10).await.id;
        let (ada, bob) = (self.ada.client.escrow(), self.bob.client.escrow());
        match status {
            EscrowStatus::Cancelled => drop(ada.cancel(&id).await.unwrap()),
            EscrowStatus::Funded => {}
            _ => drop(self.deliver(&id).await),
        }
        match status {
            EscrowStatus::Disputed => drop(self.dispute(&id).await),
            EscrowStatus::Released => drop(ada.release(&id).await.unwrap()),
            EscrowStatus::Refunded => drop(bob.refund(&id).await.unwrap()),
            _ => {}
        }
        self.seen(&id).await
    }

    async fn unpaid(&self) -> Escrow {
        let has = self.ada.client.credits().balance().await.unwrap().credits.available;
        let more = u32::try_from(has.micros() / 1_000_000).unwrap() + 1;
        let escrow = self.open(more).await;
        self.app.grant_credits("ada", 1).await;
        escrow
    }

    /// An order of ada's to bob, still to be sent.
    pub(crate) fn order(&self, offered: impl Into<Credits>) -> ServiceRequest {
        order(&self.service, offered)
    }

    /// The same, sent.
    pub(crate) async fn ordered(&self, offered: impl Into<Credits>) -> MessageId {
        let sending = self.ada.client.messages().request_service("bob", self.order(offered));
        sending.await.unwrap().message.message_id
    }

    /// What ada and bob have: what they can spend, and what is held.
    pub(crate) async fn have(&self) -> [String; 2] {
        [has(&self.ada).await, has(&self.bob).await]
    }

    /// An order to bob, still to be sent.
    pub(crate) fn ordering(&self, order: ServiceRequest) -> Call<SendMessage> {
        self.ada.client.messages().request_service("bob", order)
    }

    /// An answer to ada, still to be sent.
    pub(crate) fn answering(&self, response: ServiceResponse) -> Call<SendMessage> {
        self.bob.client.messages().respond_to("ada", response)
    }

    /// The same, sent.
    pub(crate) async fn answer(&self, response: ServiceResponse) -> Message {
        self.answering(response).await.unwrap().message
    }

    /// The state of an order, as both parties see it.
    pub(crate) async fn state(&self, id: &MessageId) -> Value {
        let path = format!("/messages/{id}");
        let [seen, other] =
            [&self.ada, &self.bob].map(|member| member.raw(&self.app, Method::GET, &path));
        let (seen, other) = (answer(seen).await.json(), answer(other).await.json());
        assert_eq!(seen, other);
        seen["message"]["request"].clone()
    }

    /// An order that an escrow pays.
    pub(crate) fn with_escrow(&self, offered: u32, escrow: &EscrowId) -> ServiceRequest {
        ServiceRequest { escrow_id: Some(escrow.clone()), ..self.order(offered) }
    }

    /// Nothing was lost, made or forgotten.
    pub(crate) async fn is_consistent(&self) {
        is_consistent(&self.app).await;
    }
}

/// Refusal of a message: its code, the member it names, its hint.
pub(crate) async fn refusal(call: Call<SendMessage>) -> (Code, String, String) {
    let error = call.await.expect_err("the message should have been refused");
    let text = |text: Option<&str>| text.unwrap_or("").to_owned();
    let (field, hint) = (text(error.field()), text(error.hint()));
    (code::<SendMessage>(Err(error)), field, hint)
}

/// Nothing was lost, made or forgotten.
pub(crate) async fn is_consistent(app: &TestApp) {
    let report = audit::now(app.server.app()).await.unwrap();
    assert!(report.holds(), "{report}");
}

/// A new service of a bot.
pub(crate) async fn offer(bot: &Member, name: &str, price: u32) -> ServiceId {
    let offering = bot.client.services().create(name, "does what it is called", price);
    offering.await.unwrap().service.id
}

/// What an account can spend, and what is held: `95+5`.
pub(crate) async fn has(member: &Member) -> String {
    let credits = member.client.credits().balance().await.unwrap().credits;
    format!("{}+{}", credits.available, credits.held)
}

/// An order for a service.
pub(crate) fn order(service: &ServiceId, offered: impl Into<Credits>) -> ServiceRequest {
    ServiceRequest {
        service_id: service.clone(),
        service_name: "work".into(),
        input: Map::new(),
        offered_credits: offered.into(),
        escrow_id: None,
    }
}

/// An answer to an order, with the words its status needs.
pub(crate) fn response(request: &MessageId, status: ResponseStatus) -> ServiceResponse {
    let output = match status {
        ResponseStatus::Rejected => Some(object(json!({ "reason": "busy" }))),
        ResponseStatus::Error => Some(object(json!({ "error": "broken" }))),
        _ => None,
    };
    ServiceResponse { request_id: request.clone(), status, output, charged_credits: None }
}

/// Work with all that belongs to it.
pub(crate) fn work() -> Deliverable {
    let checksum = format!("sha256:{}", "0f".repeat(32));
    let mut work = Deliverable::code("https://git.example.org/report", "main", checksum);
    work.access_token = Some(TOKEN.into());
    work
}

/// A JSON object.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is no object"),
    }
}
