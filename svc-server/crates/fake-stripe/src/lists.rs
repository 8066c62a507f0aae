//! Pages, filters and expanded objects.

use serde_json::{Value, json};

use crate::books::{Books, number};
use crate::failure::Failure;

const LIMIT: usize = 10;
const LIMIT_MAX: usize = 100;

/// How deep Stripe expands.
const DEPTH_MAX: usize = 4;

/// Members that hold the id of another object.
const EXPANDABLE: [&str; 11] = [
    "payment_intent",
    "latest_charge",
    "charge",
    "balance_transaction",
    "invoice",
    "source",
    "failure_balance_transaction",
    "customer",
    "subscription",
    "payments",
    "destination",
];

impl Books {
    /// A page of the objects of a type that have these members.
    pub(crate) fn page(
        &self,
        kind: &str,
        filters: &[&str],
        params: &Value,
    ) -> Result<Value, Failure> {
        let limit = match params["limit"].as_str().map(str::parse::<usize>) {
            None => LIMIT,
            Some(Ok(limit @ 1..=LIMIT_MAX)) => limit,
            Some(_) => return Err(Failure::parameter("parameter_invalid_integer", "limit")),
        };
        let is_wanted = |object: &&Value| {
            let has = |name: &&str| params[*name].is_null() || params[*name] == object[*name];
            filters.iter().all(has)
                && is_created(object, &params["created"])
                && is_of(object, params)
                && (object["object"] != "subscription" || is_listed(object, params))
        };
        let mut objects: Vec<_> = self.newest(kind).filter(is_wanted).collect();
        let place = |objects: &[&Value], id: &str| {
            let found = objects.iter().position(|object| object["id"] == id);
            found.ok_or_else(|| Failure::missing(id))
        };
        let mut has_more = false;
        if let Some(id) = params["starting_after"].as_str() {
            objects.drain(..=place(&objects, id)?);
        }
        if let Some(id) = params["ending_before"].as_str() {
            objects.truncate(place(&objects, id)?);
            has_more = objects.len() > limit;
            objects.drain(..objects.len().saturating_sub(limit));
        }
        has_more |= objects.len() > limit;
        objects.truncate(limit);
        Ok(json!({ "object": "list", "data": objects, "has_more": has_more }))
    }

    /// Puts objects in place of their ids.
    pub(crate) fn expand(&self, answer: &mut Value, params: &Value) -> Result<(), Failure> {
        for path in params["expand"].as_array().into_iter().flatten() {
            let path = path.as_str().unwrap_or_default();
            let names: Vec<_> = path.split('.').collect();
            let refused = || Failure::parameter("parameter_invalid", &format!("expand {path}"));
            if names.len() > DEPTH_MAX || !self.expand_path(answer, &names) {
                return Err(refused());
            }
        }
        Ok(())
    }

    /// Whether all names of the path can be expanded.
    fn expand_path(&self, place: &mut Value, names: &[&str]) -> bool {
        let mut places = vec![place];
        for name in names {
            let mut next = Vec::new();
            for place in places {
                match (*name, place.get_mut(*name)) {
                    ("data", Some(Value::Array(items))) => next.extend(items.iter_mut()),
                    ("reversals", Some(member)) => next.push(member),
                    (name, Some(member)) if EXPANDABLE.contains(&name) => {
                        if let Some(object) = member.as_str().and_then(|id| self.find(id)) {
                            *member = object.clone();
                        }
                        next.extend(member.is_object().then_some(member));
                    }
                    // It is absent until a refund fails.
                    ("failure_balance_transaction", None) => {}
                    _ => return false,
                }
            }
            places = next;
        }
        true
    }
}

/// Whether an object was created in a range.
fn is_created(object: &Value, range: &Value) -> bool {
    let created = number(object, "created");
    let bound = |name: &str| range[name].as_str().and_then(|text| text.parse::<i64>().ok());
    bound("gte").is_none_or(|it| created >= it)
        && bound("gt").is_none_or(|it| created > it)
        && bound("lte").is_none_or(|it| created <= it)
        && bound("lt").is_none_or(|it| created < it)
}

/// Whether an event has one of the wanted types.
fn is_of(object: &Value, params: &Value) -> bool {
    match params["types"].as_array() {
        Some(types) => types.contains(&object["type"]),
        None => true,
    }
}

/// Whether a subscription is listed: one that was cancelled only on request.
fn is_listed(subscription: &Value, params: &Value) -> bool {
    !params["status"].is_null() || subscription["status"] != "canceled"
}
