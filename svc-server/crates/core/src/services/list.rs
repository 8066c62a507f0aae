//! Lists of accounts: lookup, members, and the merged feed of their posts.

mod feed;
mod members;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::lists::{List, ListEnvelope, ListVisibility, RepliesPolicy};
use svc_types::{Code, ListId, Timestamp};

use crate::app::{App, Ctx};
use crate::identity::Account;
use crate::services::account::Short;

pub use feed::feed;
pub use members::{add, part, remove};

/// A list's row with its owner.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: ListId,
    name: String,
    description: Option<String>,
    /// Its owner.
    pub owner: Short,
    is_shown: bool,
    visibility: ListVisibility,
    exclusive: bool,
    /// Which replies its feed includes.
    pub replies_policy: RepliesPolicy,
    /// Number of members.
    pub members_count: i64,
    created_at: Timestamp,
    updated_at: Timestamp,
}
row!(Record {
    id: "l.id",
    name: "l.name",
    description: "l.description",
    owner: Short::COLUMNS,
    is_shown: "a.deleted_at is null and a.status <> 'suspended'",
    visibility: "l.visibility",
    exclusive: "l.exclusive",
    replies_policy: "l.replies_policy",
    members_count: "l.members_count",
    created_at: "l.created_at",
    updated_at: "l.updated_at",
});

/// A statement that reads [`Record`]s: `select_lists!("l.id = $1")`. Lists of suspended
/// accounts are shown to their owner only.
#[macro_export]
macro_rules! select_lists {
    ($rest:literal) => {
        svc_store::sql!(
            "select ",
            $crate::services::list::Record::COLUMNS,
            " from list l cross join account a where a.id = l.owner and ",
            $rest
        )
    };
}

impl Record {
    /// The list as the API returns it.
    pub fn into_api(self, app: &App) -> List {
        List {
            id: self.id,
            name: self.name,
            description: self.description,
            owner: self.owner.into_api(app),
            visibility: self.visibility,
            exclusive: self.exclusive,
            replies_policy: self.replies_policy,
            members_count: self.members_count,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }

    fn is_visible_to(&self, viewer: Option<&Account>) -> bool {
        let is_own = viewer.is_some_and(|viewer| viewer.id == self.owner.id);
        is_own || self.is_shown && self.visibility == ListVisibility::Public
    }
}

/// The list with this id that `viewer` may read, else 404. Only the owner reads a private one.
pub fn visible(ctx: &mut Ctx<'_, '_>, id: &ListId, viewer: Option<&Account>) -> Result<Record> {
    let found: Option<Record> = ctx.tx.optional(select_lists!("l.id = $1"), values![id])?;
    let found = found.filter(|list| list.is_visible_to(viewer));
    found.ok_or_else(|| Error::not_found("list"))
}

/// The caller's list, else 403; locked until the transaction ends.
pub fn own(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &ListId) -> Result<Record> {
    ctx.tx.lock(sql!("select id from list where id = $1 for update"), values![id])?;
    of_caller(ctx, caller, id)
}

fn of_caller(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &ListId) -> Result<Record> {
    let list = visible(ctx, id, Some(caller))?;
    if list.owner.id == caller.id {
        Ok(list)
    } else {
        Err(Error::refused(Code::Forbidden, "only its owner may change a list"))
    }
}

/// The list as it is now.
pub fn envelope(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &ListId) -> Result<ListEnvelope> {
    Ok(ListEnvelope { list: visible(ctx, id, Some(caller))?.into_api(ctx.app) })
}
