//! Deleted accounts: hidden at once, erased later.

mod leaves;
mod log;
mod traces;

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::api::services::ServiceSample;
use svc_client::types::{Code, Rating};
use svc_core::audit;
use svc_core::services::erasure::{self, Gone};
use svc_core::services::idempotency;
use svc_core::tasks::erase;
use svc_server::admin::Command;
use svc_server::testing::{Engine, START, in_time, until};
use svc_store::{sql, values};

use self::traces::{MARK, columns, is_in_file, traces};
use crate::app::{Member, TestApp, lasting_database};
use crate::counts;
use crate::market;
use crate::on_both_engines;
use crate::raw::{answer, code_of};

/// An account with texts in every table, and its finished deals with bob.
pub(crate) async fn life(app: &TestApp, bob: &Member) -> Member {
    let ada = app.agent("ada").await;
    let profile =
        json!({ "bio": MARK, "displayName": MARK, "website": format!("https://{MARK}.example") });
    answer(ada.raw(app, Method::PATCH, "/users/me").json(&profile)).await.json();
    let post = json!({ "content": format!("{MARK} #{MARK}"), "contentWarning": MARK,
        "schema": MARK, "payload": { "a": MARK } });
    let post = answer(ada.raw(app, Method::POST, "/posts").json(&post)).await.json();
    let path = format!("/posts/{}", post["post"]["id"].as_str().unwrap());
    let edit = json!({ "content": format!("{MARK}, again") });
    answer(ada.raw(app, Method::PATCH, &path).json(&edit)).await.json();
    let theirs = bob.post("what do you think?").await;
    ada.reply(&theirs, &format!("{MARK}, @bob")).await;
    let message = json!({ "recipientUsername": "bob", "content": MARK, "clientMessageId": MARK,
        "schema": MARK, "payload": { "a": MARK } });
    answer(ada.raw(app, Method::POST, "/messages").json(&message)).await.json();
    let channel = bob.client.channels().create("room").await.unwrap().channel.id;
    ada.client.channels().join(&channel).await.unwrap();
    let said = ada.client.channels().post(&channel, MARK).await.unwrap().message.message_id;
    let said = Subject::channel_message(&said);
    bob.client.reports().create(said, ReportReason::Spam).await.unwrap();
    ada.client.lists().create(MARK).await.unwrap();
    let soon = app.server.clock().now().plus(Duration::from_hours(24));
    ada.client.scheduled_posts().create(MARK, soon).await.unwrap();
    let webhooks = ada.client.webhooks();
    let hook = webhooks.create(format!("https://{MARK}.example/hook")).await.unwrap().webhook.id;
    webhooks.recover(&hook, START).dry_run(true).await.unwrap();
    bob.write(&ada, "an answer").await;
    deals(&ada, bob).await;
    others(app, &ada, bob, post["post"]["id"].as_str().unwrap()).await;
    ada
}

/// What the account sold and bought: a dispute on either side, work that it accepted, and a cancelled escrow.
async fn deals(ada: &Member, bob: &Member) {
    let (of_ada, of_bob) = (ada.client.escrow(), bob.client.escrow());
    let schema = || market::object(json!({ "type": "object", "description": MARK }));
    let marked = || market::object(json!({ "a": MARK }));
    let offering = ada.client.services().create(MARK, MARK, 5).tags([MARK.into()]);
    let offering = offering.input_schema(schema()).output_schema(schema());
    let offering = offering.samples([ServiceSample::new(marked(), marked())]);
    let service = offering.await.unwrap().service.id;
    let sold = of_bob.create("ada", &service, 10, "a report").await.unwrap().escrow.id;
    of_ada.deliver(&sold, Deliverable::new(MARK)).notes(MARK).await.unwrap();
    of_bob.dispute(&sold, "it fails").evidence("a log").await.unwrap();
    of_ada.respond(&sold, MARK).evidence(MARK).await.unwrap();
    of_ada.refund(&sold).reason(MARK).await.unwrap();
    let offer = bob.client.services().create("count", "counts", 5).await.unwrap().service.id;
    let bought = of_ada.create("bob", &offer, 10, MARK).await.unwrap().escrow.id;
    of_bob.deliver(&bought, Deliverable::new("a sum")).await.unwrap();
    of_ada.dispute(&bought, MARK).evidence(MARK).await.unwrap();
    of_bob.respond(&bought, "it works").evidence("a proof").await.unwrap();
    of_bob.refund(&bought).reason("never mind").await.unwrap();
    let accepted = of_ada.create("bob", &offer, 10, MARK).await.unwrap().escrow.id;
    of_bob.deliver(&accepted, Deliverable::new("a sum")).await.unwrap();
    let four = Rating::from_half_steps(8).unwrap();
    of_ada.release(&accepted).rating(four).feedback(MARK).await.unwrap();
    let cancelled = of_ada.create("bob", &offer, 10, MARK).await.unwrap().escrow.id;
    of_ada.cancel(&cancelled).await.unwrap();
}

/// What others have of the account, and what only it sees of itself.
async fn others(app: &TestApp, ada: &Member, bob: &Member, post: &str) {
    let comment = json!({ "subject": { "type": "user", "id": bob.user.id }, "reason": "spam",
        "comment": MARK });
    answer(ada.raw(app, Method::POST, "/reports").json(&comment)).await.json();
    let report = json!({ "subject": { "type": "post", "id": post }, "reason": "spam" });
    answer(bob.raw(app, Method::POST, "/reports").json(&report)).await.json();
    let room = ada.client.channels().create("den").await.unwrap().channel.id;
    ada.client.channels().update(&room).title(MARK).description(MARK).await.unwrap();
    let message = json!({ "content": MARK, "clientMessageId": MARK, "schema": MARK,
        "payload": { "a": MARK } });
    let path = format!("/channels/{room}/messages");
    answer(ada.raw(app, Method::POST, &path).json(&message)).await.json();
    let app_of_ada = json!({ "appName": MARK, "website": format!("https://{MARK}.example"),
        "description": MARK });
    answer(ada.raw(app, Method::POST, "/v1/developers/register").json(&app_of_ada)).await.json();
    ada.client.export().create().await.unwrap();
    app.server.export().await;
    ada.client.hashtags().follow(MARK).await.unwrap();
    ada.client.reactions().mute_thread(post).await.unwrap();
    ada.client.relations().mute("bob").await.unwrap();
    bob.client.relations().mute("ada").await.unwrap();
    // The answer, stored for its key, shows the quoted text.
    let quote = json!({ "content": "look", "quoteOfId": post });
    let path = format!("/posts/{post}/replies");
    let quote = bob.raw(app, Method::POST, &path).json(&quote).header("Idempotency-Key", "quote");
    let quote = answer(quote).await;
    assert!(quote.text.contains(MARK));
    // So does a report of the quote.
    let cat = app.agent("cat").await;
    let report = json!({ "subject": { "type": "post", "id": quote.json()["post"]["id"] }, "reason": "spam" });
    answer(cat.raw(app, Method::POST, "/reports").json(&report)).await.json();
}

async fn delete(app: &TestApp, ada: &Member) {
    let request = ada.raw(app, Method::DELETE, "/users/me?confirm=ada");
    answer(request).await.json();
}

/// How many Idempotency-Keys of an account are stored.
async fn keys_of(app: &TestApp, member: &Member) -> i64 {
    let (from, to) = idempotency::range(member.user.id.as_str());
    let read = app.server.app().read(move |ctx| {
        let sql = sql!("select count(*) from idempotency where hash >= $1 and hash <= $2");
        ctx.tx.one(sql, values![from, to])
    });
    read.await.unwrap()
}

async fn assert_consistent(app: &TestApp) {
    let report = audit::now(app.server.app()).await.unwrap();
    assert!(report.holds(), "{report}");
}

on_both_engines! {
    async fn the_texts_of_a_deleted_account_are_erased_after_their_time(app: TestApp) {
        let bob = app.agent("bob").await;
        let ada = life(&app, &bob).await;
        app.index().await;
        delete(&app, &ada).await;
        app.server.erase().await;
        assert!(traces(&app).await.contains(&"post"), "it may still come back");
        assert!(keys_of(&app, &ada).await > 0);
        let mentions = sql!("select count(*) from post_mention");
        assert_eq!(app.count(mentions).await, 1);
        app.advance(14 * 24 * 3600);
        app.server.erase().await;
        app.index().await;
        assert_eq!(traces(&app).await, [""; 0]);
        assert_eq!(app.count(mentions).await, 0, "no mention is left either");
        assert_eq!(columns(&app).await.unwrap_or_default(), [""; 0]);
        assert_eq!(keys_of(&app, &ada).await, 0);
        assert_eq!(app.count(sql!("select count(*) from account where erased_at is not null")).await, 1);
        assert_consistent(&app).await;
        counts::are_right(&app).await;
        // Done once.
        app.server.erase().await;
        assert_eq!(app.count(sql!("select count(*) from audit_log where action = 'account_erased'")).await, 1);
    }

    async fn an_account_that_wrote_a_lot_is_erased_whole(app: TestApp) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        let top = bob.post("what do you think?").await;
        for _ in 0..10 {
            let call = ada.client.batch();
            let call = (0..21).fold(call, |call, _| call.reply(&top.id, MARK).message("bob", MARK));
            call.await.unwrap();
        }
        for sql in [
            sql!("select count(*) from post where content like '%quetzalcoatl%'"),
            sql!("select count(*) from message where content like '%quetzalcoatl%'"),
        ] {
            assert_eq!(app.count(sql).await, 210, "more than one step erases");
        }
        app.execute(|ctx| {
            let now = ctx.now();
            let sql = sql!("insert into idempotency (hash, fingerprint, created_at) values ($1, $1, $2)");
            let place = |n: i32| idempotency::place("usr_somebody", &n.to_string());
            (0..1_000).map(|n| ctx.tx.execute(sql, values![place(n), now])).sum()
        }).await;
        let reply = bob.client.posts().replies(&top.id).await.unwrap().posts.remove(0).id;
        let quote = json!({ "content": "look", "quoteOfId": reply });
        let path = format!("/posts/{}/replies", top.id);
        let quote = bob.raw(&app, Method::POST, &path).json(&quote).header("Idempotency-Key", "quote");
        assert!(answer(quote).await.text.contains(MARK));
        let shown = async || {
            let place = idempotency::place(bob.user.id.as_str(), "quote");
            let read = app.server.app().read(move |ctx| {
                let sql = sql!("select count(*) from idempotency where hash = $1 and body is not null");
                ctx.tx.one::<i64>(sql, values![place])
            });
            read.await.unwrap()
        };
        assert_eq!(shown().await, 1);
        delete(&app, &ada).await;
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;
        assert_eq!(traces(&app).await, [""; 0]);
        assert_eq!(columns(&app).await.unwrap_or_default(), [""; 0]);
        assert_eq!(shown().await, 0, "nor in the answer to the quote");
    }

    async fn an_erasure_ends_although_others_have_blocked_each_other(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        for (who, whom) in [(&ada, &bob), (&bob, &ada), (&bob, &cyd)] {
            app.block(who, whom).await;
        }
        delete(&app, &ada).await;
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        in_time("the account is erased", app.server.erase()).await;
        let left = sql!("select count(*) from block");
        assert_eq!(app.count(left).await, 1, "that of the others stays");
    }

    async fn a_dispute_keeps_only_the_words_of_the_other_side(app: TestApp) {
        let bob = app.agent("bob").await;
        let ada = life(&app, &bob).await;
        delete(&app, &ada).await;
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;
        let listed = answer(bob.raw(&app, Method::GET, "/v1/escrow")).await.json();
        let disputes = listed["escrows"].as_array().unwrap().iter().filter_map(|escrow| escrow.get("dispute"));
        let names = ["reason", "evidence", "response", "responseEvidence", "note"];
        let words: Vec<_> = disputes.map(|dispute| names.map(|name| dispute[name].clone())).collect();
        assert_eq!(words, [
            [json!(""), Value::Null, json!("it works"), json!("a proof"), json!("never mind")],
            [json!("it fails"), json!("a log"), json!(""), Value::Null, Value::Null],
        ]);
    }

    async fn an_operator_erases_a_deleted_account_at_once(app: TestApp) {
        let bob = app.agent("bob").await;
        let ada = life(&app, &bob).await;
        let erase = || Command::Erase { username: "ada".to_owned() };
        let asked = erase();
        let living = app.server.try_admin(&asked).await;
        assert!(living.unwrap_err().to_string().contains("not deleted"));
        delete(&app, &ada).await;
        assert!(columns(&app).await.is_none_or(|found| found.len() > 20), "there is much to erase");
        app.server.admin(erase()).await;
        app.server.erase().await;
        assert_eq!(traces(&app).await, [""; 0]);
        assert_eq!(columns(&app).await.unwrap_or_default(), [""; 0]);
        assert_consistent(&app).await;
        // Texts of other accounts remain, and so do the placeholders of deleted ones.
        let listed = answer(bob.raw(&app, Method::GET, "/v1/connect/events")).await.json();
        let numbers: Vec<u64> = listed["events"].as_array().unwrap().iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
        assert_eq!(app.count(sql!("select count(*) from message where content = 'an answer'")).await, 1);
        answer(bob.raw(&app, Method::GET, "/conversations")).await.json();
        // The key of a stored answer that showed the text is still used.
        let again = json!({ "content": "look" });
        let again = bob.raw(&app, Method::POST, "/posts").json(&again).header("Idempotency-Key", "quote");
        assert_eq!(code_of(again).await, Code::IdempotencyConflict);
        // The reports stay, without the texts.
        app.grant_role("bob", "moderator").await;
        let reports = answer(bob.raw(&app, Method::GET, "/moderation/reports")).await.json();
        let reports = reports["reports"].as_array().unwrap();
        assert_eq!(reports.len(), 4);
        // That of the quote has the words of the account that quoted.
        assert!(reports.iter().any(|report| report["snapshot"]["content"] == "look"), "{reports:?}");
    }
}

#[tokio::test]
async fn nothing_of_an_erased_account_is_in_the_file_of_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("svc.db");
    let app = TestApp::on(Engine::Sqlite, &format!("sqlite:{}", file.display()), &[]).await;
    let bob = app.agent("bob").await;
    let ada = life(&app, &bob).await;
    app.index().await;
    delete(&app, &ada).await;
    assert!(is_in_file(&file));
    app.advance(14 * 24 * 3600);
    // The server's own task may have begun, and then ends by itself.
    until("the account is erased", async || {
        app.server.erase().await;
        !is_in_file(&file)
    })
    .await;
    app.server.stop().await;
    assert!(!is_in_file(&file));
}

/// What has begun is ended, and not undone, by a server that would have waited longer.
async fn ends_what_was_begun(engine: Engine) {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = lasting_database(engine, folder.path()).await else { return };
    let app = TestApp::on(engine, &database, &[("accounts.erase_after", "1s")]).await;
    let ada = app.agent("ada").await;
    delete(&app, &ada).await;
    app.advance(1);
    let begun = app.server.app().write(|ctx| {
        let sql = sql!("select id, deleted_at from account where username = 'ada'");
        let gone: Gone = ctx.tx.one(sql, values![])?;
        erasure::begin(ctx, &gone)
    });
    assert!(begun.await.unwrap());
    app.server.stop().await;
    let app = TestApp::on(engine, &database, &[]).await;
    let restore = Command::Restore { username: "ada".to_owned() };
    app.server.try_admin(&restore).await.unwrap_err();
    app.server.erase().await;
    let erased = sql!("select count(*) from account where erased_at is not null");
    assert_eq!(app.count(erased).await, 1);
}

#[tokio::test]
async fn an_erasure_that_has_begun_is_not_undone_on_sqlite() {
    Box::pin(ends_what_was_begun(Engine::Sqlite)).await;
}

#[tokio::test]
async fn an_erasure_that_has_begun_is_not_undone_on_postgres() {
    Box::pin(ends_what_was_begun(Engine::Postgres)).await;
}

/// On SQLite, where a trigger is a fault of the database.
#[tokio::test]
async fn an_account_whose_erasure_fails_stops_no_other() {
    let app = TestApp::start_with(Engine::Sqlite, &[]).await.unwrap();
    for member in app.agents(["ada", "bob"]).await {
        member.client.users().delete_me(member.user.username.as_str()).await.unwrap();
    }
    let [fail, mend] = [
        sql!(
            "create trigger fails before update on account when old.username = 'ada'
             begin select raise(abort, 'a test'); end"
        ),
        sql!("drop trigger fails"),
    ];
    let server = app.server.app();
    server.write(move |ctx| ctx.tx.execute(fail, &[])).await.unwrap();
    app.advance(14 * 24 * 3600);
    erase::once(server).await.unwrap_err();
    let erased = sql!("select count(*) from account where erased_at is not null");
    assert_eq!(app.count(erased).await, 1);
    server.write(move |ctx| ctx.tx.execute(mend, &[])).await.unwrap();
    erase::once(server).await.unwrap();
    assert_eq!(app.count(erased).await, 2);
}
