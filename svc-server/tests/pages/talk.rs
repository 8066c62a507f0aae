//! Conversations and channels.

use http::StatusCode;
use serde_json::json;
use svc_client::types::ServiceResponse;
use svc_client::types::service_message::ResponseStatus;

use crate::browser::{Browser, PASSWORD};
use crate::html::{Element, Html};
use crate::market::{object, offer, order, response};
use crate::on_both_engines;

/// The states shown for orders and answers.
fn states(page: &Html) -> Vec<String> {
    let is_state = |one: &&Element| {
        one.attributes.get("class").is_some_and(|class| class.starts_with("state "))
    };
    page.0.iter().filter(is_state).map(|one| one.text.clone()).collect()
}

/// How many messages are unread by the menu, and by the list, which has one conversation.
async fn unread(browser: &Browser<'_>) -> [String; 2] {
    let html = browser.get("/messages").await.html();
    let is = |one: &Element, name: &str, value: &str| {
        one.attributes.get(name).is_some_and(|own| own == value)
    };
    let in_menu = html.0.iter().find(|one| is(one, "id", "unread-mail"));
    // On a phone: at "More", and at the entry behind it.
    for id in ["unread-more", "more-mail"] {
        let on_phone = html.0.iter().find(|one| is(one, "id", id));
        assert_eq!(on_phone.map(|one| &one.text), in_menu.map(|one| &one.text), "{id}");
    }
    let mut row = html.0.iter().skip_while(|one| one.name != "article");
    let in_list = row.find(|one| is(one, "class", "count"));
    [in_menu, in_list].map(|one| one.map_or_else(String::new, |one| one.text.trim().to_owned()))
}

on_both_engines! {
    async fn people_write_read_mute_and_delete(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.person("bob", PASSWORD).await;
        app.follow(&bob, &ada).await;
        let [of_ada, of_bob] = [Browser::of(&app, "ada").await, Browser::of(&app, "bob").await];
        let form = of_ada.get("/messages?recipientUsername=bob").await.form("/messages");
        assert_eq!(form.value("recipientUsername"), "bob");
        let page = of_ada.send(&form.with("content", "hello <bob>")).await;
        let (path, id) = page.to().split_once('#').unwrap();
        assert!(of_ada.get(path).await.text.contains("hello &lt;bob&gt;"));

        let list = of_bob.get("/messages").await;
        assert!(list.html().of_class("count").iter().any(|count| count.trim() == "1"), "{}", list.text);
        let opened = of_bob.get(path).await;
        assert!(opened.text.contains("Mark as read"));
        let read = of_bob.post(&format!("{path}/read"), &[("lastReadMessageId", id)]).await;
        assert_eq!(read.to(), path);
        assert!(!of_bob.get(path).await.text.contains("Mark as read"));
        assert!(of_ada.get(path).await.text.contains("· read"), "who wrote sees that it is read");

        let form = opened.form(path).with("content", "hello ada");
        let answered = of_bob.send(&form).await;
        assert_eq!(answered.to(), of_bob.send(&form).await.to(), "twice is once");
        let received = ada.client.messages().list().await.unwrap().messages;
        assert_eq!(received.len(), 2);

        assert_eq!(of_ada.post(&format!("{path}/mute"), &[]).await.to(), path);
        assert!(of_ada.get("/messages").await.text.contains("muted"));
        let muted = of_ada.get(path).await;
        assert!(muted.text.contains(&format!("formaction=\"{path}/unmute\"")), "{}", muted.text);
        assert_eq!(of_ada.post(&format!("{path}/unmute"), &[]).await.to(), path);

        let delete = format!("{path}/delete/{id}");
        let asked = of_ada.get(&delete).await;
        assert!(asked.text.contains("The other party keeps it"));
        assert_eq!(of_ada.send(&asked.form(&delete)).await.to(), path);
        assert!(!of_ada.get(path).await.text.contains("hello &lt;bob&gt;"));
        assert!(of_bob.get(path).await.text.contains("hello &lt;bob&gt;"));
    }

    async fn a_conversation_with_an_account_that_is_gone_has_no_form(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        app.follow(&ada, &bob).await;
        app.follow(&ada, &eve).await;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/messages/{}", bob.write(&ada, "from bob").await.conversation_id);
        let suspended = format!("/messages/{}", eve.write(&ada, "from eve").await.conversation_id);
        let written = browser.get(&path).await.form(&path).with("content", "are you there?");
        bob.client.users().delete_me("bob").await.unwrap();
        app.suspend("eve").await;
        for (path, name) in [(&path, "bob"), (&suspended, "eve")] {
            let page = browser.get(path).await;
            let says = format!("You can&#39;t write to @{name}: the account was deleted or suspended.");
            assert!(page.text.contains(&says) && page.text.contains(&format!("from {name}")), "{}", page.text);
            for part in [&*format!("action=\"{path}\""), ">Profile</a>"] {
                assert!(!page.text.contains(part), "{part}: {}", page.text);
            }
        }
        let late = browser.send(&written).await;
        assert_eq!(late.status, StatusCode::NOT_FOUND);
        assert_eq!(late.form(&path).value("content"), "are you there?", "what was typed is not lost");
    }

    async fn a_row_of_the_list_is_one_link(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.person("bob", PASSWORD).await;
        app.follow(&ada, &bob).await;
        let message = bob.client.messages().send("ada", "coming?").await.unwrap().message;
        let html = Browser::of(&app, "ada").await.get("/messages").await.html();
        let row = html.0.iter().skip_while(|one| one.name != "article");
        let links: Vec<_> = row.take_while(|one| one.name != "footer").filter(|one| one.name == "a").collect();
        let [link] = links[..] else { panic!("one link: {links:?}") };
        assert_eq!(link.attributes["href"], format!("/messages/{}#write", message.conversation_id));
        for part in ["@bob", "just now", "coming?"] {
            assert!(link.text.contains(part), "{part}: {}", link.text);
        }
    }

    async fn the_list_is_beside_the_open_conversation(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [bob, eve] = [app.person("bob", PASSWORD).await, app.person("eve", PASSWORD).await];
        app.follow(&ada, &bob).await;
        app.follow(&ada, &eve).await;
        let of_bob = bob.write(&ada, "from bob").await;
        let of_eve = eve.write(&ada, "from eve").await;
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get(&format!("/messages/{}", of_bob.conversation_id)).await;
        let html = page.html();
        let links: Vec<_> = html.named("a").into_iter().filter(|a| a.attributes["href"].ends_with("#write")).collect();
        let places: Vec<_> = links.iter().map(|a| a.attributes["href"].as_str()).collect();
        let place = |id: &svc_client::types::ConversationId| format!("/messages/{id}#write");
        assert_eq!(places, [place(&of_eve.conversation_id), place(&of_bob.conversation_id)]);
        let is_open: Vec<_> = links.iter().map(|a| a.attributes.contains_key("aria-current")).collect();
        assert_eq!(is_open, [false, true]);
        assert!(links[0].text.contains("from eve"), "{}", links[0].text);
    }

    async fn a_reply_marks_what_was_shown_as_read_and_nothing_else(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.person("bob", PASSWORD).await;
        app.follow(&ada, &bob).await;
        let sent = bob.write(&ada, "one").await;
        bob.write(&ada, "two").await;
        let browser = Browser::of(&app, "ada").await;
        assert_eq!(unread(&browser).await, ["2", "2"]);
        let path = format!("/messages/{}", sent.conversation_id);
        let form = browser.get(&path).await.form(&path).with("content", "yes");
        let meanwhile = bob.write(&ada, "three").await;
        assert_eq!(unread(&browser).await, ["3", "3"]);
        let there = browser.send(&form).await.to().to_owned();
        assert!(there.starts_with(&format!("{path}#")), "{there}");
        assert_eq!(unread(&browser).await, ["1", "1"], "it came in after the page was shown");
        ada.write(&bob, "by a program").await;
        assert_eq!(unread(&browser).await, ["1", "1"], "a program marks what it reads itself");
        let form = browser.get(&path).await.form(&path);
        assert!(form.value("lastReadMessageId") > meanwhile.message_id.as_str());
        browser.send(&form.with("content", "and yes")).await.to();
        assert_eq!(unread(&browser).await, ["", ""]);
        let form = browser.get(&path).await.form(&path).with("lastReadMessageId", "msg_none");
        browser.send(&form.with("content", "what was read may be gone")).await.to();
        let refused = browser.send(&browser.get(&path).await.form(&path).with("content", "")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    }

    async fn a_reply_on_an_earlier_page_leaves_later_messages_unread(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.person("bob", PASSWORD).await;
        app.follow(&ada, &bob).await;
        let first = bob.write(&ada, "one").await;
        for later in ["two", "three"] {
            bob.write(&ada, later).await;
        }
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/messages/{}", first.conversation_id);
        let html = browser.get(&format!("{path}?limit=2")).await.html();
        let links = html.named("a").into_iter().map(|a| a.attributes["href"].as_str());
        let [earlier] = links.filter(|to| to.contains("cursor=")).collect::<Vec<_>>()[..] else { panic!("one link") };
        let form = browser.get(earlier).await.form(&path);
        assert_eq!(form.value("lastReadMessageId"), first.message_id.as_str());
        browser.send(&form.with("content", "yes")).await.to();
        assert_eq!(unread(&browser).await, ["2", "2"]);
    }

    async fn a_conversation_with_a_blocked_account_offers_to_unblock_it(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let path = format!("/messages/{}", bob.write(&ada, "buy this").await.conversation_id);
        let browser = Browser::of(&app, "ada").await;
        let written = browser.get(&path).await.form(&path).with("content", "no");
        ada.client.relations().block("bob").await.unwrap();
        let page = browser.get(&path).await;
        let says = |part: &str| page.text.contains(part);
        assert!(says("You block @bob") && says("/@bob/unblock") && says("buy this"), "{}", page.text);
        assert!(!says(&format!("action=\"{path}\"")) && !says("Accept request"), "{}", page.text);
        let late = browser.send(&written).await;
        assert_eq!(late.status, StatusCode::FORBIDDEN);
        assert_eq!(late.form(&path).value("content"), "no", "what was typed is not lost");
        let unblock = [("back", &*path)];
        assert_eq!(browser.post("/@bob/unblock", &unblock).await.to(), path);
        assert!(browser.get(&path).await.text.contains(&format!("action=\"{path}\"")));
    }

    async fn what_strangers_begin_is_apart_until_it_is_accepted_or_declined(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        let of_bob = bob.client.messages().send("ada", "hello <ada>").await.unwrap().message;
        let of_eve = eve.client.messages().send("ada", "buy this").await.unwrap().message;
        let browser = Browser::of(&app, "ada").await;
        let [one, other] = [&of_bob, &of_eve].map(|sent| format!("/messages/{}", sent.conversation_id));
        let list = browser.get("/messages").await;
        assert!(!list.text.contains(&one) && list.text.contains("aria-label=\"2 unread\""), "{}", list.text);
        let requests = browser.get("/messages/requests").await;
        assert!(requests.text.contains("hello &#60;ada&#62;") && requests.text.contains("buy this"));
        let opened = browser.get(&one).await;
        assert!(opened.text.contains("You neither follow @bob"), "{}", opened.text);
        assert!(opened.html().0.iter().any(|it| it.attributes.get("formaction") == Some(&format!("{one}/accept"))));

        assert_eq!(browser.post(&format!("{one}/accept"), &[]).await.to(), one);
        assert!(browser.get("/messages").await.text.contains(&one));
        assert!(!browser.get(&one).await.text.contains("You neither follow"));
        assert_eq!(browser.post(&format!("{other}/decline"), &[]).await.to(), "/messages/requests");
        let requests = browser.get("/messages/requests").await;
        assert!(requests.text.contains("No requests") && requests.text.contains("The sender is not notified"));
        assert!(!browser.get("/messages").await.text.contains(&other));
        ada.client.messages().send("eve", "what was it?").await.unwrap();
        assert!(browser.get("/messages").await.text.contains(&other), "an answer accepts");
    }

    async fn an_unsendable_message_is_explained_and_kept(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/messages").await.form("/messages");
        let page = browser.send(&form.with("recipientUsername", "nobody_here").with("content", "are you there")).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND);
        let again = page.form("/messages");
        assert_eq!((again.value("recipientUsername"), again.value("content")), ("nobody_here", "are you there"));
    }

    async fn orders_and_answers_are_cards(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = offer(&bob, "count words", 5).await;
        let mut asked = order(&service, 5);
        asked.input = object(json!({ "text": "one <two>", "deep": { "a": [1] } }));
        let sent = ada.client.messages().request_service("bob", asked).await.unwrap().message;
        let answer = ServiceResponse {
            output: Some(object(json!({ "count": 2 }))),
            ..response(&sent.message_id, ResponseStatus::Completed)
        };
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/messages/{}", sent.conversation_id);
        let page = browser.get(&path).await;
        assert!(states(&page.html())[0].contains("In progress"), "{}", page.text);
        bob.client.messages().respond_to("ada", answer).await.unwrap();
        let page = browser.get(&path).await;
        let html = page.html();
        let states = states(&html);
        assert!(states[0].contains("Completed") && states[1].contains("Delivered"), "{states:?}");
        assert!(page.text.contains("one &lt;two&gt;"));
        assert!(!page.text.contains("service.request"), "it is no JSON");
        let names: Vec<_> = html.named("dt").iter().map(|one| one.text.clone()).collect();
        for name in ["text", "deep", "count"] {
            assert!(names.iter().any(|one| one == name), "{names:?}");
        }
    }

    async fn a_channel_is_created_joined_used_and_left(app: TestApp) {
        app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let [of_ada, of_bob] = [Browser::of(&app, "ada").await, Browser::of(&app, "bob").await];
        let form = of_ada.get("/channels").await.form("/channels").with("name", "No Name");
        let wrong = of_ada.send(&form.with("title", "The <best> room")).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
        let again = wrong.form("/channels");
        assert_eq!(again.value("title"), "The <best> room");
        let page = of_ada.send(&again.with("name", "the-room")).await;
        let path = page.to().to_owned();
        let written = of_ada.send(&of_ada.get(&path).await.form(&path).with("content", "first & only")).await;
        assert!(written.to().starts_with(&format!("{path}#")));
        let id = written.to().split_once('#').unwrap().1.to_owned();

        let anonymous = Browser::new(&app).get(&path).await;
        assert!(anonymous.text.contains("first &amp; only") && anonymous.text.contains("Sign in"));
        assert!(of_bob.get("/channels?q=the").await.text.contains("#the-room"));
        assert!(of_bob.get(&path).await.text.contains("Join to write here"));
        assert_eq!(of_bob.post(&format!("{path}/join"), &[]).await.to(), path);
        let page = of_bob.get(&path).await;
        assert!(page.text.contains("You joined the channel."));
        of_bob.send(&page.form(&path).with("content", "second")).await.to();
        assert!(of_ada.get("/channels?mine=true").await.text.contains("1 unread"));
        let read = of_ada.get(&path).await;
        assert!(read.text.contains("Mark as read"));
        let delete = format!("{path}/messages/{id}/delete");
        for foreign in [of_bob.get(&delete).await, of_bob.post(&delete, &[]).await] {
            assert_eq!(foreign.status, StatusCode::FORBIDDEN);
        }
        assert!(read.text.contains(&format!("href=\"{delete}\"")), "{}", read.text);
        let asked = of_ada.get(&delete).await;
        for part in ["Delete this message?", "first &amp; only"] {
            assert!(asked.text.contains(part), "{part}: {}", asked.text);
        }
        assert_eq!(of_ada.send(&asked.form(&delete)).await.to(), path);
        assert!(of_ada.get(&path).await.text.contains("Message deleted for all members."));
        assert!(!of_bob.get(&path).await.text.contains("first &amp; only"));

        let [leave, delete] = ["leave", "delete"].map(|act| format!("{path}/{act}"));
        let foreign = of_bob.get(&delete).await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN, "a member does not delete it");
        assert!(!foreign.text.contains("Delete #the-room?"), "{}", foreign.text);
        assert_eq!(of_bob.post(&delete, &[]).await.status, StatusCode::FORBIDDEN);
        assert_eq!(of_bob.send(&of_bob.get(&leave).await.form(&leave)).await.to(), "/channels");
        assert_eq!(of_bob.get(&leave).await.to(), path, "who has left is asked nothing");
        for own in [of_ada.get(&leave).await, of_ada.post(&leave, &[]).await] {
            assert_eq!(own.status, StatusCode::CONFLICT, "an owner deletes");
        }
        assert_eq!(of_ada.send(&of_ada.get(&delete).await.form(&delete)).await.to(), "/channels");
        assert_eq!(of_ada.get(&path).await.status, StatusCode::NOT_FOUND);
    }

    async fn the_owner_of_a_channel_adds_and_removes_members_on_its_page(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let [of_ada, of_bob] = [Browser::of(&app, "ada").await, Browser::of(&app, "bob").await];
        let form = of_ada.get("/channels").await.form("/channels").with("name", "the-room");
        let path = of_ada.send(&form.with("visibility", "private")).await.to().to_owned();
        let members = format!("{path}/members");
        assert!(of_ada.get(&path).await.text.contains(&members), "the channel leads there");
        assert_eq!(of_bob.get(&members).await.status, StatusCode::NOT_FOUND);
        let form = of_ada.get(&members).await.form(&members);
        let nobody = of_ada.send(&form.clone().with("usernames", "nobody_here")).await;
        assert_eq!(nobody.form(&members).value("usernames"), "nobody_here");
        assert_eq!(of_ada.send(&form.with("usernames", "@bob ")).await.to(), members);
        let remove = format!("{members}/bob/remove");
        assert!(of_ada.get(&members).await.text.contains(&remove));
        let seen = of_bob.get(&members).await;
        assert!(seen.text.contains("@ada") && !seen.text.contains("/remove"), "{}", seen.text);
        assert_eq!(of_bob.post(&remove, &[]).await.status, StatusCode::FORBIDDEN);
        assert_eq!(of_ada.post(&remove, &[]).await.to(), members);
        assert_eq!(of_bob.get(&path).await.status, StatusCode::NOT_FOUND);
        let channels = ada.client.channels().list().mine(true).await.unwrap().channels;
        assert_eq!(channels[0].members_count, 1);
    }

    async fn the_owner_of_a_channel_changes_it_on_its_page(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let [of_ada, of_bob] = [Browser::of(&app, "ada").await, Browser::of(&app, "bob").await];
        let form = of_ada.get("/channels").await.form("/channels").with("name", "the-room");
        let path = of_ada.send(&form.with("title", "The room")).await.to().to_owned();
        let edit = format!("{path}/edit");
        assert!(of_ada.get(&path).await.text.contains(&edit), "the channel leads there");
        assert!(!of_bob.get(&path).await.text.contains(&edit));
        assert_eq!(of_bob.get(&edit).await.status, StatusCode::FORBIDDEN);
        let form = of_ada.get(&edit).await.form(&edit);
        assert_eq!((form.value("title"), form.value("postPolicy")), ("The room", "members"));
        let old = form.clone();
        let changed = form.with("description", "news <only>").with("postPolicy", "owner");
        assert_eq!(of_ada.send(&changed).await.to(), path);
        assert_eq!(of_ada.send(&old.with("title", "")).await.to(), path);
        let channel = ada.client.channels().list().mine(true).await.unwrap().channels.remove(0);
        assert_eq!(channel.title, None, "an empty text removes it");
        assert_eq!(channel.description.as_deref(), Some("news <only>"), "an old page leaves it alone");
        assert_eq!(channel.post_policy.as_str(), "owner");
        let long = of_ada.get(&edit).await.form(&edit).with("title", &"x".repeat(101));
        let refused = of_ada.send(&long.with("description", "kept")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert_eq!(refused.form(&edit).value("description"), "kept");
    }

    async fn a_notification_of_a_message_leads_to_it(app: TestApp) {
        let [ada, eve] = [app.person("ada", PASSWORD).await, app.person("eve", PASSWORD).await];
        let sent = eve.write(&ada, "from a stranger").await;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/messages/{}", sent.conversation_id);
        let page = browser.get("/notifications").await;
        let link = format!("href=\"{path}#{}\"", sent.message_id);
        assert!(page.text.contains(&link), "{link}: {}", page.text);
        assert!(browser.get(&path).await.text.contains("from a stranger"));
        ada.client.messages().delete(&sent.message_id).await.unwrap();
        let page = browser.get("/notifications").await;
        assert!(!page.text.contains(&link), "it is gone: {}", page.text);
    }

    async fn a_notification_by_an_account_that_is_gone_says_so(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        bob.write(&ada, "from bob").await;
        eve.client.relations().follow("ada").await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let says = async |text: &str| {
            let page = browser.get("/notifications").await;
            page.html().of_class("by").iter().filter(|by| by.contains(text)).count()
        };
        assert_eq!(says("A deleted or suspended account").await, 0);
        bob.client.users().delete_me("bob").await.unwrap();
        app.suspend("eve").await;
        assert_eq!(says("A deleted or suspended account").await, 2);
        app.unsuspend("eve").await;
        assert_eq!(says("@eve").await, 1);
    }
}
