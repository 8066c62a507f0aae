//! `svc listen`: what happens to your account, shown or handed on as webhooks.

mod forward;
mod reader;
mod state;
mod wake;

pub(crate) use forward::{address, client, deliver};
pub(crate) use state::secret;

use clap::Args;
use serde_json::json;
use svc_client::types::Timestamp;
use svc_client::types::api::connect::Event;
use svc_client::types::api::users::GetMe;

use self::forward::{Faults, Forward};
use self::reader::{Reader, Received};
use self::state::Place;
use crate::caller::Caller;
use crate::device;
use crate::error::Result;
use crate::output::{self, one_line, warning};
use crate::settings::Settings;
use crate::time;

/// Flags of `svc listen`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ListenFlags {
    /// Only these kinds, with commas between them.
    #[arg(long, visible_alias = "events", value_name = "KINDS", value_delimiter = ',')]
    types: Vec<String>,
    /// Begin behind the event of this number.
    #[arg(long, value_name = "NUMBER", group = "beginning")]
    after: Option<u64>,
    /// Begin at the oldest event retained.
    #[arg(long, group = "beginning")]
    from_start: bool,
    /// Begin with the events since this time, such as 2h for two hours ago.
    #[arg(long, value_name = "WHEN", value_parser = time::past, group = "beginning")]
    replay_since: Option<Timestamp>,
    /// Send each event to this address as a webhook, signed.
    #[arg(long, value_name = "URL")]
    forward_to: Option<String>,
    /// Print the secret that events are signed with, and end.
    #[arg(long)]
    print_secret: bool,
    /// Try to send an event this often, then continue with the next.
    #[arg(long, value_name = "NUMBER", requires = "forward_to", value_parser = clap::value_parser!(u32).range(1..))]
    attempts: Option<u32>,
    #[command(flatten)]
    faults: Faults,
}

/// Listens until it is stopped.
pub(crate) async fn listen(flags: &ListenFlags, settings: &Settings) -> Result<()> {
    if flags.print_secret {
        return print_secret(settings);
    }
    let caller = settings.caller()?;
    if caller.is_shown("GET", "/v1/connect/events", None)? {
        return Ok(());
    }
    device::note_end(&caller);
    match &flags.forward_to {
        None => show(flags, &caller).await,
        Some(url) => forward(flags, url, &caller, settings).await,
    }
}

fn print_secret(settings: &Settings) -> Result<()> {
    let secret = secret(settings)?;
    settings.out.local(&json!({ "secret": secret.expose() }), secret.expose())
}

/// Prints each event on one line.
async fn show(flags: &ListenFlags, caller: &Caller) -> Result<()> {
    let mut reader = Reader::new(caller, flags, None).await?;
    caller.out.note("listening; Ctrl-C stops it");
    loop {
        let Received { event, envelope } = reader.next(|_| Ok(())).await?;
        if caller.out.json {
            output::raw(&envelope)?;
        } else {
            caller.out.local(&(), &line(&event))?;
        }
    }
}

/// Sends each event on, and keeps its number when that is done.
async fn forward(
    flags: &ListenFlags,
    url: &str,
    caller: &Caller,
    settings: &Settings,
) -> Result<()> {
    let forward = Forward::new(url, secret(settings)?, &flags.faults, flags.attempts)?;
    let me = caller.read(GetMe {}).await?.value.user.id;
    let place = Place::new(settings, &me, url);
    let mut reader = Reader::new(caller, flags, place.last()?).await?;
    // Store a start without events, too, so that events between two runs are not missed.
    place.keep(reader.last())?;
    caller.out.note(&format!("sending to {url}; Ctrl-C stops it, and the same command continues"));
    loop {
        // Numbers of other kinds are kept, too: once they have expired, the next run could not begin before them.
        let received = reader.next(|seq| place.keep(seq)).await?;
        forward.send(&received.event, caller.out).await?;
        place.keep(received.event.seq)?;
    }
}

/// An event on one line: when, which, and about what. A warning stands for its text.
fn line(event: &Event) -> String {
    let text = |name: &str| event.data.get(name).and_then(serde_json::Value::as_str);
    let sender = || event.data.get("sender")?.get("username")?.as_str();
    let mut line = format!("{}  {}  {}", time::second(event.timestamp), event.seq, event.event);
    if let Some(actor) = text("actorUsername").or_else(sender) {
        line = format!("{line}  @{actor}");
    }
    let first = |names: &[&str]| names.iter().find_map(|name| text(name)).map(one_line);
    let about = first(&["postId", "messageId", "escrowId", "requestId", "code"]);
    let warned = text("contentWarning").map(warning);
    let words = warned.or_else(|| first(&["status", "content", "reason", "text", "action"]));
    for part in [about, words].into_iter().flatten() {
        line = format!("{line}  {part}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_stands_for_its_text() {
        let event = json!({
            "id": "evt_1", "seq": 3, "event": "reply", "timestamp": "2026-01-31T09:30:00.000Z",
            "data": {
                "postId": "post_1", "contentWarning": "a\nfilm", "content": "the end",
                "actorUsername": "ada",
            },
        });
        let shown = line(&serde_json::from_value(event).unwrap());
        assert!(shown.ends_with("  3  reply  @ada  post_1  warning: a film"), "{shown}");
    }
}
