//! What may be spent: the limits of a profile, and the buyer they bind.

use clap::Args;
use serde_json::json;
use svc_bot_kit::{Buyer, Error as KitError, Reserved};
use svc_client::types::api::escrow::{EscrowEnvelope, EscrowStatus};
use svc_client::types::{Credits, Endpoint, Who};

use crate::caller::{Caller, Sent};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input;
use crate::limits::Limits;
use crate::order::failure;
use crate::settings::{Settings, Target};
use crate::store::Credentials;

/// Flags of `svc profile limit`, which without any shows the limits.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitFlags {
    /// Most that the orders of any 24 hours may cost together.
    #[arg(long, value_name = "CREDITS", value_parser = input::credits, allow_negative_numbers = true)]
    per_day: Option<Credits>,
    /// Most that one order may cost.
    #[arg(long, value_name = "CREDITS", value_parser = input::credits, allow_negative_numbers = true)]
    per_order: Option<Credits>,
    /// Lift the limits that are not set here.
    #[arg(long)]
    lift: bool,
}

/// Shows or sets the limits of a profile.
pub(crate) fn limit(flags: &LimitFlags, settings: &Settings) -> Result<()> {
    let Target { url, profile, credentials } = settings.target()?;
    let name = profile.ok_or_else(|| without_profile(&url, &credentials))?;
    let is_set = flags.lift || flags.per_day.is_some() || flags.per_order.is_some();
    if is_set && settings.is_shown(&format!("change the limits of profile \"{name}\""))? {
        return Ok(());
    }
    let change = |stored: Limits| {
        let stored = if flags.lift { Limits::default() } else { stored };
        Limits {
            per_day: flags.per_day.or(stored.per_day),
            per_order: flags.per_order.or(stored.per_order),
        }
    };
    let limits = if is_set {
        settings.store.update(|profiles| {
            profiles.profile(&name)?;
            let profile = profiles.config.profiles.get_mut(&name);
            let profile = profile.expect("it was just looked up");
            profile.spend = change(profile.spend);
            Ok(profile.spend)
        })?
    } else {
        settings.store.read()?.profile(&name)?.spend
    };
    settings.out.local(&json!({ "name": name, "spend": limits }), &limits.people())
}

fn without_profile(url: &str, credentials: &Credentials) -> Box<Error> {
    if credentials.has_account() {
        return Error::usage("a key of the environment has no profile")
            .hint("set SVC_MAX_CREDITS_PER_DAY and SVC_MAX_CREDITS_PER_ORDER");
    }
    let message = format!("the profile in use is not for {url}");
    Error::new(Exit::NotFound, "no_profile", message).hint("svc profile list")
}

/// When a buyer has a journal, which outlives the process: limits look back on it, and an order with a name goes on
/// from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Journal {
    Always,
    /// Only if there is a limit per day.
    IfLimited,
}

/// Who buys for this account, bound by its limits.
///
/// With a limit per day, what the account spent by other means is taken in first.
pub(crate) async fn buyer(caller: &Caller, settings: &Settings, journal: Journal) -> Result<Buyer> {
    let limits = settings.limits(&caller.target)?;
    let client = settings.signing_client(caller)?;
    let mut buyer = Buyer::new(client.clone());
    if let Some(most) = limits.per_order {
        buyer = buyer.per_order(most);
    }
    if let Some(most) = limits.per_day {
        buyer = buyer.per_day(most);
    }
    if journal == Journal::Always || limits.per_day.is_some() {
        caller.require_key(Who::Account)?;
        // An account spends from one purse, whatever its profiles and keys are called.
        let id = client.users().me().await?.user.id;
        buyer = buyer.journal(settings.store.spend_path(id.as_str())?);
    }
    if limits.per_day.is_some() {
        buyer.catch_up().await.map_err(failure::explained)?;
    }
    Ok(buyer)
}

/// Reserves what an escrow takes that is paid for by hand; nothing where there are no limits.
pub(crate) async fn reserve(
    caller: &Caller,
    settings: &Settings,
    provider: &str,
    amount: Credits,
) -> Result<Option<Reserved>> {
    if settings.limits(&caller.target)?.is_empty() {
        return Ok(None);
    }
    let reserved = buyer(caller, settings, Journal::Always).await?.reserve(provider, amount).await;
    reserved.map(Some).map_err(|error| match error {
        KitError::SpendLimit { limit, asked, left, .. } => {
            let text = format!("the escrow takes {}, and {limit} leaves {left}", asked.in_words());
            Error::new(Exit::Money, "spend_limit", text).hint("svc profile limit")
        }
        other => failure::explained(other),
    })
}

/// Records the outcome of a reservation for an escrow.
pub(crate) async fn paid<E>(reserved: Option<Reserved>, sent: &Result<Sent<E>>) -> Result<()>
where
    E: Endpoint<Response = EscrowEnvelope>,
{
    let Some(reserved) = reserved else {
        return Ok(());
    };
    let noted = match sent {
        Ok(Some(answer)) if answer.value.value.escrow.status != EscrowStatus::Created => {
            reserved.paid_into(&answer.value.value.escrow.id).await
        }
        // It may have been paid; the platform is asked before the next limit is judged.
        Err(error) if error.exit == Exit::Network => Ok(()),
        _ => reserved.free().await,
    };
    noted.map_err(failure::explained)
}
