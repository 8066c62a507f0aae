//! Declarations of endpoints: the request struct is the endpoint.

use std::fmt::Debug;
use std::time::Duration;

use http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Code;
use crate::scope::Scopes;

mod check;
mod declaration;
mod deprecated;
mod lost;
mod member;

pub use declaration::Declaration;
pub use deprecated::Deprecated;
#[doc(hidden)]
pub use deprecated::deprecated;
pub use member::Member;

#[doc(hidden)]
pub use check::{cost, feature, has_flag, is_guarded, is_secret, is_strict, scopes};
#[doc(hidden)]
pub use lost::lost_hint;

/// How long the response of a [repeatable](Endpoint::REPEATABLE) endpoint is kept.
pub const REPEATABLE_FOR: Duration = Duration::from_secs(600);

/// A request type that knows its method, path, caller, response and errors.
///
/// Declared with [`endpoints!`](crate::endpoints); [`wire`](crate::wire) describes how fields
/// travel.
pub trait Endpoint:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static
{
    /// Who may call, one of the types in [`by`].
    type By: By;
    /// Body of the successful response.
    type Response: Debug + Serialize + DeserializeOwned + JsonSchema + Send + 'static;
    /// Name of the request type, such as `SendMessage`.
    const NAME: &'static str;
    /// The feature of the endpoint, such as `messages`.
    const FEATURE: &'static str;
    /// Its method in clients, as `group.method` such as `messages.send`, or the name of the method
    /// alone if it has no group.
    const CALL: &'static str;
    /// The members of the request, in the order of the declaration.
    const MEMBERS: &'static [Member];
    /// HTTP method.
    const METHOD: Method;
    /// Path below the base URL, with `{camelCase}` parameters.
    const PATH: &'static str;
    /// Status of the successful response.
    const STATUS: StatusCode;
    /// Error codes in addition to the common ones.
    const FAILS: &'static [Code];
    /// The scopes of which the caller's API key needs one; none for callers without an account.
    /// Where there are several, the request decides which one is needed.
    const SCOPES: Scopes;
    /// Whether the caller must have [confirmed](crate::api::auth::StepUp) who it is lately.
    const GUARDED: bool;
    /// Whether the change may be pending for a while. Its status is then 202, and `pendingUntil` of the
    /// response says until when.
    const DELAYED: bool;
    /// Whether a member of the request names what is created, so that the same request again
    /// returns it with status 200.
    const RESUMABLE: bool;
    /// What a call charges to the budgets of its account.
    const COST: Cost;
    /// Whether the response contains a secret that is shown once and is not stored in plain text.
    const SECRET: bool;
    /// Whether a [secret](Self::SECRET) response is stored encrypted for [`REPEATABLE_FOR`], so that an
    /// anonymous caller who lost it receives it again with the same Idempotency-Key.
    const REPEATABLE: bool;
    /// Whether an unknown query parameter or body member is refused. Queries are strict unless
    /// declared `as open`; bodies are strict only if declared `as strict`.
    const STRICT: bool;
    /// Since when the endpoint should not be used any more, if it goes.
    const DEPRECATED: Option<Deprecated>;
    /// Documentation: the first line is the summary, the rest the details.
    const DOC: &'static str;
}

/// The text of a doc comment for users of the API: without indentation and notes such as
/// ` (spec §4)`.
///
/// ```
/// assert_eq!(svc_types::published(" Publish a post (spec §8)."), "Publish a post.");
/// ```
pub fn published(doc: &str) -> String {
    let mut plain = String::with_capacity(doc.len());
    for line in doc.trim().lines() {
        let mut rest = line.trim();
        while let Some((before, note)) = rest.split_once("(spec §") {
            plain.push_str(before.trim_end());
            rest = note.split_once(')').map_or("", |(_, after)| after);
        }
        plain.push_str(rest);
        plain.push('\n');
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// Visits each endpoint of a feature, or of all features, in order of declaration.
pub trait Visitor {
    /// Called once for each endpoint.
    fn visit<E: Endpoint>(&mut self);
}

/// Who may call an endpoint, as a type.
pub trait By: Debug + Send + Sync + 'static {
    /// The caller as a value.
    const WHO: Who;
}

/// Who may call an endpoint, as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Who {
    /// Any caller; credentials are ignored.
    Anyone,
    /// Anonymous or an account. An invalid credential is refused.
    Optional,
    /// An account, by API key or session cookie.
    Account,
    /// A developer app, by developer key.
    Developer,
    /// A moderator or an admin.
    Moderator,
    /// An admin.
    Admin,
}

/// What a call charges to the budgets of its account.
///
/// ```
/// use svc_types::api::lists::CreateList;
/// use svc_types::api::posts::{CreateReply, GetPost};
/// use svc_types::{Cost, Endpoint};
///
/// assert_eq!(GetPost::COST, Cost::Free);
/// assert_eq!(CreateList::COST, Cost::Write);
/// assert_eq!(CreateReply::COST, Cost::Bytes);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cost {
    /// Nothing: the call reads, marks as read, or secures the account.
    Free,
    /// The bytes of its body only: the call has its own limit, or continues a deal.
    Bytes,
    /// A write and its bytes.
    Write,
    /// A write, a message and its bytes. An order is charged as a deal; the answer to an order is
    /// charged its bytes only.
    Message,
    /// A write, a deal and its bytes.
    Deal,
}

/// Types of callers.
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
        /// Any caller; credentials are ignored.
        Anyone;
        /// Anonymous or an account. An invalid credential is refused.
        Optional;
        /// An account, by API key or session cookie.
        Account;
        /// A developer app, by developer key.
        Developer;
        /// A moderator or an admin.
        Moderator;
        /// An admin.
        Admin;
    }
}

/// Declares endpoints: a line of HTTP above a plain struct.
///
/// `as messages.send` after the path names the method in clients: the required members are its
/// arguments in their order, the optional ones are set on the call. `scope ..` names what an API key
/// must be allowed to do, and follows every caller that is an account: one scope, `A or B` where the
/// request decides, or `Any`. `cost ..` names what a call charges to the caller's budgets, and
/// follows every change by an account; reading is free. `fails [..]` names the codes in addition to
/// the common ones.
///
/// Flags follow the type of the answer: `as secret` marks one that is shown once, `as repeatable`
/// one that is returned again for a few minutes to a caller who repeats the request. `as strict`
/// refuses body members that are not declared, `as open` ignores such query parameters. `as guarded`
/// refuses callers who have not confirmed who they are within ten minutes. `as delayed` documents
/// that a change may be pending for a while, with status 202, and `as resumable` that the answer may be
/// what an equal request created before, with status 200. `as deprecated "2026-03-01"` announces that it
/// goes, twelve months later at the earliest.
///
/// The first doc line is the summary in OpenAPI, rustdoc and `svc call`.
#[macro_export]
macro_rules! endpoints {
    ($(
        $(#[doc = $doc:literal])+
        $method:ident $path:literal as $group:ident $(. $call:ident)?
            by $by:ident $(scope $scope:ident $(or $other:ident)*)? $(cost $cost:ident)? => $status:ident $response:ty
            $(as $flag:ident $($since:literal)?)* $(, fails [$($code:ident),+ $(,)?])?;
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
                const CALL: &'static str =
                    concat!(stringify!($group) $(, ".", stringify!($call))?);
                const MEMBERS: &'static [$crate::endpoint::Member] = &[$(
                    $crate::endpoint::Member::declared(stringify!($field), stringify!($type)),
                )*];
                const METHOD: http::Method = http::Method::$method;
                const PATH: &'static str = $path;
                const STATUS: http::StatusCode = http::StatusCode::$status;
                const FAILS: &'static [$crate::Code] = &[$($($crate::Code::$code),+)?];
                const SCOPES: $crate::Scopes = $crate::endpoint::scopes(
                    <$crate::by::$by as $crate::By>::WHO,
                    &[$(stringify!($scope) $(, stringify!($other))*)?],
                );
                const GUARDED: bool = $crate::endpoint::is_guarded(
                    <$crate::by::$by as $crate::By>::WHO,
                    &[$(stringify!($flag)),*],
                );
                const DELAYED: bool =
                    $crate::endpoint::has_flag(&[$(stringify!($flag)),*], "delayed");
                const RESUMABLE: bool =
                    $crate::endpoint::has_flag(&[$(stringify!($flag)),*], "resumable");
                const COST: $crate::endpoint::Cost = $crate::endpoint::cost(
                    stringify!($method),
                    <$crate::by::$by as $crate::By>::WHO,
                    [$($crate::endpoint::Cost::$cost)?].as_slice(),
                );
                const SECRET: bool = $crate::endpoint::is_secret(&[$(stringify!($flag)),*]);
                const REPEATABLE: bool =
                    $crate::endpoint::has_flag(&[$(stringify!($flag)),*], "repeatable");
                const STRICT: bool = $crate::endpoint::is_strict(
                    stringify!($method),
                    &[$(stringify!($flag)),*],
                );
                const DEPRECATED: Option<$crate::endpoint::Deprecated> =
                    $crate::endpoint::deprecated(&[$((stringify!($flag), concat!($($since)?))),*]);
                const DOC: &'static str = concat!($($doc, "\n"),+);
            }
        )+

        /// Calls `visitor` with each endpoint of this feature.
        pub fn visit(visitor: &mut impl $crate::Visitor) {
            $(visitor.visit::<$name>();)+
        }
    };
}

/// The names of the path parameters, in order.
pub fn path_parameters(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
}
