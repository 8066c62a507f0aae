//! Opening an escrow.

use std::time::Duration;

use svc_types::api::credits::TransferKind;
use svc_types::api::escrow::{EscrowAction, EscrowStatus};
use svc_types::{Credits, EscrowId, TransferId};

use super::record::Record;
use super::{log, told};
use crate::acts::account::Record as AccountRecord;
use crate::acts::ledger::{self, Cause, Holder};
use crate::acts::service;
use crate::app::Cx;
use crate::error::Result;
use crate::http::Account;
use crate::{sql, values};

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
}

/// Opens an escrow: funded when the buyer has enough, else created.
pub fn create(cx: &mut Cx<'_, '_>, buyer: &Account, draft: &Draft<'_>) -> Result<Record> {
    let (id, now): (EscrowId, _) = (cx.id(), cx.now());
    let funded = ledger::available_locked(cx, &buyer.id)? >= draft.amount.micros();
    let expires_at = now.plus(draft.life);
    let record = Record {
        id,
        buyer: buyer.id.clone(),
        buyer_name: buyer.username.clone(),
        provider: draft.provider.id.clone(),
        provider_name: draft.provider.username.clone(),
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
    };
    insert(cx, &record)?;
    let transfer = if funded { Some(hold(cx, buyer, &record)?) } else { None };
    log::append_opening(cx, &record, buyer, transfer.as_ref())?;
    told::tell(cx, &record, &EscrowAction::Created, None, Some(buyer))?;
    Ok(record)
}

fn hold(cx: &mut Cx<'_, '_>, buyer: &Account, escrow: &Record) -> Result<TransferId> {
    let (id, micros) = (escrow.id.as_str(), escrow.amount.micros());
    let kind = TransferKind::Hold;
    let cause = Cause { kind, reference: id, reason: None, actor: Some(&buyer.id) };
    ledger::post(cx, &cause, &[(Holder::User(&buyer.id), -micros), (Holder::Hold(id), micros)])
}

fn insert(cx: &mut Cx<'_, '_>, record: &Record) -> Result<()> {
    cx.tx.execute(
        sql!(
            "insert into escrow (id, buyer, provider, service, amount, description, status, version,
                created_at, expires_at, due_at, funded_at, deliverable_version)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0)"
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
            record.funded_at
        ],
    )?;
    Ok(())
}
