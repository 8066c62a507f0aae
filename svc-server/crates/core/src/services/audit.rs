//! The audit log: actor, action and subject, for operators.

use std::fmt;

use serde::Serialize;
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{Id, Timestamp};

use crate::app::Ctx;

/// Id of an audit row; nobody outside sees it.
struct AuditId(String);

impl From<String> for AuditId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for AuditId {
    const PREFIX: &'static str = "aud_";
}

/// Who did it: the id of an account or an app, or a part of the server.
#[derive(Clone, Copy, Debug)]
pub struct By<'a>(pub &'a str);

/// The id of what it was done to.
#[derive(Clone, Copy, Debug)]
pub struct On<'a>(pub &'a str);

/// Writes a row; `detail` holds no secret.
pub fn write(
    ctx: &mut Ctx<'_, '_>,
    By(actor): By<'_>,
    action: &str,
    On(subject): On<'_>,
    detail: Option<&str>,
) -> Result<()> {
    let (id, now): (AuditId, _) = (ctx.id(), ctx.now());
    let detail = detail.unwrap_or("");
    ctx.tx.execute(
        sql!(
            "insert into audit_log (id, actor, action, subject, detail, at)
             values ($1, $2, $3, $4, $5, $6)"
        ),
        values![id.0, actor, action, subject, detail, now],
    )?;
    Ok(())
}

/// A row, as operators read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    at: Timestamp,
    actor: String,
    action: String,
    subject: String,
    /// The username of the subject, if it is an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    detail: String,
}
row!(Entry {
    at: "l.at",
    actor: "l.actor",
    action: "l.action",
    subject: "l.subject",
    username: "a.username",
    detail: "l.detail",
});

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, actor, action, subject, username, detail } = self;
        write!(f, "{at}  {actor}  {action}  {subject}")?;
        if let Some(username) = username {
            write!(f, "  @{username}")?;
        }
        // Moderators wrote it: a control character could drive the terminal, and a line break pass for a row.
        let words = detail.split(|c: char| c.is_whitespace() || c.is_control());
        let mut words = words.filter(|word| !word.is_empty());
        words.next().map_or(Ok(()), |word| write!(f, "  {word}"))?;
        words.try_for_each(|word| write!(f, " {word}"))
    }
}

/// The newest rows, the newest first; `actor` is who did it, if only that is wanted.
pub fn latest(ctx: &mut Ctx<'_, '_>, actor: Option<&str>, limit: u16) -> Result<Vec<Entry>> {
    ctx.tx.all(
        sql!(
            "select ",
            Entry::COLUMNS,
            " from audit_log l left join account a on a.id = l.subject
             where (cast($1 as text) is null or l.actor = $1)
             order by l.id desc limit $2"
        ),
        values![actor, i64::from(limit)],
    )
}
