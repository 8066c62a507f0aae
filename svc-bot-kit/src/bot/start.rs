//! The start of a bot, before its first job.

use std::collections::HashSet;
use std::mem;
use std::sync::Arc;

use svc_client::Client;
use svc_client::types::api::messages::Message;
use tokio::sync::{Notify, Semaphore, watch};

use super::agents::AgentLimiter;
use super::builder::Bot;
use super::channels;
use super::classify::{Backlog, Classifier};
use super::health::Health;
use super::ingest::{jobs_of, newest, open_orders};
use super::journal_location::JournalLocation;
use super::other_bots::warn_about_other_bots;
use super::retry::{retry, retry_until_active};
use super::shared::{CALLS_AT_ONCE, Me, Shared};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::journal::{Journal, Position};
use crate::service::{Offer, Published, Service, name_key, publish};
use crate::{ChannelListener, Listener, Source};

/// A started bot.
pub(super) struct Started {
    pub(super) shared: Shared,
    pub(super) listener: Listener,
    /// Reads channels, if messages in them have a handler.
    pub(super) channels: Option<ChannelListener>,
    pub(super) backlog: Backlog,
}

/// Opens the journal, publishes the services, and determines where to resume.
pub(super) async fn start(mut bot: Bot) -> Result<Started> {
    if let Some(problem) = bot.hooks.problem {
        return Err(Error::config(problem));
    }
    let offers = offers_of(mem::take(&mut bot.services))?;
    let journal = opened(bot.journal.take())?;
    let (client, clock) = (&bot.client, bot.clock.clone());
    let me = retry(|| client.users().me().into_future()).await??.user;
    let cursor = journal.cursor(me.id.as_str()).await?;
    bot.crash.point("the journal is open").await;
    let publishing = || publish(client, &offers, bot.withdraws_others);
    let services = retry_until_active(publishing).await??;
    bot.crash.point("services are published").await;
    warn_about_other_bots(client, &journal, clock.now()).await?;
    let (newest, open) = skip_closed(client, &journal, &clock).await?;
    journal.prune(clock.now()).await?;
    let backlog = Backlog {
        until: newest.seq,
        open: open.iter().map(|order| order.message_id.clone()).collect(),
    };
    let me = Me { id: me.id, username: me.username };
    let begin = if let Some(cursor) = cursor {
        cursor
    } else {
        let jobs = jobs_of(&open, &first_classifier(&me, &services, &backlog));
        let begin = Position { occurred_at: newest.occurred_at.or(Some(clock.now())), ..newest };
        journal.reset_cursor(me.id.as_str(), begin, jobs, clock.now()).await?;
        bot.crash.point("open orders are taken in").await;
        begin
    };
    let listener = listener_from(begin, client, mem::take(&mut bot.sources), &bot.health);
    let channels = if bot.hooks.chat.wants_channels() {
        let channels = listener.with_channels();
        Some(channels::resume(channels, &journal, cursor, clock.now()).await?)
    } else {
        None
    };
    bot.health.open(journal.clone(), clock);
    tracing::info!(bot = me.username, services = services.len(), "open for orders");
    let shared = shared(bot, me, journal, services);
    Ok(Started { shared, listener, channels, backlog })
}

fn opened(location: Option<JournalLocation>) -> Result<Journal> {
    match location {
        Some(location) => location.open(),
        None => Err(Error::config("a bot needs a journal, such as Bot::journal(\"wordbot.db\")")),
    }
}

/// What the tasks of the bot share from now on.
fn shared(bot: Bot, me: Me, journal: Journal, services: Published) -> Shared {
    let handlers = bot.hooks.layers.around(bot.hooks.chat.clone(), &me.username);
    Shared {
        // Everything a bot sends is automated.
        client: bot.client.automated(|| ()),
        me,
        journal,
        services,
        handlers,
        hooks: bot.hooks,
        states: Arc::new(bot.states),
        agents: AgentLimiter::new(bot.to_agents, bot.clock.clone()),
        permits: Semaphore::new(bot.at_once),
        call_permits: Semaphore::new(CALLS_AT_ONCE),
        new_jobs: Notify::new(),
        capacity: Notify::new(),
        stopping: watch::Sender::new(false),
        clock: bot.clock,
        crash: bot.crash,
        health: bot.health,
    }
}

/// Listens from this position on, and notes each contact with the platform.
fn listener_from(
    begin: Position,
    client: &Client,
    sources: Vec<Source>,
    health: &Health,
) -> Listener {
    let contacted = health.clone();
    let listener = Listener::new(client.clone()).after(begin.seq).sources(sources);
    listener.on_contact(move || contacted.heartbeat())
}

/// The services as they are published. Each has a name of its own.
fn offers_of(services: Vec<Service>) -> Result<Vec<Arc<Offer>>> {
    let offers = services.into_iter().map(|service| Ok(Arc::new(Offer::new(service)?)));
    let offers = offers.collect::<Result<Vec<_>>>()?;
    if let Some(name) = shared_name(&offers) {
        return Err(Error::config(format!(
            "there are two services of the name {name}, but each must have its own"
        )));
    }
    Ok(offers)
}

/// The name that two services have, if there is one.
fn shared_name(offers: &[Arc<Offer>]) -> Option<&str> {
    let mut names = HashSet::new();
    let mut all = offers.iter().map(|offer| offer.service.name.as_str());
    all.find(|name| !names.insert(name_key(name)))
}

/// Closes the orders of the journal that were closed while the bot was offline. Returns the position after
/// the newest event, and the open orders.
async fn skip_closed(
    client: &Client,
    journal: &Journal,
    clock: &Clock,
) -> Result<(Position, Vec<Message>)> {
    // The position first: an order up to it that is not in the list was answered or has expired.
    let position = retry(|| newest(client)).await??;
    let open = retry(|| open_orders(client)).await??;
    let open_ids = open.iter().map(|order| order.message_id.to_string()).collect();
    for order in journal.close_missing(open_ids, clock.now()).await? {
        tracing::warn!(order, "the order was closed while the bot was offline; it is skipped");
    }
    Ok((position, open))
}

/// A new journal starts with the open orders only; older messages and events are not handled.
fn first_classifier<'a>(
    me: &'a Me,
    services: &'a Published,
    backlog: &'a Backlog,
) -> Classifier<'a> {
    Classifier { me: &me.id, services, wants_messages: false, wants_events: false, backlog }
}
