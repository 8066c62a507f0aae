//! How SQLite finds what a list shows: along an index, page by page.
//!
//! The server notes each statement it runs with its plan. Told are those of every list and of every
//! lookup a request begins with; no statement of any request may read a table from end to end.

use std::collections::HashSet;
use std::fmt::Write;

use svc_client::types::api::messages::Order;
use svc_client::types::api::posts::ReplySort;
use svc_client::types::api::users::{PostInclude, UserSort};
use svc_server::db::{Plan, Sql};
use svc_server::sql;
use svc_server::testing::Engine;

use crate::app::{Member, TestApp};

/// Each statement once, under the request that ran it first, in the words of SQLite.
///
/// A mailbox merges two walks, what was sent and what was received; the most liked replies merge
/// the liked and the others. Each walk stops after the rows of a page, 101 at most, and SQLite sorts
/// these again: 202 rows however long the list is. A thread sorts what is below one direct reply.
const PLANS: &str = "
by key
  SEARCH account USING INDEX account_key_id (key_id=?)
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
by cookie
  SEARCH s USING PRIMARY KEY (token_hash=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
post
  SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH m USING PRIMARY KEY (post=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
thread
  SEARCH p USING INDEX post_reply_to (reply_to=? AND id>?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
  CO-ROUTINE place
    CO-ROUTINE below
    SETUP
    SEARCH c USING COVERING INDEX post_reply_to (reply_to=?)
    RECURSIVE STEP
    SCAN below
    SEARCH c USING COVERING INDEX post_reply_to (reply_to=?)
    SCAN below
    USE TEMP B-TREE FOR ORDER BY
    SCAN place
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
replies, new
  SEARCH p USING INDEX post_reply_to (reply_to=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
replies, old
  SEARCH p USING INDEX post_reply_to (reply_to=? AND id>?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
replies, top
  MERGE (UNION ALL)
    LEFT
    CO-ROUTINE liked
    SEARCH c USING INDEX post_reply_top (reply_to=? AND likes_count>? AND likes_count<?)
    SEARCH w USING INDEX sqlite_autoindex_account_1 (id=?)
    SCAN liked
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    USE TEMP B-TREE FOR ORDER BY
    RIGHT
    CO-ROUTINE unliked
    SEARCH c USING INDEX post_reply_to (reply_to=? AND id>?)
    SEARCH w USING INDEX sqlite_autoindex_account_1 (id=?)
    SCAN unliked
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    USE TEMP B-TREE FOR ORDER BY
quotes
  SEARCH p USING INDEX post_quote_of (quote_of=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
posts of an account
  SEARCH a USING INDEX account_username (username=?)
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH p USING INDEX post_author (author=? AND id<?)
mailbox, desc
  CO-ROUTINE page
    MERGE (UNION ALL)
    LEFT
    CO-ROUTINE sent
    SEARCH message USING INDEX message_sender (sender=? AND id>? AND id<?)
    SCAN sent
    USE TEMP B-TREE FOR ORDER BY
    RIGHT
    CO-ROUTINE received
    SEARCH message USING INDEX message_recipient (recipient=? AND id>? AND id<?)
    SCAN received
    USE TEMP B-TREE FOR ORDER BY
    SCAN page
    SEARCH m USING INDEX sqlite_autoindex_message_1 (id=?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
    USE TEMP B-TREE FOR ORDER BY
messages of a conversation, desc
  SEARCH m USING PRIMARY KEY (conversation=? AND account=?)
    SEARCH c USING INDEX sqlite_autoindex_conversation_1 (id=?)
  SEARCH m USING INDEX message_conversation (conversation=? AND id>? AND id<?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
mailbox, asc
  CO-ROUTINE page
    MERGE (UNION ALL)
    LEFT
    CO-ROUTINE sent
    SEARCH message USING INDEX message_sender (sender=? AND id>?)
    SCAN sent
    USE TEMP B-TREE FOR ORDER BY
    RIGHT
    CO-ROUTINE received
    SEARCH message USING INDEX message_recipient (recipient=? AND id>?)
    SCAN received
    USE TEMP B-TREE FOR ORDER BY
    SCAN page
    SEARCH m USING INDEX sqlite_autoindex_message_1 (id=?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
    USE TEMP B-TREE FOR ORDER BY
messages of a conversation, asc
  SEARCH m USING INDEX message_conversation (conversation=? AND id>?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
messages with an account
  SEARCH conversation USING INDEX conversation_accounts (low_account=? AND high_account=?)
conversations
  SEARCH m USING INDEX conversation_member_account (account=? AND last_message<?)
    SEARCH c USING INDEX sqlite_autoindex_conversation_1 (id=?)
  SEARCH m USING INDEX message_conversation (conversation=?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH account USING INDEX sqlite_autoindex_account_1 (id=?)
what is unread
  SEARCH conversation_member USING INDEX conversation_member_account (account=?)
accounts, new
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id<?)
accounts, followers
  SEARCH a USING INDEX account_followers ((followers_count,id)<(?,?))
accounts, active
  SEARCH a USING INDEX account_last_post ((last_post_at,id)<(?,?))
send once
  SEARCH m USING INDEX message_client_message_id (sender=? AND client_message_id=?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
  MULTI-INDEX OR
    INDEX 1
    SEARCH block USING PRIMARY KEY (blocker=? AND blocked=?)
    INDEX 2
    SEARCH block USING PRIMARY KEY (blocker=? AND blocked=?)
read
  SEARCH message USING INDEX sqlite_autoindex_message_1 (id=?)
delete a message
  SEARCH m USING INDEX sqlite_autoindex_message_1 (id=?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
";

/// The server and what is told of its statements.
struct World {
    app: TestApp,
    ada: Member,
    tables: Vec<String>,
    known: HashSet<Sql>,
    told: String,
}

impl World {
    async fn new() -> Self {
        let app = TestApp::start_with(Engine::Sqlite, &[]).await.expect("SQLite is always there");
        let ada = app.person("ada", "correct horse").await;
        let names = sql!("select name from sqlite_schema where type = 'table'");
        let tables = app.server.app().read(move |cx| cx.tx.all(names, &[])).await.unwrap();
        Self { app, ada, tables, known: HashSet::new(), told: String::new() }
    }

    /// Whether a step reads a table from end to end; in our statements a table has a name of one
    /// letter or its own, and a part of the statement has another word.
    fn scans_a_table(&self, step: &str) -> bool {
        let scanned = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
        scanned.is_some_and(|name| name.len() == 1 || self.tables.iter().any(|table| table == name))
    }

    /// Makes a request and tells of the statements that no request before has run.
    async fn tell<T>(&mut self, name: &str, call: impl IntoFuture<Output = svc_client::Result<T>>) {
        self.app.server.app().plans.watch();
        call.await.map(drop).unwrap();
        let mut told = String::new();
        for Plan { sql, steps } in self.app.server.app().plans.take() {
            let scan = steps.iter().find(|step| self.scans_a_table(step));
            assert_eq!(scan, None, "{name}: {}", sql.text());
            if sql.text().starts_with("select") && self.known.insert(sql) {
                writeln!(told, "  {}", steps.join("\n    ")).unwrap();
            }
        }
        if !told.is_empty() {
            writeln!(self.told, "{name}\n{}", told.trim_end()).unwrap();
        }
    }

    /// Tells of every list and lookup.
    async fn tell_all(&mut self) {
        let bob = self.app.agent("bob").await;
        let client = self.ada.client.clone();
        let top = self.ada.post("top #tag @bob").await;
        let reply = bob.reply(&top, "reply").await;
        self.ada.reply(&reply, "below").await;
        let message = bob.write(&self.ada, "hello").await;
        let conversation = &message.conversation_id;
        let cookie = self.app.sign_in("ada", "correct horse").await;

        self.tell("by key", client.users().me()).await;
        self.tell("by cookie", self.app.browser(&cookie).users().me()).await;
        self.tell("post", client.posts().get(&top.id)).await;
        self.tell("thread", client.posts().thread(&top.id)).await;
        for sort in [ReplySort::New, ReplySort::Old, ReplySort::Top] {
            let list = client.posts().replies(&top.id).sort(sort.clone());
            self.tell(&format!("replies, {sort}"), list).await;
        }
        self.tell("quotes", client.posts().quotes(&top.id)).await;
        self.tell("posts of an account", client.users().posts("ada")).await;
        let with_replies = client.users().posts("ada").include(PostInclude::Replies);
        self.tell("the same with replies", with_replies).await;
        for order in [Order::Desc, Order::Asc] {
            let list = client.messages().list().order(order.clone());
            self.tell(&format!("mailbox, {order}"), list).await;
            let list = client.conversations().messages(conversation).order(order.clone());
            self.tell(&format!("messages of a conversation, {order}"), list).await;
        }
        self.tell("messages with an account", client.messages().list().with_user("bob")).await;
        self.tell("conversations", client.conversations().list()).await;
        self.tell("what is unread", client.messages().unread_count()).await;
        for sort in [UserSort::New, UserSort::Followers, UserSort::Active] {
            let list = client.users().list().sort(sort.clone());
            self.tell(&format!("accounts, {sort}"), list).await;
        }
        let send = bob.client.messages().send("ada", "x").client_message_id("c");
        self.tell("send once", send.idempotency_key("k")).await;
        let reading = client.conversations().read(conversation, &message.message_id);
        self.tell("read", reading).await;
        self.tell("edit", client.posts().edit(&top.id).content("edited")).await;
        self.tell("delete", client.posts().delete(&top.id)).await;
        self.tell("delete a message", client.messages().delete(&message.message_id)).await;
    }

    /// Gives ada nearly all posts and messages there are, most of them old, and one post nearly all
    /// replies; then lets SQLite count it all.
    async fn skew(&self) {
        let app = &self.app;
        app.execute(|cx| cx.tx.execute(MANY_ACCOUNTS, &[])).await;
        app.execute(|cx| cx.tx.execute(MANY_POSTS, &[])).await;
        app.execute(|cx| cx.tx.execute(MANY_CONVERSATIONS, &[])).await;
        app.execute(|cx| cx.tx.execute(MANY_MEMBERS, &[])).await;
        app.execute(|cx| cx.tx.execute(MANY_MESSAGES, &[])).await;
        let counting = app.server.app().write(|cx| cx.tx.execute(sql!("analyze"), &[]));
        counting.await.unwrap();
        assert_ne!(app.count(sql!("select count(*) from sqlite_stat4")).await, 0);
    }
}

const MANY_ACCOUNTS: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 300)
     insert into account (id, username, display_name, bio, is_agent, tier, role, status, x_verified,
        google_verified, dm_policy, allow_service_requests, followers_count, following_count,
        posts_count, created_at, updated_at)
     select 'usr_' || i, 'name' || i, '', '', i % 9 = 0, 'free', 'user', 'active', 0, 0, 'all', 1,
        i / 250, 0, 0, 0, 0 from n"
);

const MANY_POSTS: Sql = sql!(
    "with recursive n (i) as (select 0 union all select i + 1 from n where i < 3000)
     insert into post (id, author, content, reply_to, root, reply_policy, likes_count,
        reposts_count, replies_count, quotes_count, pinned, created_at, hidden)
     select 'post_' || (10000 + i),
        case when i % 4 = 0 then 'usr_' || (i % 300 + 1) else
            (select id from account where username = 'ada') end, 'text',
        case when i > 300 and i % 3 = 0 then 'post_' || (10000 + i % 300) when i > 0 then
            'post_10000' end, case when i > 0 then 'post_10000' end, 'everyone',
        i / 2900, 0, 0, 0, 0, 0, 0 from n"
);

const MANY_CONVERSATIONS: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 200)
     insert into conversation (id, low_account, high_account, created_at)
     select 'conv_' || i, (select id from account where username = 'ada'), 'usr_' || i, 0 from n"
);

const MANY_MEMBERS: Sql = sql!(
    "insert into conversation_member (conversation, account, unread_count, muted, updated_at,
        last_message)
     select id, low_account, 0, 0, 0, 'msg_1' from conversation
     union all select id, high_account, 0, 0, 0, 'msg_1' from conversation"
);

const MANY_MESSAGES: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
     insert into message (id, conversation, sender, recipient, content, created_at,
        deleted_by_sender, deleted_by_recipient)
     select 'msg_' || (10000 + i), c.id,
        case when i % 4 = 0 then c.low_account else c.high_account end,
        case when i % 4 = 0 then c.high_account else c.low_account end, 'text', 0, 0, 0
     from n join conversation c on c.id = 'conv_' || case when i % 5 < 4 then 1 else i % 200 end"
);

#[tokio::test]
async fn every_list_is_found_along_an_index() {
    let mut world = World::new().await;
    world.tell_all().await;
    assert_eq!(world.told.trim(), PLANS.trim());
}

#[tokio::test]
async fn plans_stay_when_sqlite_has_counted_very_uneven_tables() {
    let mut world = World::new().await;
    world.skew().await;
    world.tell_all().await;
    assert_eq!(world.told.trim(), PLANS.trim());
}
