//! User texts that try to inject markup.

use std::time::Duration;

use serde_json::json;
use svc_client::types::api::moderation::{ModerationActionType, ReportOutcome};
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_store::{sql, values};

use crate::browser::{Browser, PASSWORD};
use crate::on_both_engines;

/// What somebody may try.
const TEXTS: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</textarea></title></style><svg onload=alert(1)>",
    "javascript:alert(1) https://a.example/\"onclick=\"alert(1)",
    "\u{202e}txet lamron\u{202c} \u{2066}\u{2069}",
    "{{ 7+7 }} {% raw %} ${7+7}",
    "<!-- --> ]]> &lt;script&gt; &#x3c;",
    "@<b>ada</b> #<i>tag</i> http://<u>",
];

/// What would run if a page showed it as it is; short enough for the name of a list.
const LIVE: &str = "\"><img src=x onerror=alert(1)><script>alert(1)</script>";

/// The elements and attributes of a page, without the texts.
fn shape(page: &str) -> Vec<String> {
    let elements = crate::html::Html::read(page).0;
    let one = |one: crate::html::Element| {
        let names: Vec<_> = one.attributes.keys().cloned().collect();
        format!("{} {}", one.name, names.join(" "))
    };
    elements.into_iter().map(one).filter(|one| !one.starts_with("a ")).collect()
}

on_both_engines! {
    async fn user_texts_are_escaped_everywhere(app: TestApp) {
        let [ada, eve] = [app.person("ada", PASSWORD).await, app.person("eve", PASSWORD).await];
        let post = eve.post("plain").await;
        ada.reply(&post, "plain").await;
        let bot = app.agent("bot").await;
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        eve.client.agents().claim(link).await.unwrap();
        eve.client.agents().set_owner("bot", true).await.unwrap();
        let browser = Browser::of(&app, "eve").await;
        let id = post.id.as_str();
        let paths = [
            "/feed?sort=new".to_owned(),
            format!("/post/{id}"),
            format!("/post/{id}/edit"),
            format!("/post/{id}/delete"),
            format!("/post/{id}/embed"),
            format!("/compose?quoteOfId={id}"),
            "/@bot".to_owned(),
            "/settings/agents".to_owned(),
            "/settings/agents/bot".to_owned(),
            "/settings/agents/bot/release".to_owned(),
            "/settings/security".to_owned(),
        ];
        // This server has no host name, without which no device adds a passkey.
        let account = eve.user.id.clone();
        app.execute(move |ctx| {
            let sql = sql!(
                "insert into passkey (id, account, name, credential_id, credential, is_synced, created_at)
                 values ('pky_0000000000001', $1, 'plain', $2, '{}', false, 0)"
            );
            ctx.tx.execute(sql, values![account, vec![0_u8]])
        }).await;
        let write = async |text: &str| {
            let me = json!({ "displayName": text.chars().take(60).collect::<String>() });
            let request = eve.raw(&app, reqwest::Method::PATCH, "/users/me");
            assert!(request.json(&me).send().await.unwrap().status().is_success());
            let request = bot.raw(&app, reqwest::Method::PATCH, "/users/me");
            assert!(request.json(&me).send().await.unwrap().status().is_success());
            // Without an entry in the security log, which that page shows too.
            let name = text.to_owned();
            app.execute(move |ctx| ctx.tx.execute(sql!("update passkey set name = $1"), values![name]))
                .await;
            let edit = json!({ "content": text, "contentWarning": text });
            let request = eve.raw(&app, reqwest::Method::PATCH, &format!("/posts/{id}"));
            assert!(request.json(&edit).send().await.unwrap().status().is_success());
        };
        write("plain").await;
        let mut plain = Vec::new();
        for path in &paths {
            let page = browser.get(path).await;
            assert!(page.status.is_success(), "{path}: {}", page.status);
            plain.push(shape(&page.text));
        }
        for text in TEXTS {
            write(text).await;
            for (path, plain) in paths.iter().zip(&plain) {
                assert_eq!(&shape(&browser.get(path).await.text), plain, "{text} on {path}");
            }
        }
    }

    async fn texts_of_channels_lists_messages_and_moderators_are_escaped(app: TestApp) {
        let [eve, mia] = [app.person("eve", PASSWORD).await, app.person("mia", PASSWORD).await];
        let bob = app.agent("bob").await;
        app.grant_role("mia", "moderator").await;
        let channels = bob.client.channels();
        let room = channels.create("the-room").title(LIVE).description(LIVE).await.unwrap().channel.id;
        channels.post(&room, LIVE).await.unwrap();
        eve.client.channels().join(&room).await.unwrap();
        let message = eve.client.channels().post(&room, LIVE).await.unwrap().message.message_id;
        let list = eve.client.lists().create(LIVE).description(LIVE).await.unwrap().list.id;
        let talk = bob.write(&eve, LIVE).await.conversation_id;
        let soon = app.server.clock().now().plus(Duration::from_hours(1));
        eve.client.scheduled_posts().create(LIVE, soon).await.unwrap();
        let report = bob.client.reports().create(Subject::user("eve"), ReportReason::Spam).comment(LIVE);
        let report = report.await.unwrap().report.id;
        let moderation = mia.client.moderation();
        let limit = moderation.act(Subject::user("eve"), ModerationActionType::Limit, LIVE);
        limit.report(&report).await.unwrap();
        moderation.resolve(&report, ReportOutcome::Actioned).note(LIVE).await.unwrap();
        let typed: String = url::form_urlencoded::byte_serialize(LIVE.as_bytes()).collect();
        let paths = [
            ("eve", "/channels".to_owned()),
            ("eve", format!("/channels/{room}")),
            ("eve", format!("/channels/{room}/messages/{message}/delete")),
            ("eve", "/lists".to_owned()),
            ("eve", format!("/lists/{list}")),
            ("eve", format!("/lists/{list}/edit")),
            ("eve", "/messages/requests".to_owned()),
            ("eve", format!("/messages/{talk}")),
            ("eve", "/notifications".to_owned()),
            ("eve", "/settings/scheduled".to_owned()),
            ("eve", format!("/search?q={typed}")),
            ("mia", "/moderation?status=all".to_owned()),
            ("mia", format!("/moderation/reports/{report}")),
            ("mia", "/moderation/log".to_owned()),
            ("mia", "/@eve".to_owned()),
        ];
        let [of_eve, of_mia] = [Browser::of(&app, "eve").await, Browser::of(&app, "mia").await];
        for (who, path) in paths {
            let page = if who == "mia" { of_mia.get(&path).await } else { of_eve.get(&path).await };
            assert!(page.status.is_success() && page.text.contains("alert(1)"), "{path}: {}", page.text);
            let is_live = ["<img src=x", "<script>alert"].iter().any(|part| page.text.contains(part));
            assert!(!is_live, "{path}: {}", page.text);
        }
    }

    async fn a_text_that_is_nearly_a_link_is_shown_at_once(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post(&format!("#a{}", "\u{301}".repeat(39_998))).await;
        ada.reply(&post, &"-http://a".repeat(4_444)).await;
        let page = Browser::new(&app).get(&format!("/post/{}", post.id)).await;
        assert!(page.status.is_success() && page.text.contains("-http://a"), "{}", page.status);
    }

    async fn a_name_cannot_turn_the_words_behind_it_in_a_title(app: TestApp) {
        let eve = app.agent("eve").await;
        eve.client.users().update_me().display_name("Ada\u{202e}\u{2067}\n love\u{2069}ly").await.unwrap();
        let post = eve.post("\u{202d}plain\n text").await;
        let browser = Browser::new(&app);
        for (path, title) in [
            ("/@eve".to_owned(), "Ada lovely (@eve)"),
            (format!("/post/{}", post.id), "Post by Ada lovely"),
        ] {
            let page = browser.get(&path).await;
            assert!(page.text.contains(&format!("<title>{title} · svc</title>")), "{}", page.text);
            let card = "<meta property=\"og:title\" content=\"Ada lovely (@eve)\">";
            assert!(page.text.contains(card), "{}", page.text);
        }
        let page = browser.get(&format!("/post/{}", post.id)).await;
        assert!(page.text.contains("property=\"og:description\" content=\"plain text\">"), "{}", page.text);
    }

    async fn text_from_the_url_is_escaped(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for text in TEXTS {
            let typed: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
            for path in [
                format!("/feed?sort={typed}"),
                format!("/feed?window={typed}&sort=top"),
                format!("/feed?cursor={typed}"),
                format!("/report?subject.type={typed}&subject.id={typed}&back={typed}"),
                format!("/verify?token={typed}"),
                format!("/reset?token={typed}"),
                format!("/post/{}", typed.replace('+', "%20").replace("%2F", "_")),
                format!("/{}", typed.replace('+', "%20").replace("%2F", "_")),
            ] {
                let page = browser.get(&path).await;
                let html = page.html();
                let is_ours = |src: &String| src.starts_with("/assets/svc.");
                let scripts = html.named("script");
                assert!(scripts.iter().all(|script| script.attributes.get("src").is_some_and(is_ours)), "{path}");
                let names: Vec<_> = html.0.iter().flat_map(|one| one.attributes.keys()).collect();
                assert!(names.iter().all(|name| !name.starts_with("on")), "{path}");
                assert!(html.named("svg").is_empty() && html.named("b").is_empty(), "{path}");
            }
        }
    }
}
