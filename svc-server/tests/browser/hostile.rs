//! User texts that try to inject markup or to break the layout.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_server::testing::Engine;

use crate::PASSWORD;
use crate::app::{Member, TestApp};
use crate::driver;
use crate::inspect::Looker;
use crate::market::{object, order};
use crate::raw::answer;
use crate::tab::Tab;

/// Each would set a mark if it ran; one turns the direction of what follows.
const TRICKS: &str = "<script>owned=1</script><img src=x onerror=owned=1>\"'><svg onload=owned=1>\
    </textarea></title></style><b onclick=owned=1>x</b>javascript:owned=1 {{7*7}} &#60;script&#62;\
    \u{202e}sdrawkcab\u{2066} https://a.example/\"onmouseover=\"owned=1 ";

/// This many characters of tricks, or of one letter without a space.
fn text(of: &str, characters: usize) -> String {
    match of {
        "tricky" => TRICKS.chars().cycle().take(characters).collect::<String>().trim().to_owned(),
        _ => "W".repeat(characters),
    }
}

async fn ask(app: &TestApp, who: &Member, method: Method, path: &str, body: Value) -> Value {
    answer(who.raw(app, method, path).json(&body)).await.json()
}

/// An agent writes its texts wherever ada sees them; the pages where she does.
async fn writes(app: &TestApp, ada: &Member, name: &str) -> Vec<(String, String)> {
    let bot = app.agent(name).await;
    let long = |characters| text(name, characters);
    let me = json!({ "displayName": long(64), "bio": long(1000) });
    ask(app, &bot, Method::PATCH, "/users/me", me).await;
    let post = json!({ "content": long(40_000), "contentWarning": long(500) });
    ask(app, &bot, Method::POST, "/posts", post).await;
    let asked = ada.client.users().posts("ada").await.unwrap().posts.remove(0);
    bot.reply(&asked, &long(40_000)).await;
    let field = json!({ "type": "string", "title": long(60), "description": long(300), "examples": [long(60)] });
    let schema = json!({ "type": "object", "properties": {
        long(60): field, "one": { "enum": [long(100), "two"] }, "free": {},
    } });
    let service = json!({
        "name": long(100), "description": long(2000), "priceCredits": 1, "inputSchema": schema,
        "outputSchema": { "title": long(100) }, "tags": [long(32)],
    });
    let service = ask(app, &bot, Method::POST, "/v1/bots/me/services", service).await;
    let service = service["service"]["id"].as_str().unwrap().to_owned().into();
    let mut wanted = order(&service, 1);
    wanted.input = object(json!({ "free": { long(60): long(2000) } }));
    let order = ada.client.messages().request_service(name, wanted).await.unwrap().message;
    let answered = json!({ "schema": "service.response", "payload": {
        "requestId": order.message_id, "status": "completed", "output": { long(60): long(10_000) },
    } });
    let letter = json!({ "recipientUsername": "ada", "content": answered.to_string() });
    ask(app, &bot, Method::POST, "/messages", letter).await;
    let letter = json!({ "recipientUsername": "ada", "content": long(4000) });
    ask(app, &bot, Method::POST, "/messages", letter).await;
    let deal = ada.client.escrow().create(name, &service, 1, long(1000)).await.unwrap().escrow.id;
    let work =
        json!({ "deliverable": { "type": "text", "text": long(10_000) }, "notes": long(4000) });
    ask(app, &bot, Method::POST, &format!("/v1/escrow/{deal}/deliver"), work).await;
    let room =
        json!({ "name": format!("room-{name}"), "title": long(100), "description": long(1000) });
    let room = ask(app, &bot, Method::POST, "/channels", room).await;
    let room = room["channel"]["id"].as_str().unwrap().to_owned();
    let said = json!({ "content": long(4000) });
    ask(app, &bot, Method::POST, &format!("/channels/{room}/messages"), said).await;
    let list = json!({ "name": long(64), "description": long(500) });
    let list = ask(app, ada, Method::POST, "/lists", list).await;
    let list = list["list"]["id"].as_str().unwrap().to_owned();
    let reporting = bot.client.reports().create(Subject::post(&asked.id), ReportReason::Spam);
    let report = reporting.comment(long(2000)).await.unwrap().report.id;
    let pages = [
        ("feed", "/feed?sort=new".to_owned()),
        ("thread", format!("/post/{}", asked.id)),
        ("profile", format!("/@{name}")),
        ("services", "/services".to_owned()),
        ("service", format!("/@{name}/services/{service}")),
        ("messages", "/messages".to_owned()),
        ("conversation", format!("/messages/{}", order.conversation_id)),
        ("order", format!("/orders/{}", order.message_id)),
        ("deals", "/escrow".to_owned()),
        ("deal", format!("/escrow/{deal}")),
        ("release", format!("/escrow/{deal}/release")),
        ("notifications", "/notifications".to_owned()),
        ("channels", "/channels".to_owned()),
        ("channel", format!("/channels/{room}")),
        ("channel-members", format!("/channels/{room}/members")),
        ("lists", "/lists".to_owned()),
        ("members", format!("/lists/{list}/members")),
        ("report", format!("/moderation/reports/{report}")),
        ("accounts", "/explore/accounts".to_owned()),
    ];
    pages.into_iter().map(|(page, path)| (format!("{name}-{page}"), path)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_text_runs_a_script_or_breaks_a_page() {
    if !driver::is_installed() {
        return;
    }
    let app = TestApp::start_with(Engine::Sqlite, &[]).await.unwrap();
    let ada = app.person("ada", PASSWORD).await;
    app.grant_role("ada", "moderator").await;
    ada.post("Say what you like.").await;
    let tab = Tab::at(app.server.url().trim_end_matches("/api")).await;
    tab.sign_in("ada", PASSWORD).await;
    let mut looker = Looker::new(&tab).await;
    for name in ["tricky", "endless"] {
        for (name, path) in writes(&app, &ada, name).await {
            tab.open(&path).await;
            looker.fits(&name).await;
            let mark = tab.script("return String(window.owned)", &json!([])).await;
            assert_eq!(mark, "undefined", "something ran on {path}");
            assert!(!tab.shows(".refused").await, "{path}: {}", tab.text().await);
        }
    }
    assert!(looker.faults().is_empty(), "{}", looker.faults());
}
