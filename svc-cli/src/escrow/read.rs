//! The commands of `svc escrow` that show.

use svc_client::types::EscrowId;
use svc_client::types::api::escrow::{GetEscrow, ListEscrowEvents, ListEscrows};

use super::flags::ListFlags;
use super::format;
use crate::caller::Caller;
use crate::error::Result;
use crate::list::{self, Page};

/// Lists escrows.
pub(super) async fn list(flags: &ListFlags, caller: &Caller) -> Result<()> {
    let request = ListEscrows {
        role: flags.role.as_deref().map(Into::into),
        status: flags.status.as_deref().map(Into::into),
        counterparty: flags.counterparty.as_ref().map(Into::into),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, |page| {
        list::rows(page.escrows.iter().map(format::row), "no escrows")
    })?;
    let given = [("role", &flags.role), ("status", &flags.status), ("with", &flags.counterparty)];
    let given = given.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    let line = given.fold("svc escrow list".to_owned(), |line, (name, value)| {
        format!("{line} --{name} {value}")
    });
    list::more(caller.out, &line, answer.value.value.next_cursor.as_ref());
    Ok(())
}

/// Shows an escrow.
pub(super) async fn show(escrow_id: EscrowId, caller: &Caller) -> Result<()> {
    caller.show(GetEscrow { escrow_id }, |answer| format::whole(&answer.escrow)).await
}

/// Lists what happened to an escrow.
pub(super) async fn events(escrow_id: EscrowId, page: &Page, caller: &Caller) -> Result<()> {
    let line = format!("svc escrow events {escrow_id}");
    let request = ListEscrowEvents { escrow_id, limit: page.limit(), cursor: page.cursor() };
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, |page| {
        list::rows(page.events.iter().map(format::event), "no events")
    })?;
    list::more(caller.out, &line, answer.value.value.next_cursor.as_ref());
    Ok(())
}
