//! Notification preferences: types and channels.

use std::collections::BTreeMap;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;
use svc_types::api::notifications::{
    Channels, ChannelsUpdate, NotificationType, NotifyFrom, Preferences,
};

use crate::app::Ctx;

/// The type that nobody can turn off, so that a thief cannot either.
pub const FIXED: NotificationType = NotificationType::Security;

/// The preferences of an account; by default every type by every channel.
pub fn of(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Preferences> {
    let from: NotifyFrom =
        ctx.tx.one(sql!("select notify_from from account where id = $1"), values![account])?;
    let stored: Vec<(String, bool, bool, bool)> = ctx.tx.all(
        sql!("select type, in_app, webhook, mqtt from notification_preference where account = $1"),
        values![account],
    )?;
    let every = Channels { in_app: true, webhook: true, mqtt: true };
    let types = NotificationType::WORDS.iter().filter(|word| **word != FIXED.as_str());
    let types = types.map(|word| ((*word).to_owned(), every.clone()));
    let mut types: BTreeMap<String, Channels> = types.collect();
    types.extend(
        stored
            .into_iter()
            .map(|(kind, in_app, webhook, mqtt)| (kind, Channels { in_app, webhook, mqtt })),
    );
    Ok(Preferences { types, from })
}

/// Changes the channels of a type; omitted ones stay as they are.
pub fn set(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    kind: &NotificationType,
    ways: &ChannelsUpdate,
) -> Result<()> {
    ctx.tx.write(
        sql!(
            "insert into notification_preference (account, type, in_app, webhook, mqtt)
             values ($1, $2, coalesce(cast($3 as boolean), true),
                coalesce(cast($4 as boolean), true), coalesce(cast($5 as boolean), true))
             on conflict (account, type) do update set
                in_app = coalesce(cast($3 as boolean), notification_preference.in_app),
                webhook = coalesce(cast($4 as boolean), notification_preference.webhook),
                mqtt = coalesce(cast($5 as boolean), notification_preference.mqtt)"
        ),
        values![account, kind, ways.in_app, ways.webhook, ways.mqtt],
    )?;
    Ok(())
}

/// Changes whose actions notify an account.
pub fn set_from(ctx: &mut Ctx<'_, '_>, account: &UserId, from: &NotifyFrom) -> Result<()> {
    let sql = sql!("update account set notify_from = $1 where id = $2");
    ctx.tx.write(sql, values![from, account])
}
