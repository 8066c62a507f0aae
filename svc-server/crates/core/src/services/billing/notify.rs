//! Events about money, for an account and the person who owns it.

use std::borrow::Cow;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::billing::BillingObject;
use svc_types::api::connect::BillingData;
use svc_types::{Credits, PaymentId, UserId};

use crate::app::Ctx;
use crate::services::notification::{self, Data, NewNotification};

/// What changed.
#[derive(Clone, Debug)]
pub(super) struct Change<'a> {
    /// What it is.
    pub(super) object: BillingObject,
    /// Its id.
    pub(super) id: &'a str,
    /// Its status now.
    pub(super) status: &'a str,
    /// The account whose it is.
    pub(super) account: &'a UserId,
    /// The person who is notified too, if that is not its owner.
    pub(super) person: Option<&'a UserId>,
    /// The payment that it belongs to.
    pub(super) payment: Option<&'a PaymentId>,
    /// The credits that it is about.
    pub(super) credits: Option<Credits>,
}

/// Notifies an account, and the person who owns it, of a change; not the one who made it. The person is notified
/// although the account is deleted by now: a bank may return money long after.
pub(super) fn notify(
    ctx: &mut Ctx<'_, '_>,
    actor: Option<&UserId>,
    change: &Change<'_>,
) -> Result<()> {
    let sql = sql!("select username, owner from account where id = $1");
    let found: Option<(String, Option<UserId>)> = ctx.tx.optional(sql, values![change.account])?;
    let Some((username, owner)) = found else { return Ok(()) };
    let data = BillingData {
        object: change.object.clone(),
        id: change.id.to_owned(),
        status: change.status.to_owned(),
        account: change.account.clone(),
        username,
        payment_id: change.payment.cloned(),
        credits: change.credits,
    };
    let person = change.person.or(owner.as_ref()).filter(|person| *person != change.account);
    let recipients = std::iter::once(change.account).chain(person);
    let new = |to| NewNotification::new(to, Data::Billing(Cow::Borrowed(&data))).of(change.id);
    notification::notify(ctx, actor, recipients.map(new).collect())
}
