//! `svc trigger`: a made-up event, signed like a real one.

use clap::Args;
use serde_json::{Map, Value, json};
use svc_bot_kit::{WebhookEvent, sign};

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::listen;
use crate::settings::Settings;
use crate::time;

/// Flags of `svc trigger`.
#[derive(Clone, Debug, Args)]
pub(crate) struct TriggerFlags {
    /// Kind of the event, such as like.
    kind: String,
    /// Where to send it; without this it is printed.
    #[arg(long, value_name = "URL")]
    to: Option<String>,
    /// A member to change, such as data.actorUsername=bob.
    #[arg(long = "override", value_name = "MEMBER=TEXT")]
    overrides: Vec<String>,
}

/// Sends or prints the event; no account is touched.
pub(crate) async fn trigger(flags: &TriggerFlags, settings: &Settings) -> Result<()> {
    let event = event(flags)?;
    if let Some(url) = flags.to.as_deref()
        && settings.is_shown(&format!("send a {} to {url}", flags.kind))?
    {
        return Ok(());
    }
    let secret = listen::secret(settings)?;
    let request = sign::sample(&secret, &event, time::now());
    let Some(url) = &flags.to else {
        return print(&request, settings);
    };
    let sent = listen::deliver(&listen::client()?, &listen::address(url)?, request).await?;
    let value =
        json!({ "event": flags.kind, "status": sent.status, "error": sent.error, "ms": sent.ms });
    if sent.arrived() {
        return settings.out.local(&value, &format!("{}  {}", flags.kind, sent.words()));
    }
    let message = format!("{url} did not take the event: {}", sent.words());
    let exit = if sent.status.is_some() { Exit::Other } else { Exit::Network };
    let hint = match sent.status {
        None => "start the receiver, or name another address with --to",
        Some(400 | 401 | 403) => "svc listen --print-secret shows the secret",
        Some(_) => "the receiver must answer with a status of 200 to 299; see its log",
    };
    Err(Error::new(exit, "not_taken", message).hint(hint))
}

/// The body for people, all of it for programs.
fn print(request: &svc_client::http::Request<Vec<u8>>, settings: &Settings) -> Result<()> {
    let text = |value: &svc_client::http::HeaderValue| {
        String::from_utf8_lossy(value.as_bytes()).into_owned()
    };
    let headers: Map<String, Value> = request
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), text(value).into()))
        .collect();
    let body = String::from_utf8_lossy(request.body());
    settings.out.local(&json!({ "headers": headers, "body": body }), &body)
}

fn event(flags: &TriggerFlags) -> Result<WebhookEvent> {
    let sample = WebhookEvent::sample(&flags.kind).ok_or_else(|| {
        let message = format!("there is no kind {}", flags.kind);
        Error::usage(message).hint(format!("one of {}", WebhookEvent::KINDS.join(", ")))
    })?;
    let mut data = Value::from(sample.data());
    for one in &flags.overrides {
        change(&mut data, one)?;
    }
    WebhookEvent::parse(&flags.kind, &data.to_string())
        .map_err(|error| Error::usage(format!("that is no {}: {error}", flags.kind)))
}

/// Puts a text in place of a member, in that member's type.
fn change(data: &mut Value, given: &str) -> Result<()> {
    let (path, text) = given
        .strip_prefix("data.")
        .and_then(|rest| rest.split_once('='))
        .ok_or_else(|| Error::usage(format!("{given} is not like data.actorUsername=bob")))?;
    let pointer = format!("/{}", path.replace('.', "/"));
    if let Some(member) = data.pointer_mut(&pointer) {
        let read = if member.is_string() { None } else { serde_json::from_str(text).ok() };
        *member = read.unwrap_or_else(|| text.into());
    } else if let (false, Some(members)) = (path.contains('.'), data.as_object_mut()) {
        members.insert(path.to_owned(), text.into());
    } else {
        return Err(Error::usage(format!("the event has no member data.{path}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(kind: &str, overrides: &[&str]) -> Result<WebhookEvent> {
        let overrides = overrides.iter().map(|one| (*one).to_owned()).collect();
        event(&TriggerFlags { kind: kind.to_owned(), to: None, overrides })
    }

    #[test]
    fn members_are_changed_in_their_own_type() {
        let event = made("escrow", &["data.amount=7", "data.buyerUsername=12"]).unwrap();
        let data = event.data();
        assert_eq!((&data["amount"], &data["buyerUsername"]), (&7.into(), &"12".into()));
        let event = made("direct_message", &["data.sender.username=bob", "data.schema=note.v1"]);
        let data = event.unwrap().data();
        assert_eq!(
            (&data["sender"]["username"], &data["schema"]),
            (&"bob".into(), &"note.v1".into())
        );
    }

    #[test]
    fn what_is_no_event_is_refused() {
        for (kind, change) in [
            ("wave", None),
            ("like", Some("postId=x")),
            ("like", Some("data.a.b=x")),
            ("escrow", Some("data.amount=much")),
        ] {
            assert!(
                made(kind, &change.into_iter().collect::<Vec<_>>()).is_err(),
                "{kind} {change:?}"
            );
        }
    }
}
