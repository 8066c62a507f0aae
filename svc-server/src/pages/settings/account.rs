//! Your account: profile, picture, password, export, deletion.

use askama::Template;
use serde_json::Map;
use svc_core::pictures::UPLOAD_BYTES_MAX;
use svc_core::services::mail;
use svc_store::error::Result;
use svc_types::api::auth::{ChangePassword, PasswordChanged};
use svc_types::api::email::{EmailSent, SendVerification};
use svc_types::api::escrow::{ListEscrows, is_terminal};
use svc_types::api::export::{
    CreateExport, Export, ExportEnvelope, ExportFailure, ExportState, GetExport,
};
use svc_types::api::messages::{ListMessages, RequestStatus};
use svc_types::api::users::{
    AccountDeleted, DeleteAvatar, DeleteMe, DmPolicy, GetMe, UpdateMe, UpdatedUser, User,
    UserEnvelope,
};
use svc_types::{Code, Timestamp, wire};

use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::letter::Letter;
use crate::pages::{Flash, Frame, text};

/// Most escrows, and most orders, that are searched for open ones before a deletion.
const OPEN_MAX: u32 = 100;

/// Options of who may send messages.
const DM_POLICIES: [(DmPolicy, &str); 3] = [
    (DmPolicy::All, "Everyone can message me"),
    (DmPolicy::Following, "Accounts I follow can message me"),
    (DmPolicy::None, "No one can message me"),
];

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/settings", show)
        .form::<UpdateMe>("/settings", show, |_, _: &UpdatedUser| here())
        .button::<SendVerification>("/settings/email/send", |_, _: &EmailSent| {
            Done::to("/settings").say(Flash::EmailSent)
        })
        .upload("/settings/avatar", show, |_| here())
        .button::<DeleteAvatar>("/settings/avatar/delete", |_, _: &UserEnvelope| here())
        .form::<ChangePassword>("/settings/password", show, |_, _: &PasswordChanged| {
            Done::to("/settings").say(Flash::PasswordChanged)
        })
        .button::<CreateExport>("/settings/export", |_, _: &ExportEnvelope| {
            Done::to("/settings").say(Flash::ExportAsked)
        })
        .get("/settings/delete", ask_delete)
        .form::<DeleteMe>("/settings/delete", ask_delete, |_, _: &AccountDeleted| {
            Done::to("/").say(Flash::AccountDeleted)
        })
}

fn here() -> Done {
    Done::to("/settings").say(Flash::Saved)
}

#[derive(Template)]
#[template(path = "settings/account.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    user: &'a User,
    form: Form<'a>,
    picture: Form<'a>,
    password: Form<'a>,
    policies: &'static [(DmPolicy, &'static str)],
    picture_mib: usize,
    sends_mail: bool,
    export: Option<Export>,
}

impl Page<'_> {
    /// The address in the form: the pending one, so that saving the form keeps it.
    fn email(&self) -> &str {
        let email = self.user.pending_email.as_deref().or(self.user.email.as_deref());
        self.form.or("email", email.unwrap_or_default())
    }

    /// Attributes of its field: an agent may have none.
    const fn email_attributes(&self) -> &'static str {
        if self.user.is_agent {
            "maxlength=\"254\" autocomplete=\"email\""
        } else {
            "required maxlength=\"254\" autocomplete=\"email\""
        }
    }

    /// Whether the form lets other accounts send messages.
    fn is_policy(&self, policy: &DmPolicy) -> bool {
        let own = self.user.dm_policy.as_ref().map_or("", DmPolicy::as_str);
        self.form.or("dmPolicy", own) == policy.as_str()
    }

    /// What the present export comes to, in words; nothing before the first.
    fn export(&self) -> &'static str {
        let Some(export) = &self.export else { return "" };
        match (&export.state, &export.reason) {
            (ExportState::Working, _) => {
                "Your data is being collected. Load this page again in a moment."
            }
            (ExportState::Failed, Some(ExportFailure::TooLarge)) => {
                "Your account has more data than fits into one file. Ask the operator of this server."
            }
            (ExportState::Failed, _) => "Your data could not be collected.",
            _ => "",
        }
    }

    /// The size of the file and when it is deleted, if it is ready.
    fn export_file(&self) -> Option<(String, Timestamp)> {
        let export = self.export.as_ref()?;
        Some((size(export.bytes?), export.expires_at?))
    }

    /// Whether the form accepts orders.
    fn takes_orders(&self) -> bool {
        let own = self.user.allow_service_requests.unwrap_or(true);
        self.form.or("allowServiceRequests", if own { "true" } else { "false" }) == "true"
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
    let user = context.ask(&GetMe {})?.user;
    let export = export(context)?;
    Html::of(&Page {
        frame: Frame::of(context, request, "Settings")?,
        tab: "/settings",
        form: request.form::<UpdateMe>(),
        picture: request.uploaded(),
        password: request.form::<ChangePassword>(),
        user: &user,
        policies: &DM_POLICIES,
        picture_mib: UPLOAD_BYTES_MAX / (1024 * 1024),
        sends_mail: mail::is_on(context.app()),
        export,
    })
}

#[derive(Template)]
#[template(path = "settings/delete.html")]
struct Delete<'a> {
    frame: Frame,
    username: &'a str,
    form: Form<'a>,
    /// For how long it can be restored.
    grace: String,
    /// An open order that prevents the deletion: path and label.
    open: Vec<(String, String)>,
}

fn ask_delete(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let username = context.signed_in()?.username.clone();
    let frame = Frame::of(context, request, "Delete account")?;
    let form = request.form::<DeleteMe>();
    let grace = frame.span(context.app().config.accounts.erase_after.as_secs());
    Html::of(&Delete { frame, username: &username, form, grace, open: open(context)? })
}

/// Open escrows and orders; only the newest if there are many.
fn open(context: &mut PageContext<'_>) -> Result<Vec<(String, String)>> {
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
        let what = text::short(&escrow.description).into_owned();
        let path = crate::pages::escrow::path(&escrow);
        (
            path,
            format!(
                "{what} ({})",
                crate::pages::format::credits(crate::language::Language::English, escrow.amount)
            ),
        )
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
    let orders =
        orders.map(|order| (format!("/orders/{}", order.message_id), Letter::of(order).line()));
    Ok(escrows.chain(orders).collect())
}
