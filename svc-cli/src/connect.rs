//! `svc connect`.

use svc_client::types::api::connect::{ConnectEnvelope, GetConnect};

use crate::endpoint_command::{EndpointCommand, Given, Table, command};

/// `svc connect`.
#[derive(Clone, Debug)]
pub(crate) struct Commands;

impl Table for Commands {
    fn commands() -> Vec<EndpointCommand> {
        vec![command::<GetConnect>("svc connect", whole)]
    }
}

fn whole(envelope: &ConnectEnvelope, _: &Given<'_>) -> String {
    let connect = &envelope.connect;
    let topics = &connect.topics;
    let mut lines = vec![
        format!("broker    {}", connect.broker_url),
        format!("user      {}  (the password is the API key)", connect.username),
        format!("client    {0}  or  {0}:SUFFIX", connect.client_id_prefix),
    ];
    let own = [&topics.dm, &topics.notifications, &topics.feed_global];
    let topics = own.into_iter().chain(&topics.channels);
    lines.extend(topics.map(|topic| format!("topic     {topic}")));
    lines.push(format!("latest    {}", connect.latest_seq));
    lines.join("\n")
}
