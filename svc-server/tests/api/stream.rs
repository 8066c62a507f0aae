//! What happens to an account, live over HTTP (server-sent events).

use std::collections::HashMap;

use http::{Method, StatusCode};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use svc_client::types::api::channels::ChannelVisibility;
use svc_client::types::{Code, Scope, Span};
use svc_core::tasks::sweep;
use svc_server::testing::in_time;
use svc_store::sql;
use svc_store::values;

use crate::app::{Member, TestApp};
use crate::event_stream::EventStream;
use crate::raw::answer;
use crate::{on_both_engines, past};

const PATH: &str = "/v1/connect/stream";

/// A stream that is read as browsers do.
struct Live {
    stream: EventStream,
    /// The number that the first block has.
    begins_at: u64,
}

impl Live {
    async fn open(request: RequestBuilder) -> Self {
        let mut stream = EventStream::open(request).await;
        let opening = stream.block().await.unwrap();
        let lines: Vec<&str> = opening.lines().collect();
        let [retry, id, ": events follow"] = lines[..] else { panic!("{opening}") };
        let pause: u64 = retry.strip_prefix("retry: ").unwrap().parse().unwrap();
        assert!((2_000..4_000).contains(&pause), "not all come back at once: {pause}");
        Self { stream, begins_at: id.strip_prefix("id: ").unwrap().parse().unwrap() }
    }

    async fn of(app: &TestApp, member: &Member) -> Self {
        Self::open(member.raw(app, Method::GET, PATH)).await
    }

    /// The next event by the names of its fields.
    async fn fields(&mut self) -> HashMap<String, String> {
        let block = self.stream.block().await.expect("the stream goes on");
        let fields = block.lines().map(|line| line.split_once(": ").unwrap());
        fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// The next event: its number, and its envelope.
    async fn event(&mut self) -> (u64, Value) {
        let fields = self.fields().await;
        let envelope: Value = serde_json::from_str(&fields["data"]).unwrap();
        assert_eq!(json!(fields["event"]), envelope["event"]);
        (fields["id"].parse().unwrap(), envelope)
    }
}

fn text(envelope: &Value) -> &str {
    envelope["data"]["content"].as_str().unwrap()
}

/// Waits for the end of a stream. Events about what ended it may still arrive.
async fn ends(live: &mut Live) {
    while let Some(block) = live.stream.block().await {
        assert!(block.contains("event: security"), "{block}");
    }
}

on_both_engines! {
    async fn a_streamed_event_equals_the_listed_one(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut live = Live::of(&app, &bob).await;
        ada.write(&bob, "one\ntwo").await;
        let (number, envelope) = live.event().await;
        let list = answer(bob.raw(&app, Method::GET, "/v1/connect/events")).await.json();
        assert_eq!((number, &list["events"]), (1, &json!([envelope])));
        ada.write(&bob, "three").await;
        assert_eq!(live.event().await.0, 2);
    }

    async fn a_stream_starts_now_or_resumes_after_the_last_event(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for number in 1..=3 {
            ada.write(&bob, &format!("message {number}")).await;
        }
        let mut now = Live::of(&app, &bob).await;
        let mut asked = Live::open(bob.raw(&app, Method::GET, "/v1/connect/stream?after=1")).await;
        // The header is of the browser that connects again to the same address, so it counts.
        let again = bob.raw(&app, Method::GET, "/v1/connect/stream?after=1");
        let mut again = Live::open(again.header("last-event-id", "2")).await;
        ada.write(&bob, "message 4").await;
        assert_eq!(text(&now.event().await.1), "message 4");
        for number in 2..=4 {
            assert_eq!(asked.event().await.0, number);
        }
        for number in 3..=4 {
            assert_eq!(again.event().await.0, number);
        }
    }

    async fn a_stream_that_breaks_before_its_first_event_goes_on_where_it_began(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.write(&bob, "before").await;
        let begins_at = Live::of(&app, &bob).await.begins_at;
        assert_eq!(begins_at, 1);
        ada.write(&bob, "meanwhile").await;
        let again = bob.raw(&app, Method::GET, PATH).header("last-event-id", begins_at.to_string());
        assert_eq!(text(&Live::open(again).await.event().await.1), "meanwhile");
    }

    async fn a_stream_of_rare_kinds_says_where_it_is(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let path = "/v1/connect/stream?types=follow";
        let mut live = Live::open(bob.raw(&app, Method::GET, path)).await;
        for text in ["one", "two"] {
            ada.write(&bob, text).await;
        }
        // The first comment may come before the messages were read.
        let mut said = Vec::new();
        let saying = async {
            while !said.contains(&": still here\nid: 2".to_owned()) {
                app.advance(15);
                said.push(live.stream.block().await.unwrap());
            }
        };
        in_time("the stream says where it is", saying).await;
        app.advance(15);
        assert_eq!(live.stream.block().await.unwrap(), ": still here", "once: {said:?}");
        drop(live);
        // It begins with 0, from where no stream goes on once events have expired.
        app.advance(8 * 86_400);
        sweep::once(app.server.app()).await.unwrap();
        let after = |number: &str| bob.raw(&app, Method::GET, path).header("last-event-id", number);
        let expired = answer(after("0")).await.refusal();
        assert_eq!((expired.code, expired.field.as_deref()), (Code::CursorExpired, Some("Last-Event-ID")));
        Live::open(after("2")).await;
    }

    async fn many_events_arrive_in_order(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = bob.user.id.clone();
        app.execute(move |ctx| {
            for number in 1..=250_i64 {
                ctx.tx.execute(
                    sql!("insert into event (id, stream, seq, kind, body, created_at, relayed_at)
                          values ($1, $2, $3, 'system', '{\"data\":{}}', 0, 0)"),
                    values![format!("evt_{number:04}"), id, number],
                )?;
            }
            past::complete(ctx, &id)
        }).await;
        let mut live = Live::open(bob.raw(&app, Method::GET, "/v1/connect/stream?after=0")).await;
        for number in 1..=250 {
            assert_eq!(live.event().await.0, number);
        }
        ada.write(&bob, "the last").await;
        assert_eq!(live.event().await.0, 251);
    }

    async fn only_requested_kinds_are_sent(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let path = "/v1/connect/stream?types=follow";
        let mut live = Live::open(bob.raw(&app, Method::GET, path)).await;
        ada.write(&bob, "not this").await;
        ada.client.relations().follow("bob").await.unwrap();
        let (number, envelope) = live.event().await;
        assert_eq!((number, &envelope["event"]), (2, &json!("follow")));
    }

    async fn rare_kinds_are_sent_behind_many_others(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = bob.user.id.clone();
        app.execute(move |ctx| past::likes(ctx, &id, 9_000)).await;
        let path = "/v1/connect/stream?after=0&types=direct_message";
        let mut live = Live::open(bob.raw(&app, Method::GET, path)).await;
        ada.write(&bob, "psst").await;
        assert_eq!(live.event().await.0, 9_001);
    }

    async fn events_of_other_accounts_are_not_streamed(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let mut live = Live::of(&app, &eve).await;
        ada.write(&bob, "for bob").await;
        ada.write(&eve, "for eve").await;
        assert_eq!(text(&live.event().await.1), "for eve");
    }

    async fn an_idle_stream_sends_keep_alives(app: TestApp) {
        let ada = app.agent("ada").await;
        let mut live = Live::of(&app, &ada).await;
        app.advance(15);
        assert_eq!(live.stream.block().await.unwrap(), ": still here");
    }

    async fn events_committed_by_another_server_are_streamed(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut live = Live::of(&app, &bob).await;
        let (from, to) = (ada.user.id.clone(), bob.user.id.clone());
        // Written without a call, as another process would.
        app.execute(move |ctx| {
            ctx.tx.execute(
                sql!("insert into event (id, stream, seq, kind, body, created_at, relayed_at)
                      values ('evt_1', $1, 1, 'system', $2, 0, 0)"),
                values![to, format!("{{\"data\":{{\"by\":\"{from}\"}}}}")],
            )?;
            past::complete(ctx, &to)
        }).await;
        app.advance(2);
        assert_eq!(live.event().await.0, 1);
    }

    async fn a_stream_ends_with_its_credential(app: TestApp) {
        let ada = app.person("ada", "correct horse battery").await;
        let cookie = app.sign_in("ada", "correct horse battery").await;
        let mut by_key = Live::of(&app, &ada).await;
        let mut by_cookie = Live::open(app.raw(Method::GET, PATH).header("cookie", &cookie)).await;
        ada.client.auth().regenerate_api_key().await.unwrap();
        app.advance(2);
        ends(&mut by_key).await;
        app.browser(&cookie).auth().logout().await.unwrap();
        app.advance(2);
        ends(&mut by_cookie).await;
    }

    async fn a_stream_ends_when_its_key_expires(app: TestApp) {
        let ada = app.agent("ada").await;
        let creating = ada.client.keys().create("brief", vec![Scope::Read]);
        let brief = creating.expires_in(Span::from_secs(3_600)).await.unwrap().api_key;
        let mut live = Live::open(app.raw(Method::GET, PATH).bearer_auth(brief.expose())).await;
        app.advance(3_600);
        while let Some(block) = live.stream.block().await {
            assert_eq!(block, ": still here", "nothing else happens that would end it");
        }
    }

    async fn a_stream_of_a_key_without_dm_carries_no_messages(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let reader = ada.client.keys().create("reader", vec![Scope::Read]).await.unwrap().api_key;
        let mut live = Live::open(app.raw(Method::GET, PATH).bearer_auth(reader.expose())).await;
        bob.write(&ada, "secret words").await;
        bob.client.relations().follow("ada").await.unwrap();
        assert_eq!(live.event().await.1["event"], "follow");
    }

    async fn a_stream_of_a_program_ends_when_its_app_is_deleted(app: TestApp) {
        let (ada, gate) = (app.visitor("ada").await, app.gate().await);
        let tokens = app.tokens_of(&gate, &ada).await;
        let access = tokens["access_token"].as_str().unwrap();
        let mut by_token = Live::open(app.raw(Method::GET, PATH).bearer_auth(access)).await;
        gate.client.developers().delete().await.unwrap();
        ends(&mut by_token).await;
    }

    async fn a_stream_ends_at_once_with_the_suspension_of_its_account(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut live = Live::of(&app, &bob).await;
        app.suspend("bob").await;
        ada.client.messages().send("bob", "too late").await.ok();
        assert_eq!(live.stream.block().await, None);
        let refused = answer(bob.raw(&app, Method::GET, PATH)).await.refusal();
        assert_eq!(refused.code, Code::AccountSuspended);
        let list = answer(bob.raw(&app, Method::GET, "/v1/connect/events")).await;
        assert_eq!(list.status, StatusCode::OK, "the list explains what happens");
        app.unsuspend("bob").await;
        Live::of(&app, &bob).await;
    }

    async fn a_stream_ends_when_the_server_stops(app: TestApp) {
        let ada = app.agent("ada").await;
        let mut live = Live::of(&app, &ada).await;
        app.server.app().stop();
        assert_eq!(live.stream.block().await, None);
    }

    async fn an_invalid_stream_request_is_refused_up_front(app: TestApp) {
        let ada = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let ask = |key: &str, path: &str| answer(app.raw(Method::GET, path).bearer_auth(key));
        assert_eq!(answer(app.raw(Method::GET, PATH)).await.status, 401);
        assert_eq!(ask("svc_ak_nonsense", PATH).await.status, 401);
        assert_eq!(ask(gate.key.expose(), PATH).await.status, 403);
        let future = ask(ada.key.expose(), "/v1/connect/stream?after=7").await;
        let future = future.refusal();
        assert_eq!((future.code, future.field.as_deref()), (Code::CursorExpired, Some("after")));
        let wrong = ask(ada.key.expose(), "/v1/connect/stream?after=seven").await;
        assert_eq!((wrong.status, wrong.refusal().field.as_deref()), (StatusCode::BAD_REQUEST, Some("after")));
        let misspelt = ask(ada.key.expose(), "/v1/connect/stream?types=follow,folow").await.refusal();
        assert_eq!((misspelt.field.as_deref(), misspelt.hint.as_deref()), (Some("types"), Some("follow")));
        let header = ada.raw(&app, Method::GET, PATH).header("last-event-id", "seven");
        assert_eq!(answer(header).await.refusal().field.as_deref(), Some("Last-Event-ID"));
    }

    async fn an_account_has_a_bounded_number_of_streams(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut open = Vec::new();
        for _ in 0..20 {
            open.push(Live::of(&app, &ada).await);
        }
        let refused = answer(ada.raw(&app, Method::GET, PATH)).await;
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("2")));
        let window = ["x-ratelimit-limit", "x-ratelimit-remaining"].map(|name| refused.header(name));
        assert_eq!(window, [Some("20"), Some("0")]);
        Live::of(&app, &bob).await;
    }

    async fn a_stream_says_which_of_its_channels_changed(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut ids = Vec::new();
        for name in ["chess", "tea"] {
            let channel = ada.client.channels().create(name).await.unwrap().channel;
            bob.client.channels().join(&channel.id).await.unwrap();
            ids.push(channel.id);
        }
        let path = format!("{PATH}?types=follow&channels={}", ids[0]);
        let mut live = Live::open(bob.raw(&app, Method::GET, &path)).await;
        ada.client.channels().post(&ids[1], "not watched").await.unwrap();
        let posted = ada.client.channels().post(&ids[0], "hello").await.unwrap().message;
        for _ in 0..2 {
            let fields = live.fields().await;
            let data: Value = serde_json::from_str(&fields["data"]).unwrap();
            assert_eq!(data, json!({ "channelId": ids[0] }));
            assert_eq!((fields["event"].as_str(), fields.get("id")), ("channel_changed", None));
            ada.client.channels().delete_message(&ids[0], &posted.message_id).await.ok();
        }
    }

    async fn a_stream_no_longer_watches_a_channel_that_the_account_may_not_read(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channels = ada.client.channels();
        let private = channels.create("tea").with(|request| {
            request.visibility = Some(ChannelVisibility::Private);
        });
        let id = private.await.unwrap().channel.id;
        let path = format!("{PATH}?channels={id}");
        let refused = answer(bob.raw(&app, Method::GET, &path)).await.refusal();
        assert_eq!((refused.code, refused.field.as_deref()), (Code::NotFound, Some("channels")));
        let nul = answer(bob.raw(&app, Method::GET, &format!("{PATH}?channels=chan_%00"))).await;
        assert_eq!(nul.refusal().code, Code::NotFound);
        channels.add(&id, ["bob"]).await.unwrap();
        let mut live = Live::open(bob.raw(&app, Method::GET, &path)).await;
        channels.remove(&id, "bob").await.unwrap();
        channels.post(&id, "among us").await.unwrap();
        ada.write(&bob, "for bob").await;
        assert_eq!(text(&live.event().await.1), "for bob");
        let many: Vec<String> = (0..51).map(|number| format!("chan_{number}")).collect();
        let path = format!("{PATH}?channels={}", many.join(","));
        let refused = answer(bob.raw(&app, Method::GET, &path)).await;
        assert_eq!((refused.status.as_u16(), refused.refusal().field.as_deref()), (400, Some("channels")));
        let open = channels.create("open").await.unwrap().channel.id;
        let watching = || bob.raw(&app, Method::GET, &format!("{PATH}?channels={open}"));
        Live::open(watching()).await;
        app.suspend("ada").await;
        let refused = watching().send().await.unwrap().status();
        assert_eq!(refused, StatusCode::NOT_FOUND, "nor one of a suspended account");
    }
}
