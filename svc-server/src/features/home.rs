//! The home summary, in one call.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::select_escrows;
use svc_core::services::escrow::{self, Side};
use svc_core::services::notification::list::{self, Filter};
use svc_core::services::notification::unread;
use svc_core::services::{account, feed, message, overdue, post};
use svc_store::error::Result;
use svc_store::values;
use svc_types::Scope;
use svc_types::api::escrow::Escrow;
use svc_types::api::home::{GetHome, HOME_ITEMS_MAX, Home, HomeEnvelope};
use svc_types::api::messages::Message;
use svc_types::api::notifications::NotificationType;

use crate::http::Routes;

/// Notifications about reactions to your posts.
const ACTIVITY: [NotificationType; 5] = [
    NotificationType::Like,
    NotificationType::Reply,
    NotificationType::Repost,
    NotificationType::Mention,
    NotificationType::Quote,
];

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(home)
}

fn home(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &GetHome) -> Result<HomeEnvelope> {
    post::html::include(ctx, request.include.as_ref())?;
    overdue::refuse(ctx, &caller.id)?;
    let first = Page::first(HOME_ITEMS_MAX);
    let activity = Filter { types: Some(ACTIVITY.to_vec()), unread: false };
    Ok(HomeEnvelope {
        home: Home {
            user: account::me(ctx, caller)?,
            unread_notifications: unread::total(ctx, caller)?,
            unread_messages: unread_messages(ctx, caller)?,
            activity_on_your_posts: list::page(ctx, &caller.id, &activity, &first)?.0,
            pending_service_requests: pending(ctx, caller)?,
            escrows_needing_action: needing_action(ctx, caller)?,
            latest_from_followed: feed::page(ctx, caller, &first)?.posts,
        },
    })
}

/// Zero for a key that may not read messages.
fn unread_messages(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<i64> {
    if !caller.scopes.contains(&Scope::Dm) {
        return Ok(0);
    }
    Ok(message::list::unread(ctx, &caller.id)?.messages)
}

/// Empty for a key that may neither read messages nor answer orders.
fn pending(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Vec<Message>> {
    if !caller.scopes.contains(&Scope::Dm) && !caller.scopes.contains(&Scope::ExchangeSell) {
        return Ok(Vec::new());
    }
    message::list::pending(ctx, &caller.id, HOME_ITEMS_MAX)
}

/// Escrows that wait for the caller, newest first: a buyer pays or accepts, a provider delivers or
/// answers a dispute.
fn needing_action(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Vec<Escrow>> {
    let most = i64::from(HOME_ITEMS_MAX);
    let mut records: Vec<escrow::Record> = ctx.tx.all(
        select_escrows!(
            "where e.buyer = $1 and e.status in ('created', 'delivered')
             order by e.id desc limit $2"
        ),
        values![caller.id, most],
    )?;
    let as_provider: Vec<escrow::Record> = ctx.tx.all(
        select_escrows!(
            "where e.provider = $1 and e.status in ('funded', 'disputed')
             order by e.id desc limit $2"
        ),
        values![caller.id, most],
    )?;
    records.extend(as_provider);
    records.sort_by(|one, other| other.id.cmp(&one.id));
    records.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    let to_api = |record: escrow::Record| {
        let side = record.side(caller).unwrap_or(Side::Moderator);
        record.into_api(ctx, side)
    };
    records.into_iter().map(to_api).collect()
}
