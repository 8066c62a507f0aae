//! Objects, the events about them, and the clock.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::failure::Failure;

/// Events are kept for 30 days.
const EVENTS_SECONDS: i64 = 30 * 24 * 3600;

/// Everything that happened.
#[derive(Debug)]
pub(crate) struct Books {
    pub(crate) now: i64,
    pub(crate) tax_percent: i64,
    pub(crate) holds_refunds: bool,
    /// Whether there is too little money for transfers.
    pub(crate) is_short: bool,
    /// What each session attaches to its payment.
    pub(crate) payment_metadata: BTreeMap<String, Value>,
    /// What each page of a subscription makes of it.
    pub(crate) wanted: BTreeMap<String, Value>,
    /// Customers whose cards are declined.
    pub(crate) declined: BTreeSet<String>,
    /// Objects by id.
    objects: BTreeMap<String, Value>,
    /// Their ids, the oldest first.
    order: Vec<String>,
    /// How many of them, as events, were handed out as webhooks.
    delivered: usize,
}

/// The text of a member that is always there.
pub(crate) fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_else(|| panic!("{name} is a text in {object}"))
}

/// The number of a member that is always there.
pub(crate) fn number(object: &Value, name: &str) -> i64 {
    object[name].as_i64().unwrap_or_else(|| panic!("{name} is a number in {object}"))
}

impl Books {
    pub(crate) fn new(now: i64) -> Self {
        Self {
            now,
            tax_percent: 19,
            holds_refunds: false,
            is_short: false,
            payment_metadata: BTreeMap::new(),
            wanted: BTreeMap::new(),
            declined: BTreeSet::new(),
            objects: BTreeMap::new(),
            order: Vec::new(),
            delivered: 0,
        }
    }

    /// Adds an object and returns its id. Id and time are set here.
    pub(crate) fn add(&mut self, prefix: &str, mut object: Value) -> String {
        let id = format!("{prefix}_fake{:010}", self.order.len() + 1);
        object["id"] = id.clone().into();
        object["created"] = self.now.into();
        self.order.push(id.clone());
        self.objects.insert(id.clone(), object);
        id
    }

    pub(crate) fn find(&self, id: &str) -> Option<&Value> {
        self.objects.get(id)
    }

    /// An object that a caller names.
    pub(crate) fn named(&self, kind: &str, id: &str) -> Result<&Value, Failure> {
        self.find(id).filter(|it| it["object"] == kind).ok_or_else(|| Failure::missing(id))
    }

    /// An object that exists.
    pub(crate) fn object(&self, id: &str) -> &Value {
        self.find(id).unwrap_or_else(|| panic!("there is an object {id}"))
    }

    pub(crate) fn change(&mut self, id: &str, change: impl FnOnce(&mut Value)) {
        change(self.objects.get_mut(id).unwrap_or_else(|| panic!("there is an object {id}")));
    }

    /// Sets members of an object.
    pub(crate) fn set(&mut self, id: &str, members: Value) {
        let Value::Object(members) = members else { panic!("members are an object") };
        self.change(id, |object| members.into_iter().for_each(|(name, it)| object[name] = it));
    }

    /// Objects of a type, the newest first. Old events are gone.
    pub(crate) fn newest<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        let since = self.now - EVENTS_SECONDS;
        let objects = self.order.iter().rev().map(|id| &self.objects[id]);
        let objects = objects.filter(move |object| object["object"] == kind);
        objects.filter(move |object| kind != "event" || number(object, "created") >= since)
    }

    /// Writes down that something happened to an object.
    pub(crate) fn emit(&mut self, kind: &str, id: &str) {
        let event = json!({
            "object": "event", "type": kind, "livemode": false, "api_version": "2026-10-28.endive",
            "pending_webhooks": 1, "request": { "id": null, "idempotency_key": null },
            "data": { "object": self.object(id) },
        });
        self.add("evt", event);
    }

    /// Events that were not handed out, the oldest first.
    pub(crate) fn undelivered(&mut self) -> Vec<Value> {
        let ids = self.order.iter().skip(self.delivered);
        let objects = ids.map(|id| &self.objects[id]);
        let waiting = objects.filter(|it| it["object"] == "event").cloned().collect();
        self.delivered = self.order.len();
        waiting
    }

    /// Moves the clock; what happens until then happens in its order.
    pub(crate) fn advance(&mut self, seconds: i64) {
        let until = self.now + seconds;
        while let Some((at, id)) = self.next_due(until) {
            self.now = self.now.max(at);
            self.happen(&id);
        }
        self.now = until;
        self.expire_sessions();
    }
}
