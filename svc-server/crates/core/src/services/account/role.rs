//! The roles of accounts; at least one account stays an admin.

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::users::Role;
use svc_types::{Code, UserId};

use crate::app::Ctx;
use crate::services::audit::{self, By, On};

/// Sets the role of an account; 409 if no admin would remain.
pub fn set_role(ctx: &mut Ctx<'_, '_>, actor: &str, id: &UserId, role: &Role) -> Result<()> {
    if *role != Role::Admin {
        refuse_last_admin(ctx, id)?;
    }
    ctx.tx.execute(sql!("update account set role = $1 where id = $2"), values![role, id])?;
    audit::write(ctx, By(actor), "role_granted", On(id.as_str()), Some(role.as_str()))
}

/// 409 if no admin would remain without this one.
pub fn refuse_last_admin(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<()> {
    // Without the lock, two admins could demote each other at the same time.
    let sql = sql!("select id from account where role <> 'user' order by id for no key update");
    ctx.tx.lock(sql, values![])?;
    let is_admin: Option<i64> = ctx
        .tx
        .optional(sql!("select 1 from account where id = $1 and role = 'admin'"), values![id])?;
    let other: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from account
             where role <> 'user' and role = 'admin' and id <> $1 and deleted_at is null
                and status <> 'suspended'
             limit 1"
        ),
        values![id],
    )?;
    if is_admin.is_none() || other.is_some() {
        return Ok(());
    }
    let refusal = Refusal::new(Code::WrongState, "the account is the last admin");
    Err(refusal.hint("make another account an admin first").into())
}
