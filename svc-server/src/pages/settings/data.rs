//! Your data: a copy of it, and the deletion of the account.

use askama::Template;
use serde_json::Map;
use svc_core::services::export;
use svc_store::error::Result;
use svc_types::api::escrow::{ListEscrows, is_terminal};
use svc_types::api::export::{
    CreateExport, Export, ExportEnvelope, ExportFailure, ExportState, GetExport,
};
use svc_types::api::messages::{ListMessages, RequestStatus};
use svc_types::api::users::{AccountDeleted, DeleteMe};
use svc_types::{Code, Timestamp, wire};

use super::pending;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::letter::{Kind, Letter};
use crate::pages::{Flash, Frame, text};

const PATH: &str = "/settings/data";

/// Most escrows, and most orders, that are searched for open ones before a deletion.
const OPEN_MAX: u32 = 100;

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(PATH, show)
        .button::<CreateExport>("/settings/export", |_, _: &ExportEnvelope| {
            Done::to(PATH).say(Flash::ExportAsked)
        })
        .get("/settings/delete", ask_delete)
        .form::<DeleteMe>("/settings/delete", ask_delete, |_, answer: &AccountDeleted| {
            if answer.deleted {
                Done::to("/").say(Flash::AccountDeleted)
            } else {
                pending::requested()
            }
        })
}

#[derive(Template)]
#[template(path = "settings/data.html")]
struct Page {
    frame: Frame,
    tab: &'static str,
    export: Option<Export>,
    /// When the account may ask for the next one, if it has to wait.
    next: Option<Timestamp>,
    /// For how long a deleted account can be restored.
    grace: String,
    /// Open orders, which prevent the deletion.
    open: Vec<Open>,
}

/// An open order.
struct Open {
    path: String,
    /// What was ordered.
    name: String,
    price: Option<String>,
}

impl Page {
    /// The id of a text about an export that has no file.
    fn export(&self) -> Option<&'static str> {
        let export = self.export.as_ref()?;
        Some(match (&export.state, &export.reason) {
            (ExportState::Working, _) => "settings-data-working",
            (ExportState::Failed, Some(ExportFailure::TooLarge)) => "settings-data-large",
            (ExportState::Failed, _) => "settings-data-failed",
            _ => return None,
        })
    }

    /// The size of the file and when it is deleted, if it is ready.
    fn export_file(&self) -> Option<(String, Timestamp)> {
        let export = self.export.as_ref()?;
        Some((size(export.bytes?), export.expires_at?))
    }
}

const KIB: i64 = 1024;

/// A size, rounded up.
fn size(bytes: i64) -> String {
    let kib = (bytes + KIB - 1) / KIB;
    if kib < KIB { format!("{kib} KiB") } else { format!("{} MiB", (kib + KIB - 1) / KIB) }
}

/// The latest export, if there is one.
fn export(context: &mut PageContext<'_>) -> Result<Option<Export>> {
    match context.ask(&GetExport {}) {
        Ok(found) => Ok(Some(found.export)),
        Err(error) if error.code() == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let export = export(context)?;
    let next = export.as_ref().map(|export| export.created_at.plus(export::EVERY));
    let next = next.filter(|next| *next > context.now());
    let frame = Frame::of(context, request, request.t("settings-tab-data"))?;
    let (grace, open) = (grace(context, &frame), open(context, &frame)?);
    Html::of(&Page { frame, tab: PATH, export, next, grace, open })
}

/// For how long a deleted account can be restored, in words.
fn grace(context: &PageContext<'_>, frame: &Frame) -> String {
    frame.span(context.app().config.accounts.erase_after.as_secs())
}

/// Asks for confirmation before the account is deleted.
#[derive(Template)]
#[template(path = "settings/delete.html")]
struct Delete<'a> {
    frame: Frame,
    username: &'a str,
    form: Form<'a>,
    /// For how long it can be restored.
    grace: String,
    /// Open orders, which prevent the deletion.
    open: Vec<Open>,
}

fn ask_delete(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let username = context.signed_in()?.username.clone();
    let frame = Frame::of(context, request, request.t("settings-erase-title"))?;
    let form = request.form::<DeleteMe>();
    let (grace, open) = (grace(context, &frame), open(context, &frame)?);
    Html::of(&Delete { frame, username: &username, form, grace, open })
}

/// Open escrows and orders; only the newest if there are many.
fn open(context: &mut PageContext<'_>, frame: &Frame) -> Result<Vec<Open>> {
    let asked = ListEscrows {
        role: None,
        status: None,
        counterparty: None,
        plan_id: None,
        limit: Some(OPEN_MAX.into()),
        cursor: None,
    };
    let escrows = context.ask(&asked)?.escrows.into_iter();
    let escrows = escrows.filter(|escrow| !is_terminal(&escrow.status)).map(|escrow| {
        let name = text::short(&escrow.description).into_owned();
        let price = Some(frame.credits(escrow.amount));
        Open { path: crate::pages::escrow::path(&escrow), name, price }
    });
    let asked: ListMessages = wire::decode_members(&Map::from_iter([
        ("requestStatus".to_owned(), RequestStatus::Open.as_str().into()),
        ("limit".to_owned(), OPEN_MAX.into()),
    ]))?;
    let orders = context.ask(&asked)?.messages.into_iter();
    let orders = orders.filter(|order| {
        // An order that an escrow pays for ends with it.
        order.request.as_ref().is_none_or(|request| request.escrow_id.is_none())
    });
    Ok(escrows.chain(orders.map(|order| open_order(&Letter::of(order), frame))).collect())
}

fn open_order(order: &Letter, frame: &Frame) -> Open {
    let path = format!("/orders/{}", order.message.message_id);
    match &order.kind {
        Kind::Order(asked) => {
            let price = Some(frame.price(asked.offered_credits));
            Open { path, name: asked.service_name.to_string(), price }
        }
        _ => Open { path, name: order.line(frame.language), price: None },
    }
}
