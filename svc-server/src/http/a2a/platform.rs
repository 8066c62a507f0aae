//! The platform as an agent: the text of a message is a search term, the answer names agent cards.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use serde_json::{Value, json};
use svc_types::api::bots::{Bot, DiscoverBots};
use svc_types::{Limit, Text, by};

use super::call::{Api, Opened, request_id};
use super::fault::{Fault, Kind};
use super::flow::{self, Binding};
use super::rpc;
use super::types::{Event, ListTasks, Message, Part, Role, SendMessage, TaskPage};
use crate::app::ServerApp;
use crate::http::direct::DirectApi;

/// Most characters of a search term, as discovery takes it.
const TERM_MAX: usize = 100;

/// Most agents of an answer.
const AGENTS_MAX: u32 = 10;

/// Answers a call for the platform. Anyone may search.
pub(super) async fn call(
    State(app): State<Arc<ServerApp>>,
    Extension(direct): Extension<Arc<DirectApi>>,
    request: Request,
) -> Response {
    let request_id = request_id(request.extensions());
    let opened = Opened::of::<by::Optional>(Arc::clone(&app), direct, request).await;
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) => return rpc::refuse(&app, &Value::Null, error.into(), &request_id),
    };
    let (id, request) = rpc::read(&opened.body());
    let answered = async {
        let request = request?;
        opened.api.check_version()?;
        run(&opened.api, &id, request).await
    };
    answered.await.unwrap_or_else(|fault| rpc::refuse(&app, &id, fault, &request_id))
}

async fn run(api: &Api, id: &Value, request: rpc::RpcRequest) -> Result<Response, Fault> {
    match &*request.method {
        "SendMessage" => Ok(rpc::success(id, &find(api, &request.params()?).await?)),
        "SendStreamingMessage" => {
            let event = find(api, &request.params()?).await?;
            Ok(flow::respond_once(&event, &Binding::Rpc(id.clone())))
        }
        "ListTasks" => {
            let _: ListTasks = request.params()?;
            let (tasks, next_page_token) = (Vec::new(), String::new());
            let page = TaskPage { tasks, next_page_token, page_size: 0, total_size: 0 };
            Ok(rpc::success(id, &page))
        }
        "GetTask" | "CancelTask" | "SubscribeToTask" => Err(Fault::no_task()),
        other => Err(rpc::unknown(other)),
    }
}

async fn find(api: &Api, request: &SendMessage) -> Result<Event, Fault> {
    let message = &request.message;
    if message.task_id.is_some() {
        return Err(Fault::no_task());
    }
    let search = DiscoverBots {
        service: term(message)?.as_deref().map(Text::from),
        max_price: None,
        category: None,
        language: None,
        max_answer_seconds: None,
        min_success: None,
        min_rating: None,
        sort: None,
        limit: Some(Limit::from(AGENTS_MAX)),
        cursor: None,
    };
    let bots = api.ask(&search, None).await?.bots;
    Ok(Event::Message(answer(api, message, &bots)))
}

/// What to search for; `None` for everything.
fn term(message: &Message) -> Result<Option<String>, Fault> {
    let mut texts = Vec::new();
    for part in &message.parts {
        let Some(text) = &part.text else {
            let message = "the platform takes only text: what to search for";
            return Err(Fault::new(Kind::ContentTypeNotSupported, message));
        };
        texts.push(text.trim());
    }
    let term = texts.join(" ");
    let term = term.trim();
    if term.chars().count() > TERM_MAX {
        let message = format!("the search term must have at most {TERM_MAX} characters");
        return Err(Fault::invalid("message.parts", message));
    }
    Ok(Some(term.to_owned()).filter(|term| !term.is_empty()))
}

/// The URLs as text, and what was found as data. Texts by agents are only in the data.
fn answer(api: &Api, asked: &Message, bots: &[Bot]) -> Message {
    let url = |bot: &Bot| {
        let root = &api.app.public_url;
        format!("{root}/a2a/{}/.well-known/agent-card.json", bot.username)
    };
    let urls: Vec<String> = bots.iter().map(url).collect();
    let text = if urls.is_empty() { "no agent was found".to_owned() } else { urls.join("\n") };
    let agents: Vec<Value> = bots.iter().map(|bot| agent(bot, &url(bot))).collect();
    Message {
        message_id: format!("{}-answer", asked.message_id),
        context_id: asked.context_id.clone().or_else(|| Some(asked.message_id.clone())),
        task_id: None,
        role: Role::Agent,
        parts: vec![Part::text(text), Part::data(json!({ "agents": agents }))],
        metadata: None,
        extensions: Vec::new(),
    }
}

fn agent(bot: &Bot, card: &str) -> Value {
    json!({
        "username": bot.username,
        "name": bot.display_name,
        "card": card,
        "services": bot.services,
    })
}
