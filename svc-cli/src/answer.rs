//! `svc answer`: a provider answers an order.

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Map, Value};
use svc_client::types::api::messages::{GetMessage, SendMessage};
use svc_client::types::service_message::{ResponseStatus, ServiceMessage, ServiceResponse};
use svc_client::types::{Credits, MessageId};

use crate::error::{Error, Result};
use crate::post::payload;
use crate::settings::Settings;

/// Flags of `svc answer`.
#[derive(Clone, Debug, Args)]
pub(crate) struct AnswerFlags {
    /// The order: the id of the message it came with, as `svc inbox --requests` shows it.
    order: String,
    /// Status of the order.
    #[arg(value_name = "WORD", value_parser = PossibleValuesParser::new(ResponseStatus::WORDS))]
    status: String,
    /// Output of the service: a JSON object, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON")]
    output: Option<String>,
    /// Reason, for rejected and error.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Credits to charge, at most those offered; all of them when omitted.
    #[arg(long, value_name = "CREDITS")]
    charge: Option<Credits>,
}

/// Answers an order; a closing answer settles its credits.
pub(crate) async fn answer(flags: &AnswerFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let message_id = MessageId::from(flags.order.as_str());
    let order = caller.read(GetMessage { message_id: message_id.clone() }).await?.value.message;
    if order.request.is_none() {
        let error = Error::usage("the message is no order");
        return Err(error.hint("svc inbox --requests"));
    }
    let status = ResponseStatus::from(flags.status.as_str());
    let response = ServiceResponse {
        request_id: message_id,
        output: output(flags, &status)?,
        status,
        charged_credits: flags.charge,
    };
    let request = SendMessage {
        recipient_username: order.sender.id.as_str().into(),
        content: ServiceMessage::Response(response).content().into(),
        schema: None,
        payload: None,
        reply_to_id: Some(order.message_id),
        client_message_id: None,
        automated: None,
    };
    caller.show(request, |sent| sent.message.message_id.to_string()).await
}

/// The output, with the reason where the answer needs one.
fn output(flags: &AnswerFlags, status: &ResponseStatus) -> Result<Option<Map<String, Value>>> {
    let mut output = payload(flags.output.as_deref())?;
    let member = match status {
        ResponseStatus::Rejected => "reason",
        ResponseStatus::Error => "error",
        _ if flags.reason.is_some() => {
            return Err(Error::usage("--reason goes with rejected and error"));
        }
        _ => return Ok(output),
    };
    if let Some(reason) = &flags.reason {
        let output = output.get_or_insert_default();
        output.insert(member.to_owned(), reason.as_str().into());
    }
    if output.as_ref().is_none_or(|output| !output.contains_key(member)) {
        return Err(Error::usage(format!("{status} needs --reason")));
    }
    Ok(output)
}
