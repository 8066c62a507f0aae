//! Endpoints as tools: their schemas, their words, their answers.

use std::pin::Pin;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Described, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use svc_bot_kit::Work;
use svc_client::http::Method;
use svc_client::types::api::bots::{DiscoverBots, GetCapabilities};
use svc_client::types::api::escrow::{GetEscrow, ReleaseEscrow};
use svc_client::types::api::feed::{GetFeed, GetGlobalFeed};
use svc_client::types::api::messages::{ListMessages, SendMessage};
use svc_client::types::api::posts::{CreatePost, CreateReply, GetPost, GetThread};
use svc_client::types::{Checksum, Endpoint, ServiceMessage, published, wire};

use super::{Server, order};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::order::failure::explained;
use crate::untrusted::Untrusted;

/// The member of a release that names what was seen.
const CHECKSUM: &str = "checksum";

/// Something an agent can do.
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// What it does, in the words of its endpoint.
    about: String,
    input: fn() -> Map<String, Value>,
    is_reading: bool,
    /// Whether it spends credits or gives held ones away.
    pub(super) spends: bool,
    pub(super) run: for<'a> fn(&'a Server, Map<String, Value>) -> Running<'a>,
}

pub(super) type Running<'a> = Pin<Box<dyn Future<Output = Result<Value>> + Send + 'a>>;

/// Every tool.
pub(super) fn all() -> Vec<Tool> {
    let dm = Tool { run: |server, given| Box::pin(dm(server, given)), ..of::<SendMessage>("dm") };
    let release = Tool {
        input: release_schema,
        spends: true,
        run: |server, given| Box::pin(release(server, given)),
        ..of::<ReleaseEscrow>("escrow_release")
    };
    let order = Tool {
        name: "order",
        about: order::ABOUT.to_owned(),
        input: schema::<order::Wanted>,
        is_reading: false,
        spends: true,
        run: |server, given| Box::pin(order::order(server, given)),
    };
    vec![
        of::<CreatePost>("post"),
        of::<CreateReply>("reply"),
        of::<GetGlobalFeed>("feed"),
        of::<GetFeed>("home_feed"),
        of::<GetPost>("read_post"),
        of::<GetThread>("read_thread"),
        dm,
        of::<ListMessages>("inbox"),
        of::<DiscoverBots>("discover"),
        of::<GetCapabilities>("capabilities"),
        order,
        of::<GetEscrow>("escrow_show"),
        release,
    ]
}

/// An endpoint as a tool.
fn of<E: Endpoint>(name: &'static str) -> Tool {
    Tool {
        name,
        about: published(E::DOC),
        input: schema::<E>,
        is_reading: E::METHOD == Method::GET,
        spends: false,
        run: |server, given| Box::pin(send::<E>(server, given)),
    }
}

impl Tool {
    /// The tool as clients see it.
    pub(super) fn described(&self) -> Described {
        let hints = ToolAnnotations::new().read_only(self.is_reading).destructive(self.spends);
        let input: Arc<JsonObject> = Arc::new((self.input)());
        Described::new(self.name, self.about.clone(), input).with_annotations(hints)
    }
}

/// The schema of what a tool is given, without references, which many clients can't follow.
fn schema<T: JsonSchema>() -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator();
    let mut schema = T::json_schema(&mut generator);
    schema.insert("type".to_owned(), "object".into());
    // The tool has a name and a description of its own.
    schema.remove("title");
    schema.remove("description");
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    schema.values_mut().for_each(publish);
    schema
}

/// Leaves out of descriptions what is for readers of the code. A schema is as deep as its type.
fn publish(part: &mut Value) {
    match part {
        Value::Object(members) => {
            if let Some(Value::String(text)) = members.get_mut("description") {
                *text = published(text);
            }
            members.values_mut().for_each(publish);
        }
        Value::Array(parts) => parts.iter_mut().for_each(publish),
        _ => {}
    }
}

/// What a tool is given, or the member that is wrong.
pub(super) fn read<T: DeserializeOwned>(given: &Map<String, Value>) -> Result<T> {
    wire::decode_members(given)
        .map_err(|refused| Error::usage(refused.message).hint("look at the tool's inputSchema"))
}

async fn send<E: Endpoint>(server: &Server, given: Map<String, Value>) -> Result<Value> {
    answer(server, read::<E>(&given)?).await
}

/// What the platform answers, as it came: most of it is what others wrote.
async fn answer<E: Endpoint>(server: &Server, request: E) -> Result<Value> {
    let answer = server.caller.send_agreed(request).await?;
    let answer = answer.expect("svc mcp does not run under --dry-run");
    let answer: Value = serde_json::from_str(answer.value.raw.get())
        .map_err(|error| Error::usage(format!("the answer is no JSON: {error}")))?;
    Ok(Untrusted::new(answer).marked())
}

/// A message, but not one that orders: that would pass by the limits.
async fn dm(server: &Server, given: Map<String, Value>) -> Result<Value> {
    let request: SendMessage = read(&given)?;
    if ServiceMessage::is_request(&request.content) {
        return Err(Error::usage("dm sends no service.request").hint("use the tool order"));
    }
    answer(server, request).await
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
async fn release(server: &Server, mut given: Map<String, Value>) -> Result<Value> {
    let shown = given.remove(CHECKSUM);
    let request: ReleaseEscrow = read(&given)?;
    if request.deliverable_version.is_none() {
        let message = "deliverableVersion is needed, so that only what was seen is accepted";
        return Err(Error::usage(message).hint("look at it with escrow_show"));
    }
    // Whatever else the account pays for is the person's own business.
    let Some(work) = server.buyer.work(request.escrow_id.clone()).await.map_err(explained)? else {
        let message = "this escrow pays for no order of the tool order";
        return Err(Error::usage(message).hint("the person releases it by svc escrow release"));
    };
    compare(&work, shown.as_ref())?;
    let released = answer(server, request).await?;
    work.note_release().await.map_err(explained)?;
    Ok(released)
}

/// Whether what is in the escrow is what was shown, and is what its checksum says as far as that
/// can be seen from here. The platform compares the version.
fn compare(work: &Work, shown: Option<&Value>) -> Result<()> {
    let claimed = work.deliverable().and_then(|work| work.checksum.as_ref());
    let claimed = claimed.map(Checksum::as_str);
    let hint = "look at it with escrow_show";
    match (shown, claimed) {
        (None, None) => Ok(()),
        (None, Some(_)) => {
            let message = "checksum is needed, so that only what was seen is accepted";
            Err(Error::usage(message).hint(hint))
        }
        (Some(shown), claimed) if shown.as_str() != claimed => {
            let message = "the checksum is not that of the deliverable; it was not released";
            Err(Error::new(Exit::Conflict, "checksum_mismatch", message).hint(hint))
        }
        _ => match work.check() {
            // Whether that is what lies elsewhere is for the agent to see.
            Err(svc_bot_kit::Error::Unchecked { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(explained(error).hint("dispute it: svc escrow dispute")),
        },
    }
}
