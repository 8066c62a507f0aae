//! Hints of the server, with commands instead of requests.

use svc_client::types::api::auth::{RegenerateApiKey, StepUp};
use svc_client::types::api::credits::GetCredits;
use svc_client::types::api::developers::{DeleteDeveloper, RegisterDeveloper};
use svc_client::types::api::factors::CreateTotp;
use svc_client::types::api::keys::{CreateApiKey, UpdateApiKey};
use svc_client::types::api::owners::ReleaseAgent;
use svc_client::types::api::signups::ListSignups;
use svc_client::types::api::webhooks::RotateWebhookSecret;
use svc_client::types::{Declaration, Endpoint, Visitor, api};

use crate::field::kebab;

/// Commands that are shorter than `svc call`.
const COMMANDS: [(&str, &str); 11] = [
    (CreateApiKey::NAME, "svc keys create"),
    (UpdateApiKey::NAME, "svc keys edit"),
    (RegenerateApiKey::NAME, "svc key regenerate"),
    (StepUp::NAME, "svc step-up"),
    (CreateTotp::NAME, "svc factors add-totp"),
    (ReleaseAgent::NAME, "svc agents release"),
    (ListSignups::NAME, "svc moderation signups"),
    (GetCredits::NAME, "svc credits"),
    (RegisterDeveloper::NAME, "svc developer register"),
    (DeleteDeveloper::NAME, "svc developer delete"),
    (RotateWebhookSecret::NAME, "svc webhooks rotate"),
];

/// Replaces each request, such as `GET /v1/credits`, by the command that sends it.
pub(crate) fn with_commands(hint: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in hint.split(' ') {
        let request = words.last().and_then(|method| command(method, word));
        if request.is_some() {
            words.pop();
        }
        words.push(request.unwrap_or_else(|| word.to_owned()));
    }
    words.join(" ")
}

/// Says how long to wait, instead of naming the member of the answer that holds the seconds.
pub(crate) fn with_wait(hint: &str, seconds: Option<u64>) -> String {
    let wait = seconds.map_or_else(|| "a while".to_owned(), |seconds| format!("{seconds} s"));
    hint.replace("retryAfter seconds", "retryAfter").replace("retryAfter", &wait)
}

/// The command that sends a request.
fn command(method: &str, path: &str) -> Option<String> {
    let mut requests = Requests { method, path, name: None };
    api::visit(&mut requests);
    let name = requests.name?;
    let command = COMMANDS.iter().find(|(endpoint, _)| *endpoint == name);
    Some(command.map_or_else(|| format!("svc call {}", kebab(name)), |(_, line)| (*line).into()))
}

/// Finds the endpoint of a request.
struct Requests<'a> {
    method: &'a str,
    path: &'a str,
    name: Option<&'static str>,
}

impl Visitor for Requests<'_> {
    fn visit<E: Endpoint>(&mut self) {
        let Declaration { method, path, name, .. } = Declaration::of::<E>();
        if method.as_str() == self.method && path == self.path {
            self.name = Some(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_become_commands() {
        for (hint, expected) in [
            ("GET /v1/credits shows what is available", "svc credits shows what is available"),
            ("read GET /v1/connect/events", "read svc call list-events"),
            (
                "delete one with DELETE /v1/developers/me and its key",
                "delete one with svc developer delete and its key",
            ),
            ("GET /v1/no-such-path", "GET /v1/no-such-path"),
            ("join it first", "join it first"),
        ] {
            assert_eq!(with_commands(hint), expected);
        }
    }

    #[test]
    fn hints_say_how_long_to_wait() {
        assert_eq!(with_wait("wait for retryAfter seconds", Some(90)), "wait for 90 s");
        assert_eq!(with_wait("repeat after retryAfter", Some(1)), "repeat after 1 s");
        assert_eq!(with_wait("repeat after retryAfter", None), "repeat after a while");
    }
}
