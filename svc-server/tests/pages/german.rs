//! Pages in German: what the API says, in English, is said in German.

use std::time::Duration;

use http::StatusCode;
use svc_client::types::api::notifications::NotificationType;
use svc_store::{sql, values};

use crate::app::TestApp;
use crate::browser::{Browser, PASSWORD, Page};
use crate::market::{object, offer};
use crate::on_both_engines;

/// The browser of somebody who reads German.
async fn german<'a>(app: &'a TestApp, username: &str) -> Browser<'a> {
    let browser = Browser::of(app, username).await;
    browser.set("lang", "de");
    browser
}

/// Words that stand in nearly every sentence of the API.
const ENGLISH: [&str; 10] = [
    " must ",
    " the ",
    " of ",
    " is ",
    " and ",
    " to ",
    " at most ",
    "characters",
    "required",
    " you ",
];

/// A page that says in German that something is wrong, and how.
#[track_caller]
fn assert_german(page: &Page, says: &str) {
    assert!(page.text.contains("<html lang=\"de\""), "{}", page.text);
    assert!(!page.text.contains("<span lang=\"en\">"), "{}", page.text);
    assert!(page.text.contains(says), "no {says}: {}", page.text);
    let html = page.html();
    for text in ["wrong", "problem", "card refused"].iter().flat_map(|class| html.of_class(class)) {
        for word in ENGLISH {
            assert!(!text.contains(word), "{word}: {text}");
        }
    }
}

/// A notification of each type: its text, if it has one, and what a page says in English and German.
const NOTICES: [(&str, Option<&str>, &str, &str); 13] = [
    ("follow", None, "followed you", "folgt dir"),
    ("like", None, "liked your post", "hat deinen Beitrag mit „Gefällt mir“ markiert"),
    ("reply", None, "replied to you", "hat dir geantwortet"),
    ("repost", None, "reposted your post", "hat deinen Beitrag geteilt"),
    ("mention", None, "mentioned you", "hat dich erwähnt"),
    ("direct_message", None, "messaged you", "hat dir geschrieben"),
    ("quote", None, "quoted you", "hat dich zitiert"),
    (
        "escrow",
        Some("@bob delivered to @ada, 2.5 credits"),
        "@bob delivered your order, 2.5 credits",
        "@bob hat deine Bestellung geliefert, 2,5 Credits",
    ),
    (
        "service_request",
        Some("@bob completed the order of @ada"),
        "@bob completed your order",
        "@bob hat deine Bestellung abgeschlossen",
    ),
    (
        "billing",
        Some("@ada bought 500 credits"),
        "@ada bought 500 credits",
        "@ada hat 500 Credits gekauft",
    ),
    (
        "moderation",
        Some("your post was hidden: <b>Werbung</b>"),
        "Your post was hidden: &#60;b&#62;Werbung&#60;/b&#62;",
        "Dein Beitrag wurde moderiert (ausgeblendet): &#60;b&#62;Werbung&#60;/b&#62;",
    ),
    (
        "system",
        Some("escrow esc_1 over 5 credits is disputed"),
        "An order over 5 credits is disputed",
        "Eine Bestellung über 5 Credits wurde beanstandet",
    ),
    (
        "security",
        Some("@bob: An API key was created (by @eve)."),
        "@bob: API key created (by @eve).",
        "(durch @eve).",
    ),
];

on_both_engines! {
    async fn each_type_of_notification_is_in_the_language_of_the_page(app: TestApp) {
        let types: Vec<&str> = NOTICES.iter().map(|(kind, ..)| *kind).collect();
        assert!(NotificationType::WORDS.iter().all(|word| types.contains(word)), "{types:?}");
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("hallo").await.id;
        let (id, actor) = (ada.user.id.clone(), app.agent("bob").await.user.id);
        app.execute(move |ctx| {
            let insert = sql!(
                "insert into account_event
                    (account, seq, event, type, listed, read, actor, post, text, created_at)
                 values ($1, $2, $3, $4, true, false, $5, $6, $7, 0)"
            );
            for (seq, (kind, text, ..)) in (100_i64..).zip(NOTICES) {
                let actor = text.is_none().then(|| actor.clone());
                let post = actor.is_some().then(|| post.clone());
                let text = text.map(str::to_owned);
                ctx.tx.execute(insert, values![id, seq, format!("evt_n{seq}"), kind, actor, post, text])?;
            }
            let sql = sql!(
                "insert into event_head (stream, last_seq) values ($1, 200)
                 on conflict (stream) do update set last_seq = excluded.last_seq"
            );
            ctx.tx.execute(sql, values![id])
        }).await;
        let english = Browser::of(&app, "ada").await.get("/notifications").await;
        let page = german(&app, "ada").await.get("/notifications").await;
        assert_german(&page, "Mitteilungen");
        for (kind, _, in_english, in_german) in NOTICES {
            assert!(english.text.contains(in_english), "{kind}: {}", english.text);
            assert!(page.text.contains(in_german), "{kind}: {}", page.text);
        }
    }

    async fn a_form_to_join_says_in_german_what_is_wrong(app: TestApp) {
        let browser = Browser::new(&app);
        browser.set("lang", "de");
        let form = browser.get("/join").await.form("/join");
        let form = form.with("username", "1?").with("email", "nowhere").with("password", "short");
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        assert_german(&page, "Benutzername: Gib 3 bis 30 Zeichen aus a–z, 0–9 und _ ein");
        assert_german(&page, "E-Mail: Gib eine E-Mail-Adresse ein");
        assert_german(&page, "Passwort: Gib 8 bis 128 Zeichen ein.");
        assert!(page.html().of_class("wrong")[0].starts_with("3 Felder müssen"), "{}", page.text);
        let form = form.with("username", "ada").with("email", "neu@example.org");
        let common = browser.send(&form.clone().with("password", "password1")).await;
        assert_german(&common, "Dieses Passwort gehört zu den häufigsten.");
        assert_german(&common, "Drei zufällige Wörter");
        app.person("ada", PASSWORD).await;
        let taken = browser.send(&form.clone().with("password", PASSWORD)).await;
        assert_eq!(taken.status, StatusCode::CONFLICT);
        assert_german(&taken, "Dieser Benutzername ist vergeben.");
        let none = browser.send(&form.with("username", "")).await;
        assert_german(&none, "Benutzername: Bitte ausfüllen.");
        let login = browser.get("/login").await.form("/login").with("username", "ada");
        let refused = browser.send(&login.with("password", "wrong horse")).await;
        assert_german(&refused, "Die Anmeldedaten stimmen nicht.");
    }

    async fn a_password_is_refused_in_german(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = german(&app, "ada").await;
        let form = browser.get("/settings/security").await.form("/settings/password");
        let wrong = form.clone().with("newPassword", "battery staple").with("currentPassword", "no");
        assert_german(&browser.send(&wrong).await, "Dein bisheriges Passwort stimmt nicht.");
        let own = form.with("newPassword", "ada@example.org").with("currentPassword", PASSWORD);
        assert_german(&browser.send(&own).await, "Das Passwort darf nicht der Benutzername");
    }

    async fn posts_and_searches_are_refused_in_german(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = german(&app, "ada").await;
        let form = async || browser.get("/compose").await.form("/compose");
        let long = browser.send(&form().await.with("content", &"ä".repeat(40_001))).await;
        assert_eq!(long.status, StatusCode::BAD_REQUEST);
        assert_german(&long, "Text: Gib 1 bis 40.000 Zeichen ein.");
        let odd = form().await.with("content", "hallo").with("language", "deutsch!");
        assert_german(&browser.send(&odd).await, "Gib ein Sprachkürzel ein");
        let sent = form().await.with("content", "hallo");
        browser.send(&sent).await.to();
        let again = browser.send(&sent.with("content", "etwas anderes")).await;
        assert_german(&again, "Dieses Formular wurde schon gesendet; die erste Übermittlung gilt.");
        let soon = browser.send(&form().await.with("content", "und noch etwas")).await;
        assert_eq!(soon.status, StatusCode::TOO_MANY_REQUESTS);
        assert_german(&soon, "Du kannst noch keinen neuen Beitrag veröffentlichen.");
        for (path, says) in [
            ("/search?q=%2C", "Suche: Gib ein Wort ein, nach dem gesucht wird."),
            ("/search?q=a&type=people", "Art: Wähle einen dieser Werte: posts, users,"),
            ("/search?q=a&limit=0", "Gib eine ganze Zahl von 1 bis 100 ein."),
            ("/search?q=a&cursor=b", "Diese Seite der Liste gibt es nicht mehr."),
        ] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::BAD_REQUEST, "{path}");
            assert_german(&page, says);
        }
    }

    async fn the_editor_of_services_says_in_german_what_is_wrong(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let link = bob.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        offer(&bob, "chart", 60).await;
        let browser = german(&app, "ada").await;
        let form = browser.get("/sell/bob/services").await.form("/sell/bob/services");
        let mut form = form.with("name", "Haiku").with("description", "Dichtet.").with("priceCredits", "2");
        form.action.push_str("/check");
        for (name, text, says) in [
            ("name", "CHART", "Einen Dienst mit diesem Namen gibt es schon."),
            ("name", "", "Name: Bitte ausfüllen."),
            ("description", &*"x".repeat(2_001), "Gib 1 bis 2.000 Zeichen ein."),
            ("priceCredits", "1,5", "Preis: Gib eine Zahl von 0 bis"),
            ("languageList", "deutsch!", "Gib Sprachkürzel an"),
            ("inputSchema", "{\"type\": \"object\",}", "Der Fehler steht in Zeile 1"),
            ("inputSchema", "{\"type\": 7}", "Das ist kein JSON-Schema"),
            ("sample.0.input", "{\"a\": 1}", "Gib ein JSON-Objekt ein"),
        ] {
            let page = browser.send(&form.clone().with("inputBy", "schema").with(name, text)).await;
            assert!(page.status.is_client_error(), "{name} {text}: {}", page.text);
            assert!(page.text.contains(says), "{name} {text}: {}", page.text);
            assert!(says.contains("JSON-Schema") || !page.text.contains("<span lang=\"en\">"), "{}", page.text);
        }
    }

    async fn an_order_is_refused_in_german(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let schema = serde_json::json!({
            "type": "object",
            "properties": {
                "text": { "type": "string", "minLength": 3, "maxLength": 9, "title": "Text" },
                "pages": { "type": "integer", "minimum": 1, "maximum": 9, "title": "Seiten" },
            },
            "required": ["text", "pages"],
        });
        let offering = bob.client.services().create("story", "erzählt", 101);
        let offering = offering.with(|request| request.input_schema = Some(object(schema)));
        let path = format!("/@bob/services/{}", offering.await.unwrap().service.id);
        let browser = german(&app, "ada").await;
        let form = browser.get(&path).await.form(&path).with("input.text", "Ein Fuchs").with("input.pages", "2");
        for (name, text, says) in [
            ("input.text", "", "Fülle „Text“ aus"),
            ("input.text", "x", "Gib mindestens 3 Zeichen ein."),
            ("input.text", "1234567890", "Gib höchstens 9 Zeichen ein."),
            ("input.pages", "viele", "„Seiten“ muss eine Zahl sein"),
            ("input.pages", "10", "Gib höchstens 9 ein."),
            ("input.pages", "1.5", "Gib eine ganze Zahl ein."),
            ("price", "100", "Der Preis ist jetzt 101 Credits"),
            ("pay", "direct", "Du hast zu wenige Credits: Nötig sind 101, verfügbar 100."),
            ("pay", "escrow", "Preis: 101 Credits; so viel hast du nicht"),
        ] {
            let page = browser.send(&form.clone().with(name, text)).await;
            assert!(page.status.is_client_error(), "{name} {text}: {}", page.text);
            assert_german(&page, says);
        }
    }

    async fn fields_for_credits_and_names_say_in_german_what_is_wrong(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bot = app.agent("bot").await;
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        let browser = german(&app, "ada").await;
        let caps = browser.get("/settings/agents").await.form("/settings/agents/caps");
        for text in ["viel", "-1", "2,5", "0.1234567"] {
            let page = browser.send(&caps.clone().with("perOrder", text)).await;
            assert_eq!(page.status, StatusCode::BAD_REQUEST, "{text}");
            assert_german(&page, "mit höchstens 6 Nachkommastellen und einem Punkt davor");
        }
        let claim = browser.get("/settings/agents").await.form("/settings/agents");
        let page = browser.send(&claim.with("token", "https://svc.example/claim/other")).await;
        assert_german(&page, "Dieser Übernahme-Link ist unbekannt, benutzt oder abgelaufen.");
        let device = browser.get("/device?user_code=AAAA-AAAA").await;
        assert_german(&device, "Auf diesen Code wartet kein Gerät.");
        let program = browser.get("/oauth/authorize").await;
        assert_german(&program, "hat einen Fehler gemacht: client_id fehlt.");
        let delete = browser.get("/settings/delete").await.form("/settings/delete");
        let page = browser.send(&delete.with("confirm", "bob")).await;
        assert!(!page.text.contains("<span lang=\"en\">"), "{}", page.text);
        let profile = browser.get("/settings").await.form("/settings");
        let page = browser.send(&profile.with("website", "example").with("displayName", "")).await;
        assert_german(&page, "Website: Gib eine Adresse ein, die mit http:// oder https:// beginnt");
        let channel = browser.get("/channels").await.form("/channels");
        let page = browser.send(&channel.clone().with("name", "Große Namen")).await;
        assert_german(&page, "Name: Gib 3 bis 64 Zeichen aus a–z, 0–9 und - ein.");
        browser.send(&channel.clone().with("name", "technik")).await.to();
        let channel = browser.get("/channels").await.form("/channels").with("name", "technik");
        assert_german(&browser.send(&channel).await, "Es gibt schon einen Kanal mit diesem Namen.");
        let write = browser.get("/messages").await.form("/messages").with("content", "hallo");
        let page = browser.send(&write.clone().with("recipientUsername", "niemand")).await;
        assert_german(&page, "Empfänger: Dieses Konto gibt es nicht.");
        let page = browser.send(&write.with("recipientUsername", "ada")).await;
        assert_german(&page, "Dir selbst kannst du nicht schreiben.");
    }

    async fn a_post_that_was_not_published_says_why_in_german(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let post = bob.post("gleich weg").await.id;
        let at = app.server.clock().now().plus(Duration::from_hours(1));
        let scheduling = ada.client.scheduled_posts().create("eine Antwort", at);
        scheduling.with(|request| request.reply_to_id = Some(post.clone())).await.unwrap();
        bob.client.posts().delete(&post).await.unwrap();
        app.advance(3_700);
        let browser = german(&app, "ada").await;
        let page = browser.get("/settings/scheduled").await;
        assert_german(&page, "Der Beitrag, auf den er antwortet, ist nicht mehr da.");
        let page = browser.get("/notifications").await;
        assert_german(&page, "Ein geplanter Beitrag wurde nicht veröffentlicht: Der Beitrag, auf den er antwortet");
    }
}
