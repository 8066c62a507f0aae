//! The account at the provider to which a person's payouts go.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::{Code, Id, Timestamp, UserId};

use super::{require_email, require_person};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account;
use crate::services::billing::queue::{self, Kind};

/// Our id of an account at the provider; it is not shown outside.
struct DestinationId(String);

impl From<String> for DestinationId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for DestinationId {
    const PREFIX: &'static str = "poa_";
}

/// A stored account.
#[derive(Clone, Debug)]
pub struct Destination {
    /// Our id.
    pub id: String,
    /// The country.
    pub country: String,
    /// The provider's id, once it has one.
    pub provider_id: Option<String>,
    /// Whether the provider pays to it.
    pub is_enabled: bool,
    /// When it was asked for.
    pub created_at: Timestamp,
}
row!(Destination {
    id: "id",
    country: "country",
    provider_id: "provider_id",
    is_enabled: "is_enabled",
    created_at: "created_at",
});

/// The account of a person, if it has one.
pub fn of(ctx: &mut Ctx<'_, '_>, person: &UserId) -> Result<Option<Destination>> {
    let sql = sql!("select ", Destination::COLUMNS, " from payout_account where person = $1");
    ctx.tx.optional(sql, values![person])
}

/// An account, by our id.
pub fn find(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<Destination>> {
    let sql = sql!("select ", Destination::COLUMNS, " from payout_account where id = $1");
    ctx.tx.optional(sql, values![id])
}

/// Our id of an account to which the provider pays; 409 where there is none.
pub(super) fn enabled(ctx: &mut Ctx<'_, '_>, person: &UserId) -> Result<String> {
    let found = of(ctx, person)?.filter(|it| it.is_enabled);
    found.map(|it| it.id).ok_or_else(|| {
        let message = "no account is connected to which payouts can go";
        Refusal::new(Code::WrongState, message).hint("POST /v1/payouts/account").into()
    })
}

/// Asks for an account in a country, or names the one that exists; our id. The provider keeps the
/// country, so it can't be changed.
pub fn connect(ctx: &mut Ctx<'_, '_>, person: &Account, country: &str) -> Result<String> {
    require_person(person)?;
    require_email(ctx, &person.id)?;
    if !country.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Err(Error::invalid("country", "country must be two letters".to_owned()));
    }
    let country = country.to_ascii_uppercase();
    account::keep(ctx, &person.id, &person.id)?;
    let (id, now): (DestinationId, _) = (ctx.id(), ctx.now());
    ctx.tx.write(
        sql!(
            "insert into payout_account (id, person, country, is_enabled, created_at)
             values ($1, $2, $3, false, $4) on conflict (person) do nothing"
        ),
        values![id.0, person.id, country, now],
    )?;
    let known = of(ctx, &person.id)?.ok_or_else(|| Error::not_found("account"))?;
    if known.country != country {
        let message = "payouts go to an account in another country";
        return Err(Refusal::new(Code::WrongState, message).hint(known.country).into());
    }
    match &known.provider_id {
        None => queue::raise_for_request(ctx, Kind::NewAccount, &known.id)?,
        Some(id) => queue::raise(ctx, Kind::Account, id)?,
    }
    Ok(known.id)
}

/// Notes what the provider calls an account, and whether it pays to it. One that is forgotten stays so.
pub fn apply(ctx: &mut Ctx<'_, '_>, id: &str, provider_id: &str, is_enabled: bool) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update payout_account set provider_id = $1, is_enabled = $2
             where id = $3 and country <> '' and (provider_id is null or provider_id = $1)"
        ),
        values![provider_id, is_enabled, id],
    )
}

/// Forgets the account of a person who is erased. Payouts refer to its row, which stays empty then.
pub fn forget(ctx: &mut Ctx<'_, '_>, person: &UserId) -> Result<()> {
    for sql in [
        sql!(
            "delete from payout_account where person = $1
                and not exists (select 1 from payout p where p.person = $1)"
        ),
        sql!(
            "update payout_account set country = '', provider_id = null, is_enabled = false
             where person = $1"
        ),
    ] {
        ctx.tx.execute(sql, values![person])?;
    }
    Ok(())
}

/// Forgets an account that the provider refuses to make, so that another country can be tried.
pub fn give_up(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    let sql = sql!("delete from payout_account where id = $1 and provider_id is null");
    ctx.tx.write(sql, values![id])
}

/// Names the account of a person who came back from the provider's form, unless the provider pays to it already.
pub fn came_back(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    match find(ctx, id)?.filter(|it| !it.is_enabled).and_then(|it| it.provider_id) {
        Some(provider_id) => queue::raise(ctx, Kind::Account, &provider_id),
        None => Ok(()),
    }
}

/// Names accounts to which the provider does not pay yet: some of their events never come.
pub fn raise_waiting(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<()> {
    let waiting: Vec<String> = ctx.tx.all(
        sql!(
            "select provider_id from payout_account
             where provider_id is not null and is_enabled = false order by id desc limit $1"
        ),
        values![most],
    )?;
    waiting.iter().try_for_each(|id| queue::raise(ctx, Kind::Account, id))
}
