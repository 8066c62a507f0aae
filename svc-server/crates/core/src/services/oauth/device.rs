//! Sign-in on a device without a browser (RFC 8628): the person types a code elsewhere.

use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::{GrantId, Timestamp, UserId};

use super::token::{self, Beginning, Issued};
use super::{Client, Denied, GrantScopes, OauthError, Outcome, Resource, grant, id_token};
use crate::app::Ctx;
use crate::{ids, keys};

/// How long a code works.
pub const LIFE: Duration = Duration::from_mins(10);

/// Seconds between two questions of a device; each one too early adds as many.
pub const INTERVAL_SECONDS: i64 = 5;

/// Letters of a code that people type: no vowels, so that no words come up.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";

const USER_CODE_LENGTH: usize = 8;

/// How long an expired code is kept, so that its use is answered with "expired".
const EXPIRED_LIFE: Duration = Duration::from_hours(1);

/// Codes that are tried before the server gives up; they practically never meet.
const TRIES: usize = 3;

/// What a device shows, and what it keeps.
#[derive(Clone, Debug)]
pub struct Started {
    /// What it asks for tokens with.
    pub device_code: String,
    /// What the person types.
    pub user_code: String,
}

/// Begins a sign-in.
pub fn start(
    ctx: &mut Ctx<'_, '_>,
    client: &Client,
    scopes: GrantScopes,
    resource: Resource,
) -> Result<Started> {
    let host = client.host(None);
    let expires_at = ctx.now().plus(LIFE);
    for _ in 0..TRIES {
        let ((device_code, hash), user_code) = (keys::session_token(), user_code());
        let rows = ctx.tx.execute(
            sql!(
                "insert into oauth_device (device_hash, user_code, client_id, client_name, client_host,
                    scopes, resource, state, interval_s, expires_at)
                 values ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9)
                 on conflict (user_code) do nothing"
            ),
            values![
                hash,
                user_code,
                client.id,
                client.name,
                host,
                scopes.to_string(),
                resource.as_str(),
                INTERVAL_SECONDS,
                expires_at
            ],
        )?;
        if rows == 1 {
            return Ok(Started { device_code, user_code: spaced(&user_code) });
        }
    }
    Err(Error::internal("no free code for a device was found"))
}

fn user_code() -> String {
    let mut code = String::with_capacity(USER_CODE_LENGTH);
    while code.len() < USER_CODE_LENGTH {
        // Bytes from 240 on would make the first letters likelier than the rest.
        let usable = ids::random::<USER_CODE_LENGTH>().into_iter().filter(|byte| *byte < 240);
        let left = USER_CODE_LENGTH - code.len();
        code.extend(usable.take(left).map(|byte| char::from(LETTERS[usize::from(byte) % 20])));
    }
    code
}

/// A code for display: `BCDF-GHJK`.
pub fn spaced(code: &str) -> String {
    let (first, second) = code.split_at(code.len() / 2);
    format!("{first}-{second}")
}

/// A code as people type it, in any case and spacing; `None` if it can't be one.
pub fn typed(text: &str) -> Option<String> {
    let letters = text.chars().filter(|letter| !matches!(letter, '-' | ' '));
    let code: String = letters.map(|letter| letter.to_ascii_uppercase()).take(9).collect();
    let is_code =
        code.len() == USER_CODE_LENGTH && code.bytes().all(|byte| LETTERS.contains(&byte));
    is_code.then_some(code)
}

/// A sign-in that waits for a person.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The client's id.
    pub client_id: String,
    /// The host that is shown.
    pub host: String,
    /// What it asks for.
    pub scopes: GrantScopes,
    /// Where its tokens work.
    pub resource: Resource,
}

/// The sign-in that waits under this code.
pub fn waiting(ctx: &mut Ctx<'_, '_>, user_code: &str) -> Result<Option<Waiting>> {
    let now = ctx.now();
    let found: Option<(String, String, String, String)> = ctx.tx.optional(
        sql!(
            "select client_id, client_host, scopes, resource from oauth_device
             where user_code = $1 and state = 'waiting' and +expires_at > $2"
        ),
        values![user_code, now],
    )?;
    Ok(found.map(|(client_id, host, scopes, resource)| Waiting {
        client_id,
        host,
        scopes: GrantScopes::stored(&scopes),
        resource: Resource::stored(&resource),
    }))
}

/// Notes the decision: a grant, or none. False if it was decided before, or expired.
pub fn decide(
    ctx: &mut Ctx<'_, '_>,
    user_code: &str,
    grant: Option<&GrantId>,
    auth_time: Timestamp,
) -> Result<bool> {
    let state = if grant.is_some() { "allowed" } else { "denied" };
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update oauth_device set state = $1, grant_id = $2, auth_time = $3
             where user_code = $4 and state = 'waiting' and expires_at > $5"
        ),
        values![state, grant, auth_time, user_code, now],
    )?;
    Ok(rows == 1)
}

struct Record {
    state: String,
    grant: Option<GrantId>,
    scopes: String,
    auth_time: Option<Timestamp>,
    interval_s: i64,
    polled_at: Option<Timestamp>,
    expires_at: Timestamp,
}
row!(Record {
    state: "state",
    grant: "grant_id",
    scopes: "scopes",
    auth_time: "auth_time",
    interval_s: "interval_s",
    polled_at: "polled_at",
    expires_at: "expires_at",
});

/// Answers a device that asks whether the person has decided.
pub fn poll(ctx: &mut Ctx<'_, '_>, client: &Client, device_code: &str) -> Outcome<Issued> {
    let hash = keys::hash(device_code);
    // Of two questions at once, the second sees the first.
    let lock = sql!("select 1 from oauth_device where device_hash = $1 for update");
    ctx.tx.lock(lock, values![hash])?;
    let sql = sql!(
        "select ",
        Record::COLUMNS,
        " from oauth_device where device_hash = $1 and client_id = $2"
    );
    let Some(record) = ctx.tx.optional::<Record>(sql, values![hash, client.id])? else {
        return Ok(Err(Denied::grant("the device code is not valid")));
    };
    let now = ctx.now();
    if record.expires_at <= now {
        let message = "the code has expired; begin again";
        return Ok(Err(Denied::new(OauthError::ExpiredToken, message)));
    }
    let interval = Duration::from_secs(record.interval_s.unsigned_abs());
    let is_early = record.polled_at.is_some_and(|last| now.since(last) < interval);
    let longer = record.interval_s + if is_early { INTERVAL_SECONDS } else { 0 };
    let sql =
        sql!("update oauth_device set polled_at = $1, interval_s = $2 where device_hash = $3");
    ctx.tx.execute(sql, values![now, longer, hash])?;
    if is_early {
        let message = format!("ask again every {longer} seconds");
        return Ok(Err(Denied::new(OauthError::SlowDown, message)));
    }
    match (record.state.as_str(), &record.grant) {
        ("waiting", _) => {
            let message = "the person has not decided yet";
            Ok(Err(Denied::new(OauthError::AuthorizationPending, message)))
        }
        ("denied", _) => {
            Ok(Err(Denied::new(OauthError::AccessDenied, "the person did not allow it")))
        }
        ("allowed", Some(grant)) => issue(ctx, client, &record, grant, &hash),
        _ => Ok(Err(Denied::grant("the device code was used before"))),
    }
}

fn issue(
    ctx: &mut Ctx<'_, '_>,
    client: &Client,
    record: &Record,
    grant: &GrantId,
    hash: &keys::Hash,
) -> Outcome<Issued> {
    grant::lock(ctx, grant)?;
    let sql = sql!("select account from oauth_grant where id = $1");
    let Some(account) = ctx.tx.optional::<UserId>(sql, values![grant])? else {
        return Ok(Err(Denied::grant("what the person allowed has ended")));
    };
    if !id_token::may_sign_in(ctx, &account)? {
        let message = "the account is suspended or paused";
        return Ok(Err(Denied::new(OauthError::AccessDenied, message)));
    }
    let sql = sql!("update oauth_device set state = 'used' where device_hash = $1");
    ctx.tx.execute(sql, values![hash])?;
    let (family, scopes) = (keys::new_key_id(), GrantScopes::stored(&record.scopes));
    let (family, auth_time) = (&*family, record.auth_time.unwrap_or(ctx.now()));
    let beginning = Beginning { family, grant, client, scopes, auth_time, nonce: None };
    token::begin(ctx, beginning).map(Ok)
}

forget_expired! {
    /// Deletes codes that have expired.
    pub fn forget: "oauth_device" by "device_hash" after EXPIRED_LIFE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let code = user_code();
        assert_eq!(typed(&spaced(&code)), Some(code.clone()));
        assert_eq!(typed(&spaced(&code).to_lowercase().replace('-', " ")), Some(code));
        for wrong in ["", "BCDF", "BCDF-GHJA", "BCDF-GHJKL", "BCDF-GHJ\u{130}"] {
            assert_eq!(typed(wrong), None, "{wrong}");
        }
    }
}
