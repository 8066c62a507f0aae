//! Guessing passwords, and why it does not get far.
//!
//! An account has few guesses from one network, and a network has few guesses in all. An account's
//! guesses from everywhere are bounded too, but not by a lock, which strangers could close: once
//! there were too many, networks from which nobody has signed in to it wait longer and longer
//! between two attempts, all of them together. Networks it has signed in from, sessions and keys
//! notice nothing.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{SecurityEntryId, UserId};

use super::{CountId, Counter};
use crate::app::Ctx;
use crate::keys;
use crate::network::Network;
use crate::services::security;

/// Bytes that are kept of a hash.
const HASH_LENGTH: usize = 12;

/// A sign-in under way. It counts as failed until it succeeds, so that of many guesses at once no
/// more are tried than of guesses one by one.
#[derive(Debug)]
pub struct SignIn {
    network: Network,
    counts: Vec<CountId>,
    /// The account and the entry of its failure in the security log, if it is noted.
    failure: Option<(UserId, SecurityEntryId)>,
}

impl SignIn {
    /// Counts a sign-in by the name that was typed, or refuses it with 429; `account` is the one
    /// with this name.
    pub fn start(
        ctx: &mut Ctx<'_, '_>,
        name: &str,
        network: Network,
        account: Option<&UserId>,
    ) -> Result<Self> {
        // The name is what was typed and may be long; its hash is not.
        let name = short_hash(&name.to_lowercase());
        let mut counts = Vec::with_capacity(4);
        for counter in from_network(ctx, &name, network) {
            counts.push(counter.take(ctx)?);
        }
        counts.push(take_everywhere(ctx, &name, network, account)?);
        let failure = match account {
            Some(account) if !is_known(ctx, account, network)? => {
                let entry = security::note_failure(ctx, account, network)?;
                entry.map(|entry| (account.clone(), entry))
            }
            _ => None,
        };
        Ok(Self { network, counts, failure })
    }

    /// Takes the count back, and remembers the network as one of the account's.
    pub fn succeeded(&self, ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
        self.give_back(ctx)?;
        know(ctx, account, self.network)
    }

    /// Whether somebody is to be told once it has failed.
    pub const fn is_noted(&self) -> bool {
        self.failure.is_some()
    }

    /// Tells the account that it failed.
    pub fn failed(&self, ctx: &mut Ctx<'_, '_>) {
        if let Some((account, entry)) = &self.failure {
            security::note_failed(ctx, account, entry);
        }
    }

    /// Takes the count back: nothing was guessed.
    pub fn give_back(&self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        if let Some((_, entry)) = &self.failure {
            security::take_back(ctx, entry)?;
        }
        self.counts.iter().try_for_each(|count| count.give_back(ctx))
    }
}

/// Guesses at an account from a network, and those from the network in all.
fn from_network(ctx: &Ctx<'_, '_>, name: &str, network: Network) -> Vec<Counter> {
    let limits = &ctx.app.config.limits.sign_in;
    let of_account = Counter {
        scope: format!("sign-in {network} {name}"),
        what: "failed sign-ins to an account from one network",
        limit: limits.account_failures,
        window: limits.account_window,
    };
    let in_all = Counter {
        scope: "sign-in".to_owned(),
        what: "failed sign-ins from one network",
        limit: limits.address_failures,
        window: limits.address_window,
    };
    let mut counters = in_all.of_network(network, true);
    counters.insert(0, of_account);
    counters
}

/// Counts a guess at an account from anywhere.
fn take_everywhere(
    ctx: &mut Ctx<'_, '_>,
    name: &str,
    network: Network,
    account: Option<&UserId>,
) -> Result<CountId> {
    let limits = ctx.app.config.limits.sign_in.clone();
    let everywhere = Counter {
        scope: format!("sign-in everywhere {name}"),
        what: "failed sign-ins to an account from new networks",
        limit: limits.everywhere_failures,
        window: limits.everywhere_window,
    };
    everywhere.hold(ctx)?;
    let counted = everywhere.counted(ctx)?;
    let beyond = counted.times - i64::from(everywhere.limit);
    if let (0.., Some(last)) = (beyond, counted.last)
        && !is_known_of(ctx, account, network)?
    {
        let (now, next) = (ctx.now(), last.plus(delay(beyond, limits.everywhere_delay)));
        if now < next {
            return Err(everywhere.refusal(next, now).into());
        }
    }
    everywhere.count(ctx)
}

/// The time between two attempts once there were so many beyond the limit: it doubles from a second
/// on, up to `most`.
fn delay(beyond: i64, most: Duration) -> Duration {
    let doublings = u32::try_from(beyond).unwrap_or(u32::MAX).min(31);
    Duration::from_secs(1 << doublings).min(most)
}

fn is_known_of(ctx: &mut Ctx<'_, '_>, account: Option<&UserId>, network: Network) -> Result<bool> {
    account.map_or(Ok(false), |account| is_known(ctx, account, network))
}

/// Whether an account has signed in from a network lately.
pub fn is_known(ctx: &mut Ctx<'_, '_>, account: &UserId, network: Network) -> Result<bool> {
    let since = ctx.now().minus(ctx.app.config.limits.sign_in.known_for);
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from known_network
             where account = $1 and network = $2 and seen_at > $3"
        ),
        values![account, fingerprint(account, network), since],
    )?;
    Ok(found.is_some())
}

/// Remembers that an account signed in from a network.
pub fn know(ctx: &mut Ctx<'_, '_>, account: &UserId, network: Network) -> Result<()> {
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "insert into known_network (account, network, seen_at) values ($1, $2, $3)
             on conflict (account, network) do update set seen_at = excluded.seen_at"
        ),
        values![account, fingerprint(account, network), now],
    )?;
    Ok(())
}

/// Forgets networks that were not signed in from for long.
pub(super) fn forget(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(ctx.app.config.limits.sign_in.known_for);
    ctx.tx.execute(
        sql!(
            "delete from known_network where (account, network) in
             (select account, network from known_network where seen_at <= $1 limit $2)"
        ),
        values![before, most],
    )
}

/// What is stored of an account's network.
fn fingerprint(account: &UserId, network: Network) -> String {
    short_hash(&format!("{account} {network}"))
}

/// A short stand-in for a text of any length.
pub(super) fn short_hash(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(&keys::hash(text)[..HASH_LENGTH])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_up_to_its_bound() {
        let most = Duration::from_mins(1);
        let delays = [0, 1, 2, 5, 6, 40, i64::MAX].map(|beyond| delay(beyond, most).as_secs());
        assert_eq!(delays, [1, 2, 4, 32, 60, 60, 60]);
    }
}
