//! What an SDK needs to know of the endpoints, whatever its language.

use std::collections::BTreeMap;

use http::Method as Verb;
use serde_json::Value;
use svc_types::api::agents::CreateIdentityToken;
use svc_types::api::orders::CreateOrder;
use svc_types::endpoint::{self as declaration, Who, lost_hint, path_parameters};
use svc_types::{Code, Declaration, Endpoint, wire};

use crate::generate::client::endpoint::{self, Described};
use crate::generate::wording;

/// Methods whose SDKs offer something better under the name of the endpoint: `orders.create` takes
/// `user/service` and returns an order that can be waited for. It is built on this method.
const RENAMED: [(&str, &str); 1] = [(CreateOrder::NAME, "place")];

/// Names of the options of every call, in Rust's case. No member of a request has one of them, so
/// that a language may pass both in the same way.
#[cfg(test)]
const OPTIONS: [&str; 5] = ["idempotency_key", "timeout", "retries", "headers", "signal"];

/// The methods of a group, such as `orders`, in the order of their declaration.
pub(crate) struct Group {
    /// Its name; empty for the methods of the client itself.
    pub(crate) name: &'static str,
    pub(crate) methods: Vec<Method>,
}

/// The method of an endpoint.
pub(crate) struct Method {
    /// Its name, such as `delete_review`.
    pub(crate) name: &'static str,
    /// The name of the endpoint, such as `DeleteReview`; the schema of its body has this name, too.
    pub(crate) endpoint: &'static str,
    pub(crate) verb: Verb,
    /// Path below the base URL, with the names of members on the wire: `/orders/{orderId}`.
    pub(crate) path: &'static str,
    /// The members that cannot be omitted: positional, in this order.
    pub(crate) required: Vec<Member>,
    /// The members that can be omitted: passed by name. The cursor of a page is not among them.
    pub(crate) optional: Vec<Member>,
    /// The name of the answer's schema, such as `OrderEnvelope`.
    pub(crate) answer: String,
    /// The member of the answer with the items, if the answer is a page of a list. The next page is
    /// requested with its `nextCursor` as `cursor`.
    pub(crate) list: Option<String>,
    /// Whose credential a call needs.
    pub(crate) who: Who,
    /// How a call may be repeated after an attempt whose outcome is unknown.
    pub(crate) repeat: Repeat,
    /// Whether the server honours the Idempotency-Key of an anonymous caller.
    pub(crate) keeps_anonymous_keys: bool,
    /// The next step if the answer was lost and the call may not be repeated, where it is more than
    /// to check what took effect.
    pub(crate) lost_hint: Option<&'static str>,
    /// The first line of the documentation, without full stop.
    pub(crate) summary: String,
    /// The rest of the documentation; may be empty.
    pub(crate) details: String,
    /// Error codes specific to the endpoint.
    pub(crate) fails: &'static [Code],
}

/// How a call may be repeated once it may have reached the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// With the same Idempotency-Key.
    Same,
    /// With a new key: the server does not store the answer, and a second effect is harmless.
    NewKey,
    /// Not at all: its answer is a secret that the server shows once.
    Never,
}

impl Repeat {
    fn of(declared: &Declaration) -> Self {
        let is_shown_once = declared.secret && !declared.repeatable;
        match declared.name {
            CreateIdentityToken::NAME if is_shown_once => Self::NewKey,
            _ if is_shown_once => Self::Never,
            _ => Self::Same,
        }
    }
}

/// A member of a request.
pub(crate) struct Member {
    /// Its name in Rust, such as `order_id`.
    pub(crate) name: &'static str,
    /// Its name on the wire, such as `orderId`.
    pub(crate) wire: String,
    pub(crate) place: Place,
    /// Its schema, as in the document.
    pub(crate) schema: Value,
    /// Whether its value is a list that travels as text, separated by commas.
    pub(crate) is_comma_list: bool,
    /// Its documentation.
    pub(crate) doc: String,
}

/// Where a member travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    Body,
}

/// Every method by group.
pub(crate) fn groups() -> Vec<Group> {
    let mut groups: BTreeMap<&str, Vec<Method>> = BTreeMap::new();
    for endpoint in endpoint::all() {
        groups.entry(endpoint.group().unwrap_or_default()).or_default().push(method(&endpoint));
    }
    groups.into_iter().map(|(name, methods)| Group { name, methods }).collect()
}

fn method(endpoint: &Described) -> Method {
    let declared = &endpoint.declared;
    let (optional, required): (Vec<_>, Vec<_>) =
        declared.members.iter().partition(|member| member.is_optional);
    let members = |members: Vec<&declaration::Member>| -> Vec<Member> {
        let all = members.into_iter().map(|it| member(endpoint, it));
        all.filter(|it| endpoint.list.is_none() || it.name != "cursor").collect()
    };
    let (summary, details) = wording::summary_and_details(declared.doc);
    let renamed = RENAMED.iter().find(|(name, _)| *name == declared.name);
    Method {
        name: renamed.map_or(endpoint.method(), |(_, name)| name),
        endpoint: declared.name,
        verb: declared.method.clone(),
        path: declared.path,
        required: members(required),
        optional: members(optional),
        answer: endpoint.answer_schema.clone(),
        list: endpoint.list.clone(),
        who: declared.who,
        repeat: Repeat::of(declared),
        keeps_anonymous_keys: declared.repeatable,
        lost_hint: lost_hint(declared.name).filter(|_| !declared.repeatable),
        summary,
        details,
        fails: declared.fails,
    }
}

fn member(endpoint: &Described, member: &declaration::Member) -> Member {
    let declared = &endpoint.declared;
    let name = endpoint.wire[member.name].clone();
    let place = match () {
        () if path_parameters(declared.path).any(|it| it == name) => Place::Path,
        () if wire::in_query(&declared.method) => Place::Query,
        () => Place::Body,
    };
    Member {
        name: member.name.trim_start_matches("r#"),
        wire: name,
        place,
        schema: endpoint.schemas[member.name].clone(),
        is_comma_list: member.value.starts_with("CommaList<"),
        doc: endpoint.docs[member.name].clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Method> {
        groups().into_iter().flat_map(|group| group.methods).collect()
    }

    fn find(endpoint: &str) -> Method {
        all().into_iter().find(|method| method.endpoint == endpoint).unwrap()
    }

    fn names(members: &[Member]) -> Vec<(&str, &str, Place)> {
        members.iter().map(|it| (it.name, it.wire.as_str(), it.place)).collect()
    }

    #[test]
    fn required_members_are_positional_and_each_has_its_place() {
        let progress = find("ProgressOrder");
        assert_eq!((progress.name, progress.answer.as_str()), ("progress", "OrderEnvelope"));
        let required = [("order_id", "orderId", Place::Path), ("state", "state", Place::Body)];
        assert_eq!(names(&progress.required), required);
        assert!(names(&progress.optional).contains(&("wants_until", "wantsUntil", Place::Body)));
        let list = find("ListOrders");
        assert_eq!(list.list.as_deref(), Some("orders"));
        assert!(names(&list.optional).contains(&("service_id", "serviceId", Place::Query)));
        assert!(list.optional.iter().all(|member| member.name != "cursor"));
    }

    #[test]
    fn an_answer_with_several_lists_is_no_page() {
        assert!(find("Search").list.is_none());
        assert!(find("GetThread").list.is_none());
        assert_eq!(all().iter().filter(|method| method.list.is_some()).count(), 51);
    }

    #[test]
    fn a_secret_that_is_shown_once_is_not_requested_twice() {
        let once = all().into_iter().filter(|method| method.repeat != Repeat::Same);
        let once: Vec<&str> = once.map(|method| method.endpoint).collect();
        assert!(once.contains(&"CreateApiKey") && !once.contains(&"Register"), "{once:?}");
        for method in all().iter().filter(|method| method.repeat == Repeat::Never) {
            assert!(method.lost_hint.is_some(), "what if {} is lost?", method.endpoint);
        }
    }

    #[test]
    fn no_member_has_the_name_of_an_option() {
        for method in all() {
            for member in method.required.iter().chain(&method.optional) {
                assert!(!OPTIONS.contains(&member.name), "{}.{}", method.endpoint, member.name);
                assert!(!member.schema.is_null(), "{}.{}", method.endpoint, member.name);
            }
        }
    }
}
