//! Leases the number of this node, and renews the lease while the server runs.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use svc_store::db::lock::ServerLock;
use svc_store::db::{DatabaseUrl, Db, Sql, Statements};
use svc_store::error::{Error, Result};
use svc_store::panics::caught;
use svc_store::{sql, values};
use svc_types::id::number;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::app::{App, Ctx};
use crate::config::Config;
use crate::ids;
use crate::node::{BROKER_ELSEWHERE, LASTS, LASTS_FOR_OTHERS, NUMBERS, RENEWED_EVERY, State};

/// Time until a renewal that failed is tried again; the queue of the database may have been full.
const TRIED_AGAIN_AFTER: Duration = Duration::from_millis(200);

/// How far the clock may be behind what is stored without a warning.
const BEHIND_MAX: Duration = Duration::from_hours(1);

/// How far it may be set back without one.
const STANDS_MAX: Duration = Duration::from_mins(1);

/// Attempts to get a number that no other node takes at the same time.
const TRIES: u64 = ids::NODES_MAX;

/// Connections of a node to PostgreSQL besides those for jobs: it listens on one and notifies on the other.
const CONNECTIONS_BESIDE: i64 = 2;

/// Connections that nodes should leave to operators, backups and standbys.
const CONNECTIONS_LEFT: i64 = 20;

/// The number of an operator's command, beside the server on SQLite.
const COMMAND: u64 = 1;

/// Prepares a server to make ids: larger than those that are stored, and of a number of its own.
/// Refused beside other nodes with another bus, because hints would not pass between them.
pub async fn join(app: &Arc<App>) -> Result<()> {
    app.node.follow_by(app.bus.kind().name());
    join_as(app, 0).await?;
    let refused = refuse_other_bus(app).await;
    if refused.is_err() {
        give_back(app).await?;
    }
    refused?;
    warn_of_connections(app).await
}

/// Refuses to start beside an earlier node, unless the two share a bus.
async fn refuse_other_bus(app: &Arc<App>) -> Result<()> {
    let State::Leased { .. } = app.node.state() else { return Ok(()) };
    let holder = app.node.holder.clone();
    let earlier = app.read(move |ctx| {
        ctx.tx.optional::<String>(
            sql!(
                "select other.bus from node own join node other on other.holder <> own.holder
                 where own.holder = $1 and other.bus <> 'command'
                    and other.seen_at > clock_timestamp() - ",
                LASTS_FOR_OTHERS,
                "
                    and (other.bus <> own.bus or own.bus = 'none')
                    and (other.started_at, other.number) < (own.started_at, own.number)
                 limit 1"
            ),
            values![holder],
        )
    });
    let Some(bus) = earlier.await? else { return Ok(()) };
    Err(Error::setup(format!(
        "another node whose bus is {bus} runs on this database: bus.url must name the same bus on all \
         nodes, postgres or NATS, or else the other must stop first (10 s after a crash its place is free)"
    )))
}

/// The same for an operator's command, which runs beside the server.
pub async fn join_for_command(app: &Arc<App>) -> Result<()> {
    join_as(app, COMMAND).await
}

async fn join_as(app: &Arc<App>, alone: u64) -> Result<()> {
    let stored = app.read(latest).await?;
    app.ids.start(alone, stored);
    warn_of_clock(app, stored);
    if matches!(app.config.database_url(), Ok(DatabaseUrl::Postgres(_))) {
        lease(app).await?;
    }
    Ok(())
}

/// Warns of a clock that is behind what is stored. Nothing falls due until it is right, and then all at once.
fn warn_of_clock(app: &App, stored: u64) {
    let (now, newest) = (app.clock.now(), ids::instant_of_number(stored));
    if newest.since(now) > BEHIND_MAX {
        tracing::warn!(
            %now,
            %newest,
            "the clock of this machine is behind what is stored: it is wrong, or was when that was written"
        );
    }
}

/// Warns of a clock that was set back while the server runs on it: limits, sign-ins by code, retries and deadlines wait
/// until the later time comes. On PostgreSQL the time is that of the database.
pub(crate) fn warn_of_standing_clock(app: &App) {
    let (ahead, now) = (app.clock.ahead(), app.clock.now());
    if ahead > STANDS_MAX && !matches!(app.config.database_url(), Ok(DatabaseUrl::Postgres(_))) {
        tracing::warn!(
            %now,
            behind_s = ahead.as_secs(),
            "the clock of this machine was set back, and no time passes here until it shows the later time again: once \
             it is right, restart the server"
        );
    }
}

/// Warns if all nodes together may open more connections than PostgreSQL accepts, which would show under load as 503.
/// How many a pooler opens is not known.
async fn warn_of_connections(app: &Arc<App>) -> Result<()> {
    let State::Leased { .. } = app.node.state() else { return Ok(()) };
    let settings = app.config.database().map_err(Error::internal)?;
    if settings.direct_url.is_some() || settings.statements == Statements::Unnamed {
        return Ok(());
    }
    let (nodes, max_connections) = app.read(nodes_and_connections).await?;
    let each = i64::try_from(settings.connections).unwrap_or(i64::MAX);
    let wanted = each.saturating_add(CONNECTIONS_BESIDE).saturating_mul(nodes);
    if wanted > max_connections - CONNECTIONS_LEFT {
        tracing::warn!(
            nodes,
            wanted,
            max_connections,
            "the nodes may need more connections than PostgreSQL accepts: lower database.connections, or \
             raise max_connections"
        );
    }
    Ok(())
}

/// How many nodes run, and how many connections PostgreSQL accepts.
fn nodes_and_connections(ctx: &mut Ctx<'_, '_>) -> Result<(i64, i64)> {
    let sql = sql!(
        "select (
            select count(*) from node
            where bus <> 'command' and seen_at > clock_timestamp() - ",
        LASTS_FOR_OTHERS,
        "), cast(current_setting('max_connections') as bigint)"
    );
    ctx.tx.one(sql, &[])
}

/// The largest id of each table. A repost has only its entry in a timeline, and a client with a
/// document has its URL instead of a `cli_…`.
pub const LATEST: Sql = sql!(
    "select max(entry) from timeline
     union all select max(id) from account
     union all select max(id) from developer_app
     union all select max(id) from audit_log
     union all select max(id) from security_entry
     union all select max(id) from post
     union all select max(id) from conversation
     union all select max(id) from message
     union all select max(id) from ledger_transfer
     union all select max(id) from service
     union all select max(id) from escrow
     union all select max(id) from event
     union all select max(id) from report
     union all select max(id) from moderation_action
     union all select max(id) from scheduled_post
     union all select max(id) from list
     union all select max(id) from webhook
     union all select max(id) from webhook_secret
     union all select max(id) from webhook_delivery
     union all select max(id) from webhook_recovery
     union all select max(id) from channel
     union all select max(id) from channel_message
     union all select max(id) from login_failure
     union all select max(id) from mail_outbox
     union all select max(id) from pending_change
     union all select max(id) from passkey
     union all select max(id) from invite
     union all select max(id) from review
     union all select max(id) from payment
     union all select max(id) from payment_refund
        where id >= 'rfd_'
     union all select max(id) from media
     union all select max(id) from payout
     union all select max(id) from payout_account
     union all select max(id) from money_transfer
     union all select max(id) from pass
     union all select max(id) from subscription
     union all select max(id) from subscription_change
     union all select max(id) from oauth_grant
     union all select max(id) from oauth_client
        where id < 'cm'"
);

/// The largest number of the ids that are stored.
fn latest(ctx: &mut Ctx<'_, '_>) -> Result<u64> {
    let ids: Vec<Option<String>> = ctx.tx.all(LATEST, &[])?;
    Ok(ids.into_iter().flatten().filter_map(|id| number(&id)).max().unwrap_or_default())
}

/// Renews the lease until `leave` is cancelled, then gives the number back: nothing may be written any
/// more.
pub async fn run(app: Arc<App>, leave: CancellationToken) {
    let mut renewals = interval(RENEWED_EVERY);
    renewals.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // It is tried again so often that only the first failure is logged.
    let mut is_failing = false;
    while leave.run_until_cancelled(renewals.tick()).await.is_some() {
        match caught(renew(&app)).await {
            Ok(()) => is_failing = false,
            Err(error) => {
                if !mem::replace(&mut is_failing, true) {
                    tracing::warn!(%error, "failed to renew the node's number");
                }
                renewals.reset_after(TRIED_AGAIN_AFTER);
            }
        }
    }
    if let Err(error) = give_back(&app).await {
        tracing::warn!(%error, "failed to give the node's number back");
    }
}

/// Renews the lease; a number that another node has taken meanwhile is replaced.
pub async fn renew(app: &Arc<App>) -> Result<()> {
    let _renewing = app.node.renewing.lock().await;
    let State::Leased { number, .. } = app.node.state() else { return Ok(()) };
    let (until, holder) = (Instant::now() + LASTS, app.node.holder.clone());
    let renewed = app.db.write(move |tx| {
        tx.optional::<bool>(
            sql!(
                "update node set seen_at = clock_timestamp() where number = $1 and holder = $2
                 returning ",
                BROKER_ELSEWHERE
            ),
            values![signed(number), holder],
        )
    });
    if let Some(is_beside_broker) = renewed.await? {
        app.node.set(State::Leased { number, until });
        app.node.note_broker_elsewhere(is_beside_broker);
        return Ok(());
    }
    lease(app).await
}

async fn lease(app: &Arc<App>) -> Result<()> {
    for _ in 0..TRIES {
        let (until, holder) = (Instant::now() + LASTS, app.node.holder.clone());
        let bus = app.node.bus();
        let leased = app.db.write(move |tx| {
            tx.optional::<(i64, bool)>(
                sql!(
                    "insert into node (number, holder, seen_at, bus, started_at)
                     select n, $1, clock_timestamp(), $2, clock_timestamp()
                     from ",
                    NUMBERS,
                    " n
                     where not exists (
                        select 1 from node
                        where number = n and seen_at > clock_timestamp() - ",
                    LASTS_FOR_OTHERS,
                    ")
                     order by n limit 1
                     on conflict (number) do update
                     set holder = excluded.holder, seen_at = excluded.seen_at,
                        bus = excluded.bus, started_at = excluded.started_at
                     where node.seen_at <= clock_timestamp() - ",
                    LASTS_FOR_OTHERS,
                    "
                     returning number, ",
                    BROKER_ELSEWHERE
                ),
                values![holder, bus],
            )
        });
        // None when another node has just taken the same number.
        if let Some((number, is_beside_broker)) = leased.await? {
            let (number, stored) = (number.unsigned_abs(), app.read(latest).await?);
            app.ids.start(number, stored);
            app.node.set(State::Leased { number, until });
            app.node.note_broker_elsewhere(is_beside_broker);
            return Ok(());
        }
    }
    Err(Error::internal(format!("all {} numbers of nodes are taken", ids::NODES_MAX)))
}

/// The numbers of the other nodes that have a broker, or the link to one.
pub fn others_with_broker(ctx: &mut Ctx<'_, '_>) -> Result<Vec<u64>> {
    let holder = ctx.app.node.holder.clone();
    let sql = sql!(
        "select number from node
         where holder <> $1 and holder like '%-broker' and bus <> 'command'
            and seen_at > clock_timestamp() - ",
        LASTS_FOR_OTHERS
    );
    let numbers: Vec<i64> = ctx.tx.all(sql, values![holder])?;
    Ok(numbers.into_iter().map(i64::unsigned_abs).collect())
}

async fn give_back(app: &Arc<App>) -> Result<()> {
    let State::Leased { number, .. } = app.node.state() else { return Ok(()) };
    let holder = app.node.holder.clone();
    let sql = sql!("delete from node where number = $1 and holder = $2");
    app.db.write(move |tx| tx.execute(sql, values![signed(number), holder])).await?;
    Ok(())
}

/// The id of the database among all that nodes may share a NATS for: a standby of it has the same, and
/// another database of its server does not.
pub async fn database_id(app: &Arc<App>) -> Result<String> {
    let sql = sql!(
        "select concat(system_identifier, '-', oid) from pg_control_system(), pg_database
         where datname = current_database()"
    );
    app.read(move |ctx| ctx.tx.one(sql, &[])).await
}

/// Whether a server runs on the database: one that has its file, or a node whose lease lasts.
pub async fn is_served(config: &Config, db: &Db) -> Result<bool> {
    match config.database_url().map_err(Error::internal)? {
        DatabaseUrl::Sqlite(file) => {
            Ok(matches!(ServerLock::acquire(&file), Err(Error::Refused(_))))
        }
        DatabaseUrl::SqliteMemory => Ok(false),
        DatabaseUrl::Postgres(_) => {
            let sql = sql!(
                "select count(*) from node
                 where bus <> 'command' and seen_at > clock_timestamp() - ",
                LASTS_FOR_OTHERS
            );
            Ok(db.read(move |tx| tx.one::<i64>(sql, &[])).await? > 0)
        }
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
