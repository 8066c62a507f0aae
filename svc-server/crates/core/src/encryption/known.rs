//! Which keys the database was sealed with.
//!
//! A server with other keys would start, seal with them, and fail later at what it can't open. So
//! the first key of every server is written down, and who lacks one of them is refused.

use svc_store::db::{Db, Tx};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};

use super::{Encryption, Key};

/// Sealed texts that are tried where no key was written down.
const TRIED: i64 = 100;

/// What the database says of its keys.
pub(super) struct Known {
    /// The ids of keys that sealed, oldest first.
    ids: Vec<String>,
    /// Some of what was sealed before keys were written down, each with its place.
    encrypted: Vec<(String, Vec<u8>)>,
}

/// Reads the ids of the keys in use.
pub(super) async fn read(db: &Db) -> Result<Known> {
    db.read(|tx| {
        let ids = ids(tx)?;
        let encrypted = if ids.is_empty() { encrypted(tx)? } else { Vec::new() };
        Ok(Known { ids, encrypted })
    })
    .await
}

impl Known {
    /// Whether nothing is encrypted yet.
    pub(super) const fn is_new(&self) -> bool {
        self.ids.is_empty() && self.encrypted.is_empty()
    }

    /// Whether a server has begun to encrypt with the first of these keys.
    pub(super) fn has_first_of(&self, encrypt: &Encryption) -> bool {
        encrypt.0.first().is_some_and(|key| self.ids.contains(&key.id))
    }

    /// Refuses keys that can't decrypt everything; `source` is where they come from.
    pub(super) fn check(&self, encrypt: &Encryption, source: &str) -> Result<()> {
        let lacks = |id: &&String| !encrypt.0.iter().any(|key| key.id == **id);
        if let Some(id) = self.ids.iter().find(lacks) {
            return Err(other(encrypt, source, Some(id)));
        }
        if self
            .encrypted
            .iter()
            .any(|(place, encrypted)| encrypt.decrypt(place, encrypted).is_err())
        {
            return Err(other(encrypt, source, None));
        }
        Ok(())
    }
}

/// The error for keys that differ from those of the database.
fn other(encrypt: &Encryption, source: &str, lacking: Option<&str>) -> Error {
    let given: Vec<&str> = encrypt.0.iter().map(|key| &*key.id).collect();
    let lacking = lacking.map(|id| format!(" (key {id})")).unwrap_or_default();
    Error::setup(format!(
        "{source} holds key {}, which did not seal the secrets in the database{lacking}: give \
         this server the keys of the others, or put the file of a backup back; a key that is lost \
         for good is given up by `svc-server webhooks reseal --lost`",
        given.join(", ")
    ))
}

fn ids(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    tx.all(sql!("select id from sealing_key order by n"), values![])
}

fn encrypted(tx: &mut Tx<'_>) -> Result<Vec<(String, Vec<u8>)>> {
    let secrets =
        sql!("select webhook || ' ' || id, sealed from webhook_secret order by id desc limit $1");
    let tokens = sql!(
        "select id, access_token from escrow where access_token is not null
         order by id desc limit $1"
    );
    let mut encrypted: Vec<(String, Vec<u8>)> = tx.all(secrets, values![TRIED])?;
    encrypted.extend(tx.all::<(String, Vec<u8>)>(tokens, values![TRIED])?);
    Ok(encrypted)
}

/// Records the key that encrypts from now on. Of two servers that start at once with different keys,
/// the second one fails.
pub(super) async fn note(db: &Db, encrypt: &Encryption, source: &str) -> Result<()> {
    let Some(Key { id, .. }) = encrypt.0.first() else { return Ok(()) };
    let id = id.clone();
    let known = db.write(move |tx| {
        let now = tx.now();
        tx.execute(
            sql!(
                "insert into sealing_key (n, id, created_at)
                 select coalesce(max(n), 0) + 1, cast($1 as text), cast($2 as bigint)
                 from sealing_key having not exists (select 1 from sealing_key where id = $1)
                 on conflict do nothing"
            ),
            values![id, now],
        )?;
        Ok(Known { ids: ids(tx)?, encrypted: Vec::new() })
    });
    known.await?.check(encrypt, source)
}

/// Forgets all keys but these.
pub(super) async fn forget_others(db: &Db, encrypt: &Encryption) -> Result<()> {
    let own: Vec<String> = encrypt.0.iter().map(|key| key.id.clone()).collect();
    db.write(move |tx| {
        for id in ids(tx)?.iter().filter(|id| !own.contains(id)) {
            tx.execute(sql!("delete from sealing_key where id = $1"), values![id])?;
        }
        Ok(())
    })
    .await
}

/// Forgets all keys but the first, with which everything is encrypted by now.
pub(super) async fn forget_older(db: &Db, encrypt: &Encryption) -> Result<()> {
    let Some(Key { id, .. }) = encrypt.0.first() else { return Ok(()) };
    let id = id.clone();
    let sql = sql!("delete from sealing_key where id <> $1");
    db.write(move |tx| tx.execute(sql, values![id])).await.map(|_| ())
}
