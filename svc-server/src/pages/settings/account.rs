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
    AccountDeleted, AccountStatus, DeleteAvatar, DeleteMe, DmPolicy, GetMe, Tier, UpdateMe,
    UpdatedUser, User, UserEnvelope,
};
use svc_types::{Code, Timestamp, wire};

use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::language::number;
use crate::pages::letter::Letter;
use crate::pages::{Flash, Frame, text};

/// Most escrows, and most orders, that are searched for open ones before a deletion.
const OPEN_MAX: u32 = 100;

/// Options of who may send messages: the value and the id of its label.
const DM_POLICIES: [(DmPolicy, &str); 3] = [
    (DmPolicy::All, "settings-account-messages-all"),
    (DmPolicy::Following, "settings-account-messages-following"),
    (DmPolicy::None, "settings-account-messages-none"),
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

    /// The id of a text about an export that has no file.
    fn export(&self) -> Option<&'static str> {
        let export = self.export.as_ref()?;
        Some(match (&export.state, &export.reason) {
            (ExportState::Working, _) => "settings-account-data-working",
            (ExportState::Failed, Some(ExportFailure::TooLarge)) => "settings-account-data-large",
            (ExportState::Failed, _) => "settings-account-data-failed",
            _ => return None,
        })
    }

    /// The size of the file and when it is deleted, if it is ready.
    fn export_file(&self) -> Option<(String, Timestamp)> {
        let export = self.export.as_ref()?;
        Some((size(export.bytes?), export.expires_at?))
    }

    /// The price of a month of the tier pro: `9.99 USD`.
    fn pro_price(&self) -> Option<String> {
        let (amount, currency) = Tier::Pro.price()?.strip_suffix(" per month")?.split_once(' ')?;
        Some(format!("{} {currency}", number::grouped(self.frame.language, amount)))
    }

    /// What restricts the account, in a word.
    fn status(&self) -> Option<String> {
        let status = self.user.status.as_ref()?;
        if *status == AccountStatus::Active {
            return None;
        }
        Some(self.frame.language.text(&format!("settings-account-status-{status}")))
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
        frame: Frame::of(context, request, request.t("settings-title"))?,
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
    let frame = Frame::of(context, request, request.t("settings-erase-title"))?;
    let form = request.form::<DeleteMe>();
    let grace = frame.span(context.app().config.accounts.erase_after.as_secs());
    let open = open(context, &frame)?;
    Html::of(&Delete { frame, username: &username, form, grace, open })
}

/// Open escrows and orders; only the newest if there are many.
fn open(context: &mut PageContext<'_>, frame: &Frame) -> Result<Vec<(String, String)>> {
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
        let what = text::short(&escrow.description);
        let label = format!("{what} ({})", frame.credits(escrow.amount));
        (crate::pages::escrow::path(&escrow), label)
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
    let orders = orders.map(|order| {
        let path = format!("/orders/{}", order.message_id);
        (path, Letter::of(order).line(frame.language))
    });
    Ok(escrows.chain(orders).collect())
}
