//! Access tokens that get a new key.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::EscrowId;

use crate::app::Ctx;

/// Tokens re-encrypted in one transaction.
const BATCH: i64 = 200;

/// Seals the access tokens of the escrows behind this id with the newest key; the last of them.
/// One that no key opens is left as it is: it is lost already.
pub fn reencrypt(ctx: &mut Ctx<'_, '_>, after: &str) -> Result<Option<EscrowId>> {
    let tokens: Vec<(EscrowId, Vec<u8>)> = ctx.tx.all(
        sql!(
            "select id, access_token from escrow
             where access_token is not null and id > $1 order by id limit $2"
        ),
        values![after, BATCH],
    )?;
    for (id, before) in &tokens {
        let Ok(token) = ctx.app.encrypt.decrypt(id.as_str(), before) else { continue };
        let encrypted = ctx.app.encrypt.encrypt(id.as_str(), &token)?;
        // It may have been wiped, or replaced, meanwhile.
        let sql = sql!("update escrow set access_token = $1 where id = $2 and access_token = $3");
        ctx.tx.write(sql, values![encrypted, id, before])?;
    }
    Ok(tokens.into_iter().next_back().map(|(id, _)| id))
}
