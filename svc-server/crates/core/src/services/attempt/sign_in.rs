//! Guessing passwords, and why it does not get far.
//!
//! An account has few guesses from one network, and a network has few guesses in all. An account's
//! guesses from everywhere cost something too, but there is no lock, which strangers could close: once
//! there were too many, each guess from a network from which nobody has signed in to it needs a proof
//! of work. Networks it has signed in from, sessions and keys notice nothing.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{SecurityEntryId, UserId};

use super::{CountId, Counter};
use crate::app::Ctx;
use crate::keys;
use crate::network::Network;
use crate::services::proof::{self, Proof};
use crate::services::security;

/// Bytes that are kept of a hash.
const HASH_LENGTH: usize = 12;

/// Who guesses.
#[derive(Clone, Copy, Debug)]
pub enum Guesser<'a> {
    /// Anybody, with a proof of work if one was sent.
    Stranger(Option<&'a Proof>),
    /// Who holds a session, a key or a link of the account. Strangers cannot use up these guesses.
    Holder,
}

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
        guesser: Guesser<'_>,
    ) -> Result<Self> {
        // The name is what was typed and may be long; its hash is not. A username and an address count apart:
        // one counter for both would tell strangers whose address it is.
        let name = short_hash(&name.to_lowercase());
        let mut counts = Vec::with_capacity(4);
        for counter in from_network(ctx, &name, network) {
            counts.push(counter.take(ctx)?);
        }
        let is_known = match account {
            Some(account) => is_known(ctx, account, network)?,
            None => false,
        };
        counts.push(take_everywhere(ctx, &name, is_known, guesser)?);
        let failure = match account {
            Some(account) if !is_known => {
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

    /// Whether the account must be notified if it fails.
    pub const fn is_noted(&self) -> bool {
        self.failure.is_some()
    }

    /// The network, as the security log names it, if a failure is noted.
    pub fn noted_network(&self) -> Option<String> {
        self.failure.as_ref().map(|_| self.network.around().to_string())
    }

    /// Notifies the account, and the owner of an agent, that it failed.
    pub fn failed(&self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        let Some((account, entry)) = &self.failure else { return Ok(()) };
        security::note_failed(ctx, account, entry, &self.network.around().to_string())
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

/// Counts a guess at an account from anywhere. Beyond the limit, strangers in new networks need a proof.
fn take_everywhere(
    ctx: &mut Ctx<'_, '_>,
    name: &str,
    is_known: bool,
    guesser: Guesser<'_>,
) -> Result<CountId> {
    let limits = &ctx.app.config.limits.sign_in;
    let place = if matches!(guesser, Guesser::Holder) { "inside" } else { "everywhere" };
    let everywhere = Counter {
        scope: format!("sign-in {place} {name}"),
        what: "failed sign-ins to an account from new networks",
        limit: limits.everywhere_failures,
        window: limits.everywhere_window,
    };
    everywhere.hold(ctx)?;
    if !is_known {
        match guesser {
            Guesser::Holder => everywhere.refuse_beyond(ctx)?,
            Guesser::Stranger(sent) => {
                let counted = everywhere.counted(ctx)?;
                if counted.times >= i64::from(everywhere.limit) {
                    proof::spend(ctx, sent.ok_or_else(proof::needed)?)?;
                }
            }
        }
    }
    everywhere.count(ctx)
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
    // Like `forget_expired!`, it keeps what is renewed meanwhile.
    ctx.tx.execute(
        sql!(
            "delete from known_network where +seen_at <= $1 and (account, network) in
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
