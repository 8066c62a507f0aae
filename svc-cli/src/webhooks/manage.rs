//! `svc webhooks create`, `list` and the other commands that manage webhooks.

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args, Subcommand};
use svc_client::types::Timestamp;
use svc_client::types::api::webhooks::{
    CreateWebhook, DeleteWebhook, DeliveryState, DisableWebhook, EnableWebhook, GetWebhook,
    GetWebhookDelivery, GetWebhookRecovery, GetWebhookStats, ListWebhookDeliveries, ListWebhooks,
    PromoteWebhookSecret, RecoverWebhook, RecoverableState, RedeliverWebhook, RotateWebhookSecret,
    TestWebhook, UpdateWebhook, WebhookEnvelope, WebhookKind, WebhookSecretRotated,
    WebhookWithSecret,
};

use super::rows;
use crate::caller::Caller;
use crate::endpoint_command::{Commands, EndpointCommand, Given, Table, command, noted, page};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::list::{self, Line, Page};
use crate::settings::Settings;
use crate::time;

/// Commands that manage webhooks.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Endpoint(Commands<Webhooks>),
    /// List the deliveries of a webhook, or show one with its attempts.
    Deliveries(DeliveriesFlags),
    /// Recover failed deliveries of a time range, or show the progress of a recovery.
    Recover(RecoverFlags),
}

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct Webhooks;

impl Table for Webhooks {
    fn commands() -> Vec<EndpointCommand> {
        let commands = [
            noted::<CreateWebhook>("svc webhooks create", created, |_, _| vec![ONCE.to_owned()]),
            page::<ListWebhooks>("svc webhooks list", |items, _| {
                list::rows(items.iter().map(rows::webhook), "no webhooks")
            }),
            command::<GetWebhook>("svc webhooks show", whole),
            command::<UpdateWebhook>("svc webhooks update", row).flag("url", "address"),
            command::<DeleteWebhook>("svc webhooks delete", |_, given| {
                format!("deleted {}", given.text("webhookId"))
            }),
            command::<EnableWebhook>("svc webhooks enable", row),
            command::<DisableWebhook>("svc webhooks disable", row),
            noted::<RotateWebhookSecret>("svc webhooks rotate", secret, rotated)
                .flag("overlapSeconds", "overlap"),
            command::<PromoteWebhookSecret>("svc webhooks promote", whole),
            command::<TestWebhook>("svc webhooks test", |answer, _| {
                rows::whole_delivery(&answer.delivery)
            }),
            command::<RedeliverWebhook>("svc webhooks redeliver", |answer, _| {
                rows::delivery(&answer.delivery)
            }),
            command::<GetWebhookStats>("svc webhooks stats", |answer, _| {
                rows::stats(&answer.stats)
            }),
        ];
        commands.into_iter().map(|command| command.explain(|error, _| explained(error))).collect()
    }
}

fn row(answer: &WebhookEnvelope, _: &Given<'_>) -> String {
    rows::webhook(&answer.webhook)
}

fn whole(answer: &WebhookEnvelope, _: &Given<'_>) -> String {
    rows::whole(&answer.webhook)
}

fn created(answer: &WebhookWithSecret, _: &Given<'_>) -> String {
    format!("{}\nsecret  {}", rows::webhook(&answer.webhook), answer.secret.expose())
}

fn secret(answer: &WebhookSecretRotated, _: &Given<'_>) -> String {
    format!("secret  {}", answer.secret.expose())
}

fn rotated(answer: &WebhookSecretRotated, given: &Given<'_>) -> Vec<String> {
    let end = time::minute(answer.previous_expires_at);
    let mut notes = vec![format!("{ONCE}  the old one ends at {end}")];
    if given.number("overlapSeconds") != Some(0) {
        let id = given.text("webhookId");
        notes.push(format!("when the receiver knows it: svc webhooks promote {id}"));
    }
    notes
}

/// Flags of `svc webhooks deliveries`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DeliveriesFlags {
    /// Id of the webhook: `wh_…`.
    id: String,
    /// Id of a delivery to show: `dlv_…`.
    delivery: Option<String>,
    /// Only deliveries in this state.
    #[arg(long, value_name = "STATE", value_parser = PossibleValuesParser::new(DeliveryState::WORDS))]
    state: Option<String>,
    /// Only deliveries of this kind of event.
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(WebhookKind::WORDS))]
    event: Option<String>,
    /// Only deliveries created at this time or later, such as 2h for two hours ago.
    #[arg(long, value_name = "WHEN", value_parser = time::past)]
    since: Option<Timestamp>,
    /// Only deliveries created before this time.
    #[arg(long, value_name = "WHEN", value_parser = time::past)]
    until: Option<Timestamp>,
    #[command(flatten)]
    page: Page,
}

/// Flags of `svc webhooks recover`.
#[derive(Clone, Debug, Args)]
#[command(group(ArgGroup::new("which").args(["recovery", "since"]).required(true)))]
pub(crate) struct RecoverFlags {
    /// Id of the webhook: `wh_…`.
    id: String,
    /// Id of a recovery to show: `rcv_…`.
    recovery: Option<String>,
    /// Start of the time range, inclusive, such as 2h for two hours ago.
    #[arg(long, value_name = "WHEN", value_parser = time::past)]
    since: Option<Timestamp>,
    /// End of the time range; now when omitted.
    #[arg(long, value_name = "WHEN", value_parser = time::past)]
    until: Option<Timestamp>,
    /// States of the latest delivery, separated by commas; all of these when omitted.
    #[arg(long, value_name = "STATES", value_delimiter = ',', value_parser = PossibleValuesParser::new(RecoverableState::WORDS))]
    states: Option<Vec<String>>,
    /// Only count the events.
    #[arg(long)]
    count: bool,
}

/// Runs a command that manages webhooks.
pub(super) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = match command {
        Command::Endpoint(command) => return command.run(settings).await,
        _ => settings.caller()?,
    };
    let done = match command {
        Command::Deliveries(flags) => deliveries(flags, &caller).await,
        Command::Recover(flags) => recover(flags, &caller).await,
        Command::Endpoint(_) => Ok(()),
    };
    done.map_err(explained)
}

/// Adds where to find the id of a webhook.
fn explained(error: Box<Error>) -> Box<Error> {
    match (&error.exit, error.code.as_str()) {
        (Exit::NotFound, "not_found") => error.hint("svc webhooks list"),
        _ => error,
    }
}

const ONCE: &str = "copy the secret: it is shown only once";

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
    let line = flags.page.repeated(line.option("--until", time(flags.until).as_deref()));
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
