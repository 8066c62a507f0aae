//! What is counted in a window that slides: sign-ups, apps, uploads, failed sign-ins.
//!
//! Unlike a budget, a window never admits more than its limit in any time of its length, which is
//! what guessing is bounded by. Of attempts at once no more pass than one by one, on several nodes
//! too: each count first changes the row of its scope, which locks it.

mod sign_in;

use std::time::Duration;

use svc_types::{Code, Id, Span, Timestamp, UserId};

use self::sign_in::short_hash;
pub use self::sign_in::{Guesser, SignIn, is_known, know};
use svc_store::error::{Refusal, Result, Window};
use svc_store::{sql, values};

use crate::app::Ctx;
use crate::expired::Sweep;
use crate::identity::{Account, SignedBy};
use crate::network::{AROUND, Network};

/// What removes rows that are no longer needed.
pub const SWEEPS: [Sweep; 2] = [forget_scopes, sign_in::forget];

/// The window of what OAuth and passkeys count.
pub const HOUR: Duration = Duration::from_hours(1);

/// Clients that register themselves, in an hour and network.
const REGISTRATIONS: u32 = 10;

/// Documents of clients that are fetched, in an hour and network.
const DOCUMENTS: u32 = 60;

/// Sign-ins that devices begin, in an hour and network.
const DEVICES: u32 = 60;

/// Links to accounts elsewhere that are begun, in an hour: of an account, and of a network.
const LINKS: u32 = 20;
const LINKS_OF_NETWORK: u32 = 60;

/// Changes of the e-mail address to one that another account has, in an hour: of an account, and of a network.
const TAKEN: u32 = 10;
const TAKEN_OF_NETWORK: u32 = 30;

/// Answers of providers to such links, in an hour and network.
const LINK_ANSWERS: u32 = 60;

/// Sign-ins with a passkey that are begun, in an hour and network.
const CEREMONIES: u32 = 300;

/// Keys that an account creates, replaces or changes in an hour.
const KEY_CHANGES: u32 = 100;

/// Deletions that an account asks for in an hour. Each takes what it did out of the counts at others, and taking the
/// deletion back puts it in again; both are noted in the audit log.
const DELETIONS: u32 = 3;

/// Codes of devices that an account may type wrongly in an hour.
const DEVICE_GUESSES: u32 = 20;

/// Something that is counted in a window.
#[derive(Clone, Debug)]
pub struct Counter {
    scope: String,
    /// What is counted, as the refusal says it.
    what: &'static str,
    limit: u32,
    window: Duration,
}

impl Counter {
    /// New accounts of a network and of the one around it, if they are limited.
    pub fn sign_ups(ctx: &Ctx<'_, '_>, network: Network) -> Vec<Self> {
        let limits = &ctx.app.config.limits;
        let (limit, window) = (limits.sign_up.count, limits.sign_up.window);
        let counter = Self { scope: "sign-up".into(), what: "sign-ups", limit, window };
        counter.of_network(network, limits.budgets)
    }

    /// New apps that belong to nobody, of a network and of the one around it, if they are limited.
    pub fn apps(ctx: &Ctx<'_, '_>, network: Network) -> Vec<Self> {
        let limits = &ctx.app.config.limits;
        let (limit, window) = (limits.apps.count, limits.apps.window);
        let counter = Self { scope: "app".into(), what: "new apps", limit, window };
        counter.of_network(network, limits.budgets)
    }

    /// Requests for a password reset, of a network and of the one around it, if they are limited.
    pub fn resets(ctx: &Ctx<'_, '_>, network: Network) -> Vec<Self> {
        let limits = &ctx.app.config.limits;
        let (limit, window) = (limits.resets.count, limits.resets.window);
        let counter = Self { scope: "reset".into(), what: "password resets", limit, window };
        counter.of_network(network, limits.budgets)
    }

    /// Links of a kind that are sent to an account and to an address, as far as they are limited.
    pub fn mails(
        ctx: &Ctx<'_, '_>,
        kind: &str,
        account: &UserId,
        recipient: &str,
    ) -> impl Iterator<Item = Self> + use<> {
        let limits = &ctx.app.config.limits.mails;
        let of_account = Self {
            scope: format!("mail {kind} {account}"),
            what: "mails to an account",
            limit: limits.per_account,
            window: limits.window,
        };
        let of_recipient = Self {
            scope: format!("mail to {}", short_hash(recipient)),
            what: "mails to an address",
            limit: limits.per_recipient,
            window: limits.window,
        };
        [of_account, of_recipient].into_iter().filter(|counter| counter.limit > 0)
    }

    /// Mails to an account about its own changes of a kind, if they are limited.
    pub fn mails_about_change(ctx: &Ctx<'_, '_>, kind: &str, account: &UserId) -> Option<Self> {
        Self::mails_of_scope(ctx, format!("mail change {kind} {account}"))
    }

    /// Mails to the owner of an agent about changes of a kind, if they are limited: the agent can take a change
    /// back and ask for it again.
    pub fn mails_to_owner(ctx: &Ctx<'_, '_>, kind: &str, agent: &UserId) -> Option<Self> {
        Self::mails_of_scope(ctx, format!("mail owner {kind} {agent}"))
    }

    fn mails_of_scope(ctx: &Ctx<'_, '_>, scope: String) -> Option<Self> {
        let limits = &ctx.app.config.limits.mails;
        (limits.per_account > 0).then_some(Self {
            scope,
            what: "mails to an account",
            limit: limits.per_account,
            window: limits.window,
        })
    }

    /// Clients that register themselves, of a network and of the one around it, if they are limited.
    pub fn registrations(ctx: &Ctx<'_, '_>, network: Network) -> Vec<Self> {
        Self::hourly("oauth client", "registrations", REGISTRATIONS, ctx, network)
    }

    /// Documents of clients that are fetched, likewise.
    pub fn documents(ctx: &Ctx<'_, '_>, network: Network) -> Vec<Self> {
        Self::hourly("oauth document", "documents of programs", DOCUMENTS, ctx, network)
    }

    /// Sign-ins that devices begin, likewise.
    pub fn devices(ctx: &Ctx<'_, '_>, network: Network) -> Vec<Self> {
        Self::hourly("oauth device", "codes for devices", DEVICES, ctx, network)
    }

    /// Links that an account begins, and its network, if they are limited: each makes this server ask
    /// a provider.
    pub fn links(ctx: &Ctx<'_, '_>, account: &UserId, network: Network) -> Vec<Self> {
        let what = "new links to accounts elsewhere";
        let mut all = Self::hourly("link", what, LINKS_OF_NETWORK, ctx, network);
        if !all.is_empty() {
            all.push(Self {
                scope: format!("link of {account}"),
                what,
                limit: LINKS,
                window: HOUR,
            });
        }
        all
    }

    /// Changes of an account's e-mail address to one that another account has, and those of its network, if they
    /// are limited: each refusal says that somebody has the address.
    pub fn taken_addresses(ctx: &Ctx<'_, '_>, account: &UserId) -> Vec<Self> {
        let what = "changes to an address that is taken";
        let mut all = Self::hourly("taken address", what, TAKEN_OF_NETWORK, ctx, ctx.network());
        if !all.is_empty() {
            let scope = format!("taken address of {account}");
            all.insert(0, Self { scope, what, limit: TAKEN, window: HOUR });
        }
        all
    }

    /// Keys that an account creates, replaces or changes, if they are limited: the security log keeps each for half a
    /// year, and so does that of an owner. What sessions do counts apart, so that the thief of a key does not keep its
    /// account from replacing it.
    pub fn key_changes(ctx: &Ctx<'_, '_>, caller: &Account) -> Option<Self> {
        let is_session = matches!(caller.method, SignedBy::Session { .. });
        let by = if is_session { "sessions" } else { "keys" };
        ctx.app.config.limits.budgets.then(|| Self {
            scope: format!("keys of {} by {by}", caller.id),
            what: "changes of keys",
            limit: KEY_CHANGES,
            window: HOUR,
        })
    }

    /// Deletions that an account asks for, if they are limited.
    pub fn deletions(ctx: &Ctx<'_, '_>, account: &UserId) -> Option<Self> {
        ctx.app.config.limits.budgets.then(|| Self {
            scope: format!("deletion of {account}"),
            what: "deletions of an account",
            limit: DELETIONS,
            window: HOUR,
        })
    }

    /// Answers to such links, of a network and of the one around it, if they are limited.
    pub fn link_answers(ctx: &Ctx<'_, '_>, network: Network) -> Vec<Self> {
        Self::hourly("link answer", "answers to links", LINK_ANSWERS, ctx, network)
    }

    /// Sign-ins with a passkey that are begun, likewise.
    pub fn ceremonies(ctx: &Ctx<'_, '_>, network: Network) -> Vec<Self> {
        Self::hourly("passkey", "sign-ins with a passkey", CEREMONIES, ctx, network)
    }

    fn hourly(
        scope: &str,
        what: &'static str,
        limit: u32,
        ctx: &Ctx<'_, '_>,
        network: Network,
    ) -> Vec<Self> {
        let counter = Self { scope: scope.into(), what, limit, window: HOUR };
        counter.of_network(network, ctx.app.config.limits.budgets)
    }

    /// Codes of devices that an account types wrongly. Like wrong passwords, they are always limited.
    pub fn device_guesses(account: &UserId) -> Self {
        let scope = format!("oauth guess {account}");
        Self { scope, what: "wrong codes", limit: DEVICE_GUESSES, window: HOUR }
    }

    /// Pictures that an account uploads, if they are limited.
    pub fn uploads(ctx: &Ctx<'_, '_>, account: &UserId) -> Option<Self> {
        let limits = &ctx.app.config.limits.uploads;
        let (limit, window) = (limits.count, limits.window);
        let scope = format!("upload {account}");
        (limit > 0).then_some(Self {
            scope,
            what: "uploaded pictures of an account",
            limit,
            window,
        })
    }

    /// The same for a network, and with room for more for the network around it; none where it is
    /// off.
    fn of_network(self, network: Network, is_on: bool) -> Vec<Self> {
        if !is_on || self.limit == 0 {
            return Vec::new();
        }
        let of = |network: Network, limit| {
            let scope = format!("{} {network}", self.scope);
            Self { scope, limit, ..self.clone() }
        };
        vec![of(network, self.limit), of(network.around(), self.limit.saturating_mul(AROUND))]
    }

    /// Counts one, or refuses with 429.
    pub fn take(&self, ctx: &mut Ctx<'_, '_>) -> Result<CountId> {
        self.take_one(ctx).map(|(count, _)| count)
    }

    /// Counts one in each of these windows, or refuses with 429. Returns the window with the fewest left, for the
    /// headers of spec §8; `None` where nothing is limited.
    pub fn take_all(ctx: &mut Ctx<'_, '_>, counters: &[Self]) -> Result<Option<Window>> {
        let mut fewest: Option<Window> = None;
        for counter in counters {
            let (_, window) = counter.take_one(ctx)?;
            if fewest.is_none_or(|known| window.remaining < known.remaining) {
                fewest = Some(window);
            }
        }
        Ok(fewest)
    }

    fn take_one(&self, ctx: &mut Ctx<'_, '_>) -> Result<(CountId, Window)> {
        self.hold(ctx)?;
        let counted = self.counted(ctx)?;
        let now = ctx.now();
        let reset = counted.first.unwrap_or(now).plus(self.window);
        let left = i64::from(self.limit) - counted.times;
        if left <= 0 {
            return Err(self.refusal(reset, now).into());
        }
        let remaining = u64::try_from(left - 1).unwrap_or(0);
        Ok((self.count(ctx)?, Window { limit: self.limit.into(), remaining, reset }))
    }

    /// Refuses with 429 where no more would be counted, and counts nothing.
    pub fn refuse_beyond(&self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        let counted = self.counted(ctx)?;
        if counted.times < i64::from(self.limit) {
            return Ok(());
        }
        let now = ctx.now();
        let reset = counted.first.unwrap_or(now).plus(self.window);
        Err(self.refusal(reset, now).into())
    }

    /// Lets nobody else count in this scope until the transaction ends.
    fn hold(&self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        let until = ctx.now().plus(self.window);
        ctx.tx.execute(
            sql!(
                "insert into attempt_scope (scope, until) values ($1, $2)
                 on conflict (scope) do update set until = excluded.until"
            ),
            values![self.scope, until],
        )?;
        Ok(())
    }

    /// What was counted in the window that ends now. What a wrong clock dated far ahead is left out: it would count
    /// until then.
    fn counted(&self, ctx: &mut Ctx<'_, '_>) -> Result<Counted> {
        let (since, far) = (ctx.now().minus(self.window), ctx.now().plus(self.window));
        let (times, first): (i64, Option<i64>) = ctx.tx.one(
            sql!(
                "select count(*), min(at) from login_failure
                 where scope = $1 and at > $2 and at < $3"
            ),
            values![self.scope, since, far],
        )?;
        Ok(Counted { times, first: first.map(Timestamp::from_millis) })
    }

    fn count(&self, ctx: &mut Ctx<'_, '_>) -> Result<CountId> {
        let (id, now): (CountId, _) = (ctx.id(), ctx.now());
        let sql = sql!("insert into login_failure (id, scope, at) values ($1, $2, $3)");
        ctx.tx.execute(sql, values![id.0, self.scope, now])?;
        Ok(id)
    }

    fn refusal(&self, reset: Timestamp, now: Timestamp) -> Refusal {
        let window = Window { limit: self.limit.into(), remaining: 0, reset };
        let span = Span::from_secs(self.window.as_secs());
        let message = format!("at most {} {} are allowed in {span}", self.limit, self.what);
        let refusal = Refusal::new(Code::RateLimited, message);
        refusal.hint("wait for retryAfter seconds").window(window, now)
    }
}

/// What was counted in a window.
struct Counted {
    times: i64,
    first: Option<Timestamp>,
}

/// Id of one counted attempt; nobody outside sees it.
#[derive(Debug)]
pub struct CountId(String);

impl CountId {
    /// Takes the count back.
    fn give_back(&self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        ctx.tx.execute(sql!("delete from login_failure where id = $1"), values![self.0])?;
        Ok(())
    }
}

impl From<String> for CountId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for CountId {
    const PREFIX: &'static str = "cnt_";
}

/// Forgets scopes in which nothing counts any more.
fn forget_scopes(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "delete from attempt_scope where scope in
             (select scope from attempt_scope where until <= $1 limit $2)"
        ),
        values![now, most],
    )
}
