//! Members of requests.

use super::check;

/// A member of a request as declared, for code that is generated or built from declarations.
///
/// ```
/// use svc_types::Endpoint;
/// use svc_types::api::lists::ListLists;
///
/// let owner = ListLists::MEMBERS[0];
/// assert_eq!((owner.name, owner.value, owner.is_optional), ("owner", "Handle", true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// Its name in Rust, such as `post_id`.
    pub name: &'static str,
    /// The Rust type of its value, without the `Option` of an optional member.
    pub value: &'static str,
    /// Whether it can be omitted.
    pub is_optional: bool,
}

impl Member {
    /// A member of this name and type.
    #[doc(hidden)]
    pub const fn declared(name: &'static str, of: &'static str) -> Self {
        let (outer, _) = of.split_at(if of.len() > OPTION.len() { OPTION.len() } else { 0 });
        if !check::is_equal(outer.as_bytes(), OPTION.as_bytes()) {
            return Self { name, value: of, is_optional: false };
        }
        let value = of.split_at(OPTION.len()).1.split_at(of.len() - OPTION.len() - 1).0;
        Self { name, value, is_optional: true }
    }
}

/// How the type of an optional member begins.
const OPTION: &str = "Option<";
