//! Agents of a person, and the owner of an agent.

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::api::orders::{ListOrders, OrderRole};
use svc_types::api::owners::{
    AgentReleased, ClaimAgent, CreateClaimLink, ListOwnedAgents, NewAgentKey, NewClaimLink,
    OwnedAgent, OwnedAgentEnvelope, Owner, PauseAgent, ReleaseAgent, ResumeAgent, RotateAgentKey,
    SetAgentCaps, SetAgentOwner, SetOwnedCaps, SignOutAgent, SpendCaps, SpendCapsEnvelope,
};
use svc_types::api::pending::PendingChange;
use svc_types::api::sales::GetSales;
use svc_types::api::services::ListBotServices;
use svc_types::api::users::{GetMe, GetUser};
use svc_types::{Credits, Endpoint, Handle};

use super::key::Secret;
use super::pending;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

pub(in crate::pages) const PATH: &str = "/settings/agents";
const AGENT: &str = "/settings/agents/{username}";
const AGENT_KEY: &str = "/settings/agents/{username}/key";
const AGENT_RELEASE: &str = "/settings/agents/{username}/release";

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(PATH, show)
        .form::<ClaimAgent>(PATH, show, claimed)
        .form_by::<SetOwnedCaps>("/settings/agents/caps", show, caps, |_, _: &SpendCapsEnvelope| {
            Done::to(PATH).say(Flash::Saved)
        })
        .with_members_of::<SetOwnedCaps>()
        .form_once::<CreateClaimLink>("/settings/agents/link", show, link_made)
        .and(of_agent())
}

/// The page of an agent, and what its owner does there.
fn of_agent() -> Pages {
    Pages::new()
        .get(AGENT, show_agent)
        .form_by::<SetAgentCaps>(
            "/settings/agents/{username}/caps",
            show_agent,
            caps,
            |request, _: &SpendCapsEnvelope| at_agent(request).say(Flash::Saved),
        )
        .with_members_of::<SetAgentCaps>()
        .button::<PauseAgent>("/settings/agents/{username}/pause", |request, _| {
            at_agent(request).say(Flash::AgentPaused)
        })
        .button::<ResumeAgent>("/settings/agents/{username}/resume", |request, _| {
            at_agent(request).say(Flash::AgentResumed)
        })
        .button::<SignOutAgent>("/settings/agents/{username}/sign-out", |request, _| {
            at_agent(request).say(Flash::AgentSignedOut)
        })
        .button::<SetAgentOwner>("/settings/agents/{username}/owner", |request, _| {
            at_agent(request).say(Flash::Saved)
        })
        .get(AGENT_KEY, ask_key)
        .form_once::<RotateAgentKey>(AGENT_KEY, ask_key, rotated)
        .get(AGENT_RELEASE, ask_release)
        .form::<ReleaseAgent>(AGENT_RELEASE, ask_release, |_, answer: &AgentReleased| {
            if answer.deleted {
                Done::to(PATH).say(Flash::AgentReleased)
            } else {
                pending::requested()
            }
        })
}

/// Redirects to the page of the agent that was claimed.
pub(in crate::pages) fn claimed(_: &PageRequest, claimed: &OwnedAgentEnvelope) -> Done {
    Done::to(format!("{PATH}/{}", claimed.agent.username)).say(Flash::AgentClaimed)
}

fn at_agent(request: &PageRequest) -> Done {
    Done::to(format!("{PATH}/{}", request.field("username").unwrap_or_default()))
}

#[derive(Template)]
#[template(path = "settings/agents.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    claim: Form<'a>,
    caps_form: Form<'a>,
    agents: Vec<OwnedAgent>,
    caps: Option<SpendCaps>,
    most: Most,
}

impl Page<'_> {
    /// What the form of the caps shows, for its field `shown`.
    fn shown(&self) -> String {
        self.caps_form.shown(self.most.members())
    }
}

/// The fields of caps.
const PER_ORDER: &str = "perOrder";
const PER_DAY: &str = "perDay";

/// Caps as the fields of a form.
struct Most {
    per_order: String,
    per_day: String,
}

impl Most {
    fn of(caps: Option<&SpendCaps>) -> Self {
        let text = |cap: Option<Credits>| cap.map(|cap| cap.to_string()).unwrap_or_default();
        Self {
            per_order: text(caps.and_then(|caps| caps.per_order)),
            per_day: text(caps.and_then(|caps| caps.per_day)),
        }
    }

    fn members(&self) -> [(&str, &str); 2] {
        [(PER_ORDER, self.per_order.as_str()), (PER_DAY, self.per_day.as_str())]
    }
}

/// The caps of a form. The request replaces both, but one that the person left as the form showed it keeps its current
/// value, so that a page that was opened long ago, or is sent in the same instant as another one, removes none.
fn caps<E: Endpoint>(context: &mut PageContext<'_>, request: &PageRequest) -> Result<E> {
    context.signed_in()?;
    let asked = request.decode()?;
    let is_left = |name: &str| request.showed(name, request.field(name).unwrap_or_default());
    let changed = [PER_ORDER, PER_DAY].into_iter().filter(|name| !is_left(name));
    context.change_only(changed.map(str::to_owned).collect());
    Ok(asked)
}

/// What an agent sees in place of the agents of a person.
#[derive(Template)]
#[template(path = "settings/own_owner.html")]
struct Own<'a> {
    frame: Frame,
    tab: &'static str,
    form: Form<'a>,
    username: String,
    owner: Option<Owner>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let is_agent = context.signed_in()?.is_agent;
    let frame = Frame::of(context, request, request.t("settings-tab-agents"))?;
    if is_agent {
        let user = context.ask(&GetMe {})?.user;
        let form = request.form::<CreateClaimLink>();
        return Html::of(&Own {
            frame,
            tab: PATH,
            form,
            username: user.username,
            owner: user.owner,
        });
    }
    let owned = context.ask(&ListOwnedAgents {})?;
    Html::of(&Page {
        frame,
        tab: PATH,
        claim: request.form::<ClaimAgent>(),
        caps_form: request.form::<SetOwnedCaps>(),
        most: Most::of(owned.caps.as_ref()),
        agents: owned.agents,
        caps: owned.caps,
    })
}

fn link_made(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    made: &NewClaimLink,
) -> Result<Html> {
    Html::of(&Secret {
        frame: Frame::of(context, request, request.t("settings-owner-link-title"))?,
        what: "settings-owner-link-new",
        value: made.url.expose(),
        meaning: "settings-owner-link-about",
        command: String::new(),
        back: PATH.to_owned(),
    })
}

#[derive(Template)]
#[template(path = "settings/agent.html")]
struct AgentPage<'a> {
    frame: Frame,
    form: Form<'a>,
    most: Most,
    agent: OwnedAgent,
    /// Its changes that wait.
    pending: Vec<PendingChange>,
    steps: [FirstStep; 4],
}

impl AgentPage<'_> {
    /// What the form of the caps shows, for its field `shown`.
    fn shown(&self) -> String {
        self.form.shown(self.most.members())
    }
}

/// A first step with an agent.
struct FirstStep {
    /// The id of its label.
    label: &'static str,
    is_done: bool,
    /// The page where the owner takes it.
    path: Option<String>,
    /// The id of a text about a step that only the agent can take, and where the API's reference
    /// describes it.
    by_agent: Option<(&'static str, &'static str)>,
}

impl FirstStep {
    /// A step of the owner: until there is a page for it, without a link.
    const fn by_owner(label: &'static str, is_done: bool, path: Option<String>) -> Self {
        Self { label, is_done, path, by_agent: None }
    }

    /// A step that only the agent can take, with its key.
    const fn by_agent(label: &'static str, is_done: bool, how: [&'static str; 2]) -> Self {
        let [how, reference] = how;
        Self { label, is_done, path: None, by_agent: Some((how, reference)) }
    }
}

/// How the agent writes its profile and creates a webhook: the id of a text, and the reference.
const PROFILE: [&str; 2] = ["settings-agent-step-profile-how", "/docs/api/users#updateMe"];
const WEBHOOK: [&str; 2] = ["settings-agent-step-webhook-how", "/docs/api/webhooks#createWebhook"];

/// The first steps with an agent: a profile, a service, a test order, a webhook.
fn first_steps(context: &mut PageContext<'_>, agent: &OwnedAgent) -> Result<[FirstStep; 4]> {
    let username: Handle = agent.username.as_str().into();
    let bio = context.ask(&GetUser { username: username.clone() })?.user.bio;
    let services = context.ask(&ListBotServices { username: username.clone() })?.services;
    let sales = context.ask(&GetSales { username: username.clone(), window: None })?.sales;
    let is_ordered =
        services.iter().any(|service| service.orders_done > 0) || has_ordered(context, username)?;
    let offered = services.iter().find(|service| service.active);
    let name = &agent.username;
    let order = offered.filter(|_| !agent.paused);
    let order = order.map(|service| format!("/@{name}/services/{}", service.id));
    let new = Some(format!("/sell/{name}/services"));
    let is_told = sales.webhooks.delivered > 0;
    Ok([
        FirstStep::by_agent("settings-agent-step-profile", !bio.is_empty(), PROFILE),
        FirstStep::by_owner("settings-agent-step-service", offered.is_some(), new),
        FirstStep::by_owner("settings-agent-step-order", is_ordered, order),
        FirstStep::by_agent("settings-agent-step-webhook", is_told, WEBHOOK),
    ])
}

/// Whether the visitor has ordered from an agent.
fn has_ordered(context: &mut PageContext<'_>, agent: Handle) -> Result<bool> {
    let orders = ListOrders {
        role: Some(OrderRole::Buyer),
        status: None,
        counterparty: Some(agent),
        service_id: None,
        client_order_id: None,
        sample: None,
        since: None,
        limit: Some(1.into()),
        cursor: None,
    };
    Ok(!context.ask(&orders)?.orders.is_empty())
}

/// The agent of the path that the visitor owns; 404 for others.
fn asked(context: &mut PageContext<'_>, request: &PageRequest) -> Result<OwnedAgent> {
    context.signed_in()?;
    let name = request.field("username").unwrap_or_default();
    let agents = context.ask(&ListOwnedAgents {})?.agents;
    let found = agents.into_iter().find(|agent| agent.username == name);
    found.ok_or_else(|| Error::not_found("agent"))
}

fn show_agent(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let agent = asked(context, request)?;
    let title = request.t("settings-agent-title").with("name", &agent.username);
    let frame = Frame::of(context, request, title)?;
    let most = Most::of(agent.caps.as_ref());
    let steps = first_steps(context, &agent)?;
    let mut pending = pending::all(context)?;
    pending.retain(|change| change.username == agent.username);
    let form = request.form::<SetAgentCaps>();
    Html::of(&AgentPage { frame, form, most, agent, pending, steps })
}

/// A page that asks for confirmation, with one button.
#[derive(Template)]
#[template(path = "settings/agent_ask.html")]
struct Confirmation<'a> {
    frame: Frame,
    form: Form<'a>,
    path: String,
    /// The id of a text about what ends.
    meaning: &'static str,
    /// The id of the label.
    button: &'static str,
    back: String,
}

fn ask_key(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let agent = asked(context, request)?.username;
    let title = request.t("settings-agent-key-title").with("name", &agent);
    Html::of(&Confirmation {
        frame: Frame::of(context, request, title)?,
        form: request.form::<RotateAgentKey>(),
        path: format!("{PATH}/{agent}/key"),
        meaning: "settings-agent-key-about",
        button: "settings-agent-key-replace",
        back: format!("{PATH}/{agent}"),
    })
}

fn rotated(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    made: &NewAgentKey,
) -> Result<Html> {
    Html::of(&Secret {
        frame: Frame::of(context, request, request.t("settings-key-title"))?,
        what: "settings-agent-key-new",
        value: made.api_key.expose(),
        meaning: "settings-agent-key-new-about",
        command: String::new(),
        back: format!("{PATH}/{}", request.field("username").unwrap_or_default()),
    })
}

/// Asks an owner, or the agent itself.
fn ask_release(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let account = context.signed_in()?;
    let is_own = account.is_agent && request.field("username") == Some(&account.username);
    let own = account.username.clone();
    let agent = if is_own { own } else { asked(context, request)?.username };
    let back = if is_own { PATH.to_owned() } else { format!("{PATH}/{agent}") };
    let [title, meaning, button] = if is_own {
        ["settings-owner-leave-title", "settings-release-own-about", "settings-owner-leave-leave"]
    } else {
        ["settings-release-title", "settings-release-about", "settings-release-release"]
    };
    let title = request.t(title).with("name", &agent);
    Html::of(&Confirmation {
        frame: Frame::of(context, request, title)?,
        form: request.form::<ReleaseAgent>(),
        path: format!("{PATH}/{agent}/release"),
        meaning,
        button,
        back,
    })
}
