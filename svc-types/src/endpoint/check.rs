//! What `endpoints!` checks while it compiles.

use super::{Cost, Who};
use crate::scope::Scopes;

/// The last segment of a module path.
#[doc(hidden)]
pub const fn feature(module: &'static str) -> &'static str {
    let mut rest = module;
    let mut index = 0;
    while index < rest.len() {
        if rest.as_bytes()[index] == b':' {
            rest = rest.split_at(index + 1).1;
            index = 0;
        } else {
            index += 1;
        }
    }
    rest
}

/// Whether the flags mark the response as a secret.
#[doc(hidden)]
pub const fn is_secret(flags: &[&str]) -> bool {
    has_flag(flags, "secret") || has_flag(flags, "repeatable")
}

/// Whether the flags ask the caller to confirm who it is; fails to compile where no account calls.
#[doc(hidden)]
pub const fn is_guarded(who: Who, flags: &[&str]) -> bool {
    let guarded = has_flag(flags, "guarded");
    let is_account = matches!(who, Who::Account | Who::Moderator | Who::Admin);
    assert!(is_account || !guarded, "only accounts can confirm who they are");
    guarded
}

/// Whether an endpoint with this method and these flags refuses unknown members.
#[doc(hidden)]
pub const fn is_strict(method: &str, flags: &[&str]) -> bool {
    let in_query = matches!(method.as_bytes(), b"GET" | b"DELETE");
    if in_query { !has_flag(flags, "open") } else { has_flag(flags, "strict") }
}

/// Whether a flag is in a list; fails to compile for flags that do not exist.
#[doc(hidden)]
pub const fn has_flag(flags: &[&str], flag: &str) -> bool {
    let (mut index, mut found) = (0, false);
    while index < flags.len() {
        let known = flags[index].as_bytes();
        assert!(
            matches!(
                known,
                b"secret"
                    | b"repeatable"
                    | b"strict"
                    | b"open"
                    | b"guarded"
                    | b"delayed"
                    | b"resumable"
                    | b"deprecated"
            ),
            "the flags of an endpoint are `secret`, `repeatable`, `strict`, `open`, `guarded`, \
             `delayed`, `resumable` and `deprecated`"
        );
        found = found || is_equal(known, flag.as_bytes());
        index += 1;
    }
    found
}

pub(super) const fn is_equal(left: &[u8], right: &[u8]) -> bool {
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}

/// The declared scopes; fails to compile where accounts call and none is declared.
#[doc(hidden)]
pub const fn scopes(who: Who, declared: &[&str]) -> Scopes {
    let scopes = Scopes::declared(declared);
    let is_account = matches!(who, Who::Account | Who::Moderator | Who::Admin);
    assert!(is_account != scopes.is_empty(), "calls by accounts, and no others, need a scope");
    scopes
}

/// The declared cost; fails to compile where an account changes something and none is declared, and
/// where there is nothing to charge.
#[doc(hidden)]
pub const fn cost(method: &str, who: Who, declared: &[Cost]) -> Cost {
    let is_charged =
        !is_equal(method.as_bytes(), b"GET") && !matches!(who, Who::Anyone | Who::Developer);
    if let [cost] = declared {
        assert!(is_charged, "only changes by accounts have a cost: reading is free");
        *cost
    } else {
        assert!(!is_charged, "changes by accounts declare their cost");
        Cost::Free
    }
}
