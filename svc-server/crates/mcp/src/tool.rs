//! A tool: an endpoint, or something that spends, with its schemas and words.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use http::Method;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool as Described, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_types::{Code, Endpoint, published, wire};

use crate::backend::Backend;
use crate::brief;
use crate::schema::{listed, schema, untrusted};

/// The code of a refusal that quotes a schema.
const MISFIT: &str = "input_schema_mismatch";

/// What to do after it.
const LOOK: &str = "compare it with the inputSchema of the service, or the schema of the question";

/// Something an agent can do.
pub struct Tool<B: Backend> {
    /// Its name, by which agents call it.
    pub name: &'static str,
    /// Whether it spends credits or gives held ones away.
    pub spends: bool,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// What it does, in the words of its endpoint.
    pub(crate) about: String,
    pub(crate) input: fn() -> Map<String, Value>,
    pub(crate) output: fn() -> Map<String, Value>,
    pub(crate) effect: Effect,
    pub(crate) run: for<'a> fn(&'a B, Map<String, Value>) -> Running<'a, B>,
}

/// What a call changes, from which the hints of a tool follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Reads,
    /// It adds something, each time.
    Adds,
    /// It adds something once: a second call changes nothing more.
    AddsOnce,
    /// It changes, pays or ends something, each time.
    Changes,
    /// It changes or ends something once: a second call changes nothing more.
    ChangesOnce,
}

/// A call under way.
pub type Running<'a, B> =
    Pin<Box<dyn Future<Output = Result<Value, <B as Backend>::Error>> + Send + 'a>>;

/// An endpoint as a tool.
pub(crate) fn of<B: Backend, E: Endpoint>(name: &'static str, title: &'static str) -> Tool<B> {
    let reads = E::METHOD == Method::GET;
    Tool {
        name,
        spends: false,
        title,
        about: published(E::DOC),
        input: schema::<E>,
        output: untrusted::<E::Response>,
        effect: if reads { Effect::Reads } else { Effect::Adds },
        run: |backend, given| Box::pin(send::<B, E>(backend, given)),
    }
}

/// An endpoint that answers with a page of a list as a tool.
pub(crate) fn list<B: Backend, E: Endpoint>(name: &'static str, title: &'static str) -> Tool<B> {
    Tool {
        output: listed::<E::Response>,
        run: |backend, given| Box::pin(send_page::<B, E>(backend, given)),
        ..of::<B, E>(name, title)
    }
}

impl<B: Backend> Tool<B> {
    /// The same tool with another effect than its method says.
    pub(crate) fn that(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    /// The same tool, which does more than its endpoint says.
    pub(crate) fn and(self, more: &str) -> Self {
        Self { about: format!("{}\n\n{more}", self.about), ..self }
    }

    /// The tool as clients see it.
    pub fn described(&self) -> Described {
        use Effect::{AddsOnce, Changes, ChangesOnce, Reads};
        // Whatever a tool reads or writes, strangers are at the other end.
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(self.effect == Reads)
            .destructive(matches!(self.effect, Changes | ChangesOnce))
            .idempotent(matches!(self.effect, Reads | AddsOnce | ChangesOnce))
            .open_world(true);
        let input: Arc<JsonObject> = Arc::new((self.input)());
        Described::new(self.name, self.about.clone(), input)
            .with_title(self.title)
            .with_raw_output_schema(Arc::new((self.output)()))
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

/// The result of a call that failed. It is only a text, because clients check every structured result
/// against the schema of the tool, which describes what succeeds.
pub fn failed(error: &Value) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(apart(error.clone()).to_string())])
}

/// The error with what strangers wrote apart. Where an input does not fit, text, field and hint name
/// members and values of a schema that somebody else published.
fn apart(mut error: Value) -> Value {
    let is_misfit = error["code"] == MISFIT;
    if let (true, Some(members)) = (is_misfit, error.as_object_mut()) {
        quote(members);
        members.insert("hint".to_owned(), LOOK.into());
    }
    error
}

fn quote(error: &mut Map<String, Value>) {
    if error.contains_key("untrusted") {
        return;
    }
    let mut quoted = Map::new();
    for (member, word) in [("field", "field"), ("hint", "faults")] {
        quoted.extend(error.remove(member).map(|text| (word.to_owned(), text)));
    }
    error.insert("error".to_owned(), "the input does not fit".into());
    error.insert("untrusted".to_owned(), quoted.into());
}

/// The arguments of a tool, or what is wrong with them. Unknown ones are refused: if a misspelt filter
/// were ignored, an agent would take the unfiltered result for what it asked for.
pub(crate) fn read<B: Backend, T: DeserializeOwned + JsonSchema>(
    given: &Map<String, Value>,
) -> Result<T, B::Error> {
    read_beside::<B, T>(given, None)
}

/// The same where the tool takes one more argument, which is not among those given.
pub(crate) fn read_beside<B: Backend, T: DeserializeOwned + JsonSchema>(
    given: &Map<String, Value>,
    more: Option<&str>,
) -> Result<T, B::Error> {
    wire::decode_members_with(given, wire::Handling::Strict).map_err(|refused| {
        // Of other arguments, the schema says how they have to be sent.
        let known = refused.hint.filter(|_| refused.code == Code::UnknownMember);
        B::misused(refused.message, hint::<T>(known, more))
    })
}

/// What would be right: the closest known name, or all names.
fn hint<T: JsonSchema>(known: Option<String>, more: Option<&str>) -> String {
    match (known, more) {
        (Some(_), None) if takes_nothing::<T>() => "the tool takes no arguments".to_owned(),
        (Some(_), Some(more)) if takes_nothing::<T>() => format!("there is only {more}"),
        (Some(names), None) if names.contains(' ') => names,
        (Some(names), Some(more)) if names.contains(' ') => format!("{names}, {more}"),
        (Some(name), _) => format!("the closest known one is {name}"),
        (None, _) => "look at the tool's inputSchema".to_owned(),
    }
}

fn takes_nothing<T: JsonSchema>() -> bool {
    let schema = schema::<T>();
    let arguments = schema.get("properties").and_then(Value::as_object);
    arguments.is_none_or(Map::is_empty)
}

/// Most of what the platform answers is what others wrote.
pub(crate) fn marked(answer: Value) -> Value {
    Map::from_iter([("untrusted".to_owned(), answer)]).into()
}

async fn send<B: Backend, E: Endpoint>(
    backend: &B,
    given: Map<String, Value>,
) -> Result<Value, B::Error> {
    backend.send(read::<B, E>(&given)?).await.map(marked)
}

async fn send_page<B: Backend, E: Endpoint>(
    backend: &B,
    given: Map<String, Value>,
) -> Result<Value, B::Error> {
    backend.send(read::<B, E>(&given)?).await.map(brief::page)
}
