//! Accounts that an account follows, blocks or mutes, and threads that it mutes.

use serde_json::json;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::Timestamp;

use crate::export::source::{Page, Position, ROWS, Source};

/// Relations to other accounts, by the id of the other one.
macro_rules! relations {
    ($(#[doc = $doc:literal])+ $name:ident, $table:literal, $own:literal, $other:literal) => {
        $(#[doc = $doc])+
        pub(super) fn $name(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
            let rows: Vec<(String, String, Timestamp)> = source.ctx.tx.all(
                sql!(
                    "select r.", $other, ", a.username, r.created_at
                     from ", $table, " r join account a on a.id = r.", $other, "
                     where r.", $own, " = $1 and r.", $other, " > $2
                     order by r.", $other, " limit $3"
                ),
                values![source.account.id, at.after, ROWS],
            )?;
            let line = |(id, username, since): (String, String, Timestamp)| {
                let line = json!({ "id": id, "username": username, "since": since });
                (id, line)
            };
            Page::of_rows(rows.into_iter().map(line).collect())
        }
    };
}

relations!(
    /// Accounts that the account follows.
    following,
    "follow",
    "follower",
    "followee"
);
relations!(
    /// Accounts that the account blocks.
    blocks,
    "block",
    "blocker",
    "blocked"
);
relations!(
    /// Accounts that the account mutes.
    mutes,
    "account_mute",
    "muter",
    "muted"
);

/// Threads that the account mutes.
pub(super) fn thread_mutes(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    let rows: Vec<(String, Timestamp)> = source.ctx.tx.all(
        sql!(
            "select root, created_at from thread_mute
             where account = $1 and root > $2 order by root limit $3"
        ),
        values![source.account.id, at.after, ROWS],
    )?;
    let line = |(post, since): (String, Timestamp)| {
        let line = json!({ "postId": post, "since": since });
        (post, line)
    };
    Page::of_rows(rows.into_iter().map(line).collect())
}
