//! Rights that ended, written with what ended them, for the nodes that did not.

use std::collections::HashSet;
use std::time::Duration;

use svc_store::db::Pair;
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{ChannelId, UserId};

use crate::app::Ctx;
use crate::effects::CommitEffects;
use crate::ids;

/// Most rows of one read, the latest: more than are written between two reads, even if hours lie between them.
const READ_MAX: i64 = 100_000;

const INSERT: Pair = Pair::new(
    sql!(
        "insert into revocation (nonce, node, kind, accounts, channel, at)
         values ($1, $2, $3, $4, $5, cast(unixepoch('subsec') * 1000 as integer))"
    ),
    sql!(
        "insert into revocation (nonce, node, kind, accounts, channel, at)
         values ($1, $2, $3, $4, $5,
            cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint))"
    ),
);

/// Milliseconds before the last read from which rows are read again. A transaction lasts at most a few seconds, so
/// none is missed whose row was written before others that were read.
const OVERLAP: i64 = 60_000;

const RECENT: Pair = Pair::new(
    sql!(
        "select nonce, node, kind, accounts, channel from revocation
         where at > cast(unixepoch('subsec') * 1000 as integer) - $1 order by at desc limit $2"
    ),
    sql!(
        "select nonce, node, kind, accounts, channel from revocation
         where at > cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint) - $1
         order by at desc limit $2"
    ),
);

/// Rows are kept for a day, for nodes that can't read the database meanwhile.
const FORGET: Pair = Pair::new(
    sql!(
        "delete from revocation where nonce in (
            select nonce from revocation
            where at < cast(unixepoch('subsec') * 1000 as integer) - 86400000 limit $1)"
    ),
    sql!(
        "delete from revocation where nonce in (
            select nonce from revocation
            where at < cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint) - 86400000
            limit $1)"
    ),
);

struct Record {
    nonce: String,
    node: String,
    kind: String,
    accounts: String,
    channel: Option<ChannelId>,
}
row!(Record { nonce, node, kind, accounts, channel });

/// Writes the rights that the transaction ends, just before it commits.
pub(crate) fn note(ctx: &mut Ctx<'_, '_>) -> Result<()> {
    let CommitEffects { ended, checked, left, .. } = &ctx.effects;
    let mut rows = Vec::new();
    if !ended.is_empty() {
        rows.push(("account", join(ended.iter()), None));
    }
    if !checked.is_empty() {
        rows.push(("credential", join(checked.iter()), None));
    }
    for part in left.chunk_by(|(_, one), (_, next)| one == next) {
        let accounts = join(part.iter().map(|(account, _)| account));
        rows.push(("channel", accounts, part.first().map(|(_, channel)| channel.clone())));
    }
    for (kind, accounts, channel) in rows {
        let nonce = format!("{:016x}", u64::from_ne_bytes(ids::random()));
        let values = values![nonce, ctx.app.node.holder, kind, accounts, channel];
        ctx.tx.execute_pair(INSERT, values)?;
    }
    Ok(())
}

fn join<'a>(accounts: impl Iterator<Item = &'a UserId>) -> String {
    let distinct: HashSet<&str> = accounts.map(UserId::as_str).collect();
    distinct.into_iter().collect::<Vec<_>>().join(" ")
}

/// What other nodes ended since a minute before the last read, which was `away` ago, without what is in `known`;
/// and the `known` of the next read.
pub(crate) fn unknown(
    ctx: &mut Ctx<'_, '_>,
    known: &HashSet<String>,
    away: Duration,
) -> Result<(CommitEffects, HashSet<String>)> {
    let away = i64::try_from(away.as_millis()).unwrap_or(i64::MAX);
    let reach = away.saturating_add(OVERLAP);
    let records: Vec<Record> = ctx.tx.all_pair(RECENT, values![reach, READ_MAX])?;
    let mut effects = CommitEffects::default();
    for record in &records {
        if record.node == ctx.app.node.holder || known.contains(&record.nonce) {
            continue;
        }
        let accounts = record.accounts.split(' ').map(UserId::from);
        match (record.kind.as_str(), &record.channel) {
            ("channel", Some(channel)) => {
                effects.left.extend(accounts.map(|account| (account, channel.clone())));
            }
            ("account", _) => effects.ended.extend(accounts),
            _ => effects.checked.extend(accounts),
        }
    }
    Ok((effects, records.into_iter().map(|record| record.nonce).collect()))
}

/// Deletes what every node should have read.
pub(crate) fn forget(ctx: &mut Ctx<'_, '_>, limit: i64) -> Result<u64> {
    ctx.tx.execute_pair(FORGET, values![limit])
}
