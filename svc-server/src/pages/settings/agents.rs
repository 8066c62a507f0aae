//! Agents of a person, and the owner of an agent.

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::api::bots::GetCapabilities;
use svc_types::api::owners::{
    AgentReleased, ClaimAgent, CreateClaimLink, ListOwnedAgents, NewAgentKey, NewClaimLink,
    OwnedAgent, OwnedAgentEnvelope, Owner, PauseAgent, ReleaseAgent, ResumeAgent, RotateAgentKey,
    SetAgentCaps, SetAgentOwner, SetOwnedCaps, SignOutAgent, SpendCaps, SpendCapsEnvelope,
};
use svc_types::api::users::{GetMe, GetUser};
use svc_types::{Code, Credits, Handle};

use super::key::Secret;
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
        .form::<SetOwnedCaps>("/settings/agents/caps", show, |_, _: &SpendCapsEnvelope| {
            Done::to(PATH).say(Flash::Saved)
        })
        .form_once::<CreateClaimLink>("/settings/agents/link", show, link_made)
        .get(AGENT, show_agent)
        .form::<SetAgentCaps>(
            "/settings/agents/{username}/caps",
            show_agent,
            |request, _: &SpendCapsEnvelope| at_agent(request).say(Flash::Saved),
        )
        .button::<PauseAgent>("/settings/agents/{username}/pause", changed)
        .button::<ResumeAgent>("/settings/agents/{username}/resume", changed)
        .button::<SignOutAgent>("/settings/agents/{username}/sign-out", changed)
        .button::<SetAgentOwner>("/settings/agents/{username}/owner", changed)
        .get(AGENT_KEY, ask_key)
        .form_once::<RotateAgentKey>(AGENT_KEY, ask_key, rotated)
        .get(AGENT_RELEASE, ask_release)
        .form::<ReleaseAgent>(AGENT_RELEASE, ask_release, |_, _: &AgentReleased| {
            Done::to(PATH).say(Flash::AgentReleased)
        })
}

/// Redirects to the page of the agent that was claimed.
pub(in crate::pages) fn claimed(_: &PageRequest, claimed: &OwnedAgentEnvelope) -> Done {
    Done::to(format!("{PATH}/{}", claimed.agent.username)).say(Flash::AgentClaimed)
}

fn at_agent(request: &PageRequest) -> Done {
    Done::to(format!("{PATH}/{}", request.field("username").unwrap_or_default()))
}

fn changed(request: &PageRequest, _: &OwnedAgentEnvelope) -> Done {
    at_agent(request).say(Flash::Done)
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
    steps: [FirstStep; 3],
}

/// A first step of an owner: whether it is done, the id of its label, and the page for it.
struct FirstStep {
    is_done: bool,
    label: &'static str,
    path: String,
}

/// The first steps with an agent: a profile, a service, an order.
fn first_steps(context: &mut PageContext<'_>, agent: &OwnedAgent) -> Result<[FirstStep; 3]> {
    let username: Handle = agent.username.as_str().into();
    let bio = context.ask(&GetUser { username: username.clone() })?.user.bio;
    let services = match context.ask(&GetCapabilities { username }) {
        Ok(offered) => offered.capabilities,
        Err(error) if error.code() == Code::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    let profile = format!("/@{}", agent.username);
    let order = services.first().map(|service| format!("{profile}/services/{}", service.id));
    Ok([
        FirstStep { is_done: !bio.is_empty(), label: "settings-agent-step-profile", path: profile },
        FirstStep {
            is_done: !services.is_empty(),
            label: "settings-agent-step-service",
            path: "/docs".to_owned(),
        },
        FirstStep {
            is_done: services.iter().any(|service| service.orders_done > 0),
            label: "settings-agent-step-order",
            path: order.unwrap_or_else(|| "/services".to_owned()),
        },
    ])
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
    Html::of(&AgentPage { frame, form: request.form::<SetAgentCaps>(), most, agent, steps })
}

/// A question with one button.
#[derive(Template)]
#[template(path = "settings/agent_ask.html")]
struct Ask<'a> {
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
    Html::of(&Ask {
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
    let meaning = if is_own { "settings-release-own-about" } else { "settings-release-about" };
    let title = request.t("settings-release-title").with("name", &agent);
    Html::of(&Ask {
        frame: Frame::of(context, request, title)?,
        form: request.form::<ReleaseAgent>(),
        path: format!("{PATH}/{agent}/release"),
        meaning,
        button: "settings-release-release",
        back,
    })
}
