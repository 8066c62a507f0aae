//! Deleted accounts: hidden at once, erased later.

mod leaves;

use std::path::Path;
use std::time::Duration;

use http::Method;
use serde_json::{Map, Value, json};
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::api::orders::OrderStatus;
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::api::services::ServiceSample;
use svc_client::types::{Code, Rating, ServiceRequest};
use svc_core::audit;
use svc_core::services::erasure::{self, Gone};
use svc_core::services::idempotency;
use svc_core::tasks::erase;
use svc_server::admin::Command;
use svc_server::testing::{Engine, START, in_time, until};
use svc_store::db::Sql;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, database, lasting_database};
use crate::counts;
use crate::market;
use crate::on_both_engines;
use crate::raw::{answer, code_of};

/// A word in every text of the account, and in no other text.
const MARK: &str = "quetzalcoatl";

/// Rows that hold the word, of each table that holds texts.
const TRACES: &[(&str, Sql)] = &[
    (
        "account",
        sql!(
            "select count(*) from account where display_name || bio || coalesce(website, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "post",
        sql!(
            "select count(*) from post where content || coalesce(content_warning, '') || coalesce(payload, '') || coalesce(schema_name, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "post_revision",
        sql!("select count(*) from post_revision where content like '%quetzalcoatl%'"),
    ),
    ("post_hashtag", sql!("select count(*) from post_hashtag where tag like '%quetzalcoatl%'")),
    ("hashtag_follow", sql!("select count(*) from hashtag_follow where tag like '%quetzalcoatl%'")),
    (
        "message",
        sql!(
            "select count(*) from message where content || coalesce(payload, '') || coalesce(client_message_id, '') || coalesce(schema_name, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "channel_message",
        sql!(
            "select count(*) from channel_message where content || coalesce(payload, '') || coalesce(client_message_id, '') || coalesce(schema_name, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "service",
        sql!(
            "select count(*) from service where name || name_key || description || tags || tags_key || search_text || coalesce(input_schema, '') || coalesce(output_schema, '') || coalesce(samples, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "escrow",
        sql!(
            "select count(*) from escrow where description || coalesce(notes, '') || coalesce(deliverable, '') || coalesce(feedback, '') || coalesce(dispute, '') like '%quetzalcoatl%'"
        ),
    ),
    ("escrow_event", sql!("select count(*) from escrow_event where note like '%quetzalcoatl%'")),
    ("event", sql!("select count(*) from event where body like '%quetzalcoatl%'")),
    (
        "report",
        sql!(
            "select count(*) from report where snapshot || coalesce(comment, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "webhook",
        sql!(
            "select count(*) from webhook where url || coalesce(description, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "scheduled_post",
        sql!("select count(*) from scheduled_post where content like '%quetzalcoatl%'"),
    ),
    (
        "list",
        sql!(
            "select count(*) from list where name || coalesce(description, '') like '%quetzalcoatl%'"
        ),
    ),
];

/// Every column of PostgreSQL that holds the word.
const ANYWHERE: Sql = sql!(
    "select c.table_name || '.' || c.column_name
     from information_schema.columns c
     where c.table_schema = 'public' and c.data_type in ('text', 'bytea', 'tsvector', 'ARRAY')
        and not (select relispartition from pg_class where oid = to_regclass(c.table_name))
        and (xpath('/row/n/text()', query_to_xml(format(
            'select count(*) as n from %I where %s like ''%%quetzalcoatl%%''', c.table_name,
            case when c.data_type = 'bytea' then format('encode(%I, ''escape'')', c.column_name)
                else format('cast(%I as text)', c.column_name) end
        ), true, true, '')))[1]::text <> '0'
     order by 1"
);

/// The columns that hold the word; `None` on SQLite, whose file is searched instead.
async fn columns(app: &TestApp) -> Option<Vec<String>> {
    match app.engine {
        Engine::Sqlite => None,
        Engine::Postgres => {
            Some(app.server.app().read(|ctx| ctx.tx.all(ANYWHERE, &[])).await.unwrap())
        }
    }
}

/// Whether a file of a SQLite database holds the word.
fn is_in_file(database: &Path) -> bool {
    ["", "-wal"].iter().any(|end| {
        let mut name = database.as_os_str().to_owned();
        name.push(end);
        let bytes = std::fs::read(name).unwrap_or_default();
        bytes.windows(MARK.len()).any(|part| part.eq_ignore_ascii_case(MARK.as_bytes()))
    })
}

/// The tables that hold the word.
async fn traces(app: &TestApp) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (table, sql) in TRACES {
        if app.count(*sql).await > 0 {
            found.push(*table);
        }
    }
    found
}

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
        let said = bob.client.posts().replies(&top.id).await.unwrap().posts.remove(0).id;
        let quote = json!({ "content": "look", "quoteOfId": said });
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

    async fn a_dispute_keeps_the_words_of_the_other_side_alone(app: TestApp) {
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

/// The settings of a server whose log of erased accounts is this file.
fn with_log(log: &Path) -> [(&'static str, &str); 1] {
    [("backup.erasures", log.to_str().unwrap())]
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

/// A server whose database was restored from a backup, in which ada lives and deals, erases her again
/// before it serves anybody.
async fn erases_again(engine: Engine) {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = lasting_database(engine, folder.path()).await else { return };
    let log = folder.path().join("erasures.log");
    let app = TestApp::on(engine, &database, &with_log(&log)).await;
    let [bob, cyd] = app.agents(["bob", "cyd"]).await;
    let ada = life(&app, &bob).await;
    let work = ada.client.services().create("more", "counts", 5).await.unwrap().service.id;
    let offer = bob.client.services().create("sums", "adds", 5).await.unwrap().service.id;
    let funded = bob.client.escrow().create("ada", &work, 10, "funded").await.unwrap().escrow.id;
    let paid = ServiceRequest { escrow_id: Some(funded), ..market::order(&work, 10) };
    let paid = bob.client.messages().request_service("ada", paid).await.unwrap();
    let paid = paid.message.message_id;
    let delivered = ada.client.escrow().create("bob", &offer, 20, "delivered").await.unwrap();
    let delivered = delivered.escrow.id;
    bob.client.escrow().deliver(&delivered, Deliverable::new("done")).await.unwrap();
    let order = json!({ "recipientUsername": "bob", "content": json!({
        "schema": "service.request", "payload": { "serviceId": offer, "serviceName": "sums",
            "input": {}, "offeredCredits": 5 } }).to_string() });
    let bought = answer(ada.raw(&app, Method::POST, "/messages").json(&order)).await.json();
    let bought = bought["message"]["messageId"].as_str().unwrap();
    let selling = bob.client.orders().create("ada", &work, Map::new()).max_credits(5);
    let sold = selling.await.unwrap().order.id;
    app.index().await;
    app.suspend("cyd").await;
    app.server.stop().await;
    let line =
        |who: &Member| json!({ "account": who.user.id, "erasedAt": "2026-01-31T09:30:00.000Z" });
    let gone = json!({ "account": "usr_nobody", "erasedAt": "2026-01-31T09:30:00.000Z" });
    std::fs::write(&log, format!("{}\n{}\n{gone}\n", line(&ada), line(&cyd))).unwrap();

    let app = TestApp::on(engine, &database, &with_log(&log)).await;
    let erased = sql!("select count(*) from account where erased_at is not null");
    assert_eq!(app.count(erased).await, 2);
    assert_eq!(traces(&app).await, [""; 0]);
    assert_eq!(columns(&app).await.unwrap_or_default(), [""; 0]);
    assert_consistent(&app).await;
    let bob = app.client(bob.key);
    let bought = bob.orders().get(bought).await.unwrap().order.status;
    let sold = bob.orders().get(&sold).await.unwrap().order.status;
    let paid = bob.orders().get(&paid).await.unwrap().order.status;
    let ended = [OrderStatus::Cancelled, OrderStatus::Rejected, OrderStatus::Rejected];
    assert_eq!([bought, sold, paid], ended, "ada ended them");
    let balance = bob.credits().balance().await.unwrap().credits;
    assert_eq!(
        (balance.available.to_string(), balance.held.to_string()),
        ("130".into(), "0".into())
    );
    app.server.stop().await;
    let again = TestApp::on(engine, &database, &with_log(&log)).await;
    let repeated = sql!("select count(*) from audit_log where action = 'account_erased'");
    assert_eq!(again.count(repeated).await, 2, "once each");
}

#[tokio::test]
async fn a_restored_database_is_erased_again_before_it_is_served_on_sqlite() {
    Box::pin(erases_again(Engine::Sqlite)).await;
}

#[tokio::test]
async fn a_restored_database_is_erased_again_before_it_is_served_on_postgres() {
    Box::pin(erases_again(Engine::Postgres)).await;
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

/// Every node names in its log what another one erased.
#[tokio::test]
async fn each_node_logs_what_any_node_erased() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.log", "two.log"].map(|name| folder.path().join(name));
    let first = TestApp::on(Engine::Postgres, &database, &with_log(&one)).await;
    let second = TestApp::on(Engine::Postgres, &database, &with_log(&two)).await;
    let ada = first.agent("ada").await;
    delete(&first, &ada).await;
    first.server.admin(Command::Erase { username: "ada".to_owned() }).await;
    first.server.erase().await;
    let named =
        |log: &Path| std::fs::read_to_string(log).unwrap().matches(ada.user.id.as_str()).count();
    assert_eq!((named(&one), named(&two)), (1, 0));
    second.server.erase().await;
    second.server.erase().await;
    assert_eq!((named(&one), named(&two)), (1, 1));
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

#[tokio::test]
async fn a_log_without_its_line_stops_the_erasure() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("erasures.log");
    let app = TestApp::start_with(Engine::Sqlite, &with_log(&log)).await.unwrap();
    let bob = app.agent("bob").await;
    let ada = life(&app, &bob).await;
    delete(&app, &ada).await;
    app.advance(14 * 24 * 3600);
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();
    erase::once(app.server.app()).await.unwrap_err();
    assert!(traces(&app).await.contains(&"post"), "nothing is emptied that no log names");
    std::fs::remove_dir(&log).unwrap();
    app.server.erase().await;
    assert_eq!(traces(&app).await, [""; 0]);
    assert!(std::fs::read_to_string(&log).unwrap().contains(ada.user.id.as_str()));
}
