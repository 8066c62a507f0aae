//! In, out, and out while typing.

use http::header::{AUTHORIZATION, COOKIE};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_server::testing::until;
use svc_store::sql;

use crate::app::SEC_FETCH_SITE;
use crate::browser::{Browser, PASSWORD, Page, Sheet, typed};
use crate::html::Element;
use crate::settings::png;
use crate::{images, on_both_engines};

const DAY: u64 = 86_400;

on_both_engines! {
    async fn a_person_joins_signs_out_and_in_again(app: TestApp) {
        let browser = Browser::new(&app);
        let form = browser.get("/join").await.form("/join");
        let form = form.with("username", "ada").with("email", "ada@example.org");
        assert_eq!(browser.send(&form.with("password", PASSWORD)).await.to(), "/welcome");
        let home = browser.get("/").await;
        assert!(home.text.contains("Welcome."), "what was done is said");
        assert!(!browser.get("/").await.text.contains("Welcome."), "once");
        assert_eq!(browser.post("/logout", &[]).await.to(), "/");
        let home = browser.get("/").await;
        assert!(home.text.contains("You are signed out."));
        assert!(!home.text.contains("@ada"));

        for (name, meant) in [("ada", "ada"), ("ADA@example.org", "ADA@example.org"), ("@ada ", "ada")] {
            let form = browser.get("/login?next=%2Fcompose%3Fa%3Db").await.form("/login");
            let wrong = browser.send(&form.clone().with("username", name).with("password", "wrong")).await;
            assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
            assert_eq!(wrong.form("/login").value("username"), meant);
            let page = browser.send(&wrong.form("/login").with("password", PASSWORD)).await;
            assert_eq!(page.to(), "/compose?a=b");
            assert_eq!(browser.get("/login").await.to(), "/", "who is signed in need not sign in");
            browser.post("/logout", &[]).await;
        }
        let form = browser.get("/join?next=%2Fcompose%3Fa%3Db").await.form("/join");
        let form = form.with("username", "bob").with("email", "bob@example.org");
        let page = browser.send(&form.with("password", PASSWORD)).await;
        assert_eq!(page.to(), "/compose?a=b", "who came from a page goes on there");
    }

    async fn a_session_lives_on_while_pages_are_opened(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for _ in 0..2 {
            app.advance(4 * DAY);
            assert_eq!(browser.get("/settings").await.status, StatusCode::OK);
            // It is stored in the background.
            let now = app.server.clock().now().as_millis();
            let seen = sql!("select max(last_seen_at) from session");
            until("the session is marked as seen", async || app.count(seen).await == now).await;
        }
    }

    async fn a_header_for_a_proxy_signs_no_visitor_out(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let request = browser.request(Method::GET, "/settings").header(AUTHORIZATION, "Basic YTpi");
        let page = browser.answer(request).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.text.contains("@ada"), "{}", page.text);
    }

    async fn signing_in_never_redirects_to_another_host(app: TestApp) {
        app.person("ada", PASSWORD).await;
        for next in ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:a"] {
            let browser = Browser::new(&app);
            let fields = [("username", "ada"), ("password", PASSWORD), ("next", next)];
            assert_eq!(browser.post("/login", &fields).await.to(), "/", "{next}");
        }
    }

    async fn input_survives_the_end_of_a_session(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("ask me").await;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/post/{}", post.id);
        let typed = "an answer with <angles>, \"quotes\" & ümlauts\nin two lines";
        let form = browser.get(&path).await.form(&path).with("content", typed);
        browser.forget();
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::UNAUTHORIZED);
        let said = |page: &Page| ["notice", "wrong"].map(|class| page.html().of_class(class).len());
        assert_eq!(said(&page), [1, 0], "nothing was done wrong: {}", page.text);
        let login = page.form("/login").with("username", "ada");
        let wrong = browser.send(&login.with("password", "wrong")).await;
        assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
        assert_eq!(said(&wrong), [0, 1], "{}", wrong.text);
        let again = browser.send(&wrong.form("/login").with("password", PASSWORD)).await;
        assert_eq!(again.status, StatusCode::OK);
        assert_eq!(again.form(&path).value("content"), typed);
        let replies = app.anonymous.posts().replies(&post.id).await.unwrap().posts;
        assert!(replies.is_empty(), "it is not sent by itself");
        let to = browser.send(&again.form(&path)).await;
        let replies = app.anonymous.posts().replies(&post.id).await.unwrap().posts;
        assert_eq!(replies[0].content, typed);
        assert_eq!(to.to(), format!("{path}#{}", replies[0].id));
    }

    async fn input_of_one_account_is_not_sent_as_the_one_that_signs_in(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let post = ada.post("ask me").await.id;
        let path = format!("/post/{post}");
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get(&path).await.form(&path).with("content", "what only ada says");
        browser.forget();
        let login = browser.send(&form).await.form("/login").with("username", "bob");
        let page = browser.send(&login.with("password", PASSWORD)).await;
        assert_eq!(page.status, StatusCode::CONFLICT);
        assert!(page.text.contains("You are now signed in as @bob"), "{}", page.text);
        assert!(!page.text.contains("signed in again"), "{}", page.text);
        assert_eq!(page.form(&path).value("content"), "what only ada says");
        let replies = async || app.anonymous.posts().replies(&post).await.unwrap().posts;
        assert!(replies().await.is_empty());
        browser.send(&page.form(&path)).await;
        assert_eq!(replies().await[0].author.username, "bob", "a second click is meant so");
    }

    async fn a_form_is_not_sent_as_the_account_that_signed_in_meanwhile(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let post = ada.post("ask me").await.id;
        let path = format!("/post/{post}");
        let browser = Browser::of(&app, "ada").await;
        let forms = [
            browser.get(&path).await.form(&path).with("content", "what only ada says"),
            browser.get("/settings").await.form("/settings").with("displayName", "Ada"),
            browser.get("/settings/agents").await.form("/settings/agents").with("token", "svc_claim_x"),
        ];
        let factor = "/settings/security/totp";
        let buttons = [
            browser.get(factor).await.form(factor),
            browser.get("/@bob/block").await.form("/@bob/block"),
            browser.get("/settings/data").await.form("/settings/export"),
        ];
        let picture = browser.get("/settings").await.form("/settings/avatar");
        // In another tab.
        browser.post("/logout", &[]).await;
        browser.post("/login", &[("username", "bob"), ("password", PASSWORD)]).await;
        for form in forms.iter().chain(&buttons) {
            let page = browser.send(form).await;
            assert_eq!(page.status, StatusCode::CONFLICT, "{}", form.action);
            assert!(page.text.contains("You are now signed in as @bob"), "{}", page.text);
        }
        for (form, typed) in forms.iter().zip(["content", "displayName", "token"]) {
            let page = browser.send(form).await;
            assert_eq!(page.form(&form.action).value(typed), form.value(typed));
        }
        let (key, file) = ("idempotency_key", png());
        let chosen = [(key, picture.value(key).as_bytes()), ("file", &file)];
        let page = images::send(&browser, &picture.action, &chosen).await;
        assert_eq!(page.status, StatusCode::CONFLICT);
        assert!(page.text.contains("You are now signed in as @bob"), "{}", page.text);
        let picture = page.form(&picture.action);
        let chosen = [(key, picture.value(key).as_bytes()), ("file", &file)];
        assert_eq!(images::send(&browser, &picture.action, &chosen).await.to(), "/settings");
        let replies = async || app.anonymous.posts().replies(&post).await.unwrap().posts;
        assert!(replies().await.is_empty());
        let again = browser.send(&forms[0]).await.form(&path);
        browser.send(&again).await;
        assert_eq!(replies().await[0].author.username, "bob", "a second click is meant so");
    }

    async fn a_button_does_not_act_for_the_account_that_signed_in_meanwhile(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.person("bob", PASSWORD).await;
        let eve = app.agent("eve").await;
        let post = eve.post("like me").await.id;
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get("/feed").await.html();
        let has_account = |one: &&Element| one.attributes.get("name").is_some_and(|name| name == "made_for");
        let made_for = page.0.iter().find(has_account).unwrap().attributes["value"].clone();
        assert_eq!(made_for, ada.user.id.as_str());
        // In another tab.
        browser.post("/logout", &[("made_for", &made_for)]).await;
        browser.post("/login", &[("username", "bob"), ("password", PASSWORD)]).await;
        let sent = [("back", "/feed"), ("made_for", &*made_for)];
        let like = format!("/post/{post}/like");
        for path in [&*like, "/@eve/follow", "/@eve/mute"] {
            let page = browser.post(path, &sent).await;
            assert_eq!(page.status, StatusCode::CONFLICT, "{path}");
            assert!(page.text.contains("the page with this button was made for another account"), "{}", page.text);
        }
        let likes = async || app.anonymous.posts().get(&post).await.unwrap().post.likes_count;
        assert_eq!(likes().await, 0);
        let viewer = bob.client.users().get("eve").await.unwrap().user.viewer.unwrap();
        assert!(!viewer.following && !viewer.muting);
        let own = [("back", "/feed"), ("made_for", bob.user.id.as_str())];
        assert_eq!(browser.post(&like, &own).await.to(), format!("/feed#{post}"));
        assert_eq!(likes().await, 1);
    }

    async fn a_script_that_sends_a_button_gets_the_answer_itself(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("like me").await.id;
        let cookie = app.sign_in("ada", PASSWORD).await;
        let sent = async |verb: &str, made_for: &str| {
            let request = app.raw(Method::POST, &format!("/../post/{post}/{verb}"));
            let request = request.header(COOKIE, &cookie).header(SEC_FETCH_SITE, "same-origin");
            let answer = typed(request, &[("back", "/feed"), ("made_for", made_for)]).send().await.unwrap();
            (answer.status(), answer.json::<Value>().await.unwrap())
        };
        for (verb, count) in [("like", 1), ("unlike", 0), ("like", 1)] {
            let (status, answer) = sent(verb, ada.user.id.as_str()).await;
            assert_eq!((status, &answer["likesCount"]), (StatusCode::OK, &json!(count)), "{verb}");
        }
        let (status, answer) = sent("unlike", "usr_another").await;
        assert_eq!((status, &answer["code"]), (StatusCode::CONFLICT, &json!("wrong_state")));
    }

    async fn passwords_and_codes_are_typed_again_after_the_end_of_a_session(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/password";
        let typed = |form: Sheet| form.with("currentPassword", PASSWORD).with("newPassword", "battery staple");
        let form = typed(browser.get("/settings/security").await.form(path));
        let other = Browser::of(&app, "ada").await;
        browser.forget();
        let asked = browser.send(&form).await;
        assert_eq!(asked.status, StatusCode::UNAUTHORIZED);
        let says = |word: &str| asked.text.contains(word);
        assert!(!says("horse") && !says("battery"), "a password is not shown again: {}", asked.text);
        assert!(says("passwords and codes are not kept") && !says("your text is kept"));
        let login = asked.form("/login").with("username", "ada").with("password", PASSWORD);
        let again = browser.send(&login).await;
        assert_eq!(again.status, StatusCode::OK);
        let kept = "You are signed in again. Passwords and codes are not kept: type them again.";
        assert_eq!(again.html().of_class("flash"), [kept]);
        assert_eq!(browser.send(&typed(again.form(path))).await.to(), "/settings/security");
        other.forget();
        let asked = other.post("/settings/security/totp/confirm", &[("code", "271 828")]).await;
        assert_eq!(asked.form("/login").value("kept"), "code=");
        app.sign_in("ada", "battery staple").await;
    }

    async fn a_form_after_the_end_of_a_session_keeps_the_choices_of_the_visitor(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/compose").await.form("/compose").with("content", "for later");
        let choices = [("lang", "de"), ("theme", "dark"), ("timezone", "Asia/Tokyo")];
        for (name, value) in [&choices[..], &[("svc_session", "ended")]].concat() {
            browser.set(name, value);
        }
        let login = browser.send(&form).await.form("/login").with("username", "ada");
        let again = browser.send(&login.with("password", PASSWORD)).await;
        assert_eq!(again.form("/compose").value("content"), "for later");
        let html = again.html();
        let root = html.named("html")[0];
        assert_eq!((&*root.attributes["lang"], &*root.attributes["class"]), ("de", "dark"));
        assert!(again.text.contains("deine Zeit, Asia/Tokyo"), "{}", again.text);
    }

    async fn the_longest_post_survives_the_end_of_a_session(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        // A Gothic letter takes four bytes.
        let longest = "\u{10330}".repeat(40_000);
        let form = browser.get("/compose").await.form("/compose").with("content", &longest);
        browser.forget();
        let login = browser.send(&form).await.form("/login").with("username", "ada");
        let again = browser.send(&login.with("password", PASSWORD)).await;
        assert_eq!(again.status, StatusCode::OK);
        assert!(again.form("/compose").value("content") == longest, "it is whole");
    }

    async fn a_form_that_is_too_long_to_be_kept_is_said_to_be(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        // A form has six bytes for each.
        let form = browser.get("/compose").await.form("/compose").with("content", &"é".repeat(90_000));
        browser.forget();
        let login = browser.send(&form).await;
        assert_eq!(login.status, StatusCode::UNAUTHORIZED);
        assert!(login.text.contains("what you sent is too long to be kept"), "{}", login.text);
        for part in ["your text is kept", "name=\"kept\""] {
            assert!(!login.text.contains(part), "{part}");
        }
    }

    async fn a_button_leads_a_visitor_to_the_sign_in_and_back(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("like me").await;
        let browser = Browser::new(&app);
        let page = browser.post(&format!("/post/{}/like", post.id), &[("back", "/feed?sort=new")]).await;
        assert_eq!(page.to(), "/login?next=%2Ffeed%3Fsort%3Dnew");
    }

    async fn a_suspended_account_sees_why_it_may_not_write(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let notice = "Your account is suspended. You can still read and finish open orders.";
        assert!(!browser.get("/").await.text.contains(notice));
        app.suspend("ada").await;
        let page = browser.get("/notifications").await;
        assert!(page.text.contains(notice), "every page says so: {}", page.text);
        let form = browser.get("/").await.form("/compose").with("content", "hello");
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN);
        assert!(page.text.contains("suspended"), "{}", page.text);
        assert_eq!(page.form("/compose").value("content"), "hello");
    }

    async fn the_form_that_the_sign_in_interrupted_is_shown_and_no_other_of_a_like_address(
        app: TestApp
    ) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::new(&app);
        let fields = [("name", "Laptop"), ("ceremonyId", "cer_1"), ("credential", "{}")];
        let login = browser.post("/settings/security/passkeys/new", &fields).await;
        assert_eq!(login.status, StatusCode::UNAUTHORIZED);
        let form = login.form("/login").with("username", "ada").with("password", PASSWORD);
        let page = browser.send(&form).await;
        page.form("/settings/security/passkeys");
        assert!(!page.text.contains("/settings/password"), "{}", page.text);
    }
}
