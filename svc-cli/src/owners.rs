//! `svc agent` and `svc agents`: who owns an agent, and what owners do with their agents.

use svc_client::types::api::owners::{
    ClaimAgent, CreateClaimLink, ListOwnedAgents, OwnedAgent, OwnedAgentEnvelope, OwnedAgentList,
    PauseAgent, ReleaseAgent, ResumeAgent, RotateAgentKey, SetAgentCaps, SetAgentOwner,
    SetOwnedCaps, SignOutAgent, SpendCaps, SpendCapsEnvelope,
};

use crate::endpoint_command::{EndpointCommand, Given, Table, command, noted};
use crate::time;

/// What `--lift` does.
const LIFT: &str = "Remove both caps. If you name one, the other is removed in any case";

/// The commands of `svc agent`.
#[derive(Clone, Debug)]
pub(crate) struct Agent;

impl Table for Agent {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            noted::<CreateClaimLink>(
                "svc agent claim-link",
                |answer, _| answer.url.expose().to_owned(),
                |answer, _| {
                    let end = time::minute(answer.expires_at);
                    vec![
                        format!("valid until {end}, once; it is shown only once"),
                        "send it to the person who is to own this agent".to_owned(),
                    ]
                },
            ),
            command::<ClaimAgent>("svc agent claim", one),
        ]
    }
}

/// The commands of `svc agents`.
#[derive(Clone, Debug)]
pub(crate) struct Agents;

impl Table for Agents {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<ListOwnedAgents>("svc agents owned", |answer, _| rows(answer)),
            noted::<RotateAgentKey>(
                "svc agents rotate-key",
                |answer, _| answer.api_key.expose().to_owned(),
                |_, given| {
                    let agent = given.text("username");
                    vec![format!(
                        "copy the key: it is shown only once; the others of {agent} have ended"
                    )]
                },
            ),
            command::<SignOutAgent>("svc agents sign-out", one),
            command::<PauseAgent>("svc agents pause", one),
            command::<ResumeAgent>("svc agents resume", one),
            command::<SetAgentCaps>("svc agents caps", set).or_lift(LIFT),
            command::<SetOwnedCaps>("svc agents owned-caps", set).or_lift(LIFT),
            command::<SetAgentOwner>("svc agents visible", one),
            command::<ReleaseAgent>("svc agents release", |_, given| {
                format!("{} has no owner any more", given.text("username"))
            }),
        ]
    }
}

fn one(answer: &OwnedAgentEnvelope, _: &Given<'_>) -> String {
    row(&answer.agent)
}

fn set(answer: &SpendCapsEnvelope, _: &Given<'_>) -> String {
    spending(&answer.caps)
}

fn rows(answer: &OwnedAgentList) -> String {
    if answer.agents.is_empty() {
        return "no agents".to_owned();
    }
    let together = answer.caps.as_ref().map(|caps| format!("together  {}", spending(caps)));
    answer.agents.iter().map(row).chain(together).collect::<Vec<_>>().join("\n")
}

/// An agent on a line.
fn row(agent: &OwnedAgent) -> String {
    let mut parts = vec![
        format!("@{}", agent.username),
        agent.id.to_string(),
        if agent.paused { "paused" } else { "active" }.to_owned(),
        if agent.visible { "owner shown" } else { "owner hidden" }.to_owned(),
    ];
    parts.extend(agent.caps.as_ref().map(spending));
    parts.join("  ")
}

/// Caps, and what counts towards them.
fn spending(caps: &SpendCaps) -> String {
    let order = caps.per_order.map(|most| format!("at most {most} an order"));
    let day = match caps.per_day {
        Some(most) => format!("{} of {most} spent in 24 h", caps.spent_today),
        None => format!("{} spent in 24 h", caps.spent_today),
    };
    order.into_iter().chain([day]).collect::<Vec<_>>().join(", ")
}
