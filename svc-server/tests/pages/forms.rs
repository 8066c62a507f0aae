//! Typed values survive a refusal, and a repeated form has one effect.

use http::header::ORIGIN;
use http::{Method, StatusCode};
use svc_client::types::Scope;

use crate::app::SEC_FETCH_SITE;
use crate::browser::{Browser, PASSWORD, typed};
use crate::on_both_engines;

on_both_engines! {
    async fn wrong_input_is_reported_at_its_field_and_the_rest_is_kept(app: TestApp) {
        let browser = Browser::new(&app);
        let form = browser.get("/join").await.form("/join");
        let form = form.with("username", "7up").with("email", "ada@example.org");
        let page = browser.send(&form.with("displayName", "Ada \"A\" <L>").with("password", PASSWORD)).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        let problems = page.html();
        let [problem] = problems.of_class("problem")[..] else { panic!("one problem") };
        assert!(problem.starts_with("username"), "{problem}");
        let wrong: Vec<_> = problems.0.iter().filter(|one| one.attributes.contains_key("aria-invalid")).collect();
        assert_eq!(wrong.len(), 1);
        assert_eq!(wrong[0].attributes["name"], "username");
        let again = page.form("/join");
        assert_eq!(again.value("username"), "7up");
        assert_eq!(again.value("email"), "ada@example.org");
        assert_eq!(again.value("displayName"), "Ada \"A\" <L>");
        assert_eq!(again.value("password"), "", "a password is not shown again");
        let page = browser.send(&again.with("username", "ada").with("password", PASSWORD)).await;
        assert_eq!(page.to(), "/welcome");
        assert!(browser.get("/").await.text.contains("@ada"));
    }

    async fn a_form_that_is_sent_twice_has_one_effect(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/").await.form("/compose").with("content", "only once");
        let first = browser.send(&form).await;
        let second = browser.send(&form).await;
        assert_eq!(first.to(), second.to());
        let posts = app.anonymous.feed().global().await.unwrap().posts;
        assert_eq!(posts.len(), 1);

        let other = browser.send(&form.with("content", "something else")).await;
        assert_eq!(other.status, StatusCode::CONFLICT);
        assert!(other.text.contains("already submitted"), "{}", other.text);
        assert_eq!(other.form("/compose").value("content"), "something else");
    }

    async fn a_deletion_that_is_sent_twice_ends_as_if_it_was_sent_once(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let post = ada.post("gone soon").await.id;
        let list = ada.client.lists().create("mine").await.unwrap().list.id;
        let letter = ada.write(&bob, "gone too").await;
        let room = ada.client.channels().create("the-room").await.unwrap().channel.id;
        let message = ada.client.channels().post(&room, "and this").await.unwrap().message.message_id;
        let browser = Browser::of(&app, "ada").await;
        for path in [
            format!("/post/{post}/delete"),
            format!("/lists/{list}/delete"),
            format!("/messages/{}/delete/{}", letter.conversation_id, letter.message_id),
            format!("/channels/{room}/messages/{message}/delete"),
            format!("/channels/{room}/delete"),
        ] {
            let form = browser.get(&path).await.form(&path);
            let first = browser.send(&form).await;
            let second = browser.send(&form).await;
            assert_eq!(first.to(), second.to(), "{path}");
            assert_eq!(browser.post(&path, &[]).await.status, StatusCode::NOT_FOUND, "{path}");
        }
    }

    async fn a_button_for_what_is_gone_by_now_leads_back_to_its_list(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let key = ada.client.keys().create("named", [Scope::Read]).await.unwrap().key.key_id;
        // That of the registration.
        let other = ada.client.sessions().list().await.unwrap().sessions.remove(0).session_id;
        let browser = Browser::of(&app, "ada").await;
        let list = "/settings/security";
        for (path, says) in [
            (format!("{list}/keys/{key}/delete"), "The API key has ended."),
            (format!("{list}/sessions/{other}/delete"), "Session ended."),
        ] {
            assert!(browser.get(list).await.text.contains(&path), "{path}");
            assert_eq!(browser.post(&path, &[]).await.to(), list);
            assert_eq!(browser.get(list).await.html().of_class("flash"), [says]);
            assert_eq!(browser.post(&path, &[]).await.to(), list, "{path}");
            let page = browser.get(list).await;
            assert_eq!(page.html().of_class("flash"), [""; 0], "nothing was done");
            assert!(!page.text.contains(&path), "{}", page.text);
        }
    }

    async fn a_refusal_is_explained_next_to_the_input(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        ada.post("the slot is taken").await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/compose").await.form("/compose");
        let form = form.with("content", "too early\r\nby far").with("replyPolicy", "mentioned");
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(page.headers.contains_key("retry-after"));
        assert!(page.text.contains("Try again in 30 minutes."), "{}", page.text);
        let again = page.form("/compose");
        assert_eq!(again.value("content"), "too early\nby far");
        assert_eq!(again.value("replyPolicy"), "mentioned");
        app.advance(3600);
        let page = browser.send(&again).await;
        let posts = app.anonymous.feed().global().await.unwrap().posts;
        let post = posts.iter().find(|post| post.content.contains("early")).unwrap();
        assert_eq!(page.to(), format!("/post/{}", post.id));
        assert_eq!(post.content, "too early\nby far", "lines end as they were typed");
    }

    async fn a_form_for_a_deleted_post_reports_it_and_keeps_the_input(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        let post = ada.post("soon gone").await;
        let browser = Browser::of(&app, &bob.user.username).await;
        let path = format!("/post/{}", post.id);
        let form = browser.get(&path).await.form(&path).with("content", "a long & careful answer");
        ada.client.posts().delete(&post.id).await.unwrap();
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND);
        let kept = page.html();
        assert_eq!(kept.named("textarea")[0].text.trim(), "a long & careful answer");
    }

    async fn a_form_acts_on_what_its_address_names(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("named by the address").await;
        let other = ada.reply(&post, "named by a field").await;
        let browser = Browser::of(&app, "ada").await;
        let mark = format!("/post/{}/bookmark", post.id);
        let page = browser.post(&mark, &[("postId", other.id.as_str())]).await;
        assert_eq!(page.to(), format!("/#{}", post.id));
        let marked = ada.client.reactions().bookmarks().await.unwrap().posts;
        assert_eq!(marked.iter().map(|post| &post.id).collect::<Vec<_>>(), [&post.id]);
        let path = format!("/post/{}/edit", post.id);
        let form = browser.get(&path).await.form(&path).with("content", "edited");
        let page = browser.send(&form.with("postId", other.id.as_str())).await;
        assert_eq!(page.to(), format!("/post/{}", post.id));
        for (post, content) in [(&post, "edited"), (&other, "named by a field")] {
            assert_eq!(ada.client.posts().get(&post.id).await.unwrap().post.content, content);
        }
    }

    async fn forms_of_other_sites_do_nothing(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let anonymous = Browser::new(&app);
        let fields = [("content", "not mine"), ("username", "ada"), ("password", PASSWORD)];
        for path in ["/compose", "/login", "/join", "/logout"] {
            for (browser, header, value) in [
                (&browser, SEC_FETCH_SITE, "cross-site"),
                (&browser, SEC_FETCH_SITE, "same-site"),
                (&anonymous, SEC_FETCH_SITE, "cross-site"),
                (&anonymous, ORIGIN, "https://evil.example"),
                (&anonymous, ORIGIN, "null"),
            ] {
                let request = browser.request(Method::POST, path).header(header, value);
                let page = browser.answer(typed(request, &fields)).await;
                assert_eq!(page.status, StatusCode::FORBIDDEN, "{path}: {}", page.text);
                assert!(!page.headers.contains_key("set-cookie"), "{path} {value}");
            }
            let request = browser.request(Method::POST, path);
            assert_eq!(browser.answer(typed(request, &fields)).await.status, StatusCode::FORBIDDEN);
        }
        assert!(app.anonymous.feed().global().await.unwrap().posts.is_empty());
        let own = format!("http://{}", app.server.url().split('/').nth(2).unwrap());
        let request = browser.request(Method::POST, "/compose").header(ORIGIN, own);
        browser.answer(typed(request, &fields)).await.to();
    }

    async fn a_body_that_is_no_form_is_refused(app: TestApp) {
        let browser = Browser::new(&app);
        let request = browser.request(Method::POST, "/login").header(SEC_FETCH_SITE, "same-origin");
        let request = request.header("content-type", "application/json").body("{}");
        assert_eq!(browser.answer(request).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
        let long = "a".repeat(1 << 21);
        let page = browser.post("/login", &[("username", &long)]).await;
        assert_eq!(page.status, StatusCode::PAYLOAD_TOO_LARGE);
        let page = browser.post("/login", &vec![("a", "b"); 1_001]).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        assert!(page.text.contains("1,000 fields"), "{}", page.text);
    }

    async fn each_wrong_field_has_its_own_message_and_a_link_to_it(app: TestApp) {
        let browser = Browser::new(&app);
        let form = browser.get("/join").await.form("/join").with("displayName", "Ada");
        let form = form.with("username", "1?").with("email", "nowhere").with("password", "short");
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        let html = page.html();
        assert!(html.of_class("wrong")[0].starts_with("3 fields need a change."), "{:?}", html.of_class("wrong"));
        for name in ["username", "email", "password"] {
            assert!(page.text.contains(&format!("href=\"#field-{name}\"")), "{name}: {}", page.text);
            let field = html.0.iter().find(|one| one.attributes.get("id").is_some_and(|id| *id == format!("field-{name}")));
            assert_eq!(field.unwrap().attributes["name"], name);
        }
        let problems = html.of_class("problem");
        let begin = |name: &str| problems.iter().filter(|problem| problem.starts_with(name)).count();
        assert_eq!([problems.len(), begin("username"), begin("email"), begin("password")], [3, 1, 1, 1]);
        for problem in problems {
            assert_eq!(page.text.matches(problem).count(), 2, "in the summary and at the field: {problem}");
        }
        assert_eq!(page.form("/join").value("displayName"), "Ada");
        // In the order of the page; what is missing is found last.
        let form = form.with("username", "").with("displayName", &"x".repeat(65));
        let page = browser.send(&form.with("email", "nowhere").with("password", "short")).await;
        let named = |begin: &str| -> Vec<String> {
            let rest = page.text.split(begin).skip(1);
            rest.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
        };
        let in_form = named(" id=\"field-");
        assert_eq!(in_form.len(), 4, "{in_form:?}");
        assert_eq!(named("href=\"#field-"), in_form);
        let empty = browser.send(&browser.get("/join").await.form("/join")).await;
        assert_eq!(empty.html().of_class("problem").len(), 1, "{}", empty.text);
    }
}
