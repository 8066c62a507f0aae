//! The form with which the buyer of an order answers a question of the seller.

use serde_json::{Map, Value};
use svc_core::services::order::another_question;
use svc_store::error::{Error, Result};
use svc_types::api::orders::{GetOrder, InputOrder, OrderEnvelope, OrderPrompt, OrderStatus};
use svc_types::{MessageId, Text};

use super::order_form::Sheet;
use super::orders::view::View;
use super::{Flash, orders};
use crate::http::{Done, Form, PageContext, PageRequest, Pages};
use crate::language::Language;

/// The prefix of the input's fields, as the API names it in refusals.
const INPUT: &str = "input";

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    let path = "/orders/{orderId}/input";
    Pages::new().form_by::<InputOrder>(path, orders::show, given, |_, answer: &OrderEnvelope| {
        Done::to(format!("/orders/{}", answer.order.id)).say(Flash::InputGiven)
    })
}

/// The form with which the buyer answers.
pub(super) struct Asking {
    /// The question's id. The endpoint refuses an answer to an earlier one.
    pub(super) prompt_id: String,
    pub(super) text: String,
    pub(super) sheet: Sheet,
}

impl Asking {
    /// The form, if the visitor is asked. Submitted fields are kept even if the question is over.
    pub(super) fn of(view: &View, form: Form<'_>) -> Option<Self> {
        let order = view.order.as_ref().filter(|_| view.is_buyer())?;
        let prompt = order.prompt.as_ref()?;
        let is_asked = view.status == OrderStatus::InputRequired && prompt.input.is_none();
        (is_asked || form.is_typed()).then(|| Self {
            prompt_id: prompt.id.clone(),
            text: prompt.text.clone(),
            sheet: sheet(view.language, prompt.schema.as_ref()),
        })
    }
}

fn sheet(language: Language, schema: Option<&Map<String, Value>>) -> Sheet {
    Sheet::of_value(language, INPUT, schema)
}

/// Answers the question that the form shows; its schema says how to read the fields.
fn given(context: &mut PageContext<'_>, request: &PageRequest) -> Result<InputOrder> {
    let own = context.signed_in()?.id.clone();
    let order_id: MessageId = request.field("orderId").unwrap_or_default().into();
    let asked = GetOrder { order_id: order_id.clone(), wait_seconds: None, after_version: None };
    let order = context.ask(&asked)?.order;
    if order.buyer.id != own {
        return Err(Error::not_found("order of yours"));
    }
    let is_shown = |prompt: &OrderPrompt| request.field("promptId") == Some(prompt.id.as_str());
    let prompt = order.prompt.filter(is_shown).ok_or_else(another_question)?;
    let schema = prompt.schema.as_ref();
    let input = sheet(request.language, schema).value(schema, request)?;
    Ok(InputOrder { order_id, prompt_id: Text::from(prompt.id), input })
}
