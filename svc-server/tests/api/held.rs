//! A lock on a conversation, an account or another row that lasts as long as a test wants, and who waits for locks.

use std::sync::{Arc, mpsc};

use svc_core::app::Ctx;
use svc_server::testing::{Engine, until};
use svc_store::db::Sql;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::{ConversationId, GrantId, ListId, MessageId, PostId, ReportId, UserId};
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinHandle;

use crate::app::TestApp;

/// What a transaction of its own has locked.
pub(crate) struct Held {
    release: mpsc::Sender<()>,
    holding: JoinHandle<Result<()>>,
}

impl Held {
    /// Locks a conversation.
    pub(crate) async fn conversation(app: &TestApp, conversation: ConversationId) -> Self {
        let lock = sql!(
            "select account from conversation_member where conversation = $1
             order by account for no key update"
        );
        Self::by(app, move |ctx| ctx.tx.execute(lock, values![conversation])).await
    }

    /// Locks a conversation as a node that sends its next message does.
    pub(crate) async fn sending(
        app: &TestApp,
        conversation: ConversationId,
        message: MessageId,
    ) -> Self {
        let send = sql!("update conversation_member set last_message = $1 where conversation = $2");
        Self::by(app, move |ctx| ctx.tx.execute(send, values![message, conversation])).await
    }

    /// Locks an account.
    pub(crate) async fn account(app: &TestApp, account: UserId) -> Self {
        let lock = sql!("select id from account where id = $1 for no key update");
        Self::by(app, move |ctx| {
            ctx.tx.lock(lock, values![account])?;
            // A lock is sent with the statement that follows.
            ctx.tx.one::<i64>(sql!("select cast(1 as bigint)"), &[]).map(|_| 1)
        })
        .await
    }

    /// Ends a grant for which no tokens were issued, and gives one with these scopes instead.
    pub(crate) async fn narrowed(app: &TestApp, grant: GrantId, scopes: &'static str) -> Self {
        Self::by(app, move |ctx| {
            let sql = sql!("delete from oauth_code where grant_id = $1");
            ctx.tx.execute(sql, values![grant])?;
            let other: GrantId = ctx.id();
            let sql = sql!("update oauth_grant set id = $1, scopes = $2 where id = $3");
            ctx.tx.execute(sql, values![other, scopes, grant])
        })
        .await
    }

    /// Locks an account as what suspends or deletes it does.
    pub(crate) async fn leaving(app: &TestApp, account: &UserId) -> Self {
        let lock = sql!("select id from account where id = $1 for update");
        Self::row(app, lock, account.as_str()).await
    }

    /// Locks a post.
    pub(crate) async fn post(app: &TestApp, post: &PostId) -> Self {
        let lock = sql!("select id from post where id = $1 for no key update");
        Self::row(app, lock, post.as_str()).await
    }

    /// Locks a message.
    pub(crate) async fn message(app: &TestApp, message: &MessageId) -> Self {
        let lock = sql!("select id from message where id = $1 for no key update");
        Self::row(app, lock, message.as_str()).await
    }

    /// Locks a list.
    pub(crate) async fn list(app: &TestApp, list: &ListId) -> Self {
        let lock = sql!("select id from list where id = $1 for no key update");
        Self::row(app, lock, list.as_str()).await
    }

    /// Locks an API key.
    pub(crate) async fn key(app: &TestApp, key_id: &str) -> Self {
        let lock = sql!("select key_id from api_key where key_id = $1 for update");
        Self::row(app, lock, key_id).await
    }

    /// Locks the counters of an agent.
    pub(crate) async fn figures(app: &TestApp, agent: &UserId) -> Self {
        let lock = sql!("select id from figure where id = $1 for no key update");
        Self::row(app, lock, agent.as_str()).await
    }

    /// Locks the budgets of an account, as a request that takes from them does.
    pub(crate) async fn budgets(app: &TestApp, account: &str) -> Self {
        let lock = sql!("select subject from budget where subject = $1 for no key update");
        Self::row(app, lock, account).await
    }

    /// Locks a report.
    pub(crate) async fn report(app: &TestApp, report: &ReportId) -> Self {
        let lock = sql!("select id from report where id = $1 for no key update");
        Self::row(app, lock, report.as_str()).await
    }

    /// Locks the row with this id.
    pub(crate) async fn row(app: &TestApp, lock: Sql, id: &str) -> Self {
        let id = id.to_owned();
        Self::by(app, move |ctx| {
            ctx.tx.lock(lock, values![id])?;
            // A lock is sent with the statement that follows.
            ctx.tx.one::<i64>(sql!("select cast(1 as bigint)"), &[]).map(|_| 1)
        })
        .await
    }

    /// Locks what these statements lock, or changes something that others do not see before it is released.
    pub(crate) async fn by(
        app: &TestApp,
        lock: impl Fn(&mut Ctx<'_, '_>) -> Result<u64> + Send + 'static,
    ) -> Self {
        let (locked, mut is_locked) = unbounded_channel();
        let (release, released) = mpsc::channel::<()>();
        let server = Arc::clone(app.server.app());
        let holding = tokio::spawn(async move {
            let hold = move |ctx: &mut Ctx<'_, '_>| {
                lock(ctx)?;
                // SQLite runs it again if another job of its commit is refused; by then it was released.
                if locked.send(()).is_err() {
                    return Ok(());
                }
                released.recv().map_err(Error::internal)
            };
            server.write(hold).await
        });
        is_locked.recv().await.unwrap();
        Self { release, holding }
    }

    /// Unlocks it.
    pub(crate) async fn release(self) {
        self.release.send(()).unwrap();
        self.holding.await.unwrap().unwrap();
    }
}

/// How many connections of the server wait for a lock.
pub(crate) async fn waits_for_locks(app: &TestApp) -> i64 {
    let sql = sql!(
        "select count(*) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'"
    );
    app.count(sql).await
}

/// Waits until this many connections wait for locks; not on SQLite, where one writer does all work in turn.
pub(crate) async fn waiting(app: &TestApp, count: i64) {
    if app.engine == Engine::Postgres {
        until("they wait for a lock", async || waits_for_locks(app).await >= count).await;
    }
}

/// Runs work that waits for this lock, which is released once this many connections wait for locks.
pub(crate) async fn behind<T>(
    app: &TestApp,
    held: Held,
    count: i64,
    work: impl Future<Output = T>,
) -> T {
    let release = async {
        waiting(app, count).await;
        held.release().await;
    };
    tokio::join!(work, release).0
}
