//! What comes before the first job.

use std::sync::Arc;

use svc_client::types::api::messages::Message;
use tokio::sync::{Notify, Semaphore, watch};

use super::agents::Agents;
use super::builder::Bot;
use super::classify::{Backlog, Sorter};
use super::ingest::{jobs_of, newest, open_orders};
use super::other_bots::warn_of_others;
use super::retry::persistently;
use super::shared::{CALLS_AT_ONCE, Me, Shared};
use crate::Listener;
use crate::error::{Error, Result};
use crate::journal::Position;
use crate::service::{Offers, Published, publish};

/// Everything a bot runs with.
pub(super) struct Started {
    pub(super) shared: Shared,
    pub(super) listener: Listener,
    pub(super) backlog: Backlog,
}

/// Opens the journal, publishes the services, and finds out where to go on.
pub(super) async fn start(bot: Bot) -> Result<Started> {
    if let Some(method) = bot.hooks.set_twice {
        let problem = format!("Bot::{method} was called twice, and a bot has one handler of them");
        return Err(Error::config(problem));
    }
    let offers = bot.services.into_iter().map(|service| Ok(Arc::new(Offers::new(service)?)));
    let offers = offers.collect::<Result<Vec<_>>>()?;
    let journal = bot.journal.ok_or_else(|| {
        Error::config("a bot needs a journal, such as Bot::journal(\"wordbot.db\")")
    })?;
    let journal = journal.open()?;
    let (client, clock) = (&bot.client, bot.clock);
    let me = persistently(|| client.users().me().into_future()).await??.user;
    let cursor = journal.cursor(me.id.as_str()).await?;
    bot.crash.point("the journal is open").await;
    let services = persistently(|| publish(client, &offers, bot.withdraws_others)).await??;
    bot.crash.point("services are published").await;
    warn_of_others(client, &journal, &me.id, clock.now()).await?;
    // In this order: what is not open behind this number was answered or has expired.
    let newest = persistently(|| newest(client)).await??;
    let open = persistently(|| open_orders(client)).await??;
    let id = |message: &Message| message.message_id.clone();
    let open_ids = open.iter().map(|message| id(message).to_string()).collect();
    for order in journal.tidy(open_ids, clock.now()).await? {
        tracing::warn!(order, "closed while the bot was away; it is not worked on");
    }
    journal.forget(clock.now()).await?;
    let backlog = Backlog { until: newest.seq, open: open.iter().map(id).collect() };
    let me = Me { id: me.id, username: me.username };
    let begin = if let Some(cursor) = cursor {
        cursor
    } else {
        let jobs = jobs_of(&open, &first_sorter(&me, &services, &backlog));
        let begin = Position { told_at: newest.told_at.or(Some(clock.now())), ..newest };
        journal.begin_at(me.id.as_str(), begin, jobs, clock.now()).await?;
        bot.crash.point("open orders are taken in").await;
        begin
    };
    let health = bot.health;
    let listener = Listener::new(client.clone()).after(begin.seq).sources(bot.sources);
    let listener = listener.on_sign({
        let health = health.clone();
        move || health.beat()
    });
    health.open(journal.clone(), clock.clone());
    tracing::info!(bot = me.username, services = services.len(), "open for orders");
    let shared = Shared {
        // Whatever a bot sends, nobody has it sent.
        client: bot.client.automated(|| ()),
        me,
        journal,
        services,
        hooks: bot.hooks,
        agents: Agents::new(bot.to_agents, clock.clone()),
        turns: Semaphore::new(bot.at_once),
        lines: Semaphore::new(CALLS_AT_ONCE),
        news: Notify::new(),
        room: Notify::new(),
        stopping: watch::Sender::new(false),
        clock,
        crash: bot.crash,
        health,
    };
    Ok(Started { shared, listener, backlog })
}

/// What a new journal begins with: orders that are open. Whatever else happened before is not
/// answered now.
fn first_sorter<'a>(me: &'a Me, services: &'a Published, backlog: &'a Backlog) -> Sorter<'a> {
    Sorter { me: &me.id, services, wants_messages: false, wants_events: false, backlog }
}
