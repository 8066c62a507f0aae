//! Clients that other people wrote: Authlib in Python, openid-client in Node.

use serde_json::{Value, json};
use url::Url;

use super::{DONE, Visitor, text};
use crate::app::TestApp;
use crate::foreign::{Foreign, set_clock};
use crate::on_both_engines;

/// The visitor is sent to a URL of the server and agrees; the answer is where they come back to.
async fn send(app: &TestApp, visitor: &Visitor, url: &Value) -> String {
    let url = Url::parse(url.as_str().unwrap()).unwrap();
    let pairs: Vec<(String, String)> =
        url.query_pairs().map(|(name, text)| (name.into_owned(), text.into_owned())).collect();
    let asked = pairs.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let sent = visitor.decide(app, &asked, &[("decision", "allow")]).await;
    super::led_to(&sent).to_owned()
}

on_both_engines! {
    async fn authlib_signs_a_person_in(app: TestApp) {
        let library = ["-c", "import authlib, joserfc"];
        let Some(mut site) = Foreign::start("python3", "site.py", &library).await else { return };
        set_clock(&app);
        let (ada, gate) = (app.visitor("ada").await, app.gate().await);
        for line in [&*app.root(), gate.app.id.as_str(), gate.key.expose(), DONE] {
            site.say(line).await;
        }
        let url = site.hear().await;
        site.say(&send(&app, &ada, &url).await).await;
        let id = ada.member.user.id.as_str();
        let expected = json!({ "sub": id, "name": "ada", "info": id, "me": "ada", "rotated": true });
        assert_eq!(site.hear().await, expected);
    }

    async fn openid_client_signs_a_person_in_here_and_on_a_device(app: TestApp) {
        let library = ["-e", "require.resolve('openid-client')"];
        let started = Foreign::start("node", "program.cjs", &library).await;
        let Some(mut program) = started else { return };
        set_clock(&app);
        let ada = app.visitor("ada").await;
        let client = app.register_client(&["http://127.0.0.1/done"]).await;
        for line in [&*app.root(), &*client, "http://127.0.0.1:4711/done"] {
            program.say(line).await;
        }
        let url = program.hear().await;
        program.say(&send(&app, &ada, &url).await).await;
        let id = ada.member.user.id.as_str();
        assert_eq!(program.hear().await, json!({ "sub": id, "info": id }));
        let code = program.hear().await;
        let fields = [("user_code", code.as_str().unwrap()), ("decision", "allow")];
        ada.send(&app, "/device", &fields).await;
        assert_eq!(text(&program.hear().await, "sub"), id);
    }
}
