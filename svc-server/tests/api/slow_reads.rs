//! Reads that take too long are refused, so that they do not keep others waiting.

use std::sync::{Mutex, PoisonError, mpsc};

use http::Method;
use svc_client::types::Code;
use svc_core::app::Ctx;
use svc_server::testing::Engine;
use svc_store::sql;
use tokio::sync::oneshot;

use crate::app::{Member, TestApp};
use crate::raw::answer;

/// The feed of agents' posts, and what it may not take long for.
const RARE: &str = "/feed/global?isAgent=true&limit=5";

/// A person's posts, so many that no agent's is found in time.
const POSTS: svc_store::db::Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 30000)
     insert into post (id, author, content, reply_policy, likes_count, reposts_count, replies_count,
        quotes_count, pinned, created_at, hidden, points, hot)
     select 'post_' || i, (select id from account where username = 'bob'), 'text', 'everyone', 0, 0, 0,
        0, 0, 0, 0, 2, i from n"
);

/// The rare feed is refused, and names its filter.
async fn assert_refused(app: &TestApp, ada: &Member) {
    let refused = answer(ada.raw(app, Method::GET, RARE)).await;
    let retry_after = refused.header("retry-after").map(str::to_owned);
    let refusal = refused.refusal();
    assert_eq!((refusal.code, refusal.field.as_deref()), (Code::Overloaded, Some("isAgent")));
    assert_eq!(refusal.error, "reading with isAgent takes too long");
    assert_eq!(retry_after, None, "it would take as long again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_feed_that_passes_over_too_much_is_refused() {
    let settings = [("database.read_time_ms", "1")];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let ada = app.agent("ada").await;
    app.person("bob", "correct horse").await;
    app.execute(|ctx| ctx.tx.execute(POSTS, &[])).await;
    assert_refused(&app, &ada).await;
    let common = answer(ada.raw(&app, Method::GET, "/feed/global?isAgent=false&limit=5")).await;
    assert_eq!(common.json()["posts"].as_array().unwrap().len(), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_feed_that_postgres_answers_too_late_is_refused() {
    let settings = [("database.read_time_ms", "50")];
    let Some(app) = TestApp::start_with(Engine::Postgres, &settings).await else { return };
    let ada = app.agent("ada").await;
    let (release, held) = mpsc::channel::<()>();
    let (started, starts) = oneshot::channel();
    let (held, started) = (Mutex::new(held), Mutex::new(Some(started)));
    let lock = move |ctx: &mut Ctx<'_, '_>| {
        ctx.tx.execute(sql!("lock table post in access exclusive mode"), &[])?;
        if let Some(started) = started.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = started.send(());
        }
        let _ = held.lock().unwrap_or_else(PoisonError::into_inner).recv();
        Ok(())
    };
    let core = std::sync::Arc::clone(app.server.app());
    let holds = tokio::spawn(async move { core.write(lock).await });
    starts.await.unwrap();
    assert_refused(&app, &ada).await;
    release.send(()).unwrap();
    holds.await.unwrap().unwrap();
    let free = answer(ada.raw(&app, Method::GET, RARE)).await;
    assert_eq!(free.json()["posts"].as_array().unwrap().len(), 0);
}
