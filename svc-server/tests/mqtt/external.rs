//! External brokers: what they ask, and that every answer is 200 with a verdict.

mod delivery;

use std::net::SocketAddr;

use reqwest::Method;
use serde_json::{Value, json};
use svc_client::types::Scope;
use svc_client::types::api::connect::ChannelPublish;
use svc_client::types::api::health::HealthStatus;

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::wire::{dm, notifications};

/// A question to the server, asked as a broker does.
struct Broker {
    address: SocketAddr,
    http: reqwest::Client,
}

impl Broker {
    fn of(app: &TestApp) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let address = app.server.app().broker.internal().expect("the settings have an address");
        Self { address, http }
    }

    /// The answer to a question with this secret; it is 200 and JSON, whatever it is.
    async fn verdict(&self, secret: &str, path: &str, body: String) -> Value {
        let url = format!("http://{}/internal/mqtt/{path}", self.address);
        let asking = self.http.post(url).header("X-Svc-Internal-Secret", secret).body(body);
        let answer = asking.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["content-type"], "application/json");
        answer.json().await.unwrap()
    }

    async fn authorizes_with(&self, secret: &str, path: &str, body: String) -> bool {
        let verdict = self.verdict(secret, path, body).await;
        let is_allowed = verdict["result"] == "allow";
        assert!(is_allowed || verdict["result"] == "deny");
        assert_eq!((&verdict["Ok"], &verdict["is_superuser"]), (&json!(is_allowed), &json!(false)));
        assert_eq!(verdict["superuser"], json!(false));
        is_allowed
    }

    async fn asks(&self, path: &str, body: Value) -> bool {
        self.authorizes_with("hush", path, body.to_string()).await
    }

    async fn lets_in(&self, username: &str, password: &str, client_id: &str) -> bool {
        let body = json!({ "username": username, "password": password, "clientid": client_id });
        self.asks("auth?dialect=emqx", body).await
    }

    /// What each dialect answers about a topic; all must agree.
    async fn lets(&self, member: &str, subscribes: bool, topic: &str) -> bool {
        let mut verdicts = Vec::new();
        let word = if subscribes { "subscribe" } else { "publish" };
        for (dialect, name, value) in [
            ("emqx", "action", json!(word)),
            ("aedes", "action", json!(word)),
            ("rmqtt", "access", json!(if subscribes { "1" } else { "2" })),
            ("goauth", "acc", json!(if subscribes { 4 } else { 2 })),
            // It asks again for each message that a subscriber is to receive.
            ("goauth", "acc", json!(if subscribes { 1 } else { 2 })),
        ] {
            let mut body = json!({ "username": member, "clientid": member, "topic": topic });
            body[name] = value;
            verdicts.push(self.asks(&format!("acl?dialect={dialect}"), body).await);
        }
        assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]), "{topic}: {verdicts:?}");
        verdicts[0]
    }
}

fn id(member: &Member) -> &str {
    member.user.id.as_str()
}

on_both_engines! {
    async fn an_external_broker_requests_permissions(
        app: TestApp, "broker.url" = "mqtt://svc:service@127.0.0.1:1",
        "broker.internal_listen" = "127.0.0.1:0", "broker.internal_secret" = "hush"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let broker = Broker::of(&app);
        let (ada_id, key) = (id(&ada), ada.key.expose());
        assert!(broker.lets_in(ada_id, key, ada_id).await);
        assert!(broker.lets_in(ada_id, key, &format!("{ada_id}:phone")).await);
        for (username, password, client) in [
            ("", key, ada_id), (ada_id, "", ada_id), (ada_id, "wrong", ada_id),
            (ada_id, key, ""), (ada_id, key, id(&bob)), (id(&bob), key, id(&bob)),
            ("svc", key, "x"), ("svc", "", "x"), ("", "", ""),
        ] {
            assert!(!broker.lets_in(username, password, client).await, "{username} {client}");
        }
        assert!(broker.lets_in("svc", "service", "svc-server-1").await);
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        for topic in [&dm(&ada), &notifications(&ada), "svc/feed/global", &channel.topic] {
            assert!(broker.lets(ada_id, true, topic).await, "{topic}");
            assert!(!broker.lets(ada_id, false, topic).await, "{topic}");
            assert!(!broker.lets("svc", true, topic).await, "{topic}");
            assert!(broker.lets("svc", false, topic).await, "{topic}");
        }
        for topic in ["#", "svc/#", &dm(&bob), "$SYS/#", &format!("$share/g/{}", dm(&ada))] {
            assert!(!broker.lets(ada_id, true, topic).await, "{topic}");
        }
        for topic in ["#", "x", "svc/dm/+"] {
            assert!(!broker.lets("svc", false, topic).await, "{topic}");
        }
        assert!(!broker.lets(id(&bob), true, &channel.topic).await);
        // A broker keeps sessions by client id, so each has those of its own account alone.
        let own = json!({
            "username": ada_id, "clientid": format!("{ada_id}:phone"), "topic": dm(&ada),
            "action": "subscribe",
        });
        assert!(broker.asks("acl?dialect=emqx", own.clone()).await);
        for client in [id(&bob), "x", ""] {
            let mut foreign = own.clone();
            foreign["clientid"] = json!(client);
            assert!(!broker.asks("acl?dialect=emqx", foreign).await, "{client}");
        }
        let near = ada.client.keys().create("near", [Scope::Read, Scope::Dm]);
        let near = near.allow_from(["127.0.0.1".into()]).await.unwrap().api_key;
        assert!(!broker.lets_in(ada_id, near.expose(), ada_id).await, "the broker is near, the client perhaps not");
        app.suspend("ada").await;
        assert!(!broker.lets_in(ada_id, key, ada_id).await);
        assert!(!broker.lets(ada_id, true, &dm(&ada)).await);
        assert!(broker.lets(id(&bob), true, &dm(&bob)).await);
        bob.client.users().delete_me("bob").await.unwrap();
        assert!(!broker.lets_in(id(&bob), bob.key.expose(), id(&bob)).await);
        assert!(!broker.lets(id(&bob), true, &dm(&bob)).await);
    }

    async fn a_login_holds_for_an_hour_and_that_of_the_server_for_good(
        app: TestApp, "broker.url" = "mqtt://svc:service@127.0.0.1:1",
        "broker.internal_listen" = "127.0.0.1:0", "broker.internal_secret" = "hush"
    ) {
        let ada = app.agent("ada").await;
        let broker = Broker::of(&app);
        let hour = app.server.clock().now().as_millis() / 1_000 + 3_600;
        for dialect in ["emqx", "aedes", "rmqtt", "goauth"] {
            let login = async |username: &str, password: &str| {
                let asked = json!({
                    "username": username, "password": password, "clientid": username,
                });
                let path = format!("auth?dialect={dialect}");
                broker.verdict("hush", &path, asked.to_string()).await
            };
            let verdict = login(id(&ada), ada.key.expose()).await;
            assert_eq!(verdict["expire_at"], json!(hour));
            // rmqtt respects the expiry only together with rules, of which there are none.
            let rules = json!([]);
            assert_eq!(verdict.get("acl"), (dialect == "rmqtt").then_some(&rules));
            let verdict = login("svc", "service").await;
            assert_eq!((&verdict["result"], verdict.get("expire_at")), (&json!("allow"), None));
        }
    }

    async fn a_malformed_question_is_denied_with_200(
        app: TestApp, "broker.url" = "mqtt://svc:service@127.0.0.1:1",
        "broker.internal_listen" = "127.0.0.1:0", "broker.internal_secret" = "hush"
    ) {
        let ada = app.agent("ada").await;
        let broker = Broker::of(&app);
        let good = json!({
            "username": id(&ada), "password": ada.key.expose(), "clientid": id(&ada),
        }).to_string();
        for secret in ["", "wrong", "hush "] {
            // Spaces around a header's value are not part of it.
            let expected = secret.trim() == "hush";
            assert_eq!(broker.authorizes_with(secret, "auth?dialect=emqx", good.clone()).await, expected);
        }
        for path in ["auth", "auth?dialect=", "auth?dialect=other", "acl?dialect=emqx"] {
            assert!(!broker.authorizes_with("hush", path, good.clone()).await);
        }
        for body in ["", "[]", "{}", "null", "username=x", "{\"username\":1}"] {
            for path in ["auth?dialect=emqx", "acl?dialect=rmqtt", "acl?dialect=goauth"] {
                assert!(!broker.authorizes_with("hush", path, body.to_owned()).await, "{path} {body}");
            }
        }
        let connect = ada.client.events().connect().await.unwrap().connect;
        assert_eq!(connect.broker_url, "mqtt://127.0.0.1:1", "without the server's password");
        assert_eq!(connect.channel_publish, ChannelPublish::Api);
        let health = app.anonymous.health().read().await.unwrap();
        assert_eq!(health.checks["broker"], HealthStatus::Degraded, "the broker is unreachable");
    }

    async fn a_question_by_another_method_or_at_another_path_is_denied_with_200(
        app: TestApp, "broker.url" = "mqtt://svc:service@127.0.0.1:1",
        "broker.internal_listen" = "127.0.0.1:0", "broker.internal_secret" = "hush"
    ) {
        let broker = Broker::of(&app);
        for (method, path) in [
            (Method::GET, "/internal/mqtt/auth?dialect=emqx"),
            (Method::PUT, "/internal/mqtt/acl?dialect=emqx"),
            (Method::POST, "/internal/mqtt/acl/?dialect=emqx"),
            (Method::POST, "/internal/mqtt/superuser?dialect=goauth"),
            (Method::POST, "/"),
        ] {
            let url = format!("http://{}{path}", broker.address);
            let asking = broker.http.request(method, url).header("X-Svc-Internal-Secret", "hush");
            let answer = asking.send().await.unwrap();
            assert_eq!(answer.status(), 200, "{path}");
            let verdict: Value = answer.json().await.unwrap();
            assert_eq!(verdict["result"], "deny", "{path}");
        }
    }

    async fn without_a_secret_of_the_server_every_question_is_denied(
        app: TestApp, "broker.url" = "mqtt://svc:service@127.0.0.1:1",
        "broker.internal_listen" = "127.0.0.1:0"
    ) {
        let ada = app.agent("ada").await;
        let broker = Broker::of(&app);
        let login = json!({
            "username": id(&ada), "password": ada.key.expose(), "clientid": id(&ada),
        });
        for secret in ["", "hush"] {
            let login = login.to_string();
            assert!(!broker.authorizes_with(secret, "auth?dialect=emqx", login).await, "{secret}");
        }
    }

    async fn only_an_external_broker_is_answered_and_at_an_address_of_its_own(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "broker.internal_listen" = "127.0.0.1:0",
        "broker.internal_secret" = "hush"
    ) {
        let broker = Broker::of(&app);
        for root in [broker.address.to_string(), app.server.url().replace("http://", "")] {
            let url = format!("http://{}/internal/mqtt/auth?dialect=emqx", root.replace("/api", ""));
            let asking = broker.http.post(url).header("X-Svc-Internal-Secret", "hush").body("{}");
            assert_eq!(asking.send().await.unwrap().status(), 404, "{root}");
        }
    }
}
