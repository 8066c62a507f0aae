//! Refresh tokens that follow one another.
//!
//! The next token of a family is derived from the one before and from a secret of the server. So the server can tell
//! which token the current one replaced, and stores nothing of it. It is derived from the token itself and not from its
//! hash: with the secret, a copy of the database would lead to the tokens that come.

use sha2::{Digest, Sha256};

use crate::app::Ctx;
use crate::keys::{self, Hash, NewKey, REFRESH_TOKEN};

/// The token that replaces this one of a family.
pub(super) fn next(ctx: &Ctx<'_, '_>, family: &str, token: &str) -> NewKey {
    ctx.app.encrypt.challenge_secrets().next().map_or_else(
        || keys::generate_for(REFRESH_TOKEN, family),
        |secret| keys::generate_from(REFRESH_TOKEN, family, &seed(secret, token)),
    )
}

/// Whether the token with this hash is the one that has replaced this one.
pub(super) fn is_next(ctx: &Ctx<'_, '_>, family: &str, token: &str, current: &[u8]) -> bool {
    ctx.app.encrypt.challenge_secrets().any(|secret| {
        let next = keys::generate_from(REFRESH_TOKEN, family, &seed(secret, token));
        keys::same(current, &next.hash)
    })
}

fn seed(secret: &str, token: &str) -> Hash {
    let seed = Sha256::new().chain_update("the refresh token of svc after this one");
    seed.chain_update(secret).chain_update(token).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_does_not_follow_from_what_is_stored_of_the_one_before() {
        let NewKey { key, hash, .. } = keys::generate_for(REFRESH_TOKEN, &keys::new_key_id());
        let begun = Sha256::new().chain_update("the refresh token of svc after this one");
        let of_stored: Hash = begun.chain_update("secret").chain_update(hash).finalize().into();
        assert_ne!(seed("secret", &key), of_stored);
        assert_eq!(seed("secret", &key), seed("secret", &key));
        assert_ne!(seed("secret", &key), seed("another secret", &key));
    }
}
