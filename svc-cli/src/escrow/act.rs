//! The commands of `svc escrow` that change. What moves credits is agreed to first, in a question
//! with amount, receiver and balance.

use serde_json::{Map, Value};
use svc_client::types::api::escrow::{
    CreateEscrow, DeliverEscrow, DisputeEscrow, Escrow, EscrowEnvelope, EscrowStatus, FundEscrow,
    GetEscrow, RefundEscrow, ReleaseEscrow, ResolveEscrow,
};
use svc_client::types::{Endpoint, EscrowId, PositiveCredits, wire};

use super::flags::{CreateFlags, DeliverFlags, ReleaseFlags};
use super::format;
use crate::caller::{Caller, Sent};
use crate::credits;
use crate::discover;
use crate::endpoint_command::Given;
use crate::error::{Error, Result};
use crate::field;
use crate::input;
use crate::settings::Settings;
use crate::spend;

/// Opens an escrow.
pub(super) async fn create(
    flags: &CreateFlags,
    caller: &Caller,
    settings: &Settings,
) -> Result<()> {
    let (user, service) = (&flags.what.user, &flags.what.service);
    let asks = caller.has_to_ask(&format!("open an escrow for {user}/{service}"))?;
    let request = request(flags, caller).await?;
    if asks {
        let available = credits::of(caller).await?.available;
        let amount = request.amount.in_words();
        input::answer(&format!("hold {amount} of {available} for @{user}?"))?;
    }
    let provider = request.provider_username.as_str();
    let reserved = spend::reserve(caller, settings, provider, request.amount.bounded()).await;
    let reserved = reserved.map_err(|error| repeated(error, caller))?;
    let sent = caller.send_agreed(request).await;
    spend::paid::<CreateEscrow>(reserved, &sent).await?;
    created(sent?, caller)
}

/// A command that is repeated under its key reserves a second time, though the escrow may be there.
fn repeated(error: Box<Error>, caller: &Caller) -> Box<Error> {
    if caller.has_idempotency_key() && error.code == "spend_limit" {
        return error.hint(
            "svc escrow list shows whether it was opened before, svc profile limit shows the \
             limits",
        );
    }
    error
}

async fn request(flags: &CreateFlags, caller: &Caller) -> Result<CreateEscrow> {
    let offer = discover::find(caller, &flags.what).await?;
    Ok(CreateEscrow {
        provider_username: flags.what.user.as_str().into(),
        service_id: offer.id,
        amount: flags.amount.unwrap_or(offer.price_credits.bounded()),
        description: input::text(&flags.description)?.into(),
        expires_in: flags.expires_in,
    })
}

fn created(sent: Sent<CreateEscrow>, caller: &Caller) -> Result<()> {
    let Some(answer) = sent else {
        return Ok(());
    };
    let escrow = &answer.value.value.escrow;
    caller.out.answer(&answer.value, |_| format::row(escrow))?;
    if escrow.status == EscrowStatus::Created {
        let next = format!("too few credits to hold  next: svc escrow fund {}", escrow.id);
        caller.out.note(&next);
    }
    Ok(())
}

/// Pays for an escrow.
pub(super) async fn fund(escrow_id: EscrowId, caller: &Caller, settings: &Settings) -> Result<()> {
    let mut expected_amount = None;
    if caller.has_to_ask(&format!("pay for {escrow_id}"))? {
        let (escrow, available) = current(&escrow_id, caller).await?;
        let (amount, to) = (escrow.amount.in_words(), &escrow.provider_username);
        input::answer(&format!("hold {amount} of {available} for @{to}?"))?;
        // What was agreed to is the amount that was shown.
        expected_amount = Some(escrow.amount.bounded());
    }
    let mut reserved = None;
    if !settings.limits(&caller.target)?.is_empty() {
        let escrow = caller.read(GetEscrow { escrow_id: escrow_id.clone() }).await?.value.escrow;
        reserved =
            spend::reserve(caller, settings, &escrow.provider_username, escrow.amount).await?;
        // What was judged is the amount there was then.
        expected_amount = expected_amount.or(Some(escrow.amount.bounded()));
    }
    let sent = caller.send_agreed(FundEscrow { escrow_id, expected_amount }).await;
    spend::paid::<FundEscrow>(reserved, &sent).await?;
    match sent? {
        Some(answer) => caller.out.answer(&answer.value, row),
        None => Ok(()),
    }
}

/// Delivers the work.
pub(super) async fn deliver(flags: &DeliverFlags, caller: &Caller) -> Result<()> {
    let mut members = Map::new();
    members.insert("escrowId".to_owned(), flags.id.as_str().into());
    members.insert("deliverable".to_owned(), work(flags)?);
    if let Some(notes) = &flags.notes {
        members.insert("notes".to_owned(), notes.as_str().into());
    }
    let request: DeliverEscrow =
        wire::decode_members(&members).map_err(|refused| field::refused(&refused))?;
    caller.show(request, row).await
}

fn work(flags: &DeliverFlags) -> Result<Value> {
    if let Some(argument) = &flags.deliverable {
        return json("deliverable", argument);
    }
    // Some programs print digits in upper case.
    let checksum = flags.checksum.as_ref().map(|text| text.to_ascii_lowercase());
    let given = [
        ("repository", &flags.repository),
        ("branch", &flags.branch),
        ("checksum", &checksum),
        ("type", &flags.kind),
    ];
    let given = given.into_iter().filter_map(|(name, text)| Some((name, text.as_deref()?)));
    let mut work: Map<String, Value> =
        given.map(|(name, text)| (name.to_owned(), text.into())).collect();
    if work.is_empty() {
        return Err(Error::usage("the work is missing")
            .hint("--repository URL --branch NAME --checksum sha256:.., or --deliverable @FILE"));
    }
    work.entry("type").or_insert_with(|| "code".into());
    Ok(work.into())
}

pub(super) fn json(flag: &str, argument: &str) -> Result<Value> {
    field::json(argument, &format!("--{flag}"))
}

/// Accepts the work.
pub(super) async fn release(flags: &ReleaseFlags, caller: &Caller) -> Result<()> {
    let escrow_id = EscrowId::from(flags.id.as_str());
    let mut version = flags.deliverable_version.map(Into::into);
    if caller.has_to_ask(&format!("pay what {escrow_id} holds to its provider"))? {
        let (escrow, available) = current(&escrow_id, caller).await?;
        let (amount, to) = (escrow.amount.in_words(), &escrow.provider_username);
        input::answer(&format!("pay {amount} to @{to} ({available} stay with you)?"))?;
        // What is accepted is the delivery there was when it was agreed to.
        let seen = u32::try_from(escrow.deliverable_version).ok().filter(|seen| *seen > 0);
        version = version.or(seen.map(Into::into));
    }
    let request = ReleaseEscrow {
        escrow_id,
        rating: flags.rating,
        feedback: flags.feedback.as_deref().map(Into::into),
        deliverable_version: version,
    };
    let Some(answer) = caller.send_agreed(request).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, |released| {
        let transfer = &released.transfer;
        format!("released {} to @{}", transfer.amount.in_words(), transfer.to)
    })
}

/// Refuses the work.
pub(super) async fn dispute(
    escrow_id: EscrowId,
    reason: &str,
    evidence: Option<&str>,
    caller: &Caller,
) -> Result<()> {
    // What can't be read is refused before anybody is asked.
    let (reason, evidence) = (input::text(reason)?.into(), proof(evidence)?);
    if caller.has_to_ask(&format!("dispute {escrow_id}"))? {
        let (escrow, available) = current(&escrow_id, caller).await?;
        let (amount, to) = (escrow.amount.in_words(), &escrow.provider_username);
        let question = format!(
            "dispute {amount} with @{to}? They stay held until it is decided ({available} stay \
             with you)."
        );
        input::answer(&question)?;
    }
    agreed(DisputeEscrow { escrow_id, reason, evidence }, caller).await
}

fn proof(argument: Option<&str>) -> Result<Option<Value>> {
    argument.map(|argument| json("evidence", argument)).transpose()
}

/// Gives the credits back.
pub(super) async fn refund(id: EscrowId, reason: Option<&str>, caller: &Caller) -> Result<()> {
    if caller.has_to_ask(&format!("give what {id} holds back to its buyer"))? {
        let (escrow, available) = current(&id, caller).await?;
        let (amount, to) = (escrow.amount.in_words(), &escrow.buyer_username);
        input::answer(&format!("give {amount} back to @{to} ({available} stay with you)?"))?;
    }
    agreed(RefundEscrow { escrow_id: id, reason: reason.map(Into::into) }, caller).await
}

/// Decides a dispute.
pub(super) async fn resolve(
    escrow_id: EscrowId,
    outcome: &str,
    provider_amount: Option<PositiveCredits>,
    note: &str,
    caller: &Caller,
) -> Result<()> {
    if caller.has_to_ask(&format!("decide the dispute about {escrow_id}"))? {
        let escrow = caller.read(GetEscrow { escrow_id: escrow_id.clone() }).await?.value.escrow;
        let is_refund = outcome == "refund";
        let to = if is_refund { &escrow.buyer_username } else { &escrow.provider_username };
        let amount = provider_amount.map_or(escrow.amount, PositiveCredits::bounded);
        input::answer(&format!("give {} to @{to}?", amount.in_words()))?;
    }
    let outcome = outcome.into();
    let request = ResolveEscrow { escrow_id, outcome, provider_amount, note: note.into() };
    agreed(request, caller).await
}

/// What is asked before a split is accepted: what the open offer gives to whom. The server refuses another
/// version than that of the offer.
pub(super) async fn splits(caller: &Caller, given: &Given<'_>) -> Result<String> {
    let escrow_id = EscrowId::from(given.text("escrowId"));
    let escrow = caller.read(GetEscrow { escrow_id }).await?.value.escrow;
    let Escrow { id, amount, buyer_username: buyer, provider_username: provider, .. } = &escrow;
    let part = escrow.split.as_ref().map(|split| split.provider_amount);
    let parts = part.and_then(|part| Some((part, amount.checked_sub(part)?)));
    Ok(match parts {
        Some((part, rest)) => {
            let (part, rest) = (part.in_words(), rest.in_words());
            format!("pay {part} to @{provider} and give {rest} back to @{buyer}?")
        }
        None => {
            format!("accept a split of {} ({id}), of which no offer is known?", amount.in_words())
        }
    })
}

/// An escrow as it is now, and the credits that the caller can spend besides.
async fn current(
    escrow_id: &EscrowId,
    caller: &Caller,
) -> Result<(Escrow, svc_client::types::Balance)> {
    let escrow = caller.read(GetEscrow { escrow_id: escrow_id.clone() }).await?.value.escrow;
    Ok((escrow, credits::of(caller).await?.available))
}

/// Sends what was agreed to, and shows the escrow.
async fn agreed<E>(request: E, caller: &Caller) -> Result<()>
where
    E: Endpoint<Response = EscrowEnvelope>,
{
    match caller.send_agreed(request).await? {
        Some(answer) => caller.out.answer(&answer.value, row),
        None => Ok(()),
    }
}

fn row(answer: &EscrowEnvelope) -> String {
    format::row(&answer.escrow)
}
