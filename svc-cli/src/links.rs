//! `svc links`: accounts elsewhere, as proof of who you are.

use svc_client::types::api::links::{BeginLink, DeleteLink, LinkList, ListLinks};

use crate::endpoint_command::{EndpointCommand, Table, command, noted};
use crate::time;

/// The commands of `svc links`.
#[derive(Clone, Debug)]
pub(crate) struct Links;

impl Table for Links {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<ListLinks>("svc links list", |answer, _| rows(answer)),
            noted::<BeginLink>(
                "svc links add",
                |answer, _| answer.url.expose().to_owned(),
                |_, _| {
                    vec![
                        "open it in a browser within ten minutes: it works once".to_owned(),
                        "then see: svc links list".to_owned(),
                    ]
                },
            ),
            command::<DeleteLink>("svc links remove", |_, given| {
                format!("unlinked {}", given.text("provider"))
            }),
        ]
    }
}

fn rows(answer: &LinkList) -> String {
    if answer.links.is_empty() {
        return "no account elsewhere is linked".to_owned();
    }
    let row = |link: &svc_client::types::api::links::Link| {
        format!("{}  since {}", link.provider, time::minute(link.linked_at))
    };
    answer.links.iter().map(row).collect::<Vec<_>>().join("\n")
}
