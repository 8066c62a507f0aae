//! Search: who sees what, how it is narrowed, and how it keeps up with what changes.

use svc_client::types::api::search::{FoundService, Search, SearchType};
use svc_client::types::api::users::User;
use svc_client::types::{Code, Span, Timestamp};
use svc_client::{Call, Client};
use svc_server::testing::{Engine, START};
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, fault};
use crate::held::{Held, waiting};
use crate::on_both_engines;

type Found = Vec<String>;

/// Texts of all posts that are found, page by page.
async fn texts(call: Call<Search>) -> Found {
    let mut texts = Vec::new();
    let mut next = Some(call.clone());
    while let Some(page) = next {
        let found = page.await.unwrap();
        texts.extend(found.posts.unwrap().into_iter().map(|post| post.content));
        next = found.next_cursor.map(|cursor| call.clone().after(cursor));
    }
    texts
}

async fn users(client: &Client, q: &str) -> Vec<User> {
    client.search().users(q).await.unwrap().users.unwrap()
}

async fn names(client: &Client, q: &str) -> Vec<String> {
    users(client, q).await.into_iter().map(|user| user.username).collect()
}

async fn services(client: &Client, q: &str) -> Vec<FoundService> {
    client.search().services(q).await.unwrap().services.unwrap()
}

/// Top-level posts of one account, half an hour apart.
async fn posts(app: &TestApp, member: &Member, texts: &[&str]) {
    for text in texts {
        member.post(text).await;
        app.advance(1800);
    }
}

on_both_engines! {
    async fn large_texts_are_indexed_one_by_one_so_that_no_other_write_waits_long(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("a short post").await;
        app.server.index().await;
        for _ in 0..5 {
            ada.client.posts().reply(&post.id, "é".repeat(10_000)).await.unwrap();
        }
        let groups = app.server.app().db.groups();
        groups.watch();
        app.server.index().await;
        let writes = groups.take().into_iter().filter(|group| group.kind == "write").count();
        assert!(writes >= 5, "{writes} transactions for five texts of 20 KB");
    }

    async fn posts_are_found_once_indexed(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("a first draft").await;
        assert_eq!(texts(ada.client.search().posts("draft")).await, Found::new());
        app.index().await;
        assert_eq!(texts(ada.client.search().posts("draft")).await, ["a first draft"]);
        ada.client.posts().edit(&post.id).content("a final text").await.unwrap();
        app.index().await;
        assert_eq!(texts(ada.client.search().posts("draft")).await, Found::new());
        assert_eq!(texts(ada.client.search().posts("final")).await, ["a final text"]);
        ada.client.posts().delete(&post.id).await.unwrap();
        assert_eq!(texts(ada.client.search().posts("final")).await, Found::new());
        app.index().await;
        for table in [sql!("select count(*) from search_doc where id like 'post%'"),
            sql!("select count(*) from search_queue")] {
            assert_eq!(app.count(table).await, 0);
        }
    }

    async fn only_visible_posts_are_found(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let top = ada.post("ada said word").await;
        bob.reply(&top, "bob said word").await;
        let hidden = eve.reply(&top, "eve said word").await;
        app.index().await;
        let word = |client: &Client| texts(client.search().posts("word"));
        let all = ["eve said word", "bob said word", "ada said word"];
        assert_eq!(word(&app.anonymous).await, all);
        app.hide(&hidden).await;
        assert_eq!(word(&app.anonymous).await, all[1..]);
        app.limit(&bob).await;
        assert_eq!(word(&app.anonymous).await, all[2..]);
        app.suspend("ada").await;
        assert_eq!(word(&app.anonymous).await, Found::new());
    }

    async fn muted_and_blocked_accounts_are_omitted(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let top = ada.post("ada word").await;
        bob.reply(&top, "bob word").await;
        app.index().await;
        ada.client.relations().mute("bob").expires_in(Span::from_secs(60)).await.unwrap();
        assert_eq!(texts(ada.client.search().posts("word")).await, ["ada word"]);
        app.advance(60);
        assert_eq!(texts(ada.client.search().posts("word")).await, ["bob word", "ada word"], "the mute ended");
        ada.client.relations().mute("bob").await.unwrap();
        assert_eq!(texts(ada.client.search().posts("word")).await, ["ada word"]);
        ada.client.relations().block("eve").await.unwrap();
        assert_eq!(texts(eve.client.search().posts("word")).await, ["bob word"]);
        eve.client.relations().block("bob").await.unwrap();
        assert_eq!(texts(eve.client.search().posts("word")).await, Found::new());
    }

    async fn pages_are_full_despite_skipped_posts(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let top = ada.post("word 0").await;
        for number in 1..60 {
            let writer = if number % 3 == 0 { &ada } else { &bob };
            writer.reply(&top, &format!("word {number}")).await;
        }
        app.limit(&bob).await;
        app.index().await;
        let expected: Found = (0..60).rev().filter(|n| n % 3 == 0).map(|n| format!("word {n}")).collect();
        for limit in [1, 7, 20, 100] {
            let list = app.anonymous.search().posts("word").limit(limit);
            let first = list.clone().await.unwrap();
            let full = expected.len().min(limit as usize);
            assert_eq!(first.posts.unwrap().len(), full, "{limit}");
            assert_eq!(texts(list).await, expected, "{limit}");
        }
        let hits = all_items(app.anonymous.search().posts("word").limit(5)).await;
        assert_eq!(hits.len(), expected.len());
    }

    async fn a_page_without_visible_posts_still_has_a_cursor(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let top = ada.post("word seen").await;
        for _ in 0..220 {
            bob.reply(&top, "word unseen").await;
        }
        app.limit(&bob).await;
        app.index().await;
        let list = app.anonymous.search().posts("word").limit(1);
        let first = list.clone().await.unwrap();
        assert_eq!(first.posts, Some(vec![]), "only this many are examined");
        assert!(first.next_cursor.is_some());
        assert_eq!(texts(list).await, ["word seen"]);
    }

    async fn a_search_is_narrowed_by_author_hashtag_and_time(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        posts(&app, &ada, &["word one #x", "word two", "word three #X"]).await;
        posts(&app, &bob, &["word four #x"]).await;
        app.index().await;
        let search = || app.anonymous.search().posts("word");
        assert_eq!(texts(search().author("ADA")).await, ["word three #X", "word two", "word one #x"]);
        assert_eq!(texts(search().tag("#X")).await, ["word four #x", "word three #X", "word one #x"]);
        assert_eq!(texts(search().tag("x").author("ada").limit(1)).await, ["word three #X", "word one #x"]);
        let after = |seconds: i64| Timestamp::from_millis(START.as_millis() + seconds * 1000);
        assert_eq!(texts(search().since(after(3600))).await, ["word four #x", "word three #X"]);
        assert_eq!(texts(search().until(after(1800))).await, ["word one #x"]);
        let both = search().since(after(1800)).until(after(3600));
        assert_eq!(texts(both).await, ["word two"]);
        assert_eq!(texts(search().since(after(99_999))).await, Found::new());
        assert_eq!(texts(search().until(Timestamp::from_millis(0))).await, Found::new());
        let far = Timestamp::from_millis(253_402_000_000_000);
        assert_eq!(texts(search().until(far)).await.len(), 4);
        let unknown = fault::<Search>(search().author("nobody").await);
        assert_eq!(unknown, (Code::NotFound, "author".to_owned()));
        let wrong = fault::<Search>(search().tag("a b").await);
        assert_eq!(wrong, (Code::ValidationFailed, "tag".to_owned()));
    }

    async fn post_filters_are_refused_for_other_types(app: TestApp) {
        app.agent("ada").await;
        let search = app.anonymous.search();
        let narrowed = [
            ("author", search.users("x").author("ada")),
            ("tag", search.services("x").tag("y")),
            ("since", search.hashtags("x").since(START)),
            ("until", search.users("x").until(START)),
        ];
        for (field, call) in narrowed {
            let refused = fault::<Search>(call.await);
            assert_eq!(refused, (Code::ValidationFailed, field.to_owned()));
        }
        let other = search.posts("x").with(|request| request.kind = Some(SearchType::Other("all".into())));
        assert_eq!(fault::<Search>(other.await), (Code::ValidationFailed, "type".to_owned()));
    }

    async fn a_cursor_belongs_to_its_search(app: TestApp) {
        let ada = app.agent("ada").await;
        posts(&app, &ada, &["word one", "word two"]).await;
        app.index().await;
        let page = app.anonymous.search().posts("word").limit(1).await.unwrap();
        let cursor = page.next_cursor.unwrap();
        let other = app.anonymous.search().posts("one").limit(1).after(cursor).await.unwrap_err();
        assert_eq!(other.code(), Some(&Code::InvalidCursor));
    }

    async fn accounts_are_found_by_name_and_description(app: TestApp) {
        let [ada, bob, adam] = app.agents(["ada", "bob", "adam"]).await;
        bob.client.users().update_me().display_name("Ada's Bôt").bio("counts words").await.unwrap();
        app.index().await;
        assert_eq!(names(&app.anonymous, "ada").await, ["ada", "adam", "bob"], "the name itself is first");
        assert_eq!(names(&app.anonymous, "@Ada").await, ["ada", "adam", "bob"]);
        assert_eq!(names(&app.anonymous, "ad").await, ["adam", "bob", "ada"]);
        assert_eq!(names(&app.anonymous, "bot").await, ["bob"]);
        assert_eq!(names(&app.anonymous, "words counts").await, ["bob"]);
        let list = app.anonymous.search().users("ada").limit(1);
        assert_eq!(all_items(list).await.len(), 3);
        bob.client.users().update_me().bio("").await.unwrap();
        ada.post("words").await;
        app.index().await;
        assert_eq!(names(&app.anonymous, "words").await, Found::new());
        assert_eq!(users(&adam.client, "adam").await[0].viewer, None);
        assert!(users(&adam.client, "bob").await[0].viewer.is_some());
        app.suspend("ada").await;
        bob.client.users().delete_me("bob").await.unwrap();
        assert_eq!(names(&app.anonymous, "ada").await, ["adam"]);
        app.index().await;
        assert_eq!(names(&app.anonymous, "ada").await, ["adam"]);
    }

    async fn services_are_found_by_name_tags_and_description(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let offer = ada.client.services().create("Word Count", "Counts the words of a text.", 5);
        let count = offer.tags(vec!["Linguística".into()]).await.unwrap().service;
        bob.client.services().create("Translate", "Turns a text into another language.", 7).await.unwrap();
        app.index().await;
        let found = services(&app.anonymous, "linguistica").await;
        assert_eq!((&found[0].id, &*found[0].provider.username), (&count.id, "ada"));
        assert_eq!((&*found[0].name, found[0].price_credits), ("Word Count", 5.into()));
        let names: Vec<_> = services(&app.anonymous, "text").await.into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["Translate", "Word Count"]);
        ada.client.services().update(&count.id).name("Sum").active(false).await.unwrap();
        assert_eq!(services(&app.anonymous, "word").await, []);
        ada.client.services().update(&count.id).active(true).await.unwrap();
        app.index().await;
        assert_eq!(services(&app.anonymous, "sum").await.len(), 1);
        app.suspend("bob").await;
        assert_eq!(services(&app.anonymous, "text").await.len(), 1);
        ada.client.services().delete(&count.id).await.unwrap();
        app.index().await;
        assert_eq!(services(&app.anonymous, "text").await, []);
    }

    async fn quoted_words_follow_each_other_in_accounts_and_services_too(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.users().update_me().display_name("North Wind").bio("carries seeds of trees").await.unwrap();
        let offer = ada.client.services().create("Word Count", "Counts what a text has.", 5);
        offer.tags(vec!["plain text".into(), "short form".into()]).await.unwrap();
        app.index().await;
        for (q, expected) in [
            ("\"north wind\"", true),
            ("\"wind north\"", false),
            ("\"wind carries\"", false),
            ("\"of trees\" \"north wind\"", true),
        ] {
            assert_eq!(!names(&app.anonymous, q).await.is_empty(), expected, "{q}");
        }
        for (q, expected) in [
            ("\"word count\"", true),
            ("\"count word\"", false),
            ("\"plain text\" cou", true),
            ("\"text short\"", false),
        ] {
            assert_eq!(!services(&app.anonymous, q).await.is_empty(), expected, "{q}");
        }
    }

    async fn hashtags_are_found_by_prefix(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.post("#rust #rusty #Ruby #go").await;
        app.index().await;
        let names = async |q: &str| {
            let found = ada.client.search().hashtags(q).limit(2);
            let hashtags = found.await.unwrap().hashtags.unwrap();
            hashtags.into_iter().map(|hashtag| hashtag.name).collect::<Vec<_>>()
        };
        assert_eq!(names("RU").await, ["ruby", "rust"]);
        assert_eq!(names("#rust").await, ["rust", "rusty"]);
        assert_eq!(names("x").await, Found::new());
        assert_eq!(all_items(ada.client.search().hashtags("ru").limit(1)).await.len(), 3);
    }

    async fn an_existing_database_is_indexed_from_the_beginning(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("word 0").await;
        for number in 1..130 {
            ada.reply(&top, &format!("word {number}")).await;
        }
        app.index().await;
        // As after an update from a version that had no index.
        for script in [sql!("delete from search_doc"), sql!("insert into search_queue (id) select id from post")] {
            app.execute(move |ctx| ctx.tx.execute(script, values![])).await;
        }
        app.index().await;
        let found = texts(app.anonymous.search().posts("word").limit(100)).await;
        let expected: Found = (0..130).rev().map(|number| format!("word {number}")).collect();
        assert_eq!(found, expected);
    }
}

/// Takes the next number of a document as another node does that indexes a new text.
async fn numbered_elsewhere(app: &TestApp) -> Held {
    let number = sql!(
        "insert into search_doc (doc, id) select max(doc) + 1, 'post_elsewhere' from search_doc"
    );
    Held::by(app, move |ctx| ctx.tx.execute(number, &[])).await
}

/// On PostgreSQL, where nodes index at the same time.
#[tokio::test]
async fn an_edited_text_is_indexed_while_another_node_numbers_a_new_one() {
    let settings = [("database.connections", "4")];
    let Some(app) = TestApp::start_with(Engine::Postgres, &settings).await else { return };
    let ada = app.agent("ada").await;
    let post = ada.post("a first draft").await;
    app.index().await;
    let held = numbered_elsewhere(&app).await;
    ada.client.posts().edit(&post.id).content("a final text").await.unwrap();
    app.index().await;
    assert_eq!(texts(ada.client.search().posts("final")).await, ["a final text"]);
    held.release().await;
}

/// On PostgreSQL, where the node that has the number may need the hashtag next.
#[tokio::test]
async fn no_hashtag_is_locked_while_the_index_waits_for_the_number_of_a_text() {
    let settings = [("database.connections", "6")];
    let Some(app) = TestApp::start_with(Engine::Postgres, &settings).await else { return };
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    ada.post("first #tag").await;
    app.index().await;
    let held = numbered_elsewhere(&app).await;
    bob.post("second #tag").await;
    let unlocked = sql!(
        "select count(*) from (
            select name from hashtag where name = 'tag' for update skip locked) as unlocked"
    );
    let look = async {
        waiting(&app, 1).await;
        let found = app.server.app().write(move |ctx| ctx.tx.one::<i64>(unlocked, &[])).await;
        held.release().await;
        found.unwrap()
    };
    let ((), found) = tokio::join!(app.index(), look);
    assert_eq!(found, 1);
    assert_eq!(texts(ada.client.search().posts("second")).await, ["second #tag"]);
}

/// On SQLite, where a trigger is a fault of the database.
#[tokio::test]
async fn a_text_that_cannot_be_indexed_delays_no_other() {
    let app = TestApp::start_with(Engine::Sqlite, &[]).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    app.server.index().await;
    let [fail, mend] = [
        sql!(
            "create trigger fails before delete on search_queue
             when old.id in (select id from post where content = 'first')
             begin select raise(abort, 'a test'); end"
        ),
        sql!("drop trigger fails"),
    ];
    app.server.app().write(move |ctx| ctx.tx.execute(fail, &[])).await.unwrap();
    ada.post("first").await;
    bob.post("second #tag").await;
    app.server.index().await;
    assert_eq!(app.count(sql!("select count(*) from search_queue")).await, 1);
    assert_eq!(app.count(sql!("select posts_day from hashtag where name = 'tag'")).await, 1);
    app.server.app().write(move |ctx| ctx.tx.execute(mend, &[])).await.unwrap();
    app.server.index().await;
    assert_eq!(app.count(sql!("select count(*) from search_queue")).await, 0);
}
