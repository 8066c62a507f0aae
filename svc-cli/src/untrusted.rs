//! Text from other accounts: data, separate from our messages.

use serde::Serialize;
use serde_json::{Value, json};

use crate::output::one_line;

/// The member with text from other accounts, in responses of tools and in errors.
const MEMBER: &str = "untrusted";

/// A value with text from other accounts: names, contents, titles, reasons.
///
/// It has no `Display`, so that none of it gets into a hint or a message by accident. Programs find
/// it under [`MEMBER`]; people see it behind what we say.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Untrusted(Value);

impl Untrusted {
    pub(crate) fn new(value: impl Into<Value>) -> Self {
        Self(value.into())
    }

    /// The value as the only member of an object that says what it is.
    pub(crate) fn marked(self) -> Value {
        json!({ MEMBER: self.0 })
    }

    /// Its texts on one line, for people.
    pub(crate) fn people(&self) -> String {
        let (mut texts, mut left) = (Vec::new(), vec![&self.0]);
        while let Some(value) = left.pop() {
            match value {
                Value::String(text) => texts.push(one_line(text)),
                Value::Array(values) => left.extend(values.iter().rev()),
                Value::Object(members) => left.extend(members.values().rev()),
                _ => {}
            }
        }
        texts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_see_the_texts_and_programs_where_they_stand() {
        let untrusted = Untrusted::new(json!({ "offers": ["count\nwords", "report"] }));
        assert_eq!(untrusted.people(), "count words, report");
        let marked = json!({ "untrusted": { "offers": ["count\nwords", "report"] } });
        assert_eq!(untrusted.marked(), marked);
    }
}
