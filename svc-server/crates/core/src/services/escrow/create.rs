//! Opening an escrow.

use std::time::Duration;

use svc_store::error::{Refusal, Result, Window};
use svc_store::{sql, values};
use svc_types::api::credits::TransferKind;
use svc_types::api::escrow::{EscrowAction, EscrowStatus};
use svc_types::{Balance, Code, Credits, PlanId, Timestamp, TransferId, UserId};

use super::log;
use super::notify::{self, Move};
use super::record::Record;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account::Record as AccountRecord;
use crate::services::billing::debt;
use crate::services::ledger::{self, Cause, Holder};
use crate::services::trust::{self, Pot};
use crate::services::{overdue, service, spend};

/// An escrow before it is opened.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// Who does the work.
    pub provider: &'a AccountRecord,
    /// The provider's service.
    pub service: &'a service::Record,
    /// What the work is worth.
    pub amount: Credits,
    /// What is to be done.
    pub description: &'a str,
    /// Time for the delivery.
    pub life: Duration,
    /// The plan whose milestone it pays for, which must be funded at once.
    pub plan: Option<Plan<'a>>,
}

/// The plan of an escrow that is opened for a milestone.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Its id.
    pub id: &'a PlanId,
    /// What its milestones take together, in micro-credits.
    pub total: i64,
    /// What those before this one hold by now.
    pub held: i64,
}

/// Opens an escrow: funded when the buyer has enough, else created.
pub fn create(ctx: &mut Ctx<'_, '_>, buyer: &Account, draft: &Draft<'_>) -> Result<Record> {
    debt::refuse(ctx, &buyer.id)?;
    let available = ledger::available_locked(ctx, &buyer.id)?;
    let funded = available >= draft.amount.micros();
    if !funded {
        overdue::refuse(ctx, &buyer.id)?;
        refuse_unfunded(ctx, buyer, draft, available)?;
    }
    let record = opened(ctx, buyer, draft, funded);
    insert(ctx, &record)?;
    let transfer = if funded { Some(hold(ctx, buyer, &record)?) } else { None };
    log::append_opening(ctx, &record, buyer, transfer.as_ref())?;
    let created = Move { action: &EscrowAction::Created, previous: None, order: None };
    notify::parties(ctx, &record, &created, Some(buyer))?;
    Ok(record)
}

/// The escrow as it begins.
fn opened(ctx: &Ctx<'_, '_>, buyer: &Account, draft: &Draft<'_>, funded: bool) -> Record {
    let now = ctx.now();
    let expires_at = now.plus(draft.life);
    Record {
        id: ctx.id(),
        buyer: buyer.id.clone(),
        buyer_name: buyer.username.clone(),
        buyer_person: buyer.person().clone(),
        provider: draft.provider.id.clone(),
        provider_name: draft.provider.username.clone(),
        provider_person: draft.provider.owner.as_ref().unwrap_or(&draft.provider.id).clone(),
        service: draft.service.id.clone(),
        amount: draft.amount,
        description: draft.description.to_owned(),
        status: if funded { EscrowStatus::Funded } else { EscrowStatus::Created },
        version: if funded { 2 } else { 1 },
        created_at: now,
        expires_at,
        due_at: Some(expires_at),
        funded_at: funded.then_some(now),
        delivered_at: None,
        review_ends_at: None,
        closed_at: None,
        close_reason: None,
        deliverable: None,
        deliverable_version: 0,
        access_token: None,
        notes: None,
        dispute: None,
        rating_half: None,
        feedback: None,
        order: None,
        plan: draft.plan.map(|plan| plan.id.clone()),
        split_amount: None,
        split_by: None,
        split_version: None,
        split_at: None,
    }
}

/// Bounds the escrows that are open without being paid: each notifies a provider. The agents of an owner share the
/// limit with it, as they do its budgets. Of several at once the second waits for the first, because both take from
/// the same budgets before.
fn refuse_unfunded(
    ctx: &mut Ctx<'_, '_>,
    buyer: &Account,
    draft: &Draft<'_>,
    available: i64,
) -> Result<()> {
    if let Some(plan) = draft.plan {
        let [needed, there] = [plan.total, available + plan.held].map(Balance::from_micros);
        let message = format!(
            "there are too few credits to fund every milestone: {needed} needed, {there} available"
        );
        let refusal = Refusal::new(Code::InsufficientCredits, message);
        return Err(refusal.hint("GET /v1/credits shows what is available").into());
    }
    if !ctx.app.config.limits.budgets {
        return Ok(());
    }
    let Pot { holder, limits } = trust::pot(ctx, buyer)?;
    let most = limits.unfunded;
    if most == 0 {
        return Ok(());
    }
    let (open, first) = unfunded(ctx, &holder)?;
    if open < i64::from(most) {
        return Ok(());
    }
    let now = ctx.now();
    let reset = first.map_or(now, Timestamp::from_millis);
    let window = Window { limit: most.into(), remaining: 0, reset };
    let message =
        format!("an account and its agents have at most {most} open escrows that are not paid");
    let refusal = Refusal::new(Code::RateLimited, message);
    Err(refusal.hint("pay or cancel one").window(window, now).into())
}

/// How many escrows of an account and of its agents are open without being paid, and when the first of them ends. One
/// whose time is over is not open, although nobody may have advanced it yet.
fn unfunded(ctx: &mut Ctx<'_, '_>, holder: &UserId) -> Result<(i64, Option<i64>)> {
    let now = ctx.now();
    ctx.tx.one(
        sql!(
            "select count(*), min(due_at) from escrow
             where status = 'created' and buyer in (
                select id from account where id = $1 or owner = $1)
                and due_at > $2"
        ),
        values![holder, now],
    )
}

fn hold(ctx: &mut Ctx<'_, '_>, buyer: &Account, escrow: &Record) -> Result<TransferId> {
    let (id, micros) = (escrow.id.as_str(), escrow.amount.micros());
    spend::charge(ctx, buyer, id, micros)?;
    let kind = TransferKind::Hold;
    let cause = Cause { kind, reference: id, reason: None, actor: Some(&buyer.id) };
    ledger::post(ctx, &cause, &[(Holder::User(&buyer.id), -micros), (Holder::Hold(id), micros)])
}

fn insert(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    ctx.tx.write(
        sql!(
            "insert into escrow (id, buyer, provider, service, amount, description, status, version,
                created_at, expires_at, due_at, funded_at, deliverable_version, plan)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, $13)"
        ),
        values![
            record.id,
            record.buyer,
            record.provider,
            record.service,
            record.amount,
            record.description,
            record.status,
            record.version,
            record.created_at,
            record.expires_at,
            record.due_at,
            record.funded_at,
            record.plan
        ],
    )?;
    Ok(())
}
