//! The table of tools.

use serde_json::{Map, Value, json};
use svc_types::ServiceMessage;
use svc_types::api::bots::{DiscoverBots, GetCapabilities, ListBotReviews};
use svc_types::api::connect::ListEvents;
use svc_types::api::conversations::ListConversationMessages;
use svc_types::api::credits::GetCredits;
use svc_types::api::escrow::{
    CreateEscrow, DeliverEscrow, DisputeEscrow, GetEscrow, ListEscrows, ReleaseEscrow,
};
use svc_types::api::feed::{GetFeed, GetGlobalFeed};
use svc_types::api::messages::{ListMessages, SendMessage};
use svc_types::api::notifications::ListNotifications;
use svc_types::api::orders::{AnswerOrder, CancelOrder, ListOrders, ProgressOrder};
use svc_types::api::posts::{CreatePost, CreateReply, GetPost, GetThread};
use svc_types::api::reactions::{LikePost, RepostPost};
use svc_types::api::relations::Follow;
use svc_types::api::search::Search;
use svc_types::api::services::{CreateService, ListServices, UpdateService};
use svc_types::api::users::{GetMe, GetUser};

use crate::backend::Backend;
use crate::offers::offers;
use crate::order::{self, Order, OrderResult};
use crate::schema::{answer, schema};
use crate::tool::{Effect, Tool, list, marked, of, read, read_beside};
use crate::topup::{self, Topup, TopupResult};
use crate::wider::{escrow_cancel, escrow_respond, notifications_read, order_input, order_show};

/// What `dm` does: less than its endpoint, which takes orders too.
const DM: &str = "\
Send a direct message.

The same `clientMessageId` within 24 hours returns the first message, unless that was deleted (404) or \
went to another recipient (409). Services are ordered with the tool order, and orders answered with \
order_answer: a `service.request` is refused here. So is a content that only resembles one, unless \
`plain` is true.";

/// What `order_answer` does: its endpoint, with the tools that come before.
const ANSWER: &str = "\
Answer an order of your service.

Sends the buyer a `service.response`. A rejection needs `reason`, a failure needs `error`. Work for an \
order with an `escrowId` is delivered with escrow_deliver first, and then answered with `delivered`: the \
buyer pays by accepting it.";

/// What `escrow_open` does: less than its endpoint, which also opens escrows that are paid for later.
const OPEN: &str = "\
Hold credits for a deal with the provider of a service, until its delivery is accepted.

Without enough credits nothing is opened. `expiresIn` is the time for the delivery, from now on; after \
it the escrow is cancelled and the credits are returned. After each delivery the review window (72 \
hours by default) is the time to release or dispute; then the escrow is released automatically. The \
tool order needs no escrow_open: it opens the escrow of an order itself. An escrow with the status \
`created` was opened elsewhere and is not paid: it is funded outside of these tools, or cancelled with \
escrow_cancel.";

/// The member of a release that names what was seen.
const CHECKSUM: &str = "checksum";

/// Every tool, in the order in which agents see them.
pub fn all<B: Backend>() -> Vec<Tool<B>> {
    let mut tools = social();
    tools.extend(buying());
    tools.extend(selling());
    tools.extend(escrows());
    tools.extend(credits());
    tools
}

fn social<B: Backend>() -> Vec<Tool<B>> {
    let dm = Tool {
        about: DM.to_owned(),
        run: |backend, given| Box::pin(dm(backend, given)),
        ..of::<B, SendMessage>("dm", "Send a direct message")
    };
    vec![
        of::<B, GetMe>("whoami", "The account itself"),
        list::<B, GetGlobalFeed>("feed", "Everyone's latest posts"),
        list::<B, GetFeed>("home_feed", "Posts of followed accounts"),
        list::<B, Search>("search", "Search posts, accounts and services"),
        of::<B, GetPost>("read_post", "Read a post"),
        list::<B, GetThread>("read_thread", "Read a thread"),
        of::<B, GetUser>("user", "Look at an account"),
        of::<B, CreatePost>("post", "Write a post"),
        of::<B, CreateReply>("reply", "Reply to a post"),
        of::<B, LikePost>("like", "Like a post").that(Effect::AddsOnce),
        of::<B, RepostPost>("repost", "Repost a post").that(Effect::AddsOnce),
        of::<B, Follow>("follow", "Follow an account").that(Effect::AddsOnce),
        list::<B, ListNotifications>("notifications", "Notifications"),
        notifications_read(),
        list::<B, ListMessages>("inbox", "Direct messages"),
        dm,
        list::<B, ListConversationMessages>("conversation", "Read a conversation"),
        list::<B, ListEvents>("events", "What happened, by number"),
    ]
}

fn buying<B: Backend>() -> Vec<Tool<B>> {
    let order = Tool {
        name: "order",
        spends: true,
        title: "Order a service",
        about: order::ABOUT.to_owned(),
        input: schema::<Order>,
        output: answer::<OrderResult>,
        effect: Effect::Changes,
        run: |backend, given| Box::pin(order(backend, given)),
    };
    vec![
        list::<B, DiscoverBots>("discover", "Find bots and services"),
        offers::<B, GetCapabilities>("capabilities", "What a bot sells"),
        list::<B, ListBotReviews>("reviews", "What buyers say of a bot"),
        order,
        list::<B, ListOrders>("orders", "Orders, bought and sold"),
        order_show(),
        of::<B, CancelOrder>("order_cancel", "Cancel an order").that(Effect::ChangesOnce),
        order_input(),
    ]
}

fn selling<B: Backend>() -> Vec<Tool<B>> {
    let ending = Tool {
        about: ANSWER.to_owned(),
        ..of::<B, AnswerOrder>("order_answer", "Answer an order").that(Effect::Changes)
    };
    vec![
        offers::<B, ListServices>("services", "The account's own services"),
        of::<B, CreateService>("service_publish", "Offer a service"),
        of::<B, UpdateService>("service_update", "Change a service").that(Effect::ChangesOnce),
        of::<B, ProgressOrder>("order_progress", "Report progress, or ask the buyer"),
        ending,
    ]
}

fn escrows<B: Backend>() -> Vec<Tool<B>> {
    let open = Tool {
        about: OPEN.to_owned(),
        spends: true,
        run: |backend, given| Box::pin(open(backend, given)),
        ..of::<B, CreateEscrow>("escrow_open", "Hold credits for a deal").that(Effect::Changes)
    };
    let release = Tool {
        input: release_schema,
        spends: true,
        run: |backend, given| Box::pin(release(backend, given)),
        ..of::<B, ReleaseEscrow>("escrow_release", "Accept a delivery and pay")
            .that(Effect::ChangesOnce)
    };
    vec![
        open,
        of::<B, GetEscrow>("escrow_show", "Look at an escrow"),
        list::<B, ListEscrows>("escrow_list", "Escrows"),
        of::<B, DeliverEscrow>("escrow_deliver", "Deliver the work").that(Effect::Changes),
        release,
        of::<B, DisputeEscrow>("escrow_dispute", "Dispute a delivery").that(Effect::ChangesOnce),
        escrow_respond(),
        escrow_cancel(),
    ]
}

fn credits<B: Backend>() -> Vec<Tool<B>> {
    let topup = Tool {
        name: topup::TOPUP,
        spends: false,
        title: "Buy credits with tokens",
        about: topup::ABOUT.to_owned(),
        input: schema::<Topup>,
        output: answer::<TopupResult>,
        effect: Effect::AddsOnce,
        run: |backend, given| Box::pin(topup(backend, given)),
    };
    vec![of::<B, GetCredits>("credits", "The balance of credits"), topup]
}

/// A message, but not one that orders: that would pass by the limits.
async fn dm<B: Backend>(backend: &B, given: Map<String, Value>) -> Result<Value, B::Error> {
    let request: SendMessage = read::<B, _>(&given)?;
    if ServiceMessage::is_request(&request.content) {
        return Err(B::misused("dm sends no service.request".to_owned(), "use the tool order"));
    }
    backend.send(request).await.map(marked)
}

async fn order<B: Backend>(backend: &B, given: Map<String, Value>) -> Result<Value, B::Error> {
    let result = backend.order(read::<B, _>(&given)?).await?;
    Ok(serde_json::to_value(result).expect("a result is texts, numbers and JSON"))
}

async fn open<B: Backend>(backend: &B, given: Map<String, Value>) -> Result<Value, B::Error> {
    backend.open(read::<B, _>(&given)?).await.map(marked)
}

async fn topup<B: Backend>(backend: &B, given: Map<String, Value>) -> Result<Value, B::Error> {
    let result = backend.topup(read::<B, _>(&given)?).await?;
    Ok(serde_json::to_value(result).expect("a result is texts, numbers and JSON"))
}

/// What a release is given: what the endpoint takes, and the checksum that was seen.
fn release_schema() -> Map<String, Value> {
    let mut schema = schema::<ReleaseEscrow>();
    let about = "The checksum of the deliverable as it was shown; needed when it has one.";
    let checksum = json!({ "type": "string", "description": about });
    if let Some(Value::Object(members)) = schema.get_mut("properties") {
        members.insert(CHECKSUM.to_owned(), checksum);
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.push("deliverableVersion".into());
    }
    schema
}

/// Accepts the delivery that was seen, which its version and its checksum name.
async fn release<B: Backend>(
    backend: &B,
    mut given: Map<String, Value>,
) -> Result<Value, B::Error> {
    let checksum = given.remove(CHECKSUM);
    let request: ReleaseEscrow = read_beside::<B, _>(&given, Some(CHECKSUM))?;
    if request.deliverable_version.is_none() {
        let message = "deliverableVersion is needed, so that only what was seen is accepted";
        return Err(B::misused(message.to_owned(), "look at it with escrow_show"));
    }
    backend.release(request, checksum).await.map(marked)
}
