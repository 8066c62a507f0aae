//! Texts that give a live key away are refused.

use svc_types::Code;

use crate::app::Cx;
use crate::error::{Refusal, Result};
use crate::keys::{self, Found};
use crate::{sql, values};

/// Refuses text that holds a live key or token of this platform; `field` is where it stood.
pub fn refuse_in(cx: &mut Cx<'_, '_>, field: &str, text: &str) -> Result<()> {
    for found in keys::find_all(text) {
        if is_live(cx, found)? {
            let message = format!("{field} holds a live key or token, which would become public");
            let refusal = Refusal::new(Code::CredentialInContent, message);
            return Err(refusal.field(field).hint("take it out, and replace the key").into());
        }
    }
    Ok(())
}

fn is_live(cx: &mut Cx<'_, '_>, found: Found<'_>) -> Result<bool> {
    let now = cx.now();
    let row: Option<i64> = match found {
        Found::ApiKey(key) => {
            let sql = sql!("select 1 from account where key_id = $1 and key_hash = $2");
            cx.tx.optional(sql, values![keys::key_id(keys::API_KEY, key), keys::hash(key)])?
        }
        Found::DeveloperKey(key) => {
            let sql = sql!(
                "select 1 from developer_app
                 where key_id = $1 and key_hash = $2 and deleted_at is null"
            );
            cx.tx.optional(sql, values![keys::key_id(keys::DEVELOPER_KEY, key), keys::hash(key)])?
        }
        Found::IdentityToken(token) => {
            let sql = sql!(
                "select 1 from identity_token
                 where token_hash = $1 and expires_at > $2 and revoked = false"
            );
            cx.tx.optional(sql, values![keys::hash(token), now])?
        }
        Found::WebhookSecret(secret) => {
            let sql = sql!("select 1 from webhook_secret where hash = $1");
            cx.tx.optional(sql, values![keys::hash(secret)])?
        }
    };
    Ok(row.is_some())
}
