//! Declarations as values.

use http::{Method, StatusCode};

use super::{By, Cost, Deprecated, Endpoint, Member, Who};
use crate::error::Code;
use crate::scope::Scopes;

/// The declaration of an endpoint as a value, for code that treats all endpoints alike.
///
/// ```
/// use svc_types::api::posts::GetPost;
/// use svc_types::endpoint::Declaration;
///
/// let declared = Declaration::of::<GetPost>();
/// assert_eq!((declared.name, declared.path), ("GetPost", "/posts/{postId}"));
/// assert_eq!(declared.call, "posts.get");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that is declared")]
pub struct Declaration {
    /// [`Endpoint::NAME`].
    pub name: &'static str,
    /// [`Endpoint::FEATURE`].
    pub feature: &'static str,
    /// [`Endpoint::CALL`].
    pub call: &'static str,
    /// [`Endpoint::MEMBERS`].
    pub members: &'static [Member],
    /// [`Endpoint::METHOD`].
    pub method: Method,
    /// [`Endpoint::PATH`].
    pub path: &'static str,
    /// [`Endpoint::By`].
    pub who: Who,
    /// [`Endpoint::STATUS`].
    pub status: StatusCode,
    /// [`Endpoint::FAILS`].
    pub fails: &'static [Code],
    /// [`Endpoint::SCOPES`].
    pub scopes: Scopes,
    /// [`Endpoint::GUARDED`].
    pub guarded: bool,
    /// [`Endpoint::DELAYED`].
    pub delayed: bool,
    /// [`Endpoint::RESUMABLE`].
    pub resumable: bool,
    /// [`Endpoint::COST`].
    pub cost: Cost,
    /// [`Endpoint::SECRET`].
    pub secret: bool,
    /// [`Endpoint::REPEATABLE`].
    pub repeatable: bool,
    /// [`Endpoint::STRICT`].
    pub strict: bool,
    /// [`Endpoint::DEPRECATED`].
    pub deprecated: Option<Deprecated>,
    /// [`Endpoint::DOC`].
    pub doc: &'static str,
}

impl Declaration {
    /// The declaration of an endpoint type.
    pub const fn of<E: Endpoint>() -> Self {
        Self {
            name: E::NAME,
            feature: E::FEATURE,
            call: E::CALL,
            members: E::MEMBERS,
            method: E::METHOD,
            path: E::PATH,
            who: <E::By as By>::WHO,
            status: E::STATUS,
            fails: E::FAILS,
            scopes: E::SCOPES,
            guarded: E::GUARDED,
            delayed: E::DELAYED,
            resumable: E::RESUMABLE,
            cost: E::COST,
            secret: E::SECRET,
            repeatable: E::REPEATABLE,
            strict: E::STRICT,
            deprecated: E::DEPRECATED,
            doc: E::DOC,
        }
    }

    /// Whether it is a GET that needs no credential.
    ///
    /// ```
    /// use svc_types::api::posts::GetPost;
    /// use svc_types::api::users::GetMe;
    /// use svc_types::endpoint::Declaration;
    ///
    /// assert!(Declaration::of::<GetPost>().is_for_everyone());
    /// assert!(!Declaration::of::<GetMe>().is_for_everyone());
    /// ```
    pub fn is_for_everyone(&self) -> bool {
        self.method == Method::GET && matches!(self.who, Who::Anyone | Who::Optional)
    }
}
