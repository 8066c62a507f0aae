//! Actions of moderators, and their log.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::moderation::{
    CreateModerationAction, ListModerationActions, ModerationAction, ModerationActionEnvelope,
    ModerationActionType,
};

use super::moderator;
use super::names::Names;
use super::subject::{Named, Subject};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

/// Kinds of actions to choose from, and the id of the label of each.
const ACTS: [(ModerationActionType, &str); 10] = [
    (ModerationActionType::Hide, "moderation-act-hide"),
    (ModerationActionType::Restore, "moderation-act-restore"),
    (ModerationActionType::Remove, "moderation-act-remove"),
    (ModerationActionType::Label, "moderation-act-add-label"),
    (ModerationActionType::Unlabel, "moderation-act-take-label"),
    (ModerationActionType::Warn, "moderation-act-warn"),
    (ModerationActionType::Limit, "moderation-act-limit"),
    (ModerationActionType::Unlimit, "moderation-act-unlimit"),
    (ModerationActionType::Suspend, "moderation-act-suspend"),
    (ModerationActionType::Unsuspend, "moderation-act-unsuspend"),
];

/// Durations of an effect to choose from, and the id of the label of each.
const SPANS: [(&str, &str); 5] = [
    ("", "moderation-span-always"),
    ("1h", "moderation-span-hour"),
    ("1d", "moderation-span-day"),
    ("7d", "moderation-span-week"),
    ("30d", "moderation-span-month"),
];

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/moderation/log", log)
        .get("/moderation/act", ask)
        .form::<CreateModerationAction>("/moderation/act", ask, acted)
}

/// Redirects to the report that led to the action, else to the log.
fn acted(_: &PageRequest, answer: &ModerationActionEnvelope) -> Done {
    let report = answer.action.report_id.as_ref();
    let to = report.map_or("/moderation/log".to_owned(), |id| format!("/moderation/reports/{id}"));
    Done::to(to).say(Flash::Acted)
}

#[derive(Template)]
#[template(path = "moderation/log.html")]
struct Log {
    frame: Frame,
    tab: &'static str,
    actions: Vec<ModerationAction>,
    names: Names,
    next: Option<String>,
}

fn log(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    moderator(context)?;
    let page = context.ask(&request.decode::<ListModerationActions>()?)?;
    Html::of(&Log {
        frame: Frame::of(context, request, request.t("moderation-log"))?,
        tab: "/moderation/log",
        names: Names::of(context, &page.actions)?,
        next: request.next(page.next_cursor.as_ref()),
        actions: page.actions,
    })
}

#[derive(Template)]
#[template(path = "moderation/act.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    form: Form<'a>,
    subject: Option<Subject<'a>>,
    spans: &'static [(&'static str, &'static str)],
}

impl Page<'_> {
    /// Acts that are possible, and the id of the label of each.
    fn acts(&self) -> Vec<&'static (ModerationActionType, &'static str)> {
        let is_possible = |(act, _): &&(ModerationActionType, &str)| {
            self.subject.as_ref().is_some_and(|subject| subject.takes(act))
        };
        ACTS.iter().filter(is_possible).collect()
    }

    fn takes_label(&self) -> bool {
        self.acts().iter().any(|(act, _)| act.takes_label())
    }

    /// Whether an effect can end by itself.
    fn takes_span(&self) -> bool {
        self.acts().iter().any(|(act, _)| act.can_expire())
    }

    /// Where the moderator came from.
    fn back(&self) -> String {
        let subject = self.subject.as_ref();
        if let Some(report) = subject.map(|it| it.named.report).filter(|id| !id.is_empty()) {
            return format!("/moderation/reports/{report}");
        }
        let place = subject.and_then(|it| it.shown.as_ref()?.place.clone());
        place.unwrap_or_else(|| "/moderation".to_owned())
    }
}

fn ask(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    moderator(context)?;
    let subject = match Named::of(request) {
        Some(named) => Some(Subject::read(context, request.language, named)?),
        None => None,
    };
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("moderation-act"))?,
        tab: "/moderation/act",
        form: request.form::<CreateModerationAction>(),
        subject,
        spans: &SPANS,
    })
}
