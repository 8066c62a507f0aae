//! A server with a bot's account and a buyer's, and what tests do on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use svc_bot_kit::testing::FaultProxy;
use svc_bot_kit::{Backlog, Bot, Ctx, Fail, Journal, Service, service};
use svc_client::Client;
use svc_client::types::api::messages::{Message, RequestState, RequestStatus};
use svc_client::types::{ApiKey, Credits, EscrowId, MessageId, ServiceId, ServiceRequest};
use svc_server::testing::{TestServer, found, in_time, until};
use svc_server::{sql, values};
use tokio::sync::Notify;

/// What the test service is asked.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    #[schemars(length(min = 1))]
    pub(crate) text: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Count {
    pub(crate) words: usize,
}

/// Counts words, and how often it was started.
pub(crate) fn count(starts: &Arc<AtomicU32>) -> Service {
    let starts = Arc::clone(starts);
    let count = move |cx: Ctx, ask: Ask| {
        starts.fetch_add(1, Ordering::Relaxed);
        async move { words(&cx, &ask) }
    };
    service("count-words", count)
}

fn words(cx: &Ctx, ask: &Ask) -> Result<Count, Fail> {
    match ask.text.as_str() {
        "nothing" => return Err(Fail::reject("there is nothing to count")),
        "broken" => Err(std::io::Error::other("a secret of ours"))?,
        "panic" => panic!("a bug"),
        "cheap" => cx.charge(2),
        "dear" => cx.charge(1_000),
        _ => {}
    }
    Ok(Count { words: ask.text.split_whitespace().count() })
}

pub(crate) struct Market {
    pub(crate) server: TestServer,
    pub(crate) bot: Client,
    pub(crate) bot_key: ApiKey,
    pub(crate) buyer: Client,
}

impl Market {
    /// Deletes all events and continues with this sequence number.
    pub(crate) async fn forget_events(&self, last_seq: Option<i64>) {
        let forget = sql!("delete from event");
        let set_back = sql!(
            "update event_head
             set last_seq = coalesce($1, last_seq), swept_seq = coalesce($1, last_seq)"
        );
        let numbers = sql!("delete from account_event");
        let work = self.server.app().write(move |cx| {
            cx.tx.execute(set_back, values![last_seq])?;
            cx.tx.execute(numbers, values![])?;
            cx.tx.execute(forget, values![])
        });
        work.await.unwrap();
    }

    pub(crate) async fn open() -> Self {
        Self::on(TestServer::start().await).await
    }

    pub(crate) async fn on(server: TestServer) -> Self {
        let bot_key = Self::key(&server, "wordbot").await;
        let bot = Client::builder(server.url()).api_key(bot_key.clone()).build().unwrap();
        let buyer = Self::agent(&server, "ada").await;
        Self { server, bot, bot_key, buyer }
    }

    pub(crate) async fn agent(server: &TestServer, name: &str) -> Client {
        let key = Self::key(server, name).await;
        Client::builder(server.url()).api_key(key).build().unwrap()
    }

    async fn key(server: &TestServer, name: &str) -> ApiKey {
        let anonymous = Client::builder(server.url()).build().unwrap();
        anonymous.auth().register_agent(name).await.unwrap().api_key
    }

    /// A bot that reaches the platform only over this, and waits for nothing in its client.
    pub(crate) fn bot_behind(&self, proxy: &FaultProxy, journal: &Journal) -> Bot {
        let client = Client::builder(proxy.url()).api_key(self.bot_key.clone()).retries(0);
        Bot::new(client.build().unwrap()).journal(journal.clone())
    }

    pub(crate) async fn proxy(&self) -> FaultProxy {
        FaultProxy::start(self.server.url()).await.unwrap()
    }

    /// A bot with a journal in memory.
    pub(crate) fn bot(&self) -> Bot {
        Bot::new(self.bot.clone()).journal(Journal::memory().unwrap())
    }

    /// Publishes a service as its bot would.
    pub(crate) async fn publish(&self, service: Service) -> ServiceId {
        self.bot().service(service).run_until(self.published(1)).await.unwrap();
        self.services().await.remove(0).0
    }

    /// Waits until this many services are offered.
    pub(crate) async fn published(&self, count: usize) {
        until("the bot offers its services", async || self.services().await.len() >= count).await;
    }

    pub(crate) async fn services(&self) -> Vec<(ServiceId, String)> {
        let offered = self.buyer.bots().capabilities("wordbot").await.unwrap().capabilities;
        offered.into_iter().map(|service| (service.id, service.name)).collect()
    }

    pub(crate) async fn order(&self, service: &ServiceId, text: &str, credits: u32) -> MessageId {
        let order = request(service, json!({ "text": text }), credits, None);
        self.send(order).await
    }

    /// An order that an escrow pays; the escrow too.
    pub(crate) async fn escrow_order(
        &self,
        service: &ServiceId,
        text: &str,
        credits: u32,
    ) -> (MessageId, EscrowId) {
        let create = self.buyer.escrow().create("wordbot", service, credits, "words");
        let escrow = create.await.unwrap().escrow.id;
        let input = json!({ "text": text });
        let order = request(service, input, credits, Some(escrow.clone()));
        (self.send(order).await, escrow)
    }

    pub(crate) async fn send(&self, order: ServiceRequest) -> MessageId {
        self.buyer.messages().request_service("wordbot", order).await.unwrap().message.message_id
    }

    pub(crate) async fn state(&self, order: &MessageId) -> RequestState {
        self.buyer.messages().get(order).await.unwrap().message.request.unwrap()
    }

    /// Waits until an order is closed; its state.
    pub(crate) async fn closed(&self, order: &MessageId) -> RequestState {
        found("an order is closed", async || {
            let state = self.state(order).await;
            (state.status != RequestStatus::Open).then_some(state)
        })
        .await
    }

    /// Waits until an order has an answer.
    pub(crate) async fn answered(&self, order: &MessageId) {
        until("an order is answered", async || !self.answers(order).await.is_empty()).await;
    }

    /// All answers to an order.
    pub(crate) async fn answers(&self, order: &MessageId) -> Vec<Value> {
        let page = self.buyer.messages().list().schema("service.response").limit(100).page();
        let payloads = page.await.unwrap().items.into_iter().filter_map(|m: Message| m.payload);
        payloads.filter(|p| p["requestId"] == order.as_str()).map(Value::Object).collect()
    }

    /// The one answer of an order.
    pub(crate) async fn answer(&self, order: &MessageId) -> Value {
        let mut answers = self.answers(order).await;
        assert_eq!(answers.len(), 1, "{answers:?}");
        answers.remove(0)
    }

    pub(crate) async fn credits(&self, who: &Client) -> (Credits, Credits) {
        let credits = who.credits().balance().await.unwrap().credits;
        (credits.available.bounded(), credits.held.bounded())
    }
}

/// A bot, and what says that it is open.
pub(crate) fn opening(bot: Bot) -> (Bot, Arc<Notify>) {
    let opened = Arc::new(Notify::new());
    let bot = bot.every(Duration::from_secs(60 * 60), {
        let opened = Arc::clone(&opened);
        move |_| {
            opened.notify_one();
            std::future::ready(Ok(()))
        }
    });
    (bot, opened)
}

/// Waits until a bot has nothing left to do.
pub(crate) async fn done(journal: &Journal) {
    until("the bot has done everything", async || {
        journal.backlog().await.unwrap() == Backlog::default()
    })
    .await;
}

/// Waits until a counter has this number.
pub(crate) async fn reached(counter: &AtomicU32, count: u32) {
    until("a handler starts", async || counter.load(Ordering::SeqCst) >= count).await;
}

/// Runs a bot until it is open.
pub(crate) async fn open_once(bot: Bot) {
    let (bot, opened) = opening(bot);
    bot.run_until(in_time("the bot opens", opened.notified())).await.unwrap();
}

pub(crate) fn request(
    service: &ServiceId,
    input: Value,
    credits: u32,
    escrow: Option<EscrowId>,
) -> ServiceRequest {
    ServiceRequest {
        service_id: service.clone(),
        service_name: "count-words".into(),
        input: match input {
            Value::Object(input) => input,
            _ => Map::new(),
        },
        offered_credits: credits.into(),
        escrow_id: escrow,
    }
}
