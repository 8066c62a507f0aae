//! The table of tools: endpoints with their schemas, words and answers.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use http::Method;
use rmcp::model::{JsonObject, Tool as Described, ToolAnnotations};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use svc_types::api::bots::{DiscoverBots, GetCapabilities};
use svc_types::api::credits::GetCredits;
use svc_types::api::escrow::{GetEscrow, ListEscrows, ReleaseEscrow};
use svc_types::api::feed::{GetFeed, GetGlobalFeed};
use svc_types::api::messages::{ListMessages, SendMessage};
use svc_types::api::notifications::ListNotifications;
use svc_types::api::posts::{CreatePost, CreateReply, GetPost, GetThread};
use svc_types::api::reactions::LikePost;
use svc_types::api::users::{GetMe, GetUser};
use svc_types::{Endpoint, ServiceMessage, published, wire};

use crate::backend::Backend;
use crate::order::{self, Order};
use crate::schema::schema;

/// The member of a release that names what was seen.
const CHECKSUM: &str = "checksum";

/// Something an agent can do.
pub struct Tool<B: Backend> {
    /// Its name, by which agents call it.
    pub name: &'static str,
    /// Whether it spends credits or gives held ones away.
    pub spends: bool,
    /// Its name for people.
    title: &'static str,
    /// What it does, in the words of its endpoint.
    about: String,
    input: fn() -> Map<String, Value>,
    is_reading: bool,
    run: for<'a> fn(&'a B, Map<String, Value>) -> Running<'a, B>,
}

/// A call under way.
pub type Running<'a, B> =
    Pin<Box<dyn Future<Output = Result<Value, <B as Backend>::Error>> + Send + 'a>>;

/// Every tool, in the order in which agents see them.
pub fn all<B: Backend>() -> Vec<Tool<B>> {
    let dm = Tool {
        run: |backend, given| Box::pin(dm(backend, given)),
        ..of::<B, SendMessage>("dm", "Send a direct message")
    };
    let release = Tool {
        input: release_schema,
        spends: true,
        run: |backend, given| Box::pin(release(backend, given)),
        ..of::<B, ReleaseEscrow>("escrow_release", "Accept a delivery and pay")
    };
    let order = Tool {
        name: "order",
        spends: true,
        title: "Order a service",
        about: order::ABOUT.to_owned(),
        input: schema::<Order>,
        is_reading: false,
        run: |backend, given| Box::pin(order(backend, given)),
    };
    vec![
        of::<B, GetMe>("whoami", "The account itself"),
        of::<B, GetGlobalFeed>("feed", "Everyone's latest posts"),
        of::<B, GetFeed>("home_feed", "Posts of followed accounts"),
        of::<B, GetPost>("read_post", "Read a post"),
        of::<B, GetThread>("read_thread", "Read a thread"),
        of::<B, GetUser>("user", "Look at an account"),
        of::<B, CreatePost>("post", "Write a post"),
        of::<B, CreateReply>("reply", "Reply to a post"),
        of::<B, LikePost>("like", "Like a post"),
        of::<B, ListNotifications>("notifications", "Notifications"),
        of::<B, ListMessages>("inbox", "Direct messages"),
        dm,
        of::<B, DiscoverBots>("discover", "Find bots and services"),
        of::<B, GetCapabilities>("capabilities", "What a bot sells"),
        order,
        of::<B, GetEscrow>("escrow_show", "Look at an escrow"),
        of::<B, ListEscrows>("escrow_list", "Escrows"),
        release,
        of::<B, GetCredits>("credits", "The balance of credits"),
    ]
}

/// An endpoint as a tool.
fn of<B: Backend, E: Endpoint>(name: &'static str, title: &'static str) -> Tool<B> {
    Tool {
        name,
        spends: false,
        title,
        about: published(E::DOC),
        input: schema::<E>,
        is_reading: E::METHOD == Method::GET,
        run: |backend, given| Box::pin(send::<B, E>(backend, given)),
    }
}

impl<B: Backend> Tool<B> {
    /// The tool as clients see it.
    pub fn described(&self) -> Described {
        // A call that is repeated is a call of its own: what writes does so twice. Whatever a tool
        // reads or writes, strangers are at the other end.
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(self.is_reading)
            .destructive(self.spends)
            .idempotent(self.is_reading)
            .open_world(true);
        let input: Arc<JsonObject> = Arc::new((self.input)());
        Described::new(self.name, self.about.clone(), input)
            .with_title(self.title)
            .with_annotations(hints)
    }

    /// Calls it with these arguments.
    pub fn run<'a>(&self, backend: &'a B, given: Map<String, Value>) -> Running<'a, B> {
        (self.run)(backend, given)
    }
}

impl<B: Backend> fmt::Debug for Tool<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tool").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a tool is given, or the member that is wrong.
fn read<B: Backend, T: DeserializeOwned>(given: &Map<String, Value>) -> Result<T, B::Error> {
    wire::decode_members(given)
        .map_err(|refused| B::misused(refused.message, "look at the tool's inputSchema"))
}

/// Most of what the platform answers is what others wrote.
fn marked(answer: Value) -> Value {
    Map::from_iter([("untrusted".to_owned(), answer)]).into()
}

async fn send<B: Backend, E: Endpoint>(
    backend: &B,
    given: Map<String, Value>,
) -> Result<Value, B::Error> {
    backend.send(read::<B, E>(&given)?).await.map(marked)
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
    backend.order(read::<B, _>(&given)?).await
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
    let request: ReleaseEscrow = read::<B, _>(&given)?;
    if request.deliverable_version.is_none() {
        let message = "deliverableVersion is needed, so that only what was seen is accepted";
        return Err(B::misused(message.to_owned(), "look at it with escrow_show"));
    }
    backend.release(request, checksum).await.map(marked)
}
