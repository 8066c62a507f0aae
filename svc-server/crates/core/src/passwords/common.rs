//! Passwords that guessing tries first.

use std::sync::LazyLock;

use svc_store::error::{Refusal, Result};
use svc_types::Code;

use super::normal;

/// The passwords of 8 characters and more in Django's list of common ones, sorted. It is theirs,
/// under the licence in `LICENSE-common`.
static COMMON: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| include_str!("common.txt").lines().collect());

/// 400 for a common password, and for one that is a name of the account.
pub fn refuse_common(field: &str, password: &str, names: &[&str]) -> Result<()> {
    let folded = |text: &str| normal(text.to_owned()).to_lowercase();
    let lower = folded(password);
    let is_name = names.iter().any(|name| folded(name) == lower);
    let is_common = COMMON.binary_search(&lower.as_str()).is_ok();
    if !is_name && !is_common {
        return Ok(());
    }
    let message = if is_name {
        "the password must not be the username or e-mail address"
    } else {
        "the password is one of the most common ones"
    };
    let refusal = Refusal::new(Code::PasswordTooCommon, message).field(field);
    Err(refusal.hint("choose another: three random words are easy to remember").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_passwords_and_names_are_refused_in_any_case() {
        assert!(COMMON.len() == 8_354 && COMMON.is_sorted());
        let is_refused = |password| refuse_common("password", password, &["Countess", "a@b.org"]);
        for weak in ["password", "PassWord", "12345678", "１２３４５６７８", "countess", "A@B.org"]
        {
            assert!(is_refused(weak).is_err(), "{weak}");
        }
        for good in ["correct horse", "countess ", "passwords of mine"] {
            assert!(is_refused(good).is_ok(), "{good}");
        }
    }
}
