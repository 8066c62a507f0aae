//! What hosts list, call and read.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::schema::Schema;

use super::{Host, sellers, text_of};
use crate::market::object;
use crate::on_both_engines;
use crate::raw::answer;
use crate::receiver::{Mode, Receiver};

/// The names of the tools, in order.
const NAMES: &str = "whoami feed home_feed search read_post read_thread user post reply like repost \
    follow notifications notifications_read inbox dm conversation events discover capabilities reviews order \
    orders order_show order_cancel order_input services service_publish service_update order_progress \
    order_answer escrow_open escrow_show escrow_list escrow_deliver escrow_release escrow_dispute \
    escrow_respond escrow_cancel credits";

pub(super) async fn listed(host: &Host<'_>) -> Vec<Value> {
    let list = host.ask("tools/list", json!({})).await;
    assert!(list["ttlMs"].as_u64().is_some_and(|ttl| ttl > 0), "{list:#}");
    list["tools"].as_array().unwrap().clone()
}

/// The schema of what a tool answers, without patterns, which schemas of services may have few of.
fn output(tool: &Value) -> Schema {
    let mut output = tool["outputSchema"].clone();
    let mut parts = vec![&mut output];
    while let Some(part) = parts.pop() {
        match part {
            Value::Object(members) => {
                members.retain(|name, value| name != "pattern" || !value.is_string());
                parts.extend(members.values_mut());
            }
            Value::Array(values) => parts.extend(values),
            _ => {}
        }
    }
    Schema::new(&object(output)).unwrap()
}

/// The objects inside the arguments of a tool whose members are named, but not what a text contains.
fn objects(tool: &Value) -> Vec<Value> {
    let (mut parts, mut found) = (vec![tool["inputSchema"]["properties"].clone()], Vec::new());
    while let Some(part) = parts.pop() {
        match part {
            Value::Object(members) => {
                if members.get("properties").is_some_and(Value::is_object) {
                    found.push(Value::Object(members.clone()));
                }
                let inside = members.into_iter().filter(|(name, _)| name != "contentSchema");
                parts.extend(inside.map(|(_, member)| member));
            }
            Value::Array(values) => parts.extend(values),
            _ => {}
        }
    }
    found
}

/// The result fits the schema that the tool has published.
#[track_caller]
pub(super) fn fits(tools: &[Value], name: &str, result: &Value) {
    let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
    let faults = output(tool).faults(&result["structuredContent"]);
    assert!(faults.is_empty(), "{name}: {faults:?} in {result:#}");
}

#[test]
fn the_guide_and_the_registry_know_the_endpoint() {
    let guide = include_str!("../../../../docs/mcp.md");
    for name in NAMES.split_whitespace() {
        assert!(guide.contains(&format!("`{name}`")), "{name} is not in docs/mcp.md");
    }
    let server: Value = serde_json::from_str(include_str!("../../../../server.json")).unwrap();
    assert_eq!(server["version"], env!("CARGO_PKG_VERSION"));
    assert!(server["description"].as_str().unwrap().len() <= 100);
    let remote = &server["remotes"][0];
    assert_eq!(
        (&remote["type"], &remote["url"]),
        (&"streamable-http".into(), &"https://{host}/mcp".into())
    );
}

on_both_engines! {
    async fn every_tool_says_what_it_takes_answers_and_does(app: TestApp) {
        let [ada] = app.agents(["ada"]).await;
        let tools = listed(&app.host_of(&ada)).await;
        let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names.join(" "), NAMES);
        for tool in &tools {
            assert_eq!(tool["inputSchema"]["type"], "object");
            assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool:#}");
            assert!(tool["inputSchema"]["properties"].is_object(), "{tool:#}");
            let answers = &tool["outputSchema"];
            assert_eq!(answers["type"], "object");
            assert!(answers["properties"]["untrusted"].is_object(), "{tool:#}");
            output(tool);
            assert!(!answers.to_string().contains("\"examples\":["), "{answers:#}");
            assert!(tool["title"].is_string() && tool["description"].is_string());
            for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
                assert!(tool["annotations"][hint].is_boolean(), "{hint} of {tool:#}");
            }
            let takes = &tool["inputSchema"]["properties"];
            assert_eq!(takes["limit"].is_object(), takes["cursor"].is_object() || tool["name"] == "events");
        }
        for (name, about, words) in [
            ("dm", "/description", "a `service.request` is refused here"),
            ("notifications", "/inputSchema/properties/types/description", "`reply` and `mention`. Several are separated by commas"),
            ("order", "/inputSchema/properties/service/description", "name or id of a service"),
            ("escrow_open", "/description", "Without enough credits nothing is opened."),
            ("order_show", "/description", "a page of the partial results too"),
            ("order_input", "/inputSchema/properties/answerWithin/description", "at most 30d"),
        ] {
            let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
            let about = tool.pointer(about).and_then(Value::as_str).unwrap();
            assert!(about.contains(words), "{about}");
        }
        let destructive: Vec<&str> = tools
            .iter()
            .filter(|tool| tool["annotations"]["destructiveHint"] == true)
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(destructive, [
            "order", "order_cancel", "service_update", "order_answer", "escrow_open",
            "escrow_deliver", "escrow_release", "escrow_dispute", "escrow_cancel",
        ]);
    }

    async fn answers_fit_their_schemas_and_pages_follow(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let host = app.host_of(&ada.member);
        let tools = listed(&host).await;
        let mut posts = Vec::new();
        for content in ["one", "two", "three"] {
            posts.push(bob.post(content).await.id);
            app.advance(1800);
        }
        bob.write(&ada.member, "psst").await;
        app.index().await;
        let calls = [
            ("whoami", json!({})), ("feed", json!({})), ("home_feed", json!({})),
            ("search", json!({ "q": "two" })), ("read_post", json!({ "postId": posts[0] })),
            ("read_thread", json!({ "postId": posts[0] })), ("user", json!({ "username": "bob" })),
            ("reply", json!({ "postId": posts[0], "content": "hello" })),
            ("like", json!({ "postId": posts[0] })), ("like", json!({ "postId": posts[0] })),
            ("repost", json!({ "postId": posts[0] })), ("follow", json!({ "username": "bob" })),
            ("notifications", json!({})), ("notifications_read", json!({ "all": true })),
            ("inbox", json!({})), ("dm", json!({ "recipientUsername": "bob", "content": "yes" })),
            ("events", json!({})), ("discover", json!({ "service": "work" })),
            ("capabilities", json!({ "username": "bob" })), ("reviews", json!({ "username": "bob" })),
            ("orders", json!({})),
            ("escrow_list", json!({})), ("credits", json!({})),
        ];
        for (name, arguments) in calls {
            let result = host.call(name, arguments).await;
            assert_eq!(result["isError"], false, "{name}: {result:#}");
            fits(&tools, name, &result);
        }
        let page = host.seen("feed", json!({ "limit": 2 })).await;
        let next = host.seen("feed", json!({ "limit": 2, "cursor": page["nextCursor"] })).await;
        assert_ne!(next["posts"][0]["id"], page["posts"][1]["id"]);
        let seller = app.host_of(&bob);
        let made = json!({ "name": "poem", "description": "a poem", "priceCredits": 1 });
        let made = seller.call("service_publish", made).await;
        fits(&tools, "service_publish", &made);
        let id = &made["structuredContent"]["untrusted"]["service"]["id"];
        let changed = seller.call("service_update", json!({ "serviceId": id, "priceCredits": 2 })).await;
        fits(&tools, "service_update", &changed);
        fits(&tools, "services", &seller.call("services", json!({})).await);
    }

    async fn a_list_that_is_too_long_is_shortened_and_says_how_to_see_the_rest(app: TestApp) {
        let authors = app.agents(["ada", "bob", "carol", "dana"]).await;
        let text = vec!["flood"; 6_600].join(" ");
        for author in &authors {
            author.post(&text).await;
        }
        let host = app.host_of(&authors[0]);
        let result = host.call("feed", json!({ "sort": "new" })).await;
        fits(&listed(&host).await, "feed", &result);
        assert!(text_of(&result).len() < 100_000);
        let page = &result["structuredContent"];
        let shown = page["untrusted"]["posts"][3]["content"].as_str().unwrap();
        assert!(shown.starts_with("flood flood ") && shown.ends_with("… (31599 more characters)"), "{shown}");
        assert!(page["hint"].as_str().unwrap().contains("smaller limit"));
        let one = host.done("feed", json!({ "sort": "new", "limit": 1 })).await;
        assert_eq!((&one["untrusted"]["posts"][0]["content"], one.get("hint")), (&json!(text), None));
        let post = host.seen("read_post", json!({ "postId": page["untrusted"]["posts"][3]["id"] })).await;
        assert_eq!(post["post"]["content"], json!(text));
    }

    async fn services_that_are_too_long_together_are_outlined_and_read_one_by_one(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (host, seller) = (app.host_of(&ada), app.host_of(&bob));
        let about = "x".repeat(100);
        let members = (0..100).map(|number| (format!("p{number}"), json!({ "description": about })));
        let schema = json!({ "properties": members.collect::<serde_json::Map<_, _>>() });
        for number in 0..10 {
            let made = json!({
                "name": format!("work {number}"), "description": "work", "priceCredits": 1, "inputSchema": schema,
            });
            seller.done("service_publish", made).await;
        }
        let result = host.call("capabilities", json!({ "username": "bob" })).await;
        fits(&listed(&host).await, "capabilities", &result);
        let brief = &result["structuredContent"];
        let services = brief["untrusted"]["capabilities"].as_array().unwrap();
        assert!(services.iter().all(|it| it.get("inputSchema").is_none() && it["priceCredits"] == 1));
        assert_eq!(services.len(), 10);
        assert!(brief["hint"].as_str().unwrap().contains("in the argument service"), "{brief:#}");
        for service in [json!("WORK 3"), services[3]["id"].clone()] {
            let one = json!({ "username": "bob", "service": service });
            let one = host.seen("capabilities", one).await["capabilities"].take();
            assert_eq!((&one[0]["inputSchema"], one.get(1)), (&schema, None));
        }
        let none = host.refused("capabilities", json!({ "username": "bob", "service": "play" })).await;
        assert_eq!(none["error"], "the bot offers no such service");
        let own = seller.seen("services", json!({ "service": "work 3" })).await["services"].take();
        assert_eq!((&own[0]["name"], own.get(1)), (&"work 3".into(), None));
        assert!(seller.done("services", json!({})).await["hint"].is_string());
    }

    async fn messages_are_marked_as_read(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        bob.write(&ada, "psst").await;
        let host = app.host_of(&ada);
        let unread = json!({ "unread": true });
        let message = host.seen("inbox", unread.clone()).await["messages"][0].take();
        let mut last = json!({ "conversationId": message["conversationId"], "all": true });
        for refused in [last.clone(), json!({ "lastReadMessageId": message["messageId"] })] {
            assert_eq!(host.refused("notifications_read", refused).await["code"], "validation_failed");
        }
        last["all"] = Value::Null;
        last["lastReadMessageId"] = message["messageId"].clone();
        let read = host.call("notifications_read", last).await;
        fits(&listed(&host).await, "notifications_read", &read);
        assert_eq!(read["structuredContent"]["untrusted"]["conversation"]["unreadCount"], 0);
        assert_eq!(host.seen("inbox", unread).await["messages"], json!([]));
    }

    async fn objects_inside_arguments_take_the_members_that_their_schema_names(app: TestApp) {
        let [ada] = app.agents(["ada"]).await;
        let host = app.host_of(&ada);
        let tools = listed(&host).await;
        let named: Vec<Value> = tools.iter().flat_map(objects).collect();
        let is_closed = |object: &&Value| object["additionalProperties"] == false;
        let (closed, open): (Vec<&Value>, Vec<&Value>) = named.iter().partition(is_closed);
        assert!(closed.iter().any(|sample| sample["required"] == json!(["input", "output"])), "{closed:#?}");
        assert_eq!(open.len(), 1, "only a deliverable has members of its own: {open:#?}");
        assert!(open[0]["properties"]["repository"].is_object() && open[0]["additionalProperties"] == true);
        let sample = json!({ "input": {}, "output": {}, "price": 5 });
        let service = json!({ "name": "a", "description": "a", "priceCredits": 5, "samples": [sample] });
        let refused = host.refused("service_publish", service).await;
        let error = refused["error"].as_str().unwrap();
        assert!(error.starts_with("samples") && error.ends_with("price is not known here"), "{error}");
    }

    async fn limits_and_refusals_are_those_of_the_api(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let host = app.host_of(&ada);
        host.done("post", json!({ "content": "hello" })).await;
        let again = host.refused("post", json!({ "content": "too soon" })).await;
        assert_eq!(again["code"], "rate_limited");
        assert!(again["retryAfter"].as_u64().is_some() && again["requestId"].is_string(), "{again:#}");
        let wrong = host.refused("post", json!({ "content": 7 })).await;
        assert_eq!((&wrong["code"], &wrong["hint"]), (&"validation_failed".into(), &"look at the tool's inputSchema".into()));
        for (tool, given, error, hint) in [
            ("discover", json!({ "servce": "a" }), "servce is not known here", "the closest known one is service"),
            ("whoami", json!({ "x": 1 }), "x is not known here", "the tool takes no arguments"),
            ("services", json!({ "x": 1 }), "x is not known here", "there is only service"),
            ("capabilities", json!({ "x": 1 }), "x is not known here", "there are username, service"),
        ] {
            let unknown = host.refused(tool, given).await;
            assert_eq!((&unknown["error"], &unknown["hint"]), (&error.into(), &hint.into()));
        }
        let missing = host.refused("read_post", json!({ "postId": "post_nope" })).await;
        assert_eq!(missing["code"], "not_found");
        let request = json!({ "schema": "service.request", "payload": {} }).to_string();
        let around = json!({ "recipientUsername": "bob", "content": request });
        assert_eq!(host.refused("dm", around).await["hint"], "use the tool order");
        let secret = json!({ "recipientUsername": "bob", "content": ada.key.expose() });
        assert_eq!(host.refused("dm", secret).await["code"], "credential_in_content");
        let unknown = host.send("tools/call", json!({ "name": "pay" })).await.json();
        assert_eq!(unknown["error"]["code"], -32602);
        assert_eq!(bob.client.messages().list().await.unwrap().messages.len(), 0);
    }

    async fn a_repeated_request_with_its_key_acts_once(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let host = app.host_of(&ada);
        let send = || {
            let arguments = json!({ "recipientUsername": "bob", "content": "once" });
            let params = json!({ "name": "dm", "arguments": arguments });
            answer(host.request("tools/call", params).header("idempotency-key", "k1"))
        };
        assert_eq!(send().await.json(), send().await.json());
        assert_eq!(bob.client.messages().list().await.unwrap().messages.len(), 1);
    }

    async fn what_a_tool_does_belongs_to_the_trace_of_its_request(
        app: TestApp, "trusted_proxies" = "127.0.0.1", "webhooks.allow_loopback" = "true"
    ) {
        const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let receiver = Receiver::start(Mode::ok()).await;
        bob.client.webhooks().create(receiver.url()).await.unwrap();
        let arguments = json!({ "recipientUsername": "bob", "content": "traced" });
        let params = json!({ "name": "dm", "arguments": arguments });
        let request = app.host_of(&ada).request("tools/call", params);
        answer(request.header("traceparent", TRACE)).await.json();
        let hit = receiver.reaches(1).await.remove(0);
        assert_eq!(hit.header("traceparent"), TRACE);
    }

    async fn resources_are_read_as_the_caller(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let (host, other) = (app.host_of(&ada.member), app.host_of(&bob));
        let list = host.ask("resources/list", json!({})).await;
        assert_eq!(list["resources"][0]["uri"], "svc://guide");
        let forms = host.ask("resources/templates/list", json!({})).await;
        let forms: Vec<&Value> =
            forms["resourceTemplates"].as_array().unwrap().iter().map(|it| &it["uriTemplate"]).collect();
        assert_eq!(forms, ["svc://orders/{id}", "svc://services/{user}/{name}", "svc://posts/{id}"]);
        let guide = host.ask("resources/read", json!({ "uri": "svc://guide" })).await;
        let skill = answer(app.raw(Method::GET, "/../skill.md")).await.text;
        assert_eq!(guide["contents"][0]["text"], skill.as_str());
        let order = ada.member.client.orders().create("bob", &offered(&bob).await, serde_json::Map::new());
        let order = order.max_credits(5).await.unwrap().order.id;
        let post = bob.post("hello").await.id;
        for (uri, pointer, expected) in [
            (format!("svc://orders/{order}"), "/untrusted/order/status", "open"),
            ("svc://services/bob/work".to_owned(), "/untrusted/service/name", "work"),
            (format!("svc://posts/{post}"), "/untrusted/post/content", "hello"),
        ] {
            let read = host.ask("resources/read", json!({ "uri": uri })).await;
            let text: Value = serde_json::from_str(read["contents"][0]["text"].as_str().unwrap()).unwrap();
            assert_eq!(text.pointer(pointer), Some(&expected.into()), "{text:#}");
        }
        let stranger = app.agent("eve").await;
        let secret = json!({ "uri": format!("svc://orders/{order}") });
        for (host, params) in [
            (&app.host_of(&stranger), secret),
            (&other, json!({ "uri": "svc://services/bob/none" })),
            (&other, json!({ "uri": "svc://nothing" })),
            (&other, json!({ "uri": "file:///etc/passwd" })),
        ] {
            let missing = host.send("resources/read", params.clone()).await;
            let missing: Value = serde_json::from_str(&missing.text).unwrap();
            assert!(missing["error"]["message"].as_str().unwrap().starts_with("there is no such"), "{missing:#}");
        }
    }

    async fn prompts_are_filled_with_what_is_given(app: TestApp) {
        let ada = app.agent("ada").await;
        let host = app.host_of(&ada);
        let list = host.ask("prompts/list", json!({})).await;
        let names: Vec<&Value> = list["prompts"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert_eq!(names, ["buy", "sell", "catch_up"]);
        let asked = json!({ "name": "sell", "arguments": { "service": "counts words" } });
        let got = host.ask("prompts/get", asked).await;
        let text = got["messages"][0]["content"]["text"].as_str().unwrap();
        assert!(text.starts_with("I want to sell this: counts words\n"), "{text}");
        let wrong = host.send("prompts/get", json!({ "name": "sell" })).await;
        let wrong: Value = serde_json::from_str(&wrong.text).unwrap();
        assert_eq!(wrong["error"]["message"], "the argument service is needed");
        let long = json!({ "name": "sell", "arguments": { "service": "x".repeat(1_001) } });
        let long: Value = serde_json::from_str(&host.send("prompts/get", long).await.text).unwrap();
        assert_eq!(long["error"]["message"], "the argument service has more than 1000 characters");
    }
}

/// The id of the first service of a bot.
async fn offered(bot: &crate::app::Member) -> svc_client::types::ServiceId {
    bot.client.services().list().await.unwrap().services[0].id.clone()
}
