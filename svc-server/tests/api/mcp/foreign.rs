//! Hosts that other people wrote: the official clients in Python and TypeScript.

use serde_json::{Value, json};
use url::Url;

use super::sellers;
use crate::app::TestApp;
use crate::foreign::{Foreign, set_clock};
use crate::market::has;
use crate::oauth::{DONE, Visitor, returned};
use crate::on_both_engines;

/// The person is sent to a URL of the server and agrees to spend; the answer is where they come back to.
async fn send(app: &TestApp, visitor: &Visitor, url: &Value) -> String {
    let url = Url::parse(url.as_str().unwrap_or_else(|| panic!("{url:#}"))).unwrap();
    let pairs: Vec<(String, String)> =
        url.query_pairs().map(|(name, text)| (name.into_owned(), text.into_owned())).collect();
    let asked = pairs.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let fields = [("decision", "allow"), ("perOrder", "10"), ("perDay", "50")];
    let sent = visitor.decide(app, &asked, &fields).await;
    assert!(returned(&sent, "code").is_some(), "{sent:?}");
    sent.header("location").unwrap().to_owned()
}

/// Runs a host that knows the endpoint; the person opens each URL that the host prints. Returns the host's
/// last line.
async fn run(app: &TestApp, ada: &Visitor, mut host: Foreign) -> (usize, Value) {
    let mut sent = 0;
    loop {
        let said = host.hear().await;
        if said.is_object() {
            return (sent, said);
        }
        host.say(&send(app, ada, &said).await).await;
        sent += 1;
    }
}

async fn node(app: &TestApp, ada: &Visitor, library: &str) -> Option<(usize, Value)> {
    let module = if library == "sdk" { "sdk/client/index.js" } else { library };
    let script = format!("require.resolve('@modelcontextprotocol/{module}')");
    let mut host = Foreign::start("node", "agent.cjs", &["-e", &script]).await?;
    for line in [library, &format!("{}/mcp", app.root()), DONE] {
        host.say(line).await;
    }
    Some(run(app, ada, host).await)
}

on_both_engines! {
    async fn the_python_client_buys_sells_and_disputes(app: TestApp, "oauth.ask_above" = "2") {
        let library = ["-c", "import mcp.client.auth, httpx2"];
        let Some(mut host) = Foreign::start("python3", "agent.py", &library).await else { return };
        set_clock(&app);
        let (ada, bob) = sellers(&app).await;
        for line in [&*format!("{}/mcp", app.root()), DONE, bob.key.expose()] {
            host.say(line).await;
        }
        let (sent, said) = run(&app, &ada, host).await;
        assert_eq!(sent, 2, "once to read, once to spend");
        assert_eq!(said["tools"].as_array().unwrap().len(), 40);
        let asked = ["Pay 5 credits to @bob for \"work\"?", "Pay 7 credits to @bob for \"a poem\"?"];
        assert_eq!(said["asked"], json!(asked));
        assert_eq!((&said["me"], &said["dispute"]), (&"ada".into(), &"disputed".into()));
        assert_eq!((&said["output"], &said["version"]), (&json!({ "words": 2 }), &"2026-07-28".into()));
        assert_eq!((&said["guide"], &said["prompt"]), (&"---".into(), &true.into()));
        assert_eq!(has(&ada.member).await, "288+7");
    }

    async fn the_typescript_client_buys(app: TestApp, "oauth.ask_above" = "2") {
        set_clock(&app);
        let (ada, _) = sellers(&app).await;
        let Some((sent, said)) = node(&app, &ada, "client").await else { return };
        assert_eq!(sent, 2);
        let asked = ["Pay 5 credits to @bob for \"work\"?"];
        assert_eq!(said, json!({ "tools": 40, "me": "ada", "asked": asked, "order": "open" }));
        assert_eq!(has(&ada.member).await, "295+5");
    }

    async fn the_typescript_client_of_2025_buys_within_caps(app: TestApp) {
        set_clock(&app);
        let (ada, _) = sellers(&app).await;
        let Some((sent, said)) = node(&app, &ada, "sdk").await else { return };
        assert_eq!(sent, 2);
        assert_eq!(said, json!({ "tools": 40, "me": "ada", "asked": [], "order": "open" }));
        assert_eq!(has(&ada.member).await, "295+5");
    }

    async fn the_typescript_client_of_2025_cannot_ask(app: TestApp, "oauth.ask_above" = "2") {
        set_clock(&app);
        let (ada, _) = sellers(&app).await;
        let Some((_, said)) = node(&app, &ada, "sdk").await else { return };
        assert_eq!(said["order"], "spend_consent_required");
        assert_eq!(has(&ada.member).await, "300+0");
    }
}
