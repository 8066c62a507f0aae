//! Notifies the parties of a move, never with the work, the evidence, a note or a token.

use std::borrow::Cow;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::connect::{EscrowData, SystemData};
use svc_types::api::escrow::{CloseReason, EscrowAction, EscrowStatus};
use svc_types::{Credits, UserId};

use super::record::Record;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::notification::{self, Data, NewNotification};
use crate::services::service_request::Ended;

/// A move, as the parties are notified of it.
pub(super) struct Move<'a> {
    pub(super) action: &'a EscrowAction,
    pub(super) previous: Option<&'a EscrowStatus>,
    /// The order that ended with the escrow.
    pub(super) order: Option<&'a Ended>,
}

/// Notifies the parties except the actor, and the moderators of a dispute. All in one call, because
/// notifications lock the event counters of their recipients.
pub(super) fn parties(
    ctx: &mut Ctx<'_, '_>,
    escrow: &Record,
    change: &Move<'_>,
    by: Option<&Account>,
) -> Result<()> {
    let Move { action, previous, order } = *change;
    // A moderator acts for the platform and is not named.
    let actor = by.filter(|by| [&escrow.buyer, &escrow.provider].contains(&&by.id));
    let data = EscrowData {
        escrow_id: escrow.id.clone(),
        action: action.clone(),
        status: escrow.status.clone(),
        previous_status: previous.cloned(),
        close_reason: escrow.close_reason.clone(),
        amount: escrow.amount,
        provider_amount: provider_amount(escrow, action),
        service_id: escrow.service.clone(),
        buyer_username: escrow.buyer_name.clone(),
        provider_username: escrow.provider_name.clone(),
        actor_username: actor.map(|account| account.username.clone()),
    };
    let subject = format!("{}:{}", escrow.id, escrow.version);
    let staff = if *action == EscrowAction::Disputed { staff(ctx, escrow)? } else { Vec::new() };
    let dispute = SystemData {
        code: "escrow_disputed".to_owned(),
        text: format!("escrow {} over {} is disputed", escrow.id, escrow.amount.in_words()),
    };
    let to_party =
        |party| NewNotification::new(party, Data::Escrow(Cow::Borrowed(&data))).of(&subject);
    let to_staff = |account| {
        NewNotification::new(account, Data::System(Cow::Borrowed(&dispute)))
            .of(&subject)
            .about(&escrow.id)
    };
    let parties = [&escrow.buyer, &escrow.provider].into_iter().map(to_party);
    let orders = order.into_iter().flat_map(Ended::notifications);
    let notifications = parties.chain(orders).chain(staff.iter().map(to_staff)).collect();
    notification::notify(ctx, actor.map(|account| &account.id), notifications)
}

/// What the provider receives by a move that splits the credits or offers that. An offer that nobody accepted
/// stays in the record.
fn provider_amount(escrow: &Record, action: &EscrowAction) -> Option<Credits> {
    let is_split =
        *action == EscrowAction::SplitOffered || escrow.close_reason == Some(CloseReason::Split);
    escrow.split().filter(|_| is_split).map(|split| split.provider_amount)
}

/// The moderators who may decide its dispute: those who neither are nor own a party.
fn staff(ctx: &mut Ctx<'_, '_>, escrow: &Record) -> Result<Vec<UserId>> {
    ctx.tx.all(
        sql!(
            "select id from account
             where role <> 'user' and deleted_at is null and status <> 'suspended'
                and coalesce(owner, id) <> $1 and coalesce(owner, id) <> $2
             order by id"
        ),
        values![escrow.buyer_person, escrow.provider_person],
    )
}
