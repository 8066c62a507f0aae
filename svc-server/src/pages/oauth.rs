//! The pages of the authorization server: what a program asks for, and the code of a device.

use askama::Template;
use svc_core::identity::Account;
use svc_core::services::oauth::GrantScopes;
use svc_core::services::oauth::device::spaced;
use svc_store::error::{Refusal, Result};
use svc_types::UserId;
use svc_types::api::owners::{ListOwnedAgents, OwnedAgent};

use super::Frame;
use crate::http::{Html, PageContext, PageRequest};

/// Where programs ask for access, which leads back to them.
pub(crate) const AUTHORIZE: &str = "/oauth/authorize";

/// Whether a path of this server leads back to a program that people sign in to.
pub(super) fn is_for_program(path: &str) -> bool {
    path.split('?').next() == Some(AUTHORIZE)
}

/// The fields of the caps on spending.
pub(crate) const PER_ORDER: &str = "perOrder";
pub(crate) const PER_DAY: &str = "perDay";

/// Caps that are suggested, in credits.
const USUAL_PER_ORDER: &str = "10";
const USUAL_PER_DAY: &str = "50";

/// Scopes, and the ids of their labels.
const LABELS: [(&str, &str); 10] = [
    ("openid", "consent-openid"),
    ("profile", "consent-profile"),
    ("email", "consent-email"),
    ("read", "consent-read"),
    ("write", "consent-write"),
    ("dm", "consent-dm"),
    ("exchange:spend", "consent-spend"),
    ("exchange:sell", "consent-sell"),
    ("identity", "consent-identity"),
    ("account", "consent-account"),
];

/// What a program asks the visitor.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The name it gives itself.
    client: String,
    /// The host it belongs to.
    host: String,
    /// The ids of the labels of its scopes.
    labels: Vec<&'static str>,
    spends: bool,
    per_order: String,
    per_day: String,
    /// The id of the account that is chosen at first: that of the form that was sent before, or of the program's hint.
    chosen: Option<String>,
    /// The id of the label of the field that is wrong.
    wrong: Option<&'static str>,
    /// Whether another account was asked, which was signed in before.
    is_of_another: bool,
    /// Where the form goes.
    pub(crate) action: String,
    /// The code of the device that asks.
    pub(crate) user_code: Option<String>,
    /// The host that the visitor returns to.
    pub(crate) returns_to: Option<String>,
}

impl Question {
    /// The question of a program for these scopes.
    pub(crate) fn new(client: &str, host: String, scopes: GrantScopes) -> Self {
        let names = scopes.words();
        let labels = LABELS.iter().filter(|(name, _)| names.iter().any(|own| own == name));
        Self {
            client: client.to_owned(),
            host,
            labels: labels.map(|(_, label)| *label).collect(),
            spends: scopes.spends(),
            per_order: USUAL_PER_ORDER.to_owned(),
            per_day: USUAL_PER_DAY.to_owned(),
            chosen: None,
            wrong: None,
            is_of_another: false,
            action: String::new(),
            user_code: None,
            returns_to: None,
        }
    }

    /// Whether nothing but its name says where the program belongs.
    fn is_nowhere(&self) -> bool {
        self.host == self.client
    }

    /// Fills the form again, with the field that was wrong; with none, it was that of another account.
    pub(crate) fn fill(&mut self, per_order: String, per_day: String, field: Option<&str>) {
        let label =
            |field: &str| if field == PER_ORDER { "consent-per-order" } else { "consent-per-day" };
        self.is_of_another = field.is_none();
        self.per_order = per_order;
        self.per_day = per_day;
        self.wrong = field.map(label);
    }

    /// Chooses the account that the form had chosen, or that the program expects.
    pub(crate) fn choose(&mut self, account: Option<String>) {
        self.chosen = account;
    }
}

#[derive(Template)]
#[template(path = "oauth/consent.html")]
struct Consent<'a> {
    frame: Frame,
    question: &'a Question,
    account: &'a Account,
    /// Agents that the visitor may choose instead.
    agents: Vec<OwnedAgent>,
    user_code: Option<String>,
}

impl Consent<'_> {
    fn is_chosen(&self, agent: &UserId) -> bool {
        self.question.chosen.as_deref() == Some(agent.as_str())
    }

    /// Whether the visitor's own account is chosen: at first, and if the chosen agent can't be chosen any more.
    fn is_own_chosen(&self) -> bool {
        !self.agents.iter().any(|agent| self.is_chosen(&agent.id))
    }
}

/// Asks the visitor, who is signed in.
pub(crate) fn consent(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    question: &Question,
) -> Result<Html> {
    let account = context.signed_in()?.clone();
    let mut agents =
        if account.is_agent { Vec::new() } else { context.ask(&ListOwnedAgents {})?.agents };
    agents.retain(|agent| !agent.paused);
    let typed = question.user_code.as_deref().and_then(svc_core::services::oauth::device::typed);
    let user_code = typed.map(|code| spaced(&code));
    let title = request.t("consent-title").with("client", &question.client);
    let frame = Frame::of(context, request, title)?;
    Html::of(&Consent { frame, question, account: &account, agents, user_code })
}

#[derive(Template)]
#[template(path = "oauth/device.html")]
struct Device<'a> {
    frame: Frame,
    code: &'a str,
    problem: Option<&'a Refusal>,
}

/// Asks for the code that a device shows.
pub(crate) fn device_code(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    code: &str,
    problem: Option<&Refusal>,
) -> Result<Html> {
    let frame = Frame::of(context, request, request.t("device-title"))?;
    Html::of(&Device { frame, code, problem })
}

#[derive(Template)]
#[template(path = "oauth/device_done.html")]
struct Done {
    frame: Frame,
    is_allowed: bool,
}

/// Sends the visitor back to the device.
pub(crate) fn device_done(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    is_allowed: bool,
) -> Result<Html> {
    let frame = Frame::of(context, request, request.t("device-title"))?;
    Html::of(&Done { frame, is_allowed })
}

#[derive(Template)]
#[template(path = "oauth/stopped.html")]
struct Stopped<'a> {
    frame: Frame,
    client: &'a str,
    host: &'a str,
    problem: &'a str,
    url: &'a str,
}

/// Shows a visitor who is not signed in where a program whose request was refused leads.
pub(crate) fn stopped(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    (client, host): (&str, &str),
    problem: &str,
    url: &str,
) -> Result<Html> {
    let title = request.t("stopped-title").with("client", client);
    let frame = Frame::of(context, request, title)?;
    Html::of(&Stopped { frame, client, host, problem, url })
}
