//! Whether an account is notified of something, and through which channels.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::UserId;

use super::{Data, NewNotification};
use crate::app::Ctx;

/// Time in which a repeated action notifies once, even if it was undone in between.
const ONCE_WITHIN: Duration = Duration::from_hours(24);

/// The channels through which an account is notified. The event is written in any case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// A notification in the list.
    pub(super) in_app: bool,
    /// Its webhooks, if it has any.
    pub(super) webhook: bool,
    /// MQTT.
    pub(super) mqtt: bool,
}

/// What an account's settings and relations say.
#[expect(clippy::struct_excessive_bools, reason = "a row is what its statement selects")]
struct Answer {
    blocked: bool,
    unwanted: bool,
    quiet: bool,
    has_webhooks: bool,
    in_app: Option<bool>,
    webhook: Option<bool>,
    mqtt: Option<bool>,
}
row!(Answer {
    blocked: "exists (select 1 from block where blocker = a.id and blocked = $1)
        or exists (select 1 from block where blocker = $1 and blocked = a.id)",
    unwanted: "a.notify_from = 'following' and not exists (
            select 1 from follow where follower = a.id and followee = $1)
        or exists (select 1 from account_mute where muter = a.id and muted = $1
            and (expires_at is null or expires_at > $2))
        or exists (select 1 from thread_mute where account = a.id and root = $3)",
    quiet: "exists (
        select 1 from conversation_member
        where conversation = $4 and account = a.id and (muted = true or folder = 'declined')
    )",
    has_webhooks: "exists (select 1 from webhook where account = a.id and deleted_at is null)",
    in_app: "p.in_app",
    webhook: "p.webhook",
    mqtt: "p.mqtt",
});

/// How an account is notified of an action of `actor`; `None` if it is deleted or does not want to
/// be notified.
pub(super) fn ask(
    ctx: &mut Ctx<'_, '_>,
    actor: Option<&UserId>,
    notification: &NewNotification<'_>,
) -> Result<Option<Wanted>> {
    let (data, now) = (&notification.data, ctx.now());
    let answer: Option<Answer> = ctx.tx.optional(
        sql!(
            "select ",
            Answer::COLUMNS,
            " from account a
             left join notification_preference p on p.account = a.id and p.type = $5
             where a.id = $6 and a.deleted_at is null"
        ),
        values![actor, now, notification.thread, data.conversation(), data.kind(), notification.to],
    )?;
    let Some(answer) = answer else {
        return Ok(None);
    };
    let [in_app, webhook, mqtt] =
        [answer.in_app, answer.webhook, answer.mqtt].map(|way| way.unwrap_or(true));
    let in_app = in_app && data.is_listed();
    let is_declined = !in_app && !webhook && !mqtt && !data.is_money() && !data.is_deal();
    if is_declined || answer.refuses(data) || was_notified(ctx, notification.to, data)? {
        return Ok(None);
    }
    let webhook = webhook && answer.has_webhooks;
    Ok(Some(Wanted { in_app: in_app && !answer.quiet, webhook, mqtt }))
}

impl Answer {
    /// Whether the account does not want this notification from the actor. Only a block stops the messages of orders.
    fn refuses(&self, data: &Data<'_>) -> bool {
        !data.is_exempt() && (self.blocked || self.unwanted && !data.is_deal())
    }
}

/// Whether the account was notified of the same within a day.
fn was_notified(ctx: &mut Ctx<'_, '_>, account: &UserId, data: &Data<'_>) -> Result<bool> {
    let Some(act) = data.once() else {
        return Ok(false);
    };
    let since = ctx.now().minus(ONCE_WITHIN);
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from event
             where (kind = 'follow' or kind = 'like' or kind = 'repost') and stream = $1
                and subject = $2
                and created_at > $3
             limit 1"
        ),
        values![account, act, since],
    )?;
    Ok(found.is_some())
}
