//! `svc webhooks create`, `list` and what else manages them.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use svc_client::types::Timestamp;
use svc_client::types::api::webhooks::{
    CreateWebhook, DeleteWebhook, DeliveryState, DisableWebhook, EnableWebhook, GetWebhook,
    GetWebhookDelivery, GetWebhookRecovery, GetWebhookStats, ListWebhookDeliveries, ListWebhooks,
    PromoteWebhookSecret, RecoverWebhook, RecoverableState, RedeliverWebhook, RotateWebhookSecret,
    TestWebhook, UpdateWebhook, WebhookKind,
};

use super::rows;
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::help;
use crate::list::{self, Line, Page};
use crate::settings::Settings;
use crate::time;

/// What manages webhooks.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a webhook; its secret is shown this once.
    Create(CreateFlags),
    /// List your webhooks, newest first.
    List(Page),
    /// Show a webhook.
    Show(One),
    /// Change a webhook; what is left out stays as it is.
    Update(UpdateFlags),
    /// Delete a webhook; what waits is cancelled.
    #[command(after_help = help::ASKS)]
    Delete(One),
    /// Let a webhook be called again, and send what was held.
    Enable(One),
    /// Stop calling a webhook; what comes is held for 72 hours.
    Disable(One),
    /// Give a webhook a new secret, which is shown this once.
    Rotate(RotateFlags),
    /// Sign with the new secret from now on, once the receiver knows it.
    Promote(One),
    /// Call a webhook with a sample, once, and show how it went.
    Test(TestFlags),
    /// List what was sent to a webhook or waits; with a delivery, show it and its attempts.
    Deliveries(DeliveriesFlags),
    /// Send an event again.
    Redeliver(OfDelivery),
    /// Send again what was not delivered; with a recovery, show how far it is.
    Recover(RecoverFlags),
    /// Show how deliveries fare.
    Stats(One),
}

/// A webhook.
#[derive(Clone, Debug, Args)]
pub(crate) struct One {
    /// The webhook.
    id: String,
}

/// A delivery.
#[derive(Clone, Debug, Args)]
pub(crate) struct OfDelivery {
    /// The webhook.
    id: String,
    /// The delivery.
    delivery: String,
}

/// Flags of `svc webhooks create`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CreateFlags {
    /// Where events are sent: https at a public host.
    // Every command has a flag `--url` of its own, for the server.
    #[arg(value_name = "URL")]
    address: String,
    #[command(flatten)]
    about: About,
}

/// What a webhook gets, and what it is for.
#[derive(Clone, Debug, Args)]
pub(crate) struct About {
    /// Which events, with commas between them; all but escrow and service when left out.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = PossibleValuesParser::new(WebhookKind::WORDS))]
    events: Option<Vec<String>>,
    /// What it is for; empty removes it.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

/// Flags of `svc webhooks update`.
#[derive(Clone, Debug, Args)]
pub(crate) struct UpdateFlags {
    /// The webhook.
    id: String,
    /// Where events are sent from now on.
    #[arg(long, value_name = "URL")]
    address: Option<String>,
    #[command(flatten)]
    about: About,
}

/// Flags of `svc webhooks rotate`.
#[derive(Clone, Debug, Args)]
pub(crate) struct RotateFlags {
    /// The webhook.
    id: String,
    /// Seconds until the old secret ends, at most 604800; 0 ends it at once, as after a leak.
    #[arg(long, value_name = "SECONDS")]
    overlap: Option<u32>,
}

/// Flags of `svc webhooks test`.
#[derive(Clone, Debug, Args)]
pub(crate) struct TestFlags {
    /// The webhook.
    id: String,
    /// The kind of the sample; mention when left out.
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(WebhookKind::WORDS))]
    event: Option<String>,
}

/// Flags of `svc webhooks deliveries`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DeliveriesFlags {
    /// The webhook.
    id: String,
    /// A delivery to show.
    delivery: Option<String>,
    /// Only those in this state.
    #[arg(long, value_name = "STATE", value_parser = PossibleValuesParser::new(DeliveryState::WORDS))]
    state: Option<String>,
    /// Only those of events of this kind.
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(WebhookKind::WORDS))]
    event: Option<String>,
    /// Only those made at this time or later.
    #[arg(long, value_name = "WHEN", value_parser = time::parse)]
    since: Option<Timestamp>,
    /// Only those made before this time.
    #[arg(long, value_name = "WHEN", value_parser = time::parse)]
    until: Option<Timestamp>,
    #[command(flatten)]
    page: Page,
}

/// Flags of `svc webhooks recover`.
#[derive(Clone, Debug, Args)]
pub(crate) struct RecoverFlags {
    /// The webhook.
    id: String,
    /// A recovery to show.
    #[arg(required_unless_present = "since")]
    recovery: Option<String>,
    /// Events from this time on.
    #[arg(long, value_name = "WHEN", value_parser = time::parse, conflicts_with = "recovery")]
    since: Option<Timestamp>,
    /// Events up to this time; up to now when left out.
    #[arg(long, value_name = "WHEN", value_parser = time::parse)]
    until: Option<Timestamp>,
    /// What became of them so far, with commas between; all of these when left out.
    #[arg(long, value_name = "STATES", value_delimiter = ',', value_parser = PossibleValuesParser::new(RecoverableState::WORDS))]
    states: Option<Vec<String>>,
    /// Only count.
    #[arg(long)]
    count: bool,
}

/// Runs what manages webhooks.
pub(super) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    managed(command, &caller).await.map_err(named)
}

async fn managed(command: &Command, caller: &Caller) -> Result<()> {
    match command {
        Command::Create(flags) => create(flags, caller).await,
        Command::List(page) => list(page, caller).await,
        Command::Update(flags) => {
            caller.show(flags.request()?, |answer| rows::webhook(&answer.webhook)).await
        }
        Command::Rotate(flags) => rotate(flags, caller).await,
        Command::Test(TestFlags { id, event }) => {
            let event = event.as_deref().map(Into::into);
            let request = TestWebhook { webhook_id: id.as_str().into(), event };
            caller.show(request, |answer| rows::whole_delivery(&answer.delivery)).await
        }
        Command::Deliveries(flags) => deliveries(flags, caller).await,
        Command::Redeliver(flags) => {
            let (webhook_id, delivery_id) =
                (flags.id.as_str().into(), flags.delivery.as_str().into());
            let request = RedeliverWebhook { webhook_id, delivery_id };
            caller.show(request, |answer| rows::delivery(&answer.delivery)).await
        }
        Command::Recover(flags) => recover(flags, caller).await,
        Command::Show(one)
        | Command::Delete(one)
        | Command::Enable(one)
        | Command::Disable(one)
        | Command::Promote(one)
        | Command::Stats(one) => of_one(command, &one.id, caller).await,
    }
}

/// What needs nothing but a webhook.
async fn of_one(command: &Command, id: &str, caller: &Caller) -> Result<()> {
    let webhook_id = id.into();
    match command {
        Command::Delete(_) => {
            caller.show(DeleteWebhook { webhook_id }, |_| format!("deleted {id}")).await
        }
        Command::Enable(_) => {
            caller.show(EnableWebhook { webhook_id }, |it| rows::webhook(&it.webhook)).await
        }
        Command::Disable(_) => {
            caller.show(DisableWebhook { webhook_id }, |it| rows::webhook(&it.webhook)).await
        }
        Command::Promote(_) => {
            caller.show(PromoteWebhookSecret { webhook_id }, |it| rows::whole(&it.webhook)).await
        }
        Command::Stats(_) => {
            caller.show(GetWebhookStats { webhook_id }, |it| rows::stats(&it.stats)).await
        }
        _ => caller.show(GetWebhook { webhook_id }, |it| rows::whole(&it.webhook)).await,
    }
}

/// A refusal in the words of this command.
fn named(error: Box<Error>) -> Box<Error> {
    match (&error.exit, error.code.as_str()) {
        (Exit::NotFound, "not_found") => error.hint("svc webhooks list"),
        _ => error,
    }
}

const ONCE: &str = "keep the secret: it is shown this once";

async fn create(flags: &CreateFlags, caller: &Caller) -> Result<()> {
    let request = CreateWebhook {
        url: flags.address.as_str().into(),
        events: flags.about.kinds(),
        description: flags.about.description.as_deref().map(Into::into),
    };
    let Some(answer) = caller.send(request).await? else { return Ok(()) };
    caller.out.answer(&answer.value, |made| {
        format!("{}\nsecret  {}", rows::webhook(&made.webhook), made.secret.expose())
    })?;
    caller.out.note(ONCE);
    Ok(())
}

async fn rotate(flags: &RotateFlags, caller: &Caller) -> Result<()> {
    let request = RotateWebhookSecret {
        webhook_id: flags.id.as_str().into(),
        overlap_seconds: flags.overlap.map(Into::into),
    };
    let Some(answer) = caller.send(request).await? else { return Ok(()) };
    caller.out.answer(&answer.value, |rotated| format!("secret  {}", rotated.secret.expose()))?;
    let end = time::minute(answer.value.value.previous_expires_at);
    caller.out.note(&format!("{ONCE}  the old one ends at {end}"));
    if flags.overlap != Some(0) {
        caller.out.note(&format!("when the receiver knows it: svc webhooks promote {}", flags.id));
    }
    Ok(())
}

async fn list(page: &Page, caller: &Caller) -> Result<()> {
    let request = ListWebhooks { limit: page.limit(), cursor: page.cursor() };
    let people = |items: &[_]| list::rows(items.iter().map(rows::webhook), "no webhooks");
    list::show(caller, request, &Line::new("svc webhooks list"), people).await
}

async fn deliveries(flags: &DeliveriesFlags, caller: &Caller) -> Result<()> {
    let webhook_id = flags.id.as_str().into();
    if let Some(delivery) = &flags.delivery {
        let request = GetWebhookDelivery { webhook_id, delivery_id: delivery.as_str().into() };
        return caller.show(request, |answer| rows::whole_delivery(&answer.delivery)).await;
    }
    let request = ListWebhookDeliveries {
        webhook_id,
        state: flags.state.as_deref().map(Into::into),
        event: flags.event.as_deref().map(Into::into),
        since: flags.since,
        until: flags.until,
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
    let line = Line::new("svc webhooks deliveries").word(Some(&flags.id));
    let line = line.option("--state", flags.state.as_deref());
    let line = line.option("--event", flags.event.as_deref());
    let line = line.option("--since", time(flags.since).as_deref());
    let line = line.option("--until", time(flags.until).as_deref());
    let people = |items: &[_]| list::rows(items.iter().map(rows::delivery), "no deliveries");
    list::show(caller, request, &line, people).await
}

async fn recover(flags: &RecoverFlags, caller: &Caller) -> Result<()> {
    let webhook_id = flags.id.as_str().into();
    let Some(since) = flags.since else {
        let recovery_id = flags.recovery.as_deref().unwrap_or_default().into();
        let request = GetWebhookRecovery { webhook_id, recovery_id };
        return caller.show(request, |answer| rows::recovery(&answer.recovery)).await;
    };
    let states = flags.states.as_deref();
    let request = RecoverWebhook {
        webhook_id,
        since,
        until: flags.until,
        states: states.map(|states| states.iter().map(|state| state.as_str().into()).collect()),
        dry_run: flags.count.then_some(true),
    };
    caller.show(request, |answer| rows::recovery(&answer.recovery)).await
}

impl About {
    fn kinds(&self) -> Option<Vec<WebhookKind>> {
        let kinds = self.events.as_deref()?.iter();
        Some(kinds.map(|kind| kind.as_str().into()).collect())
    }
}

impl UpdateFlags {
    fn request(&self) -> Result<UpdateWebhook> {
        let request = UpdateWebhook {
            webhook_id: self.id.as_str().into(),
            url: self.address.as_deref().map(Into::into),
            events: self.about.kinds(),
            description: self.about.description.as_deref().map(Into::into),
        };
        let is_empty = request.url.is_none() && request.events.is_none();
        if is_empty && request.description.is_none() {
            let hint = format!("svc webhooks update {} --address https://…", self.id);
            return Err(Error::usage("nothing is to be changed").hint(hint));
        }
        Ok(request)
    }
}
