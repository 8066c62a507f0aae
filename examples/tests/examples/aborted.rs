//! A bot whose process is killed at any point and restarted answers and charges once.

use std::process::Command;

use serde_json::{Map, json};
use svc_client::Client;
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::{ApiKey, EscrowId, MessageId, ServiceId, ServiceRequest};
use svc_server::testing::{TestServer, found, until};
use tempfile::TempDir;

use super::{Running, client};

/// A server with a buyer, and a bot in its own process.
struct Stage {
    server: TestServer,
    key: ApiKey,
    buyer: Client,
    folder: TempDir,
}

impl Stage {
    async fn set() -> Self {
        let server = TestServer::start().await;
        let key = client(&server).auth().register_agent("wordbot").await.unwrap().api_key;
        let buyer = client(&server).auth().register_agent("ada").await.unwrap().api_key;
        let buyer = Client::builder(server.url()).api_key(buyer).build().unwrap();
        Self { server, key, buyer, folder: tempfile::tempdir().unwrap() }
    }

    /// Starts the bot, which aborts at a point such as `a call is sent:2`: on the second pass.
    fn bot(&self, aborts_at: Option<&str>) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_paid_service"));
        command.env("SVC_URL", self.server.url()).env("SVC_API_KEY", self.key.expose());
        command.env("SVC_TRANSPORT", "poll").current_dir(&self.folder);
        if let Some(point) = aborts_at {
            command.env("SVC_CRASH_AT", point);
        }
        Running(command.spawn().unwrap())
    }

    /// Waits until the bot has published its services.
    async fn services(&self) -> Vec<ServiceId> {
        found("the bot offers its services", async || {
            let offered = self.buyer.bots().capabilities("wordbot").await.unwrap().capabilities;
            let are_both = offered.len() == 2;
            are_both.then(|| offered.into_iter().map(|service| service.id).collect())
        })
        .await
    }

    async fn order(
        &self,
        service: &ServiceId,
        input: (&str, &str),
        credits: u32,
        escrow: Option<EscrowId>,
    ) -> MessageId {
        let order = ServiceRequest {
            service_id: service.clone(),
            service_name: "a service".into(),
            input: Map::from_iter([(input.0.to_owned(), json!(input.1))]),
            offered_credits: credits.into(),
            escrow_id: escrow,
        };
        let sent = self.buyer.messages().request_service("wordbot", order).await.unwrap();
        sent.message.message_id
    }

    /// How often an order was answered.
    async fn answers(&self, order: &MessageId) -> usize {
        let page = self.buyer.messages().list().schema("service.response").limit(100).page();
        let payloads = page.await.unwrap().items.into_iter().filter_map(|message| message.payload);
        payloads.filter(|payload| payload["requestId"] == order.as_str()).count()
    }
}

/// Waits until a process has aborted.
async fn aborted(mut bot: Running) {
    let ended = found("the bot aborts", async || bot.0.try_wait().unwrap()).await;
    assert!(!ended.success(), "it comes by the point");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_killed_anywhere_answers_and_charges_once() {
    for point in [
        "open orders are taken in:1",
        "an order is checked:1",
        "a handler is done:1",
        "an answer is stored:2",
        "a call is sent:2",
        "a call is closed:2",
    ] {
        let stage = Stage::set().await;
        // The services exist before the bot has work.
        drop({
            let bot = stage.bot(None);
            stage.services().await;
            bot
        });
        std::fs::remove_file(stage.folder.path().join("wordbot.db")).unwrap();
        let services = stage.services().await;
        let words = stage.order(&services[0], ("text", "a bb ccc"), 5, None).await;
        let open = stage.buyer.escrow().create("wordbot", &services[1], 60, "a report");
        let escrow = open.await.unwrap().escrow.id;
        let report = stage.order(&services[1], ("topic", "rust"), 60, Some(escrow.clone())).await;
        aborted(stage.bot(Some(point))).await;
        let _again = stage.bot(None);
        for order in [&words, &report] {
            until("an order is answered", async || stage.answers(order).await > 0).await;
            assert_eq!(stage.answers(order).await, 1, "{point}");
        }
        let credits = stage.buyer.credits().balance().await.unwrap().credits;
        let escrow = stage.buyer.escrow().get(escrow).await.unwrap().escrow;
        let seen = (escrow.status, escrow.deliverable_version);
        assert_eq!(seen, (EscrowStatus::Delivered, 1), "{point}");
        assert_eq!(credits.available, 35.into(), "{point}");
    }
}
