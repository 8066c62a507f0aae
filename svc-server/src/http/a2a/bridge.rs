//! From messages to orders.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use svc_types::api::bots::{Capability, GetCapabilities};
use svc_types::api::orders::{CreateOrder, InputOrder, ListOrders, OrderRole, ServiceOrder};
use svc_types::{Code, Credits, Handle, Limit, ServiceId, Text};

use super::call::Call;
use super::fault::{Fault, Kind};
use super::types::{
    Message, Object, Part, Role, SendMessage, Task, TaskState, TaskStatus, with_integers,
};
use super::{repeat, task};

/// How the id of a task begins that only asks for the most it may cost. The rest is the service.
const QUOTE: &str = "quote_";

/// Longest id of a message: it is the buyer's id of the order.
const MESSAGE_ID_MAX: usize = 64;

/// What a message began.
pub(super) enum Started {
    /// Nothing yet: the caller must say how much it may cost.
    Quote(Box<Task>),
    /// An order, placed or continued.
    Order(Box<ServiceOrder>),
}

/// The content of a message.
pub(super) enum Content {
    /// Its data part.
    Data(Value),
    /// Its texts.
    Text(String),
}

/// The service that a task asks the price limit for.
pub(super) fn quoted(task: &str) -> Option<ServiceId> {
    task.strip_prefix(QUOTE).map(ServiceId::from)
}

/// Places the order that a message asks for, or gives the input that its task asks for.
pub(super) async fn start(call: &Call, request: &SendMessage) -> Result<Started, Fault> {
    check(request)?;
    let message = &request.message;
    let content = content(&message.parts)?;
    match message.task_id.as_deref() {
        None => place(call, request, content, None).await,
        Some(task) => match quoted(task) {
            Some(service) => place(call, request, content, Some(service)).await,
            None => input(call, task, message, content).await,
        },
    }
}

fn check(request: &SendMessage) -> Result<(), Fault> {
    let message = &request.message;
    if !(1..=MESSAGE_ID_MAX).contains(&message.message_id.chars().count()) {
        let rule = format!("messageId must have 1 to {MESSAGE_ID_MAX} characters");
        return Err(Fault::invalid("message.messageId", rule));
    }
    if message.role != Role::User {
        return Err(Fault::invalid("message.role", "role must be ROLE_USER"));
    }
    let configuration = request.configuration.as_ref();
    if configuration.is_some_and(|it| it.task_push_notification_config.is_some()) {
        return Err(no_push());
    }
    Ok(())
}

/// The refusal of push notifications.
pub(super) fn no_push() -> Fault {
    Fault::new(Kind::PushNotificationNotSupported, "push notifications are not offered")
        .hint("use SubscribeToTask, or webhooks of the API")
}

/// The one data part, or else all texts.
fn content(parts: &[Part]) -> Result<Content, Fault> {
    let invalid = |message: &str| Fault::invalid("message.parts", message);
    let (mut data, mut texts) = (Vec::new(), Vec::new());
    for part in parts {
        match (&part.data, &part.text, &part.raw, &part.url) {
            (Some(value), None, None, None) => data.push(value),
            (None, Some(text), None, None) => texts.push(text.as_str()),
            (None, None, Some(_), None) | (None, None, None, Some(_)) => {
                let message = "the agent takes data and text, not files";
                return Err(Fault::new(Kind::ContentTypeNotSupported, message));
            }
            _ => return Err(invalid("a part must have one of text, raw, url and data")),
        }
    }
    match data.as_slice() {
        [one] => Ok(Content::Data(with_integers((*one).clone()))),
        [] if texts.is_empty() => Err(invalid("parts must have a part of data or text")),
        [] => Ok(Content::Text(texts.join("\n"))),
        _ => Err(invalid("parts must have one data part at most")),
    }
}

/// What a message orders.
struct Wanted {
    service_id: ServiceId,
    input: Object,
    /// The service, if it was read already.
    offered: Option<Capability>,
}

/// Places an order. Without a word on its price only a free one is placed.
async fn place(
    call: &Call,
    request: &SendMessage,
    content: Content,
    quoted: Option<ServiceId>,
) -> Result<Started, Fault> {
    check_context(call, &request.message, quoted.is_some()).await?;
    let limit = max_credits(call, request)?;
    if let Some(placed) = repeat::placed(call, &request.message, &content, limit).await? {
        return Ok(Started::Order(Box::new(placed)));
    }
    let mut wanted = wanted(call, content, quoted).await?;
    if limit.is_none() {
        let offered = match wanted.offered.take() {
            Some(offered) => offered,
            None => find(offers(call).await?, &wanted.service_id)?,
        };
        if !offered.price_credits.is_zero() {
            return Ok(Started::Quote(Box::new(quote(call, &offered))));
        }
    }
    let order = ordering(call, &request.message, wanted, limit.unwrap_or_default());
    let placed = call.api.ask(&order, None).await;
    let placed = placed.map_err(|error| Fault::ordering(error, &call.api.extension()))?;
    Ok(Started::Order(Box::new(placed.order)))
}

async fn wanted(call: &Call, content: Content, quoted: Option<ServiceId>) -> Result<Wanted, Fault> {
    match content {
        Content::Data(data) => {
            let (service_id, input) = asked(data, quoted)?;
            Ok(Wanted { service_id, input, offered: None })
        }
        Content::Text(text) => {
            let (service, member) = taking_text(call, quoted).await?;
            let input = Object::from_iter([(member, text.into())]);
            Ok(Wanted { service_id: service.id.clone(), input, offered: Some(service) })
        }
    }
}

/// The order of a message, whose id is the buyer's own.
fn ordering(call: &Call, message: &Message, wanted: Wanted, max_credits: Credits) -> CreateOrder {
    CreateOrder {
        provider_username: Handle::from(&call.agent),
        service_id: wanted.service_id,
        input: wanted.input,
        max_credits: Some(max_credits),
        offered_credits: None,
        escrow_id: None,
        client_order_id: Some(Text::from(message.message_id.as_str())),
        answer_within: None,
    }
}

/// The service and input of a data part. A task that asks for the price limit names the service too.
fn asked(data: Value, quoted: Option<ServiceId>) -> Result<(ServiceId, Object), Fault> {
    let form = "the data part must be {\"serviceId\": …, \"input\": {…}}";
    let invalid = |member: &str, message: &str| {
        Fault::invalid(&format!("message.parts.data{member}"), message)
    };
    let Value::Object(mut data) = data else { return Err(invalid("", form)) };
    let service = match (data.remove("serviceId"), quoted) {
        (Some(Value::String(id)), _) => ServiceId::from(id),
        (None, Some(id)) => id,
        _ => {
            return Err(
                invalid(".serviceId", form).hint("the ids of the skills are those of services")
            );
        }
    };
    let Some(Value::Object(input)) = data.remove("input") else {
        return Err(invalid(".input", form));
    };
    // What costs credits is read strictly: a misspelled member would be lost.
    match data.keys().next() {
        None => Ok((service, input)),
        Some(name) => Err(invalid(&format!(".{name}"), &format!("unknown member; {form}"))),
    }
}

/// The most that the caller would pay, by the metadata of the message or of the request.
fn max_credits(call: &Call, request: &SendMessage) -> Result<Option<Credits>, Fault> {
    let extension = call.api.extension();
    let of = |metadata: &Option<Object>| metadata.as_ref()?.get(&extension).cloned();
    let found = of(&request.message.metadata).or_else(|| of(&request.metadata));
    let Some(found) = found.filter(|found| !found.is_null()) else { return Ok(None) };
    let field = format!("metadata.{extension}");
    let form = "it must be {\"maxCredits\": …}, from 0 to 1e9 with at most 6 decimals";
    let Value::Object(mut members) = found else { return Err(Fault::invalid(&field, form)) };
    let credits = members.remove("maxCredits").map(serde_json::from_value::<Credits>);
    let credits = credits.transpose().map_err(|_| Fault::invalid(&field, form))?;
    if members.is_empty() { Ok(credits) } else { Err(Fault::invalid(&field, form)) }
}

/// The services that the agent offers.
async fn offers(call: &Call) -> Result<Vec<Capability>, Fault> {
    let request = GetCapabilities { username: Handle::from(&call.agent) };
    Ok(call.api.ask(&request, None).await?.capabilities)
}

fn find(offers: Vec<Capability>, id: &ServiceId) -> Result<Capability, Fault> {
    offers.into_iter().find(|offer| offer.id == *id).ok_or_else(|| {
        Fault::invalid("message.parts.data.serviceId", "the agent offers no such service")
            .hint("the ids of the skills in the agent card are those of services")
    })
}

/// The service that a text by itself orders, and the member of its input that the text becomes.
async fn taking_text(
    call: &Call,
    quoted: Option<ServiceId>,
) -> Result<(Capability, String), Fault> {
    let mut offers = offers(call).await?;
    if offers.is_empty() && quoted.is_none() {
        let message = "the agent offers no service at present";
        return Err(Fault::new(Kind::UnsupportedOperation, message));
    }
    if let Some(id) = quoted {
        offers = vec![find(offers, &id)?];
    }
    let refused = || {
        let message = "the agent takes plain text only for its one service, if that takes one text";
        Fault::new(Kind::ContentTypeNotSupported, message)
            .hint("send a data part {\"serviceId\", \"input\"}")
    };
    let [offer] = <[Capability; 1]>::try_from(offers).map_err(|_| refused())?;
    let member = text_input(&offer).ok_or_else(refused)?;
    Ok((offer, member))
}

/// The member of a service's input, if that is one string.
pub(super) fn text_input(service: &Capability) -> Option<String> {
    let properties = service.input_schema.as_ref()?.get("properties")?.as_object()?;
    let mut members = properties.iter();
    let (name, schema) = members.next()?;
    let is_string = schema.get("type").and_then(Value::as_str) == Some("string");
    (members.next().is_none() && is_string).then(|| name.clone())
}

/// The task that asks how much an order may cost. There is no order yet, and the id says all there is
/// to say, so that every node can show the task.
fn quote(call: &Call, service: &Capability) -> Task {
    let (id, extension) = (format!("{QUOTE}{}", service.id), call.api.extension());
    let price = service.price_credits.in_words();
    let text = format!(
        "This costs {price}. To place the order, send the message again with the metadata \
         {{\"{extension}\": {{\"maxCredits\": {}}}}}.",
        service.price_credits
    );
    let facts = json!({
        "serviceId": service.id, "priceCredits": service.price_credits,
    });
    let metadata = Object::from_iter([(extension.clone(), facts)]);
    let message = Message {
        message_id: format!("{id}-price"),
        context_id: Some(id.clone()),
        task_id: Some(id.clone()),
        role: Role::Agent,
        parts: vec![Part::text(text)],
        metadata: Some(metadata.clone()),
        extensions: vec![extension],
    };
    let (state, timestamp) = (TaskState::InputRequired, call.api.app.clock.now());
    let status = TaskStatus { state, message: Some(message), timestamp };
    let (artifacts, history) = (Vec::new(), Vec::new());
    Task { context_id: id.clone(), id, status, artifacts, history, metadata }
}

/// The task that asks how much an order of this service may cost.
pub(super) async fn quote_again(call: &Call, service: &ServiceId) -> Result<Task, Fault> {
    let offer = find(offers(call).await?, service).map_err(|_| Fault::no_task())?;
    Ok(quote(call, &offer))
}

/// A context is the conversation with the agent; there is no other to continue.
async fn check_context(call: &Call, message: &Message, is_quoted: bool) -> Result<(), Fault> {
    let Some(context) = &message.context_id else { return Ok(()) };
    if is_quoted && message.task_id.as_ref() == Some(context) {
        return Ok(());
    }
    let latest = orders(call, 1);
    let latest = call.api.ask(&latest, None).await?.orders;
    if latest.first().is_some_and(|order| order.conversation_id.as_str() == context) {
        return Ok(());
    }
    Err(other_context().hint("leave it out; the answer names the context"))
}

fn other_context() -> Fault {
    Fault::invalid(
        "message.contextId",
        "contextId must be the one of an earlier task with this agent",
    )
}

/// A list of the caller's orders from the agent.
pub(super) fn orders(call: &Call, limit: u32) -> ListOrders {
    ListOrders {
        role: Some(OrderRole::Buyer),
        status: None,
        counterparty: Some(Handle::from(&call.agent)),
        service_id: None,
        client_order_id: None,
        sample: None,
        since: None,
        limit: Some(Limit::from(limit)),
        cursor: None,
    }
}

/// Gives the input that a task asks for.
async fn input(
    call: &Call,
    task: &str,
    message: &Message,
    content: Content,
) -> Result<Started, Fault> {
    let order = call.order(task).await?;
    if message.context_id.as_deref().is_some_and(|id| id != order.conversation_id.as_str()) {
        return Err(other_context());
    }
    let has_ended = task::state(&order.status).is_terminal();
    let unwanted = |fault: Fault| {
        if has_ended { fault.hint("it has ended; send a message without taskId") } else { fault }
    };
    let none = || unwanted(Fault::new(Kind::UnsupportedOperation, "the task asks for no input"));
    let prompt = order.prompt.as_ref().ok_or_else(none)?;
    let input = match content {
        Content::Data(data) => data,
        Content::Text(text) => text.into(),
    };
    let (order_id, prompt_id) = (order.id.clone(), Text::from(prompt.id.as_str()));
    let request = InputOrder { order_id, prompt_id, input };
    // A message that is sent again counts once, even if the task has ended meanwhile.
    let key = format!("a2a-{}", URL_SAFE_NO_PAD.encode(Sha256::digest(&message.message_id)));
    give(call, &request, &key).await.map_err(unwanted)?;
    // The stored answer to an earlier attempt may be old.
    Ok(Started::Order(Box::new(call.order(task).await?)))
}

/// Gives an input, once per key.
async fn give(call: &Call, request: &InputOrder, key: &str) -> Result<(), Fault> {
    let Err(error) = call.api.ask(request, Some(key)).await else { return Ok(()) };
    if error.code() != Code::IdempotencyConflict {
        let codes = [Code::WrongState, Code::RequestClosed];
        return Err(Fault::named(error, Kind::UnsupportedOperation, &codes).inputting());
    }
    if repeat::was_given(call, request, key).await {
        return Ok(());
    }
    Err(Fault::reused(error, "input"))
}
