//! Golden query plans: SQLite must use an index for every list and lookup.
//!
//! The server records each statement it runs with its plan. The snapshots hold the plans of every
//! list and of every lookup at the start of a request; no statement of any request may scan a table.

mod billing;
mod channels;
mod discovery;
mod feeds;
mod links;
mod moderation;
mod oauth;
mod orders;
mod owners;
mod passkeys;
mod scheduled;
mod services;
mod signup;
mod skew;
mod webhooks;

use std::collections::HashSet;
use std::fmt::Write;

use serde_json::Map;
use svc_client::types::api::escrow::{Deliverable, DisputeOutcome, EscrowRole};
use svc_client::types::api::messages::Order;
use svc_client::types::api::notifications::NotificationType;
use svc_client::types::api::posts::ReplySort;
use svc_client::types::api::users::{UserPostInclude, UserSort};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, ServiceRequest, ServiceResponse};
use svc_core::tasks::trust;
use svc_server::testing::Engine;
use svc_store::db::{Plan, Sql};
use svc_store::sql;

use crate::app::{Member, TestApp};

/// Partial indexes that may be scanned because every row is needed: a search term can occur anywhere
/// in a text, so discovery reads all active services; a dispute notifies all moderators; the
/// recovery task reads all running recoveries; operators see how many accounts wait, what all open escrows
/// hold and the oldest dispute; a look at the payment provider names what waits there; a metric counts deliveries
/// that wait. The queue of search has nothing but what waits.
const ALLOWED_SCANS: &[&str] = &[
    "SCAN v USING INDEX service_offered",
    "SCAN account USING INDEX account_staff",
    "SCAN account USING INDEX account_awaits_approval",
    "SCAN e USING INDEX escrow_open",
    "SCAN e USING COVERING INDEX escrow_disputed",
    "SCAN search_queue",
    "SCAN webhook_recovery USING COVERING INDEX webhook_recovery_running",
    "SCAN payment USING INDEX payment_open",
    "SCAN subscription USING INDEX subscription_open",
    "SCAN payout_account USING INDEX payout_account_waiting",
    "SCAN webhook_delivery USING INDEX webhook_delivery_due",
];

/// A server and the query plans recorded so far.
struct World {
    app: TestApp,
    ada: Member,
    tables: Vec<String>,
    known: HashSet<Sql>,
    plans: String,
}

impl World {
    async fn new() -> Self {
        Self::with(&[]).await
    }

    /// A server with settings besides the usual ones.
    async fn with(settings: &[(&str, &str)]) -> Self {
        // Passkeys need the name of a host.
        let settings = [&[("public_url", "https://svc.example.org")], settings].concat();
        let app = TestApp::start_with(Engine::Sqlite, &settings).await;
        let app = app.expect("SQLite is always available");
        let ada = app.person("ada", "correct horse").await;
        let names = sql!("select name from sqlite_schema where type = 'table'");
        let tables = app.server.app().read(move |ctx| ctx.tx.all(names, &[])).await.unwrap();
        // A server does this when it has started and finds time: it belongs to no request.
        app.server.app().plans.watch();
        trust::once(app.server.app()).await.unwrap();
        let known = app.server.app().plans.take().into_iter().map(|plan| plan.sql).collect();
        Self { app, ada, tables, known, plans: String::new() }
    }

    /// Whether a step scans a table. Our statements refer to a table by its name or by an alias of one
    /// letter; longer names that are no table belong to subqueries.
    fn scans_a_table(&self, step: &str) -> bool {
        let scanned = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
        // The full-text index is queried by match, newest first.
        let is_match = step.contains(" VIRTUAL TABLE INDEX ") && step.contains(":M");
        !ALLOWED_SCANS.contains(&step)
            && !is_match
            && scanned.is_some_and(|name| {
                name.len() == 1 || self.tables.iter().any(|table| table == name)
            })
    }

    /// Makes a request and records the plans of the statements that no earlier request has run.
    async fn record<T>(
        &mut self,
        name: &str,
        call: impl IntoFuture<Output = svc_client::Result<T>>,
    ) {
        self.app.server.app().plans.watch();
        call.await.map(drop).unwrap();
        let plans = self.app.server.app().plans.take();
        self.note(name, plans);
    }

    /// Records plans under a name; none may scan a table.
    fn note(&mut self, name: &str, found: Vec<Plan>) {
        let mut plans = String::new();
        for Plan { sql, steps } in found {
            let scan = steps.iter().find(|step| self.scans_a_table(step));
            assert_eq!(scan, None, "{name}: {}", sql.text());
            if sql.text().starts_with("select") && self.known.insert(sql) {
                writeln!(plans, "  {}", steps.join("\n    ")).unwrap();
            }
        }
        if !plans.is_empty() {
            writeln!(self.plans, "{name}\n{}", plans.trim_end()).unwrap();
        }
    }

    /// Records every list and lookup.
    async fn record_all(&mut self) {
        let bob = self.app.agent("bob").await;
        let client = self.ada.client.clone();
        let top = self.ada.post("top #tag @bob").await;
        let reply = bob.reply(&top, "reply").await;
        self.ada.reply(&reply, "below").await;
        // Whom she follows is no stranger, so the conversation is in her inbox.
        self.app.follow(&self.ada, &bob).await;
        let message = bob.write(&self.ada, "hello").await;
        let conversation = &message.conversation_id;
        let cookie = self.app.sign_in("ada", "correct horse").await;

        self.record("by key", client.users().me()).await;
        self.record("by cookie", self.app.browser(&cookie).users().me()).await;
        self.record("post", client.posts().get(&top.id)).await;
        self.record("thread", client.posts().thread(&top.id)).await;
        for sort in [ReplySort::New, ReplySort::Old, ReplySort::Top] {
            let list = client.posts().replies(&top.id).sort(sort.clone());
            self.record(&format!("replies, {sort}"), list).await;
        }
        self.record("quotes", client.posts().quotes(&top.id)).await;
        self.record("posts of an account", client.users().posts("ada")).await;
        let with_replies = client.users().posts("ada").include([UserPostInclude::Replies]);
        self.record("posts of an account with replies", with_replies).await;
        for order in [Order::Desc, Order::Asc] {
            let list = client.messages().list().order(order.clone());
            self.record(&format!("mailbox, {order}"), list).await;
            let list = client.conversations().messages(conversation).order(order.clone());
            self.record(&format!("messages of a conversation, {order}"), list).await;
        }
        self.record("messages with an account", client.messages().list().with_user("bob")).await;
        self.record("conversations", client.conversations().list()).await;
        self.record("unread count", client.messages().unread_count()).await;
        for sort in [UserSort::New, UserSort::Followers, UserSort::Active] {
            let list = client.users().list().sort(sort.clone());
            self.record(&format!("accounts, {sort}"), list).await;
            let list = client.users().list().sort(sort.clone());
            let list = list.with(|list| list.q = Some("bo".into()));
            self.record(&format!("accounts of a name, {sort}"), list).await;
        }
        let send = bob.client.messages().send("ada", "x").client_message_id("c");
        self.record("send once", send.idempotency_key("k")).await;
        let read = client.conversations().read(conversation, &message.message_id);
        self.record("read", read).await;
        self.record_notifications().await;
        self.record_deals(&bob).await;
        self.record_sweep().await;
        self.record("edit", client.posts().edit(&top.id).content("edited")).await;
        self.record("delete", client.posts().delete(&top.id)).await;
        self.record_scheduled_posts().await;
        self.record_webhooks(&bob).await;
        self.record("delete a message", client.messages().delete(&message.message_id)).await;
    }

    /// Records services, credits, orders, escrows and events.
    async fn record_deals(&mut self, bob: &Member) {
        let (ada, bob) = (self.ada.client.clone(), bob.client.clone());
        let created = bob.services().create("work", "does work", 5).await.unwrap().service;
        let (service, name) = (created.id.as_str(), "bob");
        self.record("discovery", ada.bots().discover("work")).await;
        self.record("capabilities", ada.bots().capabilities(name)).await;
        self.record("services", bob.services().list()).await;
        self.record("balance", ada.credits().balance()).await;
        self.record("transactions", ada.credits().transactions()).await;

        let order = ServiceRequest {
            service_id: service.into(),
            service_name: "work".into(),
            input: Map::new(),
            offered_credits: 5.into(),
            escrow_id: None,
        };
        self.record("order", ada.messages().request_service(name, order.clone())).await;
        let sent = ada.messages().request_service(name, order).await.unwrap().message;
        let done = ServiceResponse {
            request_id: sent.message_id,
            status: ResponseStatus::Completed,
            output: None,
            charged_credits: None,
        };
        self.record("answer", bob.messages().respond_to("ada", done)).await;

        let open = || ada.escrow().create(name, service, 5, "a report");
        self.record("open an escrow", open()).await;
        let escrow = open().await.unwrap().escrow.id;
        let list = || ada.escrow().list();
        self.record("escrows", list()).await;
        self.record("escrows, provider", list().role(EscrowRole::Provider)).await;
        self.app.grant_role("ada", "moderator").await;
        self.record("disputes", list().role(EscrowRole::Moderator)).await;
        self.record("log of an escrow", ada.escrow().events(&escrow)).await;
        self.record("deliver", bob.escrow().deliver(&escrow, Deliverable::new("text"))).await;
        self.record("dispute", ada.escrow().dispute(&escrow, "it fails")).await;
        let rating = svc_client::types::Rating::from_half_steps(9).unwrap();
        self.record("release", ada.escrow().release(&escrow).rating(rating)).await;
        self.record("events", bob.events().list()).await;
        self.record("resolve", async {
            let refused = ada.escrow().resolve(&escrow, DisputeOutcome::Refund, "late").await;
            assert_eq!(refused.unwrap_err().code(), Some(&Code::Forbidden));
            Ok(())
        })
        .await;
    }

    /// Records notifications.
    async fn record_notifications(&mut self) {
        let client = self.ada.client.clone();
        let notifications = client.notifications();
        self.record("notifications", notifications.list()).await;
        let unread = notifications.list().unread(true).types(vec![NotificationType::DirectMessage]);
        self.record("notifications of a type", unread).await;
        self.record("unread notifications", notifications.unread_count()).await;
        let newest = notifications.list().await.unwrap().notifications.remove(0).id;
        self.record("a notification", notifications.get(&newest)).await;
        self.record("notifications read up to one", notifications.read_up_to(&newest)).await;
        self.record("notifications of a post read", notifications.read_of_post("post_1")).await;
        self.record("preferences", notifications.preferences()).await;
    }

    /// Records the sweep of overdue items.
    async fn record_sweep(&mut self) {
        let app = std::sync::Arc::clone(self.app.server.app());
        self.record("sweep", async move {
            svc_core::due::sweep(&app).await.unwrap();
            Ok(())
        })
        .await;
    }
}

/// Compares plans, in the words of SQLite, with the snapshot of this name. Each statement occurs once,
/// under the request that runs it first.
///
/// Some sorts remain, all of them bounded. In `requests`: a mailbox merges sent and received messages,
/// the top replies merge liked and other replies; each side stops after one page, 101 rows at most,
/// so SQLite sorts 202 rows however long the list is. In `channels`: the unread count reads the newest
/// 100 messages. In `discovery`: the members of a list, 1000 at most, are sorted by their newest
/// posts, and so are the 1000 newest posts of a hashtag; the feed of a list merges at most a page of
/// posts for each place of the page.
fn assert_plans(name: &str, plans: &str) {
    insta::with_settings!({
        snapshot_path => "plans/snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, plans);
    });
}

#[tokio::test]
async fn every_list_uses_an_index() {
    let mut world = World::new().await;
    world.record_all().await;
    assert_plans("requests", &world.plans);
}

#[tokio::test]
async fn plans_stay_the_same_with_statistics_of_skewed_tables() {
    let mut world = World::new().await;
    world.skew().await;
    world.record_all().await;
    assert_plans("requests", &world.plans);
}
