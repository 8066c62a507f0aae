//! Text from other accounts: data, separate from our messages.

use serde::Serialize;
use serde_json::Value;

use crate::output::one_line;

/// A value with text from other accounts: names, contents, titles, reasons.
///
/// It has no `Display`, so that none of it gets into a hint or a message by accident. Programs find
/// it in the member `untrusted`; people see it behind what we say.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Untrusted(Value);

impl Untrusted {
    pub(crate) fn new(value: impl Into<Value>) -> Self {
        Self(value.into())
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
    use serde_json::json;

    use super::*;

    #[test]
    fn people_see_the_texts_on_one_line() {
        let untrusted = Untrusted::new(json!({ "offers": ["count\nwords", "report"] }));
        assert_eq!(untrusted.people(), "count words, report");
    }
}
