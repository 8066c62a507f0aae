//! What comes before the first job.

use svc_client::types::api::messages::Message;
use tokio::sync::{Notify, Semaphore, watch};

use super::builder::Bot;
use super::send::persistently;
use super::shared::{Me, Shared};
use super::sort::Backlog;
use super::source::{latest, open_orders};
use crate::Listener;
use crate::clock::now;
use crate::error::{Error, Result};
use crate::service::{Offers, publish};

/// Everything a bot runs with.
pub(super) struct Started {
    pub(super) shared: Shared,
    pub(super) listener: Listener,
    pub(super) backlog: Backlog,
}

/// Opens the journal, publishes the services, and finds out where to go on.
pub(super) async fn start(bot: Bot) -> Result<Started> {
    let offers = bot.services.into_iter().map(Offers::new).collect::<Result<Vec<_>>>()?;
    let journal = bot.journal.ok_or_else(|| {
        Error::config("a bot needs a journal, such as Bot::journal(\"wordbot.db\")")
    })?;
    let journal = journal.open()?;
    let client = &bot.client;
    let me = persistently(|| client.users().me().into_future()).await??.user;
    let cursor = journal.cursor(me.id.as_str()).await?;
    bot.crash.point("the journal is open").await;
    let services = publish(client, offers, bot.withdraws_others).await?;
    bot.crash.point("services are published").await;
    // In this order: what is not open behind this number was answered or has expired.
    let until = persistently(|| latest(client)).await??;
    let open = persistently(|| open_orders(client)).await??;
    let id = |message: &Message| message.message_id.clone();
    let open_ids = open.iter().map(|message| id(message).to_string()).collect();
    journal.tidy(open_ids, now()).await?;
    let backlog = Backlog { until, open: open.iter().map(id).collect() };
    let listener = Listener::new(client.clone());
    let listener = match cursor {
        Some(seq) => listener.after(seq),
        None => listener.from_start(),
    };
    #[cfg(feature = "mqtt")]
    let listener = match bot.live {
        Some(key) => listener.live(key),
        None => listener,
    };
    let me = Me { id: me.id, username: me.username };
    tracing::info!(bot = me.username, services = services.len(), "open for orders");
    let shared = Shared {
        client: bot.client,
        me,
        journal,
        services,
        on_message: bot.on_message,
        turns: Semaphore::new(bot.at_once),
        news: Notify::new(),
        room: Notify::new(),
        stopping: watch::Sender::new(false),
        crash: bot.crash,
    };
    Ok(Started { shared, listener, backlog })
}
