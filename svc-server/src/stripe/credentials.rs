//! Secrets of Stripe. They have no `Display` and print as `[redacted]`.

use std::fmt;
use std::str::FromStr;

use http::HeaderValue;

/// Prefixes of keys: restricted ones and secret ones.
const LIVE: [&str; 2] = ["rk_live_", "sk_live_"];
const TEST: [&str; 2] = ["rk_test_", "sk_test_"];

/// What the secret of a webhook endpoint begins with. The prefix is part of the key of its signatures.
const WEBHOOK_PREFIX: &str = "whsec_";

/// Shortest part after a prefix, so that an empty or shortened file is noticed.
const LENGTH_MIN: usize = 8;

/// Whether money moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Real money.
    Live,
    /// Stripe's test mode.
    Test,
}

impl Mode {
    /// The mode of an object or event, by its `livemode`.
    pub const fn of(livemode: bool) -> Self {
        if livemode { Self::Live } else { Self::Test }
    }
}

/// An API key, restricted or secret.
#[derive(Clone)]
pub struct ApiKey {
    mode: Mode,
    bearer: HeaderValue,
}

impl ApiKey {
    /// Whether it moves real money.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// The value of `Authorization`.
    pub(super) fn bearer(&self) -> HeaderValue {
        self.bearer.clone()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey([redacted])")
    }
}

impl FromStr for ApiKey {
    type Err = &'static str;

    /// Reads a key, with white space around it as files have it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let begins = |prefixes: [&str; 2]| prefixes.iter().any(|prefix| is_after(text, prefix));
        let mode = match (begins(LIVE), begins(TEST)) {
            (true, _) => Mode::Live,
            (_, true) => Mode::Test,
            _ => return Err("must be a key of Stripe, such as rk_live_… or rk_test_…"),
        };
        let malformed = |_| "must be a key of Stripe in plain letters";
        let mut bearer = HeaderValue::try_from(format!("Bearer {text}")).map_err(malformed)?;
        bearer.set_sensitive(true);
        Ok(Self { mode, bearer })
    }
}

/// The secret that signs the events of one webhook endpoint.
#[derive(Clone)]
pub struct WebhookSecret(String);

impl WebhookSecret {
    /// The key of its signatures, which is the whole text.
    pub(super) fn key(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret([redacted])")
    }
}

impl FromStr for WebhookSecret {
    type Err = &'static str;

    /// Reads a secret, with white space around it as files have it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if !is_after(text, WEBHOOK_PREFIX) {
            return Err("must be the signing secret of a webhook endpoint, such as whsec_…");
        }
        Ok(Self(text.to_owned()))
    }
}

/// Whether a text is this prefix and what a secret is made of.
fn is_after(text: &str, prefix: &str) -> bool {
    let is_secret = |byte: u8| byte.is_ascii_graphic();
    text.strip_prefix(prefix)
        .is_some_and(|rest| rest.len() >= LENGTH_MIN && rest.bytes().all(is_secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_its_mode_and_is_never_shown() {
        for (text, mode) in [
            ("rk_live_abcdefgh", Mode::Live),
            ("sk_live_abcdefgh\n", Mode::Live),
            (" rk_test_abcdefgh", Mode::Test),
            ("sk_test_abcdefgh", Mode::Test),
        ] {
            let key = text.parse::<ApiKey>().unwrap();
            assert_eq!(key.mode(), mode, "{text:?}");
            assert_eq!(format!("{key:?} {:?}", key.bearer()), "ApiKey([redacted]) Sensitive");
        }
        for wrong in ["", "rk_live_", "rk_live_abc", "pk_live_abcdefgh", "rk_live_abcd efgh"] {
            assert!(wrong.parse::<ApiKey>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_secret_of_a_webhook_has_a_prefix_and_is_never_shown() {
        let secret = "whsec_abcdefgh\n".parse::<WebhookSecret>().unwrap();
        assert_eq!(secret.key(), b"whsec_abcdefgh");
        assert_eq!(format!("{secret:?}"), "WebhookSecret([redacted])");
        for wrong in ["", " \n", "whsec_", "abcdefghijklmnop", "whsec_abcd efgh"] {
            assert!(wrong.parse::<WebhookSecret>().is_err(), "{wrong:?}");
        }
    }
}
