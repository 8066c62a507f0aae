//! How SQLite finds what a list shows: along an index, page by page.
//!
//! The server notes each statement it runs with its plan. Told are those of every list and of every
//! lookup a request begins with; no statement of any request may read a table from end to end.

mod channels;
mod discovery;
mod feeds;
mod moderation;
mod scheduled;
mod uneven;
mod webhooks;

use std::collections::HashSet;
use std::fmt::Write;

use serde_json::Map;
use svc_client::types::api::escrow::{Deliverable, DisputeOutcome, EscrowRole};
use svc_client::types::api::messages::Order;
use svc_client::types::api::notifications::NotificationType;
use svc_client::types::api::posts::ReplySort;
use svc_client::types::api::users::{PostInclude, UserSort};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, ServiceRequest, ServiceResponse};
use svc_server::testing::Engine;
use svc_store::db::{Plan, Sql};
use svc_store::sql;

use crate::app::{Member, TestApp};

/// Each statement once, under the request that ran it first, in the words of SQLite.
///
/// A mailbox merges two walks, what was sent and what was received; the most liked replies merge
/// the liked and the others. Each walk stops after the rows of a page, 101 at most, and SQLite sorts
/// these again: 202 rows however long the list is.
/// Discovery reads and sorts what is offered.
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
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
  SEARCH m USING PRIMARY KEY (post=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
thread
  SEARCH p USING INDEX post_reply_to (reply_to=? AND id>?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
  SEARCH p USING COVERING INDEX sqlite_autoindex_post_1 (id=?)
    CORRELATED SCALAR SUBQUERY 2
    CO-ROUTINE oldest
    SEARCH c USING COVERING INDEX post_reply_to (reply_to=?)
    SCAN oldest
  SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
replies, new
  SEARCH p USING INDEX post_reply_to (reply_to=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
replies, old
  SEARCH p USING INDEX post_reply_to (reply_to=? AND id>?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
replies, top
  MERGE (UNION ALL)
    LEFT
    CO-ROUTINE liked
    SEARCH p USING INDEX post_reply_top (reply_to=? AND likes_count>? AND likes_count<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SCAN liked
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
    USE TEMP B-TREE FOR ORDER BY
    RIGHT
    CO-ROUTINE unliked
    SEARCH p USING INDEX post_reply_to (reply_to=? AND id>?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SCAN unliked
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
    USE TEMP B-TREE FOR ORDER BY
quotes
  SEARCH p USING INDEX post_quote_of (quote_of=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
posts of an account
  SEARCH a USING INDEX account_username (username=?)
  SEARCH p USING INDEX post_pinned (author=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH p USING INDEX post_author_top (author=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
the same with replies
  SEARCH p USING INDEX post_author (author=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
mailbox, desc
  MATERIALIZE page
    MERGE (UNION ALL)
    LEFT
    CO-ROUTINE sent
    SEARCH message USING INDEX message_sender (sender=? AND id>? AND id<?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH q USING PRIMARY KEY (id=?)
    SCAN sent
    USE TEMP B-TREE FOR ORDER BY
    RIGHT
    CO-ROUTINE received
    SEARCH message USING INDEX message_recipient (recipient=? AND id>? AND id<?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH q USING PRIMARY KEY (id=?)
    SCAN received
    USE TEMP B-TREE FOR ORDER BY
    SCAN page
    SEARCH m USING INDEX sqlite_autoindex_message_1 (id=?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH q USING PRIMARY KEY (id=?) LEFT-JOIN
    USE TEMP B-TREE FOR ORDER BY
messages of a conversation, desc
  SEARCH m USING PRIMARY KEY (conversation=? AND account=?)
    SEARCH c USING INDEX sqlite_autoindex_conversation_1 (id=?)
  SEARCH m USING INDEX message_conversation (conversation=? AND id>? AND id<?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH q USING PRIMARY KEY (id=?) LEFT-JOIN
mailbox, asc
  MATERIALIZE page
    MERGE (UNION ALL)
    LEFT
    CO-ROUTINE sent
    SEARCH message USING INDEX message_sender (sender=? AND id>?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH q USING PRIMARY KEY (id=?)
    SCAN sent
    USE TEMP B-TREE FOR ORDER BY
    RIGHT
    CO-ROUTINE received
    SEARCH message USING INDEX message_recipient (recipient=? AND id>?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH q USING PRIMARY KEY (id=?)
    SCAN received
    USE TEMP B-TREE FOR ORDER BY
    SCAN page
    SEARCH m USING INDEX sqlite_autoindex_message_1 (id=?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH q USING PRIMARY KEY (id=?) LEFT-JOIN
    USE TEMP B-TREE FOR ORDER BY
messages of a conversation, asc
  SEARCH m USING INDEX message_conversation (conversation=? AND id>?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH q USING PRIMARY KEY (id=?) LEFT-JOIN
messages with an account
  SEARCH conversation USING INDEX conversation_accounts (low_account=? AND high_account=?)
conversations
  SEARCH m USING INDEX conversation_member_account (account=? AND last_message<?)
    SEARCH c USING INDEX sqlite_autoindex_conversation_1 (id=?)
  SEARCH m USING INDEX message_conversation (conversation=?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH q USING PRIMARY KEY (id=?) LEFT-JOIN
  SEARCH account USING INDEX sqlite_autoindex_account_1 (id=?)
what is unread
  SEARCH escrow USING INDEX escrow_due (due_at>? AND due_at<?)
  SEARCH service_request USING INDEX service_request_due (due_at>? AND due_at<?)
  SEARCH conversation_member USING INDEX conversation_member_account (account=?)
  SEARCH service_request USING COVERING INDEX service_request_provider (provider=?)
accounts, new
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id<?)
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH f USING PRIMARY KEY (follower=? AND followee=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH f USING PRIMARY KEY (follower=? AND followee=?)
    CORRELATED SCALAR SUBQUERY 3
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 5
    SEARCH m USING PRIMARY KEY (muter=? AND muted=?)
accounts, followers
  SEARCH a USING INDEX account_followers ((followers_count,id)<(?,?))
accounts, active
  SEARCH a USING INDEX account_last_post ((last_post_at,id)<(?,?))
send once
  SEARCH m USING INDEX message_client_message_id (sender=? AND client_message_id=?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH q USING PRIMARY KEY (id=?) LEFT-JOIN
  MULTI-INDEX OR
    INDEX 1
    SEARCH block USING PRIMARY KEY (blocker=? AND blocked=?)
    INDEX 2
    SEARCH block USING PRIMARY KEY (blocker=? AND blocked=?)
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH p USING PRIMARY KEY (account=? AND type=?) LEFT-JOIN
    CORRELATED SCALAR SUBQUERY 1
    SEARCH follow USING PRIMARY KEY (follower=? AND followee=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH block USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 3
    SEARCH block USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH account_mute USING PRIMARY KEY (muter=? AND muted=?)
    CORRELATED SCALAR SUBQUERY 5
    SEARCH thread_mute USING PRIMARY KEY (account=? AND root=?)
    CORRELATED SCALAR SUBQUERY 6
    SEARCH conversation_member USING PRIMARY KEY (conversation=? AND account=?)
    CORRELATED SCALAR SUBQUERY 7
    SEARCH webhook USING INDEX webhook_account (account=?)
read
  SEARCH message USING INDEX sqlite_autoindex_message_1 (id=?)
notifications
  SCAN 11-ROW VALUES CLAUSE
    CORRELATED SCALAR SUBQUERY 2
    CO-ROUTINE unread
    SEARCH n USING COVERING INDEX notification_type (account=? AND type=? AND read=?)
    SCAN unread
  SEARCH n USING PRIMARY KEY (account=? AND seq<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?) LEFT-JOIN
    SEARCH w USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
notifications of a type
  MERGE (UNION ALL)
    LEFT
    CO-ROUTINE unread
    SEARCH notification USING COVERING INDEX notification_type (account=? AND type=? AND read=? AND seq<?)
    SCAN unread
    SEARCH n USING PRIMARY KEY (account=? AND seq=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?) LEFT-JOIN
    SEARCH w USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
    USE TEMP B-TREE FOR ORDER BY
    RIGHT
    CO-ROUTINE done
    SEARCH notification USING COVERING INDEX notification_type (account=? AND type=? AND read=? AND seq<?)
    SCAN done
    SEARCH n USING PRIMARY KEY (account=? AND seq=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?) LEFT-JOIN
    SEARCH w USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
    USE TEMP B-TREE FOR ORDER BY
a notification
  SEARCH n USING INDEX notification_id (id=? AND account=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?) LEFT-JOIN
    SEARCH w USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
notifications read up to one
  SEARCH notification USING COVERING INDEX notification_id (id=?)
preferences
  SEARCH account USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH notification_preference USING PRIMARY KEY (account=?)
discovery
  CO-ROUTINE found
    SCAN v USING INDEX service_offered
    SEARCH o USING INDEX sqlite_autoindex_account_1 (id=?)
    USE TEMP B-TREE FOR ORDER BY
    SCAN found
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH s USING INDEX service_offered (bot=? AND id>?)
    USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY
capabilities
  SEARCH s USING INDEX service_offered (bot=?)
services
  SEARCH s USING INDEX service_bot (bot=?)
balance
  SCAN CONSTANT ROW
    SCALAR SUBQUERY 1
    SEARCH ledger_account USING PRIMARY KEY (id=?)
    SCALAR SUBQUERY 2
    SEARCH escrow USING INDEX escrow_held (buyer=?)
    SCALAR SUBQUERY 3
    SEARCH service_request USING INDEX service_request_requester (requester=?)
transactions
  SEARCH e USING PRIMARY KEY (account=? AND seq<?)
    SEARCH t USING PRIMARY KEY (id=?)
    SEARCH c USING INDEX sqlite_autoindex_escrow_1 (id=?) LEFT-JOIN
    SEARCH q USING PRIMARY KEY (id=?) LEFT-JOIN
    SEARCH s USING INDEX sqlite_autoindex_service_1 (id=?) LEFT-JOIN
    CORRELATED SCALAR SUBQUERY 1
    SEARCH d USING COVERING INDEX ledger_transfer_once (kind=? AND ref=?)
    SEARCH b USING INDEX ledger_entry_transfer (transfer=? AND account=?) LEFT-JOIN
order
  SEARCH idempotency USING PRIMARY KEY (principal=? AND key=?)
  SEARCH service USING INDEX sqlite_autoindex_service_1 (id=?)
  SEARCH s USING INDEX sqlite_autoindex_service_1 (id=?)
answer
  SEARCH q USING PRIMARY KEY (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH p USING INDEX sqlite_autoindex_account_1 (id=?)
open an escrow
  SEARCH ledger_account USING PRIMARY KEY (id=?)
escrows
  SEARCH b USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH e USING INDEX escrow_buyer (buyer=? AND id<?)
    SEARCH p USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH q USING COVERING INDEX service_request_of_escrow (escrow=?)
  SEARCH p USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH e USING INDEX escrow_provider (provider=? AND id<?)
    SEARCH b USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH q USING COVERING INDEX service_request_of_escrow (escrow=?)
disputes
  SEARCH e USING INDEX escrow_disputed (id<?)
    SEARCH b USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH p USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH q USING COVERING INDEX service_request_of_escrow (escrow=?)
log of an escrow
  SEARCH e USING INDEX sqlite_autoindex_escrow_1 (id=?)
    SEARCH b USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH p USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH q USING COVERING INDEX service_request_of_escrow (escrow=?)
  SEARCH v USING PRIMARY KEY (escrow=? AND seq>?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
dispute
  SCAN account USING INDEX account_staff
release
  SEARCH service_request USING COVERING INDEX service_request_escrow (escrow=?)
  SEARCH service_rating USING PRIMARY KEY (service=? AND buyer=?)
events
  SEARCH event_head USING PRIMARY KEY (stream=?)
  SEARCH event USING COVERING INDEX event_stream (stream=?)
  SEARCH event USING INDEX event_stream (stream=? AND seq>?)
sweep
  SEARCH escrow USING COVERING INDEX escrow_due ((due_at,id)>(?,?) AND due_at<?)
  SEARCH service_request USING COVERING INDEX service_request_due ((due_at,id)>(?,?) AND due_at<?)
  SEARCH measure USING COVERING INDEX measure_due ((expires_at,action)>(?,?) AND expires_at<?)
  SEARCH scheduled_post USING COVERING INDEX scheduled_post_due ((due_at,id)>(?,?) AND due_at<?)
edit
  SEARCH post_mention USING PRIMARY KEY (post=?)
  SEARCH post USING INDEX sqlite_autoindex_post_1 (id=?)
delete
  SEARCH account USING INDEX sqlite_autoindex_account_1 (id=?)
schedule
  SEARCH scheduled_post USING INDEX scheduled_post_status (author=? AND status=?)
  SEARCH scheduled_post USING COVERING INDEX scheduled_post_status (author=? AND status=?)
  SEARCH scheduled_post USING INDEX scheduled_post_status (author=? AND status=? AND scheduled_for>?)
  SEARCH scheduled_post USING INDEX sqlite_autoindex_scheduled_post_1 (id=?)
scheduled posts
  SEARCH scheduled_post USING INDEX scheduled_post_author (author=? AND (scheduled_for,id)<(?,?))
scheduled posts that wait
  SEARCH scheduled_post USING INDEX scheduled_post_status (author=? AND status=? AND (scheduled_for,id)<(?,?))
publish
  SEARCH scheduled_post USING INDEX scheduled_post_status (author=? AND status=?)
  SEARCH account USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH account USING INDEX sqlite_autoindex_account_1 (id=?)
make a webhook
  SEARCH account USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH webhook USING INDEX webhook_account (account=?)
  SEARCH w USING INDEX sqlite_autoindex_webhook_1 (id=?)
    CORRELATED SCALAR SUBQUERY 2
    CO-ROUTINE waiting
    SEARCH d USING COVERING INDEX webhook_delivery_state (webhook=? AND state=?)
    SCAN waiting
  SEARCH webhook_secret USING INDEX webhook_secret_role (webhook=?)
webhooks
  SEARCH w USING INDEX webhook_account (account=? AND id<?)
    CORRELATED SCALAR SUBQUERY 2
    CO-ROUTINE waiting
    SEARCH d USING COVERING INDEX webhook_delivery_state (webhook=? AND state=?)
    SCAN waiting
  SEARCH w USING INDEX webhook_account (account=?)
    SEARCH s USING INDEX webhook_secret_role (webhook=?)
an event of who has webhooks
  SEARCH webhook USING INDEX webhook_account (account=?)
deliveries
  SEARCH webhook_delivery USING INDEX webhook_delivery_list (webhook=? AND id<?)
deliveries that wait
  SEARCH webhook_delivery USING INDEX webhook_delivery_state (webhook=? AND (state,id)<(?,?))
a delivery
  SEARCH webhook_delivery USING INDEX sqlite_autoindex_webhook_delivery_1 (id=?)
  SEARCH d USING INDEX sqlite_autoindex_webhook_delivery_1 (id=?)
    SEARCH e USING PRIMARY KEY (id=?) LEFT-JOIN
  SEARCH webhook_attempt USING PRIMARY KEY (delivery=?)
redeliver
  SEARCH event USING PRIMARY KEY (id=?)
  SEARCH webhook_delivery USING COVERING INDEX webhook_delivery_once (event=? AND webhook=?)
rotate
  SEARCH webhook_secret USING INDEX webhook_secret_role (webhook=?)
promote
  SEARCH webhook_secret USING COVERING INDEX webhook_secret_role (webhook=? AND role=?)
figures of a webhook
  CO-ROUTINE newest
    SEARCH webhook_delivery USING INDEX webhook_delivery_list (webhook=? AND id>?)
    SCAN newest
    USE TEMP B-TREE FOR GROUP BY
  CO-ROUTINE newest
    SEARCH webhook_delivery USING INDEX webhook_delivery_list (webhook=? AND id>?)
    SCAN newest
    SEARCH t USING PRIMARY KEY (delivery=?)
    USE TEMP B-TREE FOR ORDER BY
recover
  SEARCH e USING INDEX event_stream (stream=? AND seq>? AND seq<?)
    SEARCH d USING INDEX webhook_delivery_once (event=? AND webhook=? AND replay_no=?) LEFT-JOIN
    CORRELATED SCALAR SUBQUERY 1
    SEARCH l USING COVERING INDEX webhook_delivery_once (event=? AND webhook=?)
  SEARCH webhook_recovery USING INDEX webhook_recovery_webhook (webhook=?)
  SEARCH webhook_recovery USING INDEX sqlite_autoindex_webhook_recovery_1 (id=?)
go on with a recovery
  SCAN webhook_recovery USING COVERING INDEX webhook_recovery_running
  SEARCH w USING INDEX sqlite_autoindex_webhook_1 (id=?)
    CORRELATED SCALAR SUBQUERY 2
    CO-ROUTINE waiting
    SEARCH d USING COVERING INDEX webhook_delivery_state (webhook=? AND state=?)
    SCAN waiting
delete a message
  SEARCH m USING INDEX sqlite_autoindex_message_1 (id=?)
    SEARCH s USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH q USING PRIMARY KEY (id=?) LEFT-JOIN
";

/// Indexes that are read from end to end because they hold nothing but what is asked for: a term
/// may stand anywhere in a text, so discovery reads every service that is offered; of a dispute all
/// moderators are told; of recoveries those that go on.
const WHOLE: &[&str] = &[
    "SCAN v USING INDEX service_offered",
    "SCAN account USING INDEX account_staff",
    "SCAN webhook_recovery USING COVERING INDEX webhook_recovery_running",
];

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
        let tables = app.server.app().read(move |ctx| ctx.tx.all(names, &[])).await.unwrap();
        Self { app, ada, tables, known: HashSet::new(), told: String::new() }
    }

    /// Whether a step reads a table from end to end; in our statements a table has a name of one
    /// letter or its own, and a part of the statement has another word.
    fn scans_a_table(&self, step: &str) -> bool {
        let scanned = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
        // The index of words is asked for what matches, newest first.
        let is_match = step.contains(" VIRTUAL TABLE INDEX ") && step.contains(":M");
        !WHOLE.contains(&step)
            && !is_match
            && scanned.is_some_and(|name| {
                name.len() == 1 || self.tables.iter().any(|table| table == name)
            })
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
        let with_replies = client.users().posts("ada").include([PostInclude::Replies]);
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
        self.tell_of_notices().await;
        self.tell_of_deals(&bob).await;
        self.tell_of_the_sweep().await;
        self.tell("edit", client.posts().edit(&top.id).content("edited")).await;
        self.tell("delete", client.posts().delete(&top.id)).await;
        self.tell_of_scheduled_posts().await;
        self.tell_of_webhooks(&bob).await;
        self.tell("delete a message", client.messages().delete(&message.message_id)).await;
    }

    /// Tells of services, credits, orders, escrows and events.
    async fn tell_of_deals(&mut self, bob: &Member) {
        let (ada, bob) = (self.ada.client.clone(), bob.client.clone());
        let offered = bob.services().create("work", "does work", 5).await.unwrap().service;
        let (service, name) = (offered.id.as_str(), "bob");
        self.tell("discovery", ada.bots().discover("work")).await;
        self.tell("capabilities", ada.bots().capabilities(name)).await;
        self.tell("services", bob.services().list()).await;
        self.tell("balance", ada.credits().balance()).await;
        self.tell("transactions", ada.credits().transactions()).await;

        let order = ServiceRequest {
            service_id: service.into(),
            service_name: "work".into(),
            input: Map::new(),
            offered_credits: 5.into(),
            escrow_id: None,
        };
        self.tell("order", ada.messages().request_service(name, order.clone())).await;
        let sent = ada.messages().request_service(name, order).await.unwrap().message;
        let done = ServiceResponse {
            request_id: sent.message_id,
            status: ResponseStatus::Completed,
            output: None,
            charged_credits: None,
        };
        self.tell("answer", bob.messages().respond_to("ada", done)).await;

        let open = || ada.escrow().create(name, service, 5, "a report");
        self.tell("open an escrow", open()).await;
        let escrow = open().await.unwrap().escrow.id;
        let list = || ada.escrow().list();
        self.tell("escrows", list()).await;
        self.tell("escrows, provider", list().role(EscrowRole::Provider)).await;
        self.app.grant_role("ada", "moderator").await;
        self.tell("disputes", list().role(EscrowRole::Moderator)).await;
        self.tell("log of an escrow", ada.escrow().events(&escrow)).await;
        self.tell("deliver", bob.escrow().deliver(&escrow, Deliverable::new("text"))).await;
        self.tell("dispute", ada.escrow().dispute(&escrow, "it fails")).await;
        let rating = svc_client::types::Rating::from_half_steps(9).unwrap();
        self.tell("release", ada.escrow().release(&escrow).rating(rating)).await;
        self.tell("events", bob.events().list()).await;
        self.tell("resolve", async {
            let refused = ada.escrow().resolve(&escrow, DisputeOutcome::Refund, "late").await;
            assert_eq!(refused.unwrap_err().code(), Some(&Code::Forbidden));
            Ok(())
        })
        .await;
    }

    /// What the clock looks for.
    async fn tell_of_notices(&mut self) {
        let client = self.ada.client.clone();
        let notices = client.notifications();
        self.tell("notifications", notices.list()).await;
        let unread = notices.list().unread(true).types(vec![NotificationType::DirectMessage]);
        self.tell("notifications of a type", unread).await;
        self.tell("unread notifications", notices.unread_count()).await;
        let newest = notices.list().await.unwrap().notifications.remove(0).id;
        self.tell("a notification", notices.get(&newest)).await;
        self.tell("notifications read up to one", notices.read_up_to(&newest)).await;
        self.tell("notifications of a post read", notices.read_of_post("post_1")).await;
        self.tell("preferences", notices.preferences()).await;
    }

    async fn tell_of_the_sweep(&mut self) {
        let app = std::sync::Arc::clone(self.app.server.app());
        self.tell("sweep", async move {
            svc_core::due::sweep(&app).await.unwrap();
            Ok(())
        })
        .await;
    }
}

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
