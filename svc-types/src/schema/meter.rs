//! Values that count how often they are read, so that a check ends when its budget does.
//!
//! The checker reads a value through the traits here. Once the budget is spent, arrays and objects
//! have no further parts, so loops over them end at once. The result is then meaningless, which
//! [`Spent`] reports.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::LazyLock;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, Node, NodeIdentity, Object, SerdeJson};
use serde_json::{Map, Number, Value};

/// Bytes of a text that are compared or counted in one step.
const BYTES_PER_STEP: usize = 16;

/// Steps per byte of a text that a pattern may be run on, and per byte of a name, on which all
/// patterns of `patternProperties` are run. A pattern that defeats the engine's cache walks through
/// its states byte by byte.
const STEPS_PER_BYTE: usize = 4;
const STEPS_PER_BYTE_OF_NAME: usize = 16;

/// Larger integers that differ may be equal as floating point.
const EXACT_MAX: u64 = 1 << 53;

/// Placeholder for values in errors.
static STAND_IN: LazyLock<Value> = LazyLock::new(|| Value::from("value"));

/// Limits of a check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Reads of values and of their parts.
    pub(super) steps: usize,
    /// Created errors, including those of all branches of an `anyOf`.
    pub(super) errors: usize,
}

/// Cost of a check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spent {
    pub(super) steps: usize,
    /// Errors created before the budget was spent.
    pub(super) errors: usize,
    /// Whether the budget was spent before the check ended.
    pub(super) is_exhausted: bool,
}

/// The remaining budget of the check on this thread. The checker creates some nodes independently
/// of other nodes ([`Json::with_string_node`]), so nodes cannot carry it.
#[derive(Clone, Copy)]
struct Meter {
    left: Budget,
    errors: usize,
    is_exhausted: bool,
}

thread_local! {
    static METER: Cell<Meter> = const {
        Cell::new(Meter { left: Budget { steps: 0, errors: 0 }, errors: 0, is_exhausted: true })
    };
}

/// Runs a check within a budget.
pub(super) fn run<T>(budget: Budget, check: impl FnOnce() -> T) -> (T, Spent) {
    METER.set(Meter { left: budget, errors: 0, is_exhausted: false });
    let answer = check();
    let Meter { left, errors, is_exhausted } = METER.get();
    (answer, Spent { steps: budget.steps - left.steps, errors, is_exhausted })
}

/// Takes steps off the budget; `false` once it is spent.
fn step(steps: usize) -> bool {
    let mut meter = METER.get();
    if meter.is_exhausted {
        return false;
    }
    match meter.left.steps.checked_sub(steps) {
        Some(left) => meter.left.steps = left,
        None => meter.is_exhausted = true,
    }
    METER.set(meter);
    !meter.is_exhausted
}

/// Takes one error off the budget.
fn count_error() {
    let mut meter = METER.get();
    if meter.is_exhausted {
        return;
    }
    match meter.left.errors.checked_sub(1) {
        Some(left) => (meter.left.errors, meter.errors) = (left, meter.errors + 1),
        None => meter.is_exhausted = true,
    }
    METER.set(meter);
}

/// A representation of JSON whose values are metered.
pub(super) struct Metered;

/// A value whose reads are counted.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    value: &'a Value,
    /// Whether it is the name of a member. Errors about names show the name.
    is_name: bool,
}

impl<'a> Part<'a> {
    pub(super) fn of(value: &'a Value) -> Self {
        Self { value, is_name: false }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Members<'a>(&'a Map<String, Value>);

#[derive(Clone, Copy)]
pub(super) struct Elements<'a>(&'a [Value]);

impl Json for Metered {
    type Node<'a> = Part<'a>;
    type PreparedKey = String;
    type StringBuffer = Value;

    const KEYS_PER_LOOKUP: usize = SerdeJson::KEYS_PER_LOOKUP;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut Value, text: &str, f: impl FnOnce(Part<'_>) -> T) -> T {
        SerdeJson::with_string_node(buffer, text, |value| f(Part { value, is_name: true }))
    }
}

impl<'a> Node<'a, Metered> for Part<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = &'a Number;

    fn as_object(&self) -> Option<Members<'a>> {
        step(1);
        self.value.as_object().map(Members)
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        step(1);
        self.value.as_array().map(|values| Elements(values))
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        let text = self.value.as_str();
        let steps = text.map_or(1, |text| 1 + text.len() * STEPS_PER_BYTE);
        step(steps).then_some(Cow::Borrowed(text?))
    }

    fn string_length(&self) -> Option<u64> {
        let text = self.value.as_str();
        step(text.map_or(1, reading)).then(|| Node::<SerdeJson>::string_length(&self.value))?
    }

    fn as_number(&self) -> Option<&'a Number> {
        step(1);
        self.value.as_number()
    }

    fn as_boolean(&self) -> Option<bool> {
        step(1);
        self.value.as_bool()
    }

    fn is_null(&self) -> bool {
        step(1);
        self.value.is_null()
    }

    fn json_type(&self) -> JsonType {
        step(1);
        JsonType::from(self.value)
    }

    fn equals_value(&self, expected: &Value) -> bool {
        step(comparing(self.value, expected))
            && Node::<SerdeJson>::equals_value(&self.value, expected)
    }

    /// The value in errors. Messages do not show it, and errors of branches would copy it.
    fn to_value(&self) -> Cow<'a, Value> {
        count_error();
        Cow::Borrowed(if self.is_name { self.value } else { &STAND_IN })
    }

    /// Schemas have no cycles, so visited nodes need no record.
    fn identity(&self) -> Option<NodeIdentity> {
        None
    }
}

impl<'a> Object<'a, Metered> for Members<'a> {
    type Node = Part<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, name: &String) -> Option<Part<'a>> {
        if step(reading(name)) { self.0.get(name).map(Part::of) } else { None }
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter(self.0.iter())
    }
}

pub(super) struct MembersIter<'a>(serde_json::map::Iter<'a>);

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, Part<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = self.0.next()?;
        step(1 + name.len() * STEPS_PER_BYTE_OF_NAME).then_some((name, Part::of(value)))
    }
}

impl<'a> Array<'a, Metered> for Elements<'a> {
    type Node = Part<'a>;
    type ElementsIter = ElementsIter<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn elements(&self) -> ElementsIter<'a> {
        ElementsIter(self.0.iter())
    }

    fn is_unique(&self) -> bool {
        step(telling_apart(self.0)) && Array::<SerdeJson>::is_unique(&self.0)
    }
}

pub(super) struct ElementsIter<'a>(std::slice::Iter<'a, Value>);

impl<'a> Iterator for ElementsIter<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        let value = self.0.next()?;
        step(1).then_some(Part::of(value))
    }
}

/// Steps to read a text.
fn reading(text: &str) -> usize {
    1 + text.len() / BYTES_PER_STEP
}

/// Steps to compare two values: at most the size of the smaller one.
fn comparing(value: &Value, other: &Value) -> usize {
    match (value, other) {
        (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => {
            reading_all(value).min(reading_all(other))
        }
        (Value::String(text), Value::String(other)) => reading(text).min(reading(other)),
        _ => 1,
    }
}

/// Steps to determine whether all values differ. Up to 15 are compared pairwise; more are hashed,
/// and those with equal hashes compared.
fn telling_apart(values: &[Value]) -> usize {
    let reading: usize = values.iter().map(reading_all).fold(0, usize::saturating_add);
    let alike = values.iter().filter(|value| may_share_hash(value)).count();
    reading.saturating_mul(8).saturating_add(alike.saturating_mul(alike) / 4)
}

/// Whether other values can be constructed with the same hash: a large integer is hashed as
/// floating point, and a nested array like one that is nested differently.
fn may_share_hash(value: &Value) -> bool {
    match value {
        Value::Number(number) => number
            .as_u64()
            .or_else(|| number.as_i64().map(i64::unsigned_abs))
            .is_some_and(|size| size > EXACT_MAX),
        Value::Array(_) | Value::Object(_) => true,
        _ => false,
    }
}

/// Steps to read a value with all its parts.
fn reading_all(value: &Value) -> usize {
    match value {
        Value::String(text) => reading(text),
        Value::Array(values) => 1 + values.iter().map(reading_all).sum::<usize>(),
        Value::Object(members) => {
            1 + members
                .iter()
                .map(|(name, value)| reading(name) + reading_all(value))
                .sum::<usize>()
        }
        _ => 1,
    }
}

/// Length of the longest pointer to a part of a value.
pub(super) fn longest_pointer(value: &Value) -> usize {
    let (mut longest, mut open) = (0, vec![(0, value)]);
    while let Some((length, value)) = open.pop() {
        longest = longest.max(length);
        match value {
            // No index of an array that fits into memory is longer.
            Value::Array(values) => open.extend(values.iter().map(|value| (length + 20, value))),
            Value::Object(members) => {
                open.extend(
                    members.iter().map(|(name, value)| (length + 1 + 2 * name.len(), value)),
                );
            }
            _ => {}
        }
    }
    longest
}
