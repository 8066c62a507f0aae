//! Notifications of new entries, sent at the end of their transaction.

use svc_store::error::Result;
use svc_types::api::security::SecurityAction;
use svc_types::{SecurityEntryId, UserId};

use super::one;
use crate::app::Ctx;
use crate::services::mail;
use crate::services::notification::{self, Data, NewNotification};

/// A new entry of which its account will be notified.
#[derive(Clone, Debug)]
pub struct Alert {
    entry: SecurityEntryId,
    account: UserId,
    /// Whether the entry records the registration, which notifies nobody.
    is_registration: bool,
    is_mailed: bool,
}

/// Whether an entry is mailed. New addresses and pending changes have mails of their own.
pub(super) const fn is_mailed(action: &SecurityAction) -> bool {
    !matches!(
        action,
        SecurityAction::SignedUp
            | SecurityAction::SessionEnded
            | SecurityAction::EmailPending
            | SecurityAction::ChangePending
    )
}

pub(super) fn alert(
    ctx: &mut Ctx<'_, '_>,
    entry: SecurityEntryId,
    account: &UserId,
    action: &SecurityAction,
    is_mailed: bool,
) {
    let is_registration = *action == SecurityAction::SignedUp;
    ctx.alerts.push(Alert { entry, account: account.clone(), is_registration, is_mailed });
}

/// Notifies accounts of the entries that the transaction has added; the last thing it does.
pub(crate) fn send_alerts(ctx: &mut Ctx<'_, '_>) -> Result<()> {
    let mut alerts = std::mem::take(&mut ctx.alerts);
    let registered = alerts.iter().filter(|alert| alert.is_registration);
    let registered: Vec<UserId> = registered.map(|alert| alert.account.clone()).collect();
    alerts.retain(|alert| !registered.contains(&alert.account));
    let mut entries = Vec::with_capacity(alerts.len());
    for alert in &alerts {
        // An entry that was taken back in the same transaction notifies nobody.
        let Some(entry) = one(ctx, &alert.entry)? else { continue };
        if alert.is_mailed {
            mail::announce_entry(ctx, &alert.account, &alert.entry)?;
        }
        entries.push((&alert.account, entry));
    }
    let notifications = entries.iter();
    let notifications =
        notifications.map(|(to, entry)| NewNotification::new(to, Data::Security(entry)));
    notification::notify(ctx, None, notifications.collect())
}
