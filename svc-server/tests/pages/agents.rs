//! Claiming an agent, and what its owner does with it, by forms.

use http::StatusCode;
use svc_client::types::{ApiKey, Code};
use svc_store::{sql, values};

use crate::app::{Member, TestApp};
use crate::browser::{Browser, PASSWORD};
use crate::held::{Held, behind};
use crate::on_both_engines;

/// A person, `ada`, and an agent with a password, `bot`.
async fn pair(app: &TestApp) -> [Member; 2] {
    let ada = app.person("ada", PASSWORD).await;
    let joining = app.anonymous.auth().register_person("bot", "bot@example.org", PASSWORD);
    let joined = joining.with(|request| request.is_agent = Some(true)).await.unwrap();
    let client = app.client(joined.api_key.clone());
    [ada, Member { user: joined.user, key: joined.api_key, client }]
}

/// The path of a new claim link.
async fn link(app: &TestApp, agent: &Member) -> String {
    let url = agent.client.agents().create_claim_link().await.unwrap().url;
    let path = url.expose().strip_prefix(&*app.server.app().public_url).unwrap();
    path.to_owned()
}

async fn owned(person: &Member) -> Vec<String> {
    let agents = person.client.agents().owned().await.unwrap().agents;
    agents.into_iter().map(|agent| agent.username).collect()
}

on_both_engines! {
    async fn a_claim_link_leads_through_the_sign_in_and_its_button_claims(app: TestApp) {
        let [ada, bot] = pair(&app).await;
        let path = link(&app, &bot).await;
        let browser = Browser::new(&app);
        let to = browser.get(&path).await.to().to_owned();
        assert!(to.starts_with("/login?next=%2Fclaim%2F"), "{to}");
        let form = browser.get(&to).await.form("/login").with("username", "ada");
        let back = browser.send(&form.with("password", PASSWORD)).await.to().to_owned();
        assert_eq!(back, path);
        for _ in 0..2 {
            let shown = browser.get(&path).await;
            assert!(shown.text.contains("Claim agent"), "{}", shown.text);
            assert!(shown.text.contains("<h1>Claim @bot?</h1>"), "it says which one: {}", shown.text);
            assert_eq!(shown.headers["referrer-policy"], "same-origin", "links elsewhere do not learn it");
        }
        assert!(owned(&ada).await.is_empty(), "opening it changes nothing");
        assert_eq!(browser.post(&path, &[]).await.to(), "/settings/agents/bot");
        assert_eq!(owned(&ada).await, ["bot"]);
        let again = browser.post(&path, &[]).await;
        assert_eq!(again.status, StatusCode::NOT_FOUND);
        assert!(again.text.contains("unknown, used or expired"), "{}", again.text);
        let used = browser.get(&path).await;
        assert!(used.text.contains("unknown, used or expired"), "{}", used.text);
        assert!(!used.text.contains("Claim agent"), "nothing is left to claim: {}", used.text);
    }

    async fn a_suspended_agent_is_not_claimed(app: TestApp) {
        let [ada, bot] = pair(&app).await;
        let path = link(&app, &bot).await;
        let browser = Browser::of(&app, "ada").await;
        app.suspend("bot").await;
        let shown = browser.get(&path).await;
        assert_eq!(shown.status, StatusCode::OK);
        assert!(shown.text.contains("unknown, used or expired") && !shown.text.contains("@bot"), "{}", shown.text);
        assert_eq!(browser.post(&path, &[]).await.status, StatusCode::NOT_FOUND);
        assert!(owned(&ada).await.is_empty());
        app.unsuspend("bot").await;
        assert_eq!(browser.post(&path, &[]).await.to(), "/settings/agents/bot");
    }

    async fn a_link_is_pasted_in_the_settings(app: TestApp) {
        let [ada, bot] = pair(&app).await;
        let url = bot.client.agents().create_claim_link().await.unwrap().url;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/settings/agents").await.form("/settings/agents");
        let wrong = browser.send(&form.clone().with("token", "https://svc.example/claim/other")).await;
        assert_eq!(wrong.status, StatusCode::NOT_FOUND);
        assert_eq!(wrong.form("/settings/agents").value("token"), "https://svc.example/claim/other");
        assert_eq!(browser.send(&form.with("token", url.expose())).await.to(), "/settings/agents/bot");
        assert_eq!(owned(&ada).await, ["bot"]);
    }

    async fn an_agent_makes_a_link_and_leaves_its_owner_in_its_settings(app: TestApp) {
        let [ada, _] = pair(&app).await;
        let browser = Browser::of(&app, "bot").await;
        let form = browser.get("/settings/agents").await.form("/settings/agents/link");
        let shown = browser.send(&form).await;
        let url = shown.html().named("pre")[0].text.clone();
        assert!(!browser.send(&form).await.text.contains(&url), "it is shown once");
        assert!(!browser.get("/settings/agents").await.text.contains("@ada"));
        ada.client.agents().claim(url.as_str()).await.unwrap();
        assert!(browser.get("/settings/agents").await.text.contains("@ada"));
        let path = "/settings/agents/bot/release";
        let form = browser.get(path).await.form(path);
        assert_eq!(browser.send(&form).await.to(), "/settings/agents");
        assert!(owned(&ada).await.is_empty());
        let claim = browser.get("/claim/anything").await;
        assert!(claim.text.contains("Only people own agents"), "{}", claim.text);
    }

    async fn a_page_of_caps_that_was_opened_long_ago_removes_none(app: TestApp) {
        let [ada, bot] = pair(&app).await;
        let path = link(&app, &bot).await;
        let browser = Browser::of(&app, "ada").await;
        browser.post(&path, &[]).await;
        for (page, action) in [
            ("/settings/agents/bot", "/settings/agents/bot/caps"),
            ("/settings/agents", "/settings/agents/caps"),
        ] {
            let stale = browser.get(page).await.form(action);
            let form = browser.get(page).await.form(action).with("perOrder", "5");
            assert_eq!(browser.send(&form).await.to(), page);
            assert_eq!(browser.send(&stale.with("perDay", "50")).await.to(), page);
            let form = browser.get(page).await.form(action);
            assert_eq!((form.value("perOrder"), form.value("perDay")), ("5", "50"), "{page}");
            assert_eq!(browser.send(&form.with("perOrder", "")).await.to(), page);
            let form = browser.get(page).await.form(action);
            assert_eq!((form.value("perOrder"), form.value("perDay")), ("", "50"), "{page}");
        }
        let owned = ada.client.agents().owned().await.unwrap();
        let caps = owned.agents[0].caps.as_ref().unwrap();
        assert_eq!((caps.per_order, caps.per_day), (None, Some(50.into())));
    }

    async fn forms_of_caps_in_the_same_instant_each_change_what_was_typed(
        app: TestApp, "database.connections" = "4"
    ) {
        let [ada, bot] = pair(&app).await;
        let path = link(&app, &bot).await;
        let browser = Browser::of(&app, "ada").await;
        browser.post(&path, &[]).await;
        for (page, action, locked) in [
            ("/settings/agents/bot", "/settings/agents/bot/caps", &bot),
            ("/settings/agents", "/settings/agents/caps", &ada),
        ] {
            let one = browser.get(page).await.form(action).with("perOrder", "5");
            let other = browser.get(page).await.form(action).with("perDay", "50");
            let held = Held::account(&app, locked.user.id.clone()).await;
            let both = async { tokio::join!(browser.send(&one), browser.send(&other)) };
            let (one, other) = behind(&app, held, 2, both).await;
            assert_eq!((one.to(), other.to()), (page, page));
            let form = browser.get(page).await.form(action);
            assert_eq!((form.value("perOrder"), form.value("perDay")), ("5", "50"), "{page}");
        }
        // A program's request replaces both.
        ada.client.agents().set_caps("bot").per_day(7).await.unwrap();
        let owned = ada.client.agents().owned().await.unwrap();
        let caps = owned.agents[0].caps.as_ref().unwrap();
        assert_eq!((caps.per_order, caps.per_day), (None, Some(7.into())));
    }

    async fn an_owner_pauses_shows_caps_and_releases_its_agent(app: TestApp) {
        let [ada, bot] = pair(&app).await;
        let path = link(&app, &bot).await;
        let browser = Browser::of(&app, "ada").await;
        browser.post(&path, &[]).await;
        let page = "/settings/agents/bot";
        let shows = async |act: &str| {
            let button = format!("formaction=\"{page}/{act}\"");
            browser.get(page).await.text.contains(&button)
        };
        assert!(shows("pause").await && !shows("resume").await);
        assert!(shows("sign-out").await);
        let its = Browser::of(&app, "bot").await;
        assert_eq!(its.get("/settings").await.status, StatusCode::OK);
        assert_eq!(browser.post("/settings/agents/bot/sign-out", &[]).await.to(), page);
        assert_eq!(its.get("/settings").await.to(), "/login?next=%2Fsettings");
        assert_eq!(browser.post("/settings/agents/bot/pause", &[]).await.to(), page);
        assert!(shows("resume").await && !shows("pause").await);
        assert!(browser.get("/settings/agents").await.text.contains("paused"));
        let refused = bot.client.posts().create("hi").await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::AccountPaused));
        assert_eq!(browser.post("/settings/agents/bot/resume", &[]).await.to(), page);
        assert!(app.anonymous.users().get("bot").await.unwrap().user.owner.is_none());
        let form = browser.get(page).await.form("/settings/agents/bot/owner");
        assert_eq!(browser.send(&form).await.to(), page);
        let profile = Browser::new(&app).get("/@bot").await;
        assert!(profile.text.contains("Owner: <a href=\"/@ada\">"), "{}", profile.text);
        let form = browser.get(page).await.form("/settings/agents/bot/owner");
        browser.send(&form).await.to();
        assert!(app.anonymous.users().get("bot").await.unwrap().user.owner.is_none(), "the button hides it");
        let form = browser.get(page).await.form("/settings/agents/bot/caps");
        let wrong = browser.send(&form.clone().with("perOrder", "2.5").with("perDay", "much")).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
        assert!(wrong.html().of_class("problem")[0].starts_with("Limit per 24 hours must"), "{}", wrong.text);
        assert_eq!(wrong.form("/settings/agents/bot/caps").value("perOrder"), "2.5");
        browser.send(&form.with("perOrder", "2.5").with("perDay", "40")).await.to();
        let form = browser.get(page).await.form("/settings/agents/bot/caps");
        assert_eq!((form.value("perOrder"), form.value("perDay")), ("2.5", "40"));
        let form = browser.get("/settings/agents").await.form("/settings/agents/caps");
        browser.send(&form.with("perDay", "90")).await.to();
        let caps = ada.client.agents().owned().await.unwrap();
        assert_eq!(caps.caps.unwrap().per_day, Some(90.into()));
        let release = "/settings/agents/bot/release";
        let form = browser.get(release).await.form(release);
        assert_eq!(browser.send(&form).await.to(), "/settings/agents");
        let log = browser.get("/settings/security").await.text;
        assert!(log.contains("Ownership of an agent ended.") && log.contains("@bot"), "{log}");
        bot.client.posts().create("free").await.unwrap();
    }

    async fn a_new_key_of_an_agent_is_shown_once_after_a_confirmation(app: TestApp) {
        let [_ada, bot] = pair(&app).await;
        let path = link(&app, &bot).await;
        let browser = Browser::of(&app, "ada").await;
        browser.post(&path, &[]).await;
        app.advance(3_600);
        let path = "/settings/agents/bot/key";
        let asking = browser.get(path).await;
        assert!(asking.text.contains("Its webhooks stay"), "{}", asking.text);
        let form = asking.form(path);
        let asked = browser.send(&form).await;
        assert_eq!(asked.status, StatusCode::FORBIDDEN);
        bot.client.users().me().await.unwrap();
        let confirm = asked.form("/settings/confirm").with("password", PASSWORD);
        let shown = browser.send(&confirm).await;
        let key = shown.html().named("pre")[0].text.clone();
        app.client(ApiKey::from(key.as_str())).users().me().await.unwrap();
        bot.client.users().me().await.unwrap_err();
        assert!(!browser.send(&form).await.text.contains(&key), "the same form shows it no second time");
    }

    async fn an_owner_undoes_what_the_key_of_an_agent_requested(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bot = app.agent("bot").await;
        let url = bot.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(url).await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/security";
        assert!(!browser.get(path).await.text.contains("Pending changes"));
        bot.client.agents().release("bot").await.unwrap();
        bot.client.users().delete_me("bot").await.unwrap();
        let of_agent = browser.get("/settings/agents/bot").await;
        of_agent.html();
        let page = browser.get(path).await;
        page.html();
        for text in ["@bot leaves its owner", "@bot is deleted", "Takes effect"] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
            assert!(of_agent.text.contains(text), "{text}: {}", of_agent.text);
        }
        let waiting = ada.client.pending().list().await.unwrap().pending;
        assert_eq!(waiting.len(), 2);
        for change in waiting {
            let undo = format!("{path}/pending/{}/cancel", change.pending_id);
            assert!(page.text.contains(&undo), "{}", page.text);
            assert_eq!(browser.post(&undo, &[("back", path)]).await.to(), path);
            assert!(browser.get(path).await.text.contains("The change was undone."));
        }
        assert!(ada.client.pending().list().await.unwrap().pending.is_empty());
        assert!(!browser.get(path).await.text.contains("Pending changes"));
    }

    async fn a_change_that_waits_is_not_reported_as_done(app: TestApp) {
        let [ada, bot] = pair(&app).await;
        let url = bot.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(url).await.unwrap();
        let browser = Browser::of(&app, "bot").await;
        // Without a password, the key alone confirms.
        app.execute(|ctx| {
            let sql = sql!("update account set password_hash = null where username = 'bot'");
            ctx.tx.execute(sql, values![])
        })
        .await;
        let leave = "/settings/agents/bot/release";
        let leaving = browser.get(leave).await.form(leave);
        let delete = "/settings/delete";
        let deleting = browser.get(delete).await.form(delete).with("confirm", "bot");
        for (form, waits) in [(leaving, "@bot leaves its owner"), (deleting, "@bot is deleted")] {
            assert_eq!(browser.send(&form).await.to(), "/settings/security");
            let page = browser.get("/settings/security").await;
            for text in ["This change takes effect later", waits] {
                assert!(page.text.contains(text), "{text}: {}", page.text);
            }
        }
        assert_eq!(owned(&ada).await, ["bot"]);
    }
}
