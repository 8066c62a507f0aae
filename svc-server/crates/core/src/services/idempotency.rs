//! Where the row of an Idempotency-Key is.
//!
//! Rows are appended in the order of time, because answers are long: only a short hash lies in a random
//! place. Its first part is that of the principal, so that the keys of an account are found together.

use sha2::{Digest, Sha256};
use svc_store::error::Result;
use svc_store::{sql, values};

use crate::app::Ctx;

/// Bytes of the principal's hash.
const PRINCIPAL: usize = 8;

/// Bytes of the whole hash. Principals that share their part share no key: 16 bytes are of both.
const LENGTH: usize = PRINCIPAL + 16;

/// The hash by which a key is found.
pub type Place = [u8; LENGTH];

/// Where a principal's key is.
pub fn place(principal: &str, key: &str) -> Place {
    let both = Sha256::new_with_prefix(principal).chain_update([0]).chain_update(key).finalize();
    let mut place = [0; LENGTH];
    let (start, rest) = place.split_at_mut(PRINCIPAL);
    start.copy_from_slice(&Sha256::digest(principal)[..PRINCIPAL]);
    rest.copy_from_slice(&both[..LENGTH - PRINCIPAL]);
    place
}

/// The least and the greatest place of a principal.
pub fn range(principal: &str) -> (Place, Place) {
    let mut places = ([0; LENGTH], [u8::MAX; LENGTH]);
    let start = &Sha256::digest(principal)[..PRINCIPAL];
    places.0[..PRINCIPAL].copy_from_slice(start);
    places.1[..PRINCIPAL].copy_from_slice(start);
    places
}

/// Lets one transaction at a time use the key at this place: it is found before it is inserted, and over partitions
/// no index is unique.
pub fn lock(ctx: &mut Ctx<'_, '_>, place: &Place) -> Result<()> {
    let number = place.last_chunk().map_or(0, |last| i64::from_be_bytes(*last));
    ctx.tx.lock(sql!("select pg_advisory_xact_lock($1)"), values![number])
}

/// Deletes the keys of a principal.
pub(super) fn forget(ctx: &mut Ctx<'_, '_>, principal: &str) -> Result<()> {
    let (from, to) = range(principal);
    let sql = sql!("delete from idempotency where hash >= $1 and hash <= $2");
    ctx.tx.write(sql, values![from, to])
}
