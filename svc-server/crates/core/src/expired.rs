//! Rows that expire.

use svc_store::error::Result;

use crate::app::Ctx;

/// Deletes or ends what is over, at most the given number of rows, and returns how many it found.
pub(crate) type Sweep = fn(&mut Ctx<'_, '_>, i64) -> Result<u64>;

/// Declares a `Sweep` that deletes the expired rows of a table:
/// `fn forget: "session" by "token_hash" after GRACE`. The table has an index of `expires_at`.
///
/// The outer condition keeps a row that another transaction renews meanwhile: PostgreSQL does not run the
/// inner query again for it. The `+` keeps SQLite from reading all expired rows.
macro_rules! forget_expired {
    ($(#[doc = $doc:literal])+ $vis:vis fn $name:ident: $table:literal by $key:literal
        $(after $grace:expr)?) => {
        $(#[doc = $doc])+
        $vis fn $name(
            ctx: &mut $crate::app::Ctx<'_, '_>,
            most: i64,
        ) -> svc_store::error::Result<u64> {
            let before = ctx.now()$(.minus($grace))?;
            let sql = svc_store::sql!(
                "delete from ", $table, " where +expires_at <= $1 and ", $key, " in (select ", $key,
                " from ", $table, " where expires_at <= $1 order by expires_at limit $2)"
            );
            ctx.tx.execute(sql, svc_store::values![before, most])
        }
    };
}
