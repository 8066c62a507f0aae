//! The Idempotency-Keys of forms: a random value, and the account that the page was made for.
//!
//! Another account may sign in in another tab before the form is sent. The key says which one filled it in.

use svc_types::UserId;

/// The form field with the key.
pub(in crate::http) const FIELD: &str = "idempotency_key";

/// The form field with the account alone, of the form that all buttons of a page share: under one key, only
/// the first of them would act.
pub(super) const ACCOUNT: &str = "made_for";

/// The beginning of the keys of a page; each of its forms adds its own name after a hyphen.
pub(super) fn of_page(random: &str, account: Option<&UserId>) -> String {
    match account {
        None => random.to_owned(),
        Some(account) => format!("{random}.{account}"),
    }
}

/// The account in a submitted key.
pub(in crate::http) fn account(key: &str) -> Option<&str> {
    let (_, rest) = key.split_once('.')?;
    rest.split('-').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_the_account_of_its_page() {
        let ada = UserId::from("usr_ada");
        let key = format!("{}-post", of_page("a-b_c", Some(&ada)));
        assert_eq!(account(&key), Some("usr_ada"));
        assert_eq!(account(&format!("{}-post", of_page("a-b_c", None))), None);
    }
}
