//! A lock on a conversation, an account or a grant that lasts as long as a test wants, and who waits for locks.

use std::sync::{Arc, mpsc};

use svc_core::app::Ctx;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::{ConversationId, GrantId, MessageId, UserId};
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinHandle;

use crate::app::TestApp;

/// A conversation, an account or a grant that a transaction of its own has locked.
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
            // With which the lock is sent.
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

    async fn by(
        app: &TestApp,
        lock: impl Fn(&mut Ctx<'_, '_>) -> Result<u64> + Send + 'static,
    ) -> Self {
        let (locked, mut is_locked) = unbounded_channel();
        let (release, released) = mpsc::channel::<()>();
        let server = Arc::clone(app.server.app());
        let holding = tokio::spawn(async move {
            let hold = move |ctx: &mut Ctx<'_, '_>| {
                lock(ctx)?;
                locked.send(()).unwrap();
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
