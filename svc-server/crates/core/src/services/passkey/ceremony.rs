//! Ceremonies: the challenge that a device is given, until it answers.
//!
//! A ceremony is known to the caller by a random id and kept as its hash. The caller's answer deletes
//! it, right or wrong, so that no challenge is answered twice. An account has one of each kind, and a
//! network begins a limited number without one.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde_json::{Map, Value, json};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::passkeys::PasskeyCeremony;
use svc_types::{CeremonyId, Code, Id, Timestamp, UserId};

use super::verify::{handle, passkey, verifier};
use super::{credentials, refuse_beyond};
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::keys;
use crate::network::Network;
use crate::services::api_key::require_all;
use crate::services::attempt::Counter;

/// How long a device may take to answer.
pub(super) const LIFE: Duration = Duration::from_mins(10);

/// What a ceremony is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An account adds a passkey.
    Adding,
    /// Somebody signs in.
    SigningIn,
    /// A session or key confirms who it is.
    Confirming,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Adding => "adding",
            Self::SigningIn => "signing_in",
            Self::Confirming => "confirming",
        }
    }
}

/// A ceremony that was answered.
#[derive(Debug)]
pub struct Ceremony {
    /// Whose passkey is expected when signing in, if a name was given.
    pub(super) username: Option<String>,
    /// What `webauthn-rs` compares the answer with.
    pub(super) state: String,
    expires_at: Timestamp,
}
row!(Ceremony { username: "username", state: "state", expires_at: "expires_at" });

/// Begins to add a passkey. Devices are asked to keep it in a way that needs no name later. Since a
/// passkey may do everything, a key that may do less adds none.
pub fn begin_adding(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<PasskeyCeremony> {
    require_all(ctx, caller)?;
    let known = credentials(ctx, &caller.id)?;
    refuse_beyond(known.len())?;
    let known: Result<Vec<_>> =
        known.iter().map(|stored| Ok(passkey(stored)?.cred_id().clone())).collect();
    let (options, state) = verifier(ctx.app)?
        .start_passkey_registration(
            handle(&caller.id),
            &caller.username,
            &caller.display_name,
            Some(known?),
        )
        .map_err(Error::internal)?;
    let mut options = members(&options)?;
    let selection = &mut options["publicKey"]["authenticatorSelection"];
    selection["residentKey"] = json!("required");
    selection["requireResidentKey"] = json!(true);
    begin(ctx, Kind::Adding, Whose::Caller(&caller.id), &state, options)
}

/// Begins to sign in. Who it will be is not looked up, so that the answer shows nothing about a name.
pub fn begin_signing_in(ctx: &mut Ctx<'_, '_>, username: Option<&str>) -> Result<PasskeyCeremony> {
    if let Some(address) = ctx.address() {
        for counter in Counter::ceremonies(ctx, Network::of(address)) {
            counter.take(ctx)?;
        }
    }
    let started = verifier(ctx.app)?.start_discoverable_authentication();
    let (options, state) = started.map_err(Error::internal)?;
    let mut options = members(&options)?;
    // The caller says when to ask; here is only what to ask for.
    options.remove("mediation");
    begin(ctx, Kind::SigningIn, Whose::Named(username), &state, options)
}

/// Begins to confirm who the caller is with one of its passkeys.
pub fn begin_confirming(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<PasskeyCeremony> {
    let stored = credentials(ctx, &caller.id)?;
    if stored.is_empty() {
        let refusal = Refusal::new(Code::WrongState, "the account has no passkey");
        return Err(refusal.hint("confirm with the password, or add a passkey").into());
    }
    let passkeys: Result<Vec<_>> = stored.iter().map(|stored| passkey(stored)).collect();
    let started = verifier(ctx.app)?.start_passkey_authentication(&passkeys?);
    let (options, state) = started.map_err(Error::internal)?;
    let options = members(&options)?;
    begin(ctx, Kind::Confirming, Whose::Caller(&caller.id), &state, options)
}

fn members(options: &impl Serialize) -> Result<Map<String, Value>> {
    match serde_json::to_value(options).map_err(Error::internal)? {
        Value::Object(members) => Ok(members),
        _ => Err(Error::internal("the options of a ceremony are not an object")),
    }
}

/// Whose passkey a ceremony is about.
#[derive(Clone, Copy)]
enum Whose<'a> {
    Caller(&'a UserId),
    /// That of the account with this name, if one was given.
    Named(Option<&'a str>),
}

/// Stores a ceremony, in place of the account's one of the same kind.
fn begin(
    ctx: &mut Ctx<'_, '_>,
    kind: Kind,
    whose: Whose<'_>,
    state: &impl Serialize,
    options: Map<String, Value>,
) -> Result<PasskeyCeremony> {
    let (account, username) = match whose {
        Whose::Caller(account) => (Some(account), None),
        Whose::Named(username) => (None, username),
    };
    let random = URL_SAFE_NO_PAD.encode(ids::random::<16>());
    let ceremony_id = CeremonyId::from(format!("{}{random}", CeremonyId::PREFIX));
    let state = serde_json::to_string(state).map_err(Error::internal)?;
    let until = ctx.now().plus(LIFE);
    ctx.tx.execute(
        sql!(
            "insert into ceremony (hash, kind, account, username, state, expires_at)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (account, kind) do update
             set hash = excluded.hash, username = excluded.username, state = excluded.state,
                expires_at = excluded.expires_at"
        ),
        values![
            keys::hash(ceremony_id.as_str()),
            kind.as_str(),
            account,
            username.map(str::to_lowercase),
            state,
            until
        ],
    )?;
    Ok(PasskeyCeremony { ceremony_id, options })
}

/// Ends a ceremony of this kind and account. `None` for others, and for one that has expired.
pub fn take(
    ctx: &mut Ctx<'_, '_>,
    kind: Kind,
    id: &CeremonyId,
    account: Option<&UserId>,
) -> Result<Option<Ceremony>> {
    let found: Option<Ceremony> = ctx.tx.optional(
        sql!(
            "delete from ceremony
             where hash = $1 and kind = $2 and (account = $3 or account is null)
             returning ",
            Ceremony::COLUMNS
        ),
        values![keys::hash(id.as_str()), kind.as_str(), account],
    )?;
    let now = ctx.now();
    Ok(found.filter(|ceremony| now < ceremony.expires_at))
}

forget_expired! {
    /// Deletes ceremonies that were never answered.
    pub fn forget: "ceremony" by "hash"
}
