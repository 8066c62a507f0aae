//! Channels: lookup, members, messages, and closing.
//!
//! A change of members or messages locks the channel's row. So members are counted one at a time,
//! messages are stored in the order of their ids, and an account that has left writes nothing.

mod close;
mod member;
mod message;
mod record;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::{ChannelId, Code, UserId};

use crate::app::Ctx;
use crate::identity::Account;

pub use close::{SWEEPS, close, close_all_of};
pub use member::{add, join, leave, mark_read, remove};
pub use message::{delete, page, post, remove_message, visible_message};
pub use record::{Record, envelope, visible};

/// What a member of a channel may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Whether it may write.
    pub may_post: bool,
}
row!(Member { may_post });

/// The rights of an account in a channel; `None` if it is no member or the channel does not exist.
pub fn role(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    channel: &ChannelId,
) -> Result<Option<Member>> {
    ctx.tx.optional(
        sql!(
            "select c.post_policy = 'members' or c.owner = m.account
             from channel_member m join channel c on c.id = m.channel
             where m.channel = $1 and m.account = $2 and c.deleted_at is null"
        ),
        values![channel, account],
    )
}

/// The number of a channel's latest event, 0 if there is none; `None` if the reader may not read it.
pub fn head(ctx: &mut Ctx<'_, '_>, id: &ChannelId, reader: &UserId) -> Result<Option<i64>> {
    ctx.tx.optional(
        sql!(
            "select coalesce(h.last_seq, 0)
             from channel c
                left join channel_member m on m.channel = c.id and m.account = $1
                left join event_head h on h.stream = c.id
             where c.id = $2 and c.deleted_at is null
                and (m.account is not null or c.visibility = 'public' and exists (
                    select 1 from account o
                    where o.id = c.owner and o.deleted_at is null and o.status <> 'suspended'))"
        ),
        values![reader, id],
    )
}

/// Locks a channel until the transaction ends.
fn lock(ctx: &mut Ctx<'_, '_>, channel: &ChannelId) -> Result<()> {
    ctx.tx.lock(sql!("select id from channel where id = $1 for no key update"), values![channel])
}

/// The caller's channel, else 403; locked until the transaction ends.
pub fn own(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &ChannelId) -> Result<Record> {
    lock(ctx, id)?;
    let channel = visible(ctx, id, Some(caller))?;
    if channel.owner.id == caller.id {
        Ok(channel)
    } else {
        Err(Error::refused(Code::Forbidden, "only its owner may do this to a channel"))
    }
}
