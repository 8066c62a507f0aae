//! Authorization codes: from consent to the first tokens, once and within a minute.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{GrantId, Timestamp, UserId};

use super::token::{self, Beginning, Issued};
use super::{Client, Denied, GrantScopes, OauthError, Outcome, Resource, grant, id_token};
use crate::app::Ctx;
use crate::keys;

/// How long a code works.
pub const LIFE: Duration = Duration::from_mins(1);

/// How long a used code is kept, so that its second use is seen.
const USED_LIFE: Duration = Duration::from_hours(24);

/// Most codes of a grant; a further one replaces the oldest, used ones first. Each sign-in by a remembered consent
/// brings one.
const CODES_MAX: i64 = 50;

/// Length of the challenge: SHA-256 in base64url.
pub const CHALLENGE_LENGTH: usize = 43;

/// What a code stands for.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    /// What the account agreed to.
    pub grant: &'a GrantId,
    /// For whom it is.
    pub client: &'a Client,
    /// Where the person returns to.
    pub redirect_uri: &'a str,
    /// Hash of the client's verifier (PKCE, S256).
    pub challenge: &'a str,
    /// What the tokens may do.
    pub scopes: GrantScopes,
    /// What the client repeats to itself in the ID token.
    pub nonce: Option<&'a str>,
    /// When the person signed in.
    pub auth_time: Timestamp,
}

/// Makes a code.
pub fn make(ctx: &mut Ctx<'_, '_>, order: &Order<'_>) -> Result<String> {
    let (code, hash) = keys::session_token();
    let expires_at = ctx.now().plus(LIFE);
    ctx.tx.execute(
        sql!(
            "insert into oauth_code (code_hash, grant_id, family, client_id, redirect_uri, challenge,
                scopes, nonce, auth_time, expires_at, is_used)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false)"
        ),
        values![
            hash,
            order.grant,
            keys::new_key_id(),
            order.client.id,
            order.redirect_uri,
            order.challenge,
            order.scopes.to_string(),
            order.nonce,
            order.auth_time,
            expires_at
        ],
    )?;
    ctx.tx.execute(
        sql!(
            "delete from oauth_code where code_hash in
             (select code_hash from oauth_code where grant_id = $1 and code_hash <> $2
              order by is_used, expires_at desc, code_hash limit 1000 offset $3)"
        ),
        values![order.grant, hash, CODES_MAX - 1],
    )?;
    Ok(code)
}

/// What a client shows for a code.
#[derive(Clone, Debug, Default)]
pub struct Redemption {
    /// The code.
    pub code: String,
    /// The verifier of the challenge.
    pub verifier: String,
    /// The redirect URI, where the client names it again.
    pub redirect_uri: Option<String>,
    /// The resource, where the client names it again.
    pub resource: Option<Resource>,
}

struct Record {
    grant: GrantId,
    family: String,
    redirect_uri: String,
    challenge: String,
    scopes: String,
    nonce: Option<String>,
    auth_time: Timestamp,
    expires_at: Timestamp,
    is_used: bool,
    account: UserId,
    resource: String,
}
row!(Record {
    grant: "c.grant_id",
    family: "c.family",
    redirect_uri: "c.redirect_uri",
    challenge: "c.challenge",
    scopes: "c.scopes",
    nonce: "c.nonce",
    auth_time: "c.auth_time",
    expires_at: "c.expires_at",
    is_used: "c.is_used",
    account: "g.account",
    resource: "g.resource",
});

/// Exchanges a code for tokens. Its second use ends what the first one gave.
pub fn redeem(ctx: &mut Ctx<'_, '_>, client: &Client, redemption: &Redemption) -> Outcome<Issued> {
    let hash = keys::hash(&redemption.code);
    let sql = sql!("select grant_id from oauth_code where code_hash = $1 and client_id = $2");
    let Some(grant) = ctx.tx.optional::<GrantId>(sql, values![hash, client.id])? else {
        return Ok(Err(unknown()));
    };
    // Of two uses at once, the second sees the first.
    grant::lock(ctx, &grant)?;
    let sql = sql!(
        "select ",
        Record::COLUMNS,
        " from oauth_code c join oauth_grant g on g.id = c.grant_id where c.code_hash = $1"
    );
    let Some(record) = ctx.tx.optional::<Record>(sql, values![hash])? else {
        return Ok(Err(unknown()));
    };
    if record.is_used {
        token::end(ctx, &record.family, &record.grant)?;
        return Ok(Err(Denied::grant("the code was used before; what it gave has ended")));
    }
    if let Err(denied) = check(&record, redemption, ctx.now()) {
        return Ok(Err(denied));
    }
    if !id_token::may_sign_in(ctx, &record.account)? {
        return Ok(Err(Denied::grant("the account is suspended or paused")));
    }
    let sql = sql!("update oauth_code set is_used = true where code_hash = $1 and is_used = false");
    ctx.tx.execute(sql, values![hash])?;
    let Record { grant, family, scopes, nonce, auth_time, .. } = record;
    let scopes = GrantScopes::stored(&scopes);
    let (family, grant) = (&*family, &grant);
    let beginning = Beginning { family, grant, client, scopes, auth_time, nonce };
    token::begin(ctx, beginning).map(Ok)
}

fn unknown() -> Denied {
    Denied::grant("the code is not valid: it has expired, ended, or belongs to another client")
}

fn check(record: &Record, asked: &Redemption, now: Timestamp) -> Result<(), Denied> {
    if record.expires_at <= now {
        return Err(unknown());
    }
    if asked.redirect_uri.as_ref().is_some_and(|uri| *uri != record.redirect_uri) {
        return Err(Denied::grant("redirect_uri is not the one that the code was sent to"));
    }
    if asked.resource.is_some_and(|asked| asked != Resource::stored(&record.resource)) {
        let message = "the code was given for another resource";
        return Err(Denied::new(OauthError::InvalidTarget, message));
    }
    if !is_verified(&record.challenge, &asked.verifier) {
        return Err(Denied::grant("code_verifier does not match code_challenge"));
    }
    Ok(())
}

/// Whether a verifier is the one of a challenge (RFC 7636).
fn is_verified(challenge: &str, verifier: &str) -> bool {
    let is_verifier = (43..=128).contains(&verifier.len());
    is_verifier && URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) == challenge
}

forget_expired! {
    /// Deletes codes whose second use nobody waits for.
    pub fn forget: "oauth_code" by "code_hash" after USED_LIFE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verifier_of_the_rfc_matches_its_challenge() {
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert_eq!(challenge.len(), CHALLENGE_LENGTH);
        assert!(is_verified(challenge, "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
        assert!(!is_verified(challenge, "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl"));
        assert!(!is_verified(challenge, challenge.get(..42).unwrap()));
    }
}
