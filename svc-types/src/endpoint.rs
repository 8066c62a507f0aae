//! One declaration per endpoint: the request struct is the endpoint.

use std::fmt::Debug;

use http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Code;

/// A request type that knows its method, path, caller, answer and refusals.
///
/// Declared by [`endpoints!`](crate::endpoints); fields travel as [`wire`](crate::wire) says.
pub trait Endpoint:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static
{
    /// Who may call, one of the types in [`by`].
    type By: By;
    /// Body of the successful answer.
    type Response: Debug + Serialize + DeserializeOwned + JsonSchema + Send + 'static;
    /// Name of the request type, such as `SendMessage`.
    const NAME: &'static str;
    /// The feature it belongs to, such as `messages`.
    const FEATURE: &'static str;
    /// HTTP method.
    const METHOD: Method;
    /// Path below the base URL, with `{camelCase}` parameters.
    const PATH: &'static str;
    /// Status of the successful answer.
    const STATUS: StatusCode;
    /// Refusals beyond the common ones.
    const FAILS: &'static [Code];
    /// Whether the answer holds a secret that is shown once, and so is never stored or replayed.
    const SECRET: bool;
    /// First line: a summary. The rest: details.
    const DOC: &'static str;
}

/// The declaration of an endpoint as a value, for what treats all endpoints alike.
///
/// ```
/// use svc_types::api::posts::GetPost;
/// use svc_types::endpoint::Declaration;
///
/// let declared = Declaration::of::<GetPost>();
/// assert_eq!((declared.name, declared.path), ("GetPost", "/posts/{postId}"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Declaration {
    /// [`Endpoint::NAME`].
    pub name: &'static str,
    /// [`Endpoint::FEATURE`].
    pub feature: &'static str,
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
    /// [`Endpoint::SECRET`].
    pub secret: bool,
    /// [`Endpoint::DOC`].
    pub doc: &'static str,
}

impl Declaration {
    /// What an endpoint declares.
    pub const fn of<E: Endpoint>() -> Self {
        Self {
            name: E::NAME,
            feature: E::FEATURE,
            method: E::METHOD,
            path: E::PATH,
            who: E::By::WHO,
            status: E::STATUS,
            fails: E::FAILS,
            secret: E::SECRET,
            doc: E::DOC,
        }
    }
}

/// Gets each endpoint of a feature, or of all, in order of declaration.
pub trait Visitor {
    /// Called once for each endpoint.
    fn visit<E: Endpoint>(&mut self);
}

/// Who may call an endpoint, as a type.
pub trait By: Debug + Send + Sync + 'static {
    /// The same as a value.
    const WHO: Who;
}

/// Who may call an endpoint, as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Who {
    /// No credential is looked at.
    Anyone,
    /// Anonymous or an account; a credential that is sent must be valid.
    Optional,
    /// An account, by API key or session cookie.
    Account,
    /// A developer's app, by developer key.
    Developer,
    /// A moderator or an admin.
    Moderator,
    /// An admin.
    Admin,
}

/// The kinds of callers.
pub mod by {
    use super::{By, Who};

    macro_rules! callers {
        ($($(#[doc = $doc:literal])+ $name:ident;)+) => {$(
            $(#[doc = $doc])+
            #[derive(Clone, Copy, Debug)]
            pub enum $name {}

            impl By for $name {
                const WHO: Who = Who::$name;
            }
        )+};
    }

    callers! {
        /// No credential is looked at.
        Anyone;
        /// Anonymous or an account; a credential that is sent must be valid.
        Optional;
        /// An account, by API key or session cookie.
        Account;
        /// A developer's app, by developer key.
        Developer;
        /// A moderator or an admin.
        Moderator;
        /// An admin.
        Admin;
    }
}

/// Declares endpoints: a line of HTTP above a plain struct.
///
/// `fails [..]` names the codes beyond the common ones, `as secret` marks an answer
/// that is shown once. The first doc line is the summary in OpenAPI, rustdoc and `svc call`.
#[macro_export]
macro_rules! endpoints {
    ($(
        $(#[doc = $doc:literal])+
        $method:ident $path:literal by $by:ident => $status:ident $response:ty
            $(as $secret:ident)? $(, fails [$($code:ident),+ $(,)?])?;
        $name:ident {
            $($(#[$meta:meta])* $field:ident: $type:ty),* $(,)?
        }
    )+) => {
        $(
            $(#[doc = $doc])+
            #[doc = ""]
            #[doc = concat!("`", stringify!($method), " ", $path, "`")]
            #[derive(
                Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
            )]
            #[serde(rename_all = "camelCase")]
            pub struct $name {
                $($(#[$meta])* pub $field: $type,)*
            }

            impl $crate::Endpoint for $name {
                type By = $crate::by::$by;
                type Response = $response;
                const NAME: &'static str = stringify!($name);
                const FEATURE: &'static str = $crate::endpoint::feature(module_path!());
                const METHOD: http::Method = http::Method::$method;
                const PATH: &'static str = $path;
                const STATUS: http::StatusCode = http::StatusCode::$status;
                const FAILS: &'static [$crate::Code] = &[$($($crate::Code::$code),+)?];
                const SECRET: bool = false $(|| $crate::endpoint::flag(stringify!($secret)))?;
                const DOC: &'static str = concat!($($doc, "\n"),+);
            }
        )+

        /// Shows `visitor` each endpoint of this feature.
        pub fn visit(visitor: &mut impl $crate::Visitor) {
            $(visitor.visit::<$name>();)+
        }
    };
}

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

/// Refuses any flag but `secret`, at compile time.
#[doc(hidden)]
pub const fn flag(word: &str) -> bool {
    assert!(matches!(word.as_bytes(), b"secret"), "the only flag of an endpoint is `secret`");
    true
}

/// The names of the parameters in a path, in order.
pub fn path_parameters(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
}
