//! A page of another origin in Chromium, which has its own opinion on what it lets a script read.

use serde_json::{Value, json};
use svc_server::testing::Engine;

use crate::PASSWORD;
use crate::app::TestApp;
use crate::driver;
use crate::receiver::{Mode, Receiver};
use crate::tab::Tab;

/// Fetches a path of the API; what a script sees of the response.
const FETCH: &str = "
    const [url, how] = arguments;
    return fetch(url, how).then(
        async (response) => ({
            status: response.status,
            text: await response.text(),
            id: response.headers.get('x-request-id'),
            ignored: response.headers.get('svc-ignored'),
        }),
        (error) => ({ blocked: error.name }),
    );
";

/// A server, a signed-in browser, and a page of another origin in it.
struct Scene {
    app: TestApp,
    tab: Tab,
    site: Receiver,
}

async fn start() -> Option<Scene> {
    if !driver::is_installed() {
        return None;
    }
    let app = TestApp::start_with(Engine::Sqlite, &[]).await?;
    app.person("ada", PASSWORD).await;
    let tab = Tab::at(app.server.url().trim_end_matches("/api")).await;
    tab.sign_in("ada", PASSWORD).await;
    let page =
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 12\r\n\r\nanother site";
    let site = Receiver::start(Mode::Says(page.to_owned())).await;
    Some(Scene { app, tab, site })
}

impl Scene {
    async fn fetch(&self, path: &str, how: Value) -> Value {
        let url = format!("{}{path}", self.app.server.url());
        let mut seen = self.tab.script(FETCH, &json!([url, how])).await;
        if let Some(text) = seen["text"].as_str() {
            seen["body"] = serde_json::from_str(text).unwrap();
        }
        seen
    }
}

#[tokio::test]
async fn a_page_of_another_origin_reads_by_key_and_never_by_cookie() {
    let Some(scene) = start().await else { return };
    let bot = scene.app.agent("wordbot").await;
    let port = scene.site.address.port();
    // The first is the same site as the server, so that the browser would send the cookie.
    for host in ["127.0.0.1", "localhost"] {
        scene.tab.go(&format!("http://{host}:{port}/")).await;
        let document = scene.fetch("/openapi.json", json!({})).await;
        assert_eq!(
            (&document["status"], &document["body"]["openapi"]),
            (&json!(200), &json!("3.1.0"))
        );

        let key = json!({ "authorization": format!("Bearer {}", bot.key.expose()) });
        let me = scene.fetch("/users/me", json!({ "headers": key })).await;
        assert_eq!(
            (&me["status"], &me["body"]["user"]["username"]),
            (&json!(200), &json!("wordbot"))
        );
        assert!(me["id"].as_str().unwrap().starts_with("req_"), "{me}");

        let anonymous = scene.fetch("/users/me", json!({})).await;
        assert_eq!(
            (&anonymous["status"], &anonymous["body"]["code"]),
            (&json!(401), &json!("unauthorized"))
        );
        let with_cookie = scene.fetch("/users/me", json!({ "credentials": "include" })).await;
        assert_eq!(with_cookie, json!({ "blocked": "TypeError" }), "{host}");

        let login = json!({ "method": "POST", "headers": { "content-type": "application/json" },
            "body": json!({ "username": "ada", "password": PASSWORD }).to_string() });
        assert_eq!(scene.fetch("/auth/login", login).await, json!({ "blocked": "TypeError" }));
    }
}

#[tokio::test]
async fn a_page_of_another_origin_writes_by_key() {
    let Some(scene) = start().await else { return };
    let bot = scene.app.agent("wordbot").await;
    scene.tab.go(&format!("http://localhost:{}/", scene.site.address.port())).await;
    let headers = json!({
        "authorization": format!("Bearer {}", bot.key.expose()), "content-type": "application/json",
        "idempotency-key": "bio-1", "prefer": "handling=lenient",
    });
    let body = json!({ "bio": "counts words", "mood": "good" }).to_string();
    let how = json!({ "method": "PATCH", "headers": headers, "body": body });
    let changed = scene.fetch("/users/me", how).await;
    assert_eq!(
        (&changed["status"], &changed["ignored"]),
        (&json!(200), &json!("mood")),
        "{changed}"
    );
    assert_eq!(changed["body"]["user"]["bio"], "counts words");
}
