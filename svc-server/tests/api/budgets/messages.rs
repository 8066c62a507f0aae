//! Messages: to one recipient, to strangers, and in all.

use http::Method;
use serde_json::json;
use svc_client::types::Code;
use svc_core::tasks::trust;
use svc_store::sql;

use super::{admitted, ask, window, write_to};
use crate::on_both_engines;

on_both_engines! {
    async fn messages_to_one_recipient_are_limited_per_hour(
        app: TestApp, "limits.budgets" = "true", "limits.dm_per_peer" = "3/1h",
        "database.connections" = "4"
    ) {
        let [ada, bob, _eve] = app.agents(["ada", "bob", "eve"]).await;
        app.follow(&bob, &ada).await;
        let at_once = (0..8).map(|_| write_to(&app, &ada, "bob"));
        assert_eq!(admitted(at_once, 201).await, 3);
        let refused = write_to(&app, &ada, "bob").await;
        assert_eq!(refused.status, 429);
        assert_eq!(window(&refused), [Some(3), Some(0), Some(3600), Some(1200)]);
        let refusal = refused.refusal();
        assert_eq!(refusal.code, Code::RateLimited);
        assert_eq!(refusal.error, "an account sends another one at most 3 messages in 1h");
        assert_eq!(write_to(&app, &ada, "eve").await.status, 201);
        app.advance(1200);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 429);
    }

    async fn what_was_sent_to_one_recipient_is_forgotten_once_it_counts_no_more(
        app: TestApp, "limits.budgets" = "true", "limits.dm_per_peer" = "3/1h"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.follow(&bob, &ada).await;
        let kept = async || {
            trust::once(app.server.app()).await.unwrap();
            app.count(sql!("select count(*) from budget where class like 'peer:%'")).await
        };
        for _ in 0..3 {
            assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        }
        app.advance(3599);
        assert_eq!(kept().await, 1);
        for status in [201, 201, 429] {
            assert_eq!(write_to(&app, &ada, "bob").await.status, status, "a second of an hour counts");
        }
        app.advance(2401);
        assert_eq!(kept().await, 0);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
    }

    async fn who_waits_for_one_recipient_need_not_wait_again_for_all_messages(
        app: TestApp, "limits.budgets" = "true", "limits.dm_per_peer" = "1/2h",
        "limits.new.messages" = "1/1h"
    ) {
        let [ada, _bob] = app.agents(["ada", "bob"]).await;
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        let refused = write_to(&app, &ada, "bob").await;
        assert_eq!(refused.refusal().error, "an account sends another one at most 1 messages in 2h");
        assert_eq!(window(&refused), [Some(1), Some(0), Some(7200), Some(7200)]);
        app.advance(7200);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
    }

    async fn a_message_that_is_sent_several_times_at_once_is_paid_once(
        app: TestApp, "limits.budgets" = "true", "limits.new.messages" = "3/1h",
        "database.connections" = "4"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.follow(&bob, &ada).await;
        let body = json!({ "recipientUsername": "bob", "content": "hi", "clientMessageId": "n1" });
        let same = (0..8).map(|_| ask(&app, &ada, Method::POST, "/messages", body.clone()));
        assert_eq!(admitted(same, 201).await, 8);
        for status in [201, 201, 429] {
            assert_eq!(write_to(&app, &ada, "bob").await.status, status, "one was paid before");
        }
    }

    async fn a_message_in_a_channel_that_is_sent_again_costs_nothing(
        app: TestApp, "limits.budgets" = "true", "limits.new.messages" = "1/1h"
    ) {
        let ada = app.agent("ada").await;
        let channel = ada.client.channels().create("talk").await.unwrap().channel;
        let path = format!("/channels/{}/messages", channel.id);
        let send = async |id: &str| {
            let body = json!({ "content": "hello", "clientMessageId": id });
            ask(&app, &ada, Method::POST, &path, body).await
        };
        let first = send("c1").await;
        assert_eq!(first.status, 201);
        assert_eq!(send("c1").await.json(), first.json());
        assert_eq!(send("c2").await.status, 429);
    }

    async fn messages_and_first_contacts_are_counted_separately(
        app: TestApp, "limits.budgets" = "true", "limits.new.messages" = "5/1h",
        "limits.new.strangers" = "2/1d"
    ) {
        let [ada, bob, _cyd, dan, eve] = app.agents(["ada", "bob", "cyd", "dan", "eve"]).await;
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        assert_eq!(write_to(&app, &ada, "cyd").await.status, 201);
        let refused = write_to(&app, &ada, "dan").await;
        assert_eq!(window(&refused), [Some(2), Some(0), Some(86_400), Some(43_200)]);
        assert_eq!(app.count(sql!("select count(*) from conversation")).await, 2);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201, "the account has received a message before");
        dan.write(&ada, "hello").await;
        assert_eq!(write_to(&app, &ada, "dan").await.status, 201, "an account that wrote first is already known");
        let channel = eve.client.channels().create("talk").await.unwrap().channel;
        ada.client.channels().join(&channel.id).await.unwrap();
        let path = format!("/channels/{}/messages", channel.id);
        let said = ask(&app, &ada, Method::POST, &path, json!({ "content": "hello" })).await;
        assert_eq!(said.status, 201, "{}", said.text);
        for refused in [
            ask(&app, &ada, Method::POST, &path, json!({ "content": "hello" })).await,
            write_to(&app, &ada, "bob").await,
        ] {
            assert_eq!(refused.refusal().error, "an account has at most 5 messages in 1h");
        }
        assert_eq!(write_to(&app, &bob, "ada").await.status, 201);
    }
}
