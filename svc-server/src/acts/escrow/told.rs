//! Who is told of a move, and what: never the work, the evidence, a note or a token.

use serde::Serialize;
use svc_types::api::escrow::{CloseReason, EscrowAction, EscrowStatus};
use svc_types::{Credits, EscrowId, ServiceId, UserId};

use super::record::Record;
use crate::acts::outbox::{self, News};
use crate::app::Cx;
use crate::error::Result;
use crate::http::Account;
use crate::{sql, values};

/// Data of an `escrow` event.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    escrow_id: &'a EscrowId,
    action: &'a EscrowAction,
    status: &'a EscrowStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_status: Option<&'a EscrowStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    close_reason: Option<&'a CloseReason>,
    amount: Credits,
    service_id: &'a ServiceId,
    buyer_username: &'a str,
    provider_username: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor_username: Option<&'a str>,
}

/// Data of a `system` event.
#[derive(Serialize)]
struct Notice<'a> {
    code: &'a str,
    text: String,
}

/// Tells both parties but who did it, and the moderators of a dispute.
pub(super) fn tell(
    cx: &mut Cx<'_, '_>,
    escrow: &Record,
    action: &EscrowAction,
    previous: Option<&EscrowStatus>,
    by: Option<&Account>,
) -> Result<()> {
    let data = Told {
        escrow_id: &escrow.id,
        action,
        status: &escrow.status,
        previous_status: previous,
        close_reason: escrow.close_reason.as_ref(),
        amount: escrow.amount,
        service_id: &escrow.service,
        buyer_username: &escrow.buyer_name,
        provider_username: &escrow.provider_name,
        actor_username: by.map(|account| account.username.as_str()),
    };
    let subject = format!("{}:{}", escrow.id, escrow.version);
    let news = News { kind: "escrow", subject: &subject, data: &data };
    let mut to = vec![&escrow.buyer, &escrow.provider];
    to.retain(|party| by.is_none_or(|account| account.id != **party));
    if *action == EscrowAction::Disputed {
        // Counters are locked in order of id, so moderators and parties go together.
        return tell_of_dispute(cx, escrow, &news, &to);
    }
    outbox::emit(cx, &news, &mut to)
}

fn tell_of_dispute(
    cx: &mut Cx<'_, '_>,
    escrow: &Record,
    news: &News<'_, Told<'_>>,
    parties: &[&UserId],
) -> Result<()> {
    let notice = Notice {
        code: "escrow_disputed",
        text: format!("escrow {} over {} credits is disputed", escrow.id, escrow.amount),
    };
    let mut staff: Vec<UserId> = cx.tx.all(
        sql!(
            "select id from account
             where role <> 'user' and deleted_at is null and id <> $1 and id <> $2
             order by id"
        ),
        values![escrow.buyer, escrow.provider],
    )?;
    staff.extend(parties.iter().map(|party| (*party).clone()));
    staff.sort();
    for account in &staff {
        if parties.contains(&account) {
            outbox::emit(cx, news, &mut [account])?;
        } else {
            let notice = News { kind: "system", subject: news.subject, data: &notice };
            outbox::emit(cx, &notice, &mut [account])?;
        }
    }
    Ok(())
}
