//! The audit log: actor, action and subject, for operators.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::Id;

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

/// Writes a row; `detail` holds no secret.
pub fn write(
    ctx: &mut Ctx<'_, '_>,
    actor: &str,
    action: &str,
    subject: &str,
    detail: &str,
) -> Result<()> {
    let (id, now): (AuditId, _) = (ctx.id(), ctx.now());
    ctx.tx.execute(
        sql!(
            "insert into audit_log (id, actor, action, subject, detail, at)
             values ($1, $2, $3, $4, $5, $6)"
        ),
        values![id.0, actor, action, subject, detail, now],
    )?;
    Ok(())
}
