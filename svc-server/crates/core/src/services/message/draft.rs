//! A message before it is sent, and the typed data that goes along.

use serde::Serialize;
use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_types::{MessageId, ServiceRequest, ServiceResponse, service_message};

use crate::services::post;
use crate::services::service_request::{Judged, Wishes};

/// A message before it is sent.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// Who it is for: username or user id.
    pub recipient: &'a str,
    /// The text.
    pub content: &'a str,
    /// Name of the form of the payload.
    pub schema: Option<&'a str>,
    /// Typed data.
    pub payload: Option<&'a Map<String, Value>>,
    /// The message it answers.
    pub reply_to: Option<&'a MessageId>,
    /// The sender's own id.
    pub client_message_id: Option<&'a str>,
    /// Whether a program sends it on its own.
    pub is_automated: bool,
    /// What the content is, if it orders or answers a service.
    pub service: Option<Service<'a>>,
}

/// What the content of a message is, if it is a service message.
#[derive(Clone, Copy, Debug)]
pub enum Service<'a> {
    /// An order, what its input was found to be, and what its buyer wants besides.
    Request(&'a ServiceRequest, &'a Judged, Wishes<'a>),
    /// An answer.
    Response(&'a ServiceResponse),
}

/// The typed data that goes along.
pub(super) struct TypedData<'a> {
    /// Name of its form.
    pub(super) schema: Option<&'a str>,
    /// Its JSON.
    pub(super) payload: Option<String>,
}

pub(super) fn typed_data<'a>(draft: &Draft<'a>) -> Result<TypedData<'a>> {
    let service = |schema, payload| TypedData { schema: Some(schema), payload: Some(payload) };
    match draft.service {
        Some(_) if draft.schema.is_some() || draft.payload.is_some() => {
            let message = "a service message is sent as content, without schema and payload";
            Err(Error::invalid("schema", message))
        }
        Some(Service::Request(request, ..)) => {
            Ok(service(service_message::REQUEST, json(request)?))
        }
        Some(Service::Response(response)) => {
            Ok(service(service_message::RESPONSE, json(response)?))
        }
        None if draft.schema.is_some_and(|schema| schema.starts_with("service.")) => {
            let message =
                "schema must not begin with service.; a service message is sent as content";
            Err(Error::invalid("schema", message))
        }
        None => {
            let payload = post::attachment(draft.schema, draft.payload)?;
            if payload.is_none() {
                post::refuse_blank(draft.content)?;
            }
            Ok(TypedData { schema: draft.schema, payload })
        }
    }
}

fn json(payload: &impl Serialize) -> Result<String> {
    serde_json::to_string(payload).map_err(Error::internal)
}
