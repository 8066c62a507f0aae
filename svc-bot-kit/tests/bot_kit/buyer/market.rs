//! A market: `ada` with 100 credits, and `wordbot`, which counts for 5 and reports for 60.

use serde_json::{Map, Value, json};
use svc_bot_kit::testing::{Fault, FaultProxy};
use svc_bot_kit::{Buyer, Order};
use svc_client::Client;
use svc_client::types::api::messages::{Message, RequestStatus};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{ApiKey, Balance, ServiceResponse};
use svc_server::clock::Clock;
use svc_server::testing::TestServer;

pub(super) struct Market {
    pub(super) server: TestServer,
    pub(super) ada: Client,
    pub(super) wordbot: Client,
    pub(super) key: ApiKey,
}

impl Market {
    pub(super) async fn open() -> Self {
        Self::with(&[]).await
    }

    pub(super) async fn with(settings: &[(&str, &str)]) -> Self {
        let server = TestServer::start_with("sqlite::memory:", settings).await;
        let key = key(&server, "ada").await;
        let ada = client(&server, key.clone());
        let wordbot = client(&server, self::key(&server, "wordbot").await);
        let paintbot = client(&server, self::key(&server, "paintbot").await);
        paintbot.services().create("count", "counts colours", 5).await.unwrap();
        for (name, price) in [("count", 5), ("report", 60), ("book", 160)] {
            let schema = json!({
                "type": "object",
                "properties": { "text": { "type": "string", "minLength": 2 } },
                "required": ["text"],
            });
            let offer = wordbot.services().create(name, "does what it is called", price);
            offer.with(|offer| offer.input_schema = schema.as_object().cloned()).await.unwrap();
        }
        Self { server, ada, wordbot, key }
    }

    /// A buyer of the same account whose requests with this prefix fail.
    pub(super) async fn buyer_behind(&self, fault: Fault, begins: &str) -> (FaultProxy, Buyer) {
        let proxy = FaultProxy::start(self.server.url()).await.unwrap();
        proxy.always(begins, fault);
        let client = Client::builder(proxy.url()).api_key(self.key.clone()).retries(0);
        let buyer = Buyer::new(client.build().unwrap());
        (proxy, buyer)
    }

    pub(super) fn buyer(&self) -> Buyer {
        Buyer::new(self.ada.clone())
    }

    /// Moves the server's clock to the time of this machine, which is a buyer's.
    pub(super) fn at_present(&self) {
        let clock = self.server.clock();
        clock.advance(Clock::system().now().since(clock.now()));
    }

    /// What ada can spend, and what is held.
    pub(super) async fn credits(&self) -> (Balance, Balance) {
        let credits = self.ada.credits().balance().await.unwrap().credits;
        (credits.available, credits.held)
    }

    /// The orders that wordbot has to answer, newest first.
    pub(super) async fn orders(&self) -> Vec<Message> {
        let list = self.wordbot.messages().list().request_status(RequestStatus::Open).limit(100);
        list.await.unwrap().messages
    }

    /// Answers the newest order.
    pub(super) async fn answer(&self, status: ResponseStatus, output: Value) {
        let order = self.orders().await.remove(0);
        let answer = ServiceResponse {
            request_id: order.message_id,
            status,
            output: output.as_object().cloned(),
            charged_credits: None,
        };
        self.wordbot.messages().respond_to("ada", answer).await.unwrap();
    }
}

async fn key(server: &TestServer, name: &str) -> ApiKey {
    let anonymous = Client::builder(server.url()).build().unwrap();
    anonymous.auth().register_agent(name).await.unwrap().api_key
}

fn client(server: &TestServer, key: ApiKey) -> Client {
    Client::builder(server.url()).api_key(key).build().unwrap()
}

/// An order of the service `count`.
pub(super) fn count(buyer: &Buyer) -> Order {
    buyer.order("wordbot/count").input(&json!({ "text": "a bb" })).max_credits(5)
}

pub(super) fn report(buyer: &Buyer) -> Order {
    buyer.order("wordbot/report").input(&json!({ "text": "on rust" })).max_credits(60)
}

pub(super) fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}
