//! Updates of tasks as they happen.

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use svc_client::Client;
use svc_client::types::api::orders::{ProgressState, ResponseStatus};
use svc_core::waits::WAITS_MAX;
use svc_server::testing::{Engine, TestServer};

use super::{named, rpc, state};
use crate::app::TestApp;
use crate::event_stream::EventStream;
use crate::market::{Market, object};
use crate::on_both_engines;
use crate::raw::answer;

/// A stream of events.
pub(super) struct Live(EventStream);

impl Live {
    pub(super) async fn open(request: RequestBuilder) -> Self {
        Self(EventStream::open(request).await)
    }

    /// The data of the next event; `None` at the end.
    pub(super) async fn data(&mut self) -> Option<Value> {
        let block = self.0.block().await?;
        let data = block.lines().find_map(|line| line.strip_prefix("data: "));
        Some(serde_json::from_str(data.unwrap_or_else(|| panic!("{block}"))).unwrap())
    }

    /// The result of the next event by JSON-RPC.
    async fn result(&mut self) -> Value {
        let data = self.data().await.expect("the stream goes on");
        assert_eq!((&data["jsonrpc"], &data["id"]), (&json!("2.0"), &json!(7)));
        data["result"].clone()
    }
}

impl Market {
    async fn streaming(&self, method: &str, params: &Value) -> Live {
        Live::open(self.posting(&self.ada, "").json(&rpc(method, params))).await
    }
}

on_both_engines! {
    async fn a_stream_shows_a_task_from_its_beginning_to_its_end(app: TestApp) {
        let market = Market::new(app).await;
        let mut live = market.streaming("SendStreamingMessage", &market.sending("m-1")).await;
        let task = live.result().await["task"].clone();
        assert_eq!(state(&task), "TASK_STATE_SUBMITTED");
        let id = task["id"].as_str().unwrap();
        let (orders, context) = (market.bob.client.orders(), &task["contextId"]);
        orders.progress(id, ProgressState::Working).note("reading").percent(10).await.unwrap();
        let update = live.result().await["statusUpdate"].clone();
        assert_eq!((&update["taskId"], &update["contextId"], state(&update)), (&json!(id), context, "TASK_STATE_WORKING"));
        assert_eq!(update["status"]["message"]["parts"][0]["text"], "reading");
        assert_eq!(update["metadata"][market.app.extension()]["percent"], 10);
        for (number, partial) in [(1, json!("one")), (2, json!({ "two": 2 }))] {
            let progress = orders.progress(id, ProgressState::Working).note("reading").percent(10);
            progress.partial(partial.clone()).await.unwrap();
            let update = live.result().await["artifactUpdate"].clone();
            assert_eq!(update, json!({
                "taskId": id, "contextId": context, "lastChunk": true,
                "artifact": {
                    "artifactId": format!("partial-{number}"), "name": format!("partial-{number}"),
                    "parts": [{ "data": partial, "mediaType": "application/json" }],
                },
            }));
        }
        orders.answer(id, ResponseStatus::Completed).output(object(json!({ "n": 1 }))).await.unwrap();
        let output = live.result().await["artifactUpdate"]["artifact"].clone();
        assert_eq!((&output["artifactId"], &output["parts"][0]["data"]), (&json!("output"), &json!({ "n": 1 })));
        let done = live.result().await["statusUpdate"].clone();
        let said = done["status"].get("message");
        assert_eq!((state(&done), said), ("TASK_STATE_COMPLETED", None), "the note is no result");
        assert_eq!(live.data().await, None);
        let whole = market.result("GetTask", &json!({ "id": id })).await;
        assert_eq!(whole["artifacts"].as_array().unwrap().len(), 3);
        assert_eq!(market.app.server.app().post_commit.waits.count(), 0);
    }

    async fn a_question_ends_the_stream_of_a_message_and_a_subscription_goes_on(app: TestApp) {
        let market = Market::new(app).await;
        let mut live = market.streaming("SendStreamingMessage", &market.sending("m-1")).await;
        let id = live.result().await["task"]["id"].as_str().unwrap().to_owned();
        let orders = market.bob.client.orders();
        orders.progress(&*id, ProgressState::InputRequired).prompt("which?").await.unwrap();
        assert_eq!(state(&live.result().await["statusUpdate"]), "TASK_STATE_INPUT_REQUIRED");
        assert_eq!(live.data().await, None);
        let mut live = market.streaming("SubscribeToTask", &json!({ "id": id })).await;
        assert_eq!(state(&live.result().await["task"]), "TASK_STATE_INPUT_REQUIRED");
        let reply = json!({ "messageId": "m-2", "role": "ROLE_USER", "taskId": id, "parts": [{ "text": "this" }] });
        let mut answered = market.streaming("SendStreamingMessage", &json!({ "message": reply })).await;
        assert_eq!(state(&answered.result().await["task"]), "TASK_STATE_WORKING");
        assert_eq!(state(&live.result().await["statusUpdate"]), "TASK_STATE_WORKING");
        orders.answer(&*id, ResponseStatus::Rejected).reason("no").await.unwrap();
        for stream in [&mut live, &mut answered] {
            assert_eq!(state(&stream.result().await["statusUpdate"]), "TASK_STATE_REJECTED");
            assert_eq!(stream.data().await, None);
        }
        let ended = market.error("SubscribeToTask", &json!({ "id": id })).await;
        assert_eq!(ended, (-32004, "UNSUPPORTED_OPERATION".to_owned()));
    }

    async fn a_price_that_is_asked_for_is_a_stream_of_one_event(app: TestApp) {
        let market = Market::new(app).await;
        let mut params = market.sending("m-1");
        params["message"].as_object_mut().unwrap().remove("metadata");
        let mut live = market.streaming("SendStreamingMessage", &params).await;
        assert_eq!(state(&live.result().await["task"]), "TASK_STATE_INPUT_REQUIRED");
        assert_eq!(live.data().await, None);
    }

    async fn many_partial_results_arrive_once_and_in_order(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.task("m-1").await["id"].as_str().unwrap().to_owned();
        let orders = market.bob.client.orders();
        for number in 1..=3 {
            orders.progress(&*id, ProgressState::Working).partial(json!(number)).await.unwrap();
        }
        let mut live = market.streaming("SubscribeToTask", &json!({ "id": id })).await;
        let task = live.result().await["task"].clone();
        assert_eq!(task["artifacts"].as_array().unwrap().len(), 3);
        for number in 4..=27 {
            orders.progress(&*id, ProgressState::Working).partial(json!(number)).await.unwrap();
        }
        orders.answer(&*id, ResponseStatus::Completed).await.unwrap();
        for number in 4..=27 {
            let update = live.result().await;
            assert_eq!(update["artifactUpdate"]["artifact"]["parts"][0]["data"], number, "{update}");
        }
        assert_eq!(state(&live.result().await["statusUpdate"]), "TASK_STATE_COMPLETED");
    }

    async fn a_stream_ends_with_its_key(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.task("m-1").await["id"].as_str().unwrap().to_owned();
        let mut live = market.streaming("SubscribeToTask", &json!({ "id": id })).await;
        live.result().await;
        market.ada.client.auth().regenerate_api_key().await.unwrap();
        market.bob.client.orders().progress(&*id, ProgressState::Working).await.unwrap();
        let last = live.data().await.unwrap();
        assert_eq!(named(&last), (-32000, "UNAUTHORIZED".to_owned()));
        assert_eq!(live.data().await, None);
    }

    async fn an_account_has_a_bounded_number_of_streams(app: TestApp) {
        let market = Market::new(app).await;
        let id = json!({ "id": market.task("m-1").await["id"] });
        let mut open = Vec::new();
        for _ in 0..WAITS_MAX {
            let mut live = market.streaming("SubscribeToTask", &id).await;
            live.result().await;
            open.push(live);
        }
        let refused = answer(market.posting(&market.ada, "").json(&rpc("SubscribeToTask", &id))).await;
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("2")));
        assert_eq!(refused.header("x-ratelimit-limit"), Some("20"));
        let body: Value = serde_json::from_str(&refused.text).unwrap();
        assert_eq!(named(&body).1, "RATE_LIMITED");
        assert_eq!(body["error"]["data"][1]["retryDelay"], "2s", "also for who sees no headers");
    }

    async fn a_quiet_stream_is_kept_open_by_comments_until_its_key_ends(app: TestApp) {
        let market = Market::new(app).await;
        let id = json!({ "id": market.task("m-1").await["id"] });
        let mut live = market.streaming("SubscribeToTask", &id).await;
        live.result().await;
        market.app.advance(4);
        assert_eq!(live.0.block().await.unwrap(), ": still here");
        market.ada.client.auth().regenerate_api_key().await.unwrap();
        market.app.advance(120);
        assert_eq!(live.0.block().await.unwrap(), ": still here");
        let last = live.data().await.unwrap();
        assert_eq!(named(&last), (-32000, "UNAUTHORIZED".to_owned()), "the key is checked while nothing happens");
        assert_eq!(live.data().await, None);
    }
}

/// A message waits at one node, and the work is done at another.
#[tokio::test]
async fn a_stream_shows_what_other_nodes_commit() {
    let Some(database) = Engine::Postgres.database() else { return };
    let one = TestApp::on(Engine::Postgres, &database, &[]).await;
    let two = TestServer::start_with(&database, &[]).await;
    let market = Market::new(one).await;
    let bob = Client::builder(two.url()).api_key(market.bob.key.clone()).build().unwrap();
    let mut live = market.streaming("SendStreamingMessage", &market.sending("m-1")).await;
    let id = live.result().await["task"]["id"].as_str().unwrap().to_owned();
    bob.orders().answer(&*id, ResponseStatus::Rejected).reason("busy").await.unwrap();
    svc_core::tasks::waits::once(market.app.server.app()).await.unwrap();
    assert_eq!(state(&live.result().await["statusUpdate"]), "TASK_STATE_REJECTED");
    assert_eq!(live.data().await, None);
}
