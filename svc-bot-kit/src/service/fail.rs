//! Why a handler gives no result.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

/// Why an order gets no result: the buyer asked for what can't be done, or we failed.
///
/// Any error becomes a failure of ours by `?`: the buyer pays nothing and reads a text of the kit;
/// the error itself goes to the log.
///
/// ```
/// use svc_bot_kit::Fail;
///
/// fn share(whole: u32, parts: u32) -> Result<u32, Fail> {
///     whole.checked_div(parts).ok_or_else(|| Fail::reject("nothing can be shared by nobody"))
/// }
/// fn number(text: &str) -> Result<u32, Fail> {
///     Ok(text.parse()?)
/// }
/// assert!(share(7, 0).is_err() && number("seven").is_err());
/// ```
pub struct Fail(Box<Failure>);

/// What a [`Fail`] is.
pub(crate) enum Failure {
    /// The order is declined.
    Rejected(Rejection),
    /// We failed.
    Error(Box<dyn StdError + Send + Sync>),
    /// The handler is to start again after so long.
    Retry(Duration),
}

/// Why an order is declined, as the buyer's program reads it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Rejection {
    pub(crate) reason: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) faults: Vec<Fault>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) example: Option<Value>,
}

/// What is wrong with a member.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Fault {
    pub(crate) pointer: String,
    pub(crate) message: String,
}

impl Fail {
    /// Declines the order, which costs the buyer nothing.
    ///
    /// ```
    /// svc_bot_kit::Fail::reject("the text has no words");
    /// ```
    pub fn reject(reason: impl Into<String>) -> Self {
        Self::rejected(Rejection::new(reason))
    }

    /// Has the handler start again after so long, at most an hour, however its crashes are dealt with.
    /// [`Bot::on_error`](crate::Bot::on_error) says how often that helps, and what follows then.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// svc_bot_kit::Fail::retry(Duration::from_secs(30));
    /// ```
    pub fn retry(after: Duration) -> Self {
        Self(Box::new(Failure::Retry(after)))
    }

    /// Says what is wrong with a member of the input, by its JSON pointer. A failure of ours stays
    /// what it is. The buyer reads it as a pointer into the order, such as `/input/city`.
    ///
    /// ```
    /// svc_bot_kit::Fail::reject("no such city").fault("/city", "must be in the list of cities");
    /// ```
    #[must_use]
    pub fn fault(mut self, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        if let Failure::Rejected(rejection) = &mut *self.0 {
            rejection.add(format!("/input{}", pointer.into()), message);
        }
        self
    }

    /// Shows an input that would be right. A failure of ours stays what it is.
    ///
    /// ```
    /// let example = serde_json::json!({ "city": "Oslo" });
    /// svc_bot_kit::Fail::reject("no such city").example(example);
    /// ```
    #[must_use]
    pub fn example(mut self, input: Value) -> Self {
        if let Failure::Rejected(rejection) = &mut *self.0 {
            rejection.example = Some(input);
        }
        self
    }

    pub(crate) fn rejected(rejection: Rejection) -> Self {
        Self(Box::new(Failure::Rejected(rejection)))
    }

    pub(crate) fn failure(&self) -> &Failure {
        &self.0
    }

    /// Why the order is declined, if it is; else what it was.
    pub(crate) fn into_rejection(self) -> Result<Rejection, Self> {
        match *self.0 {
            Failure::Rejected(rejection) => Ok(rejection),
            other => Err(Self(Box::new(other))),
        }
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for Fail {
    fn from(error: E) -> Self {
        Self(Box::new(Failure::Error(Box::new(error))))
    }
}

impl fmt::Debug for Fail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Failure::Rejected(rejection) => rejection.fmt(f),
            Failure::Error(error) => error.fmt(f),
            Failure::Retry(after) => f.debug_tuple("Retry").field(after).finish(),
        }
    }
}

impl Rejection {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        let reason = Some(reason.into()).filter(|reason| !reason.is_empty());
        let reason = reason.unwrap_or_else(|| "the order is declined".to_owned());
        Self { reason, ..Self::default() }
    }

    pub(crate) fn add(&mut self, pointer: impl Into<String>, message: impl Into<String>) {
        self.faults.push(Fault { pointer: pointer.into(), message: message.into() });
    }

    /// The same for one member alone.
    pub(crate) fn at(reason: impl Into<String>, pointer: &str, message: impl Into<String>) -> Self {
        let mut rejection = Self::new(reason);
        rejection.add(pointer, message);
        rejection
    }

    /// The output of the answer.
    pub(crate) fn output(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(output)) => output,
            _ => Map::from_iter([("reason".to_owned(), Value::from(self.reason.as_str()))]),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn output(fail: &Fail) -> Value {
        match fail.failure() {
            Failure::Rejected(rejection) => Value::Object(rejection.output()),
            Failure::Error(error) => json!(error.to_string()),
            Failure::Retry(_) => Value::Null,
        }
    }

    #[test]
    fn a_rejection_is_read_by_programs() {
        let fail = Fail::reject("no such city").fault("/city", "unknown").example(json!({}));
        let faults = json!([{ "pointer": "/input/city", "message": "unknown" }]);
        let expected = json!({ "reason": "no such city", "faults": faults, "example": {} });
        assert_eq!(output(&fail), expected);
        assert_eq!(output(&Fail::reject("no")), json!({ "reason": "no" }));
    }

    #[test]
    fn a_rejection_always_has_a_reason() {
        assert_eq!(output(&Fail::reject("")), json!({ "reason": "the order is declined" }));
    }

    #[test]
    fn an_error_stays_an_error() {
        let fail = Fail::from(std::io::Error::other("disk")).fault("/a", "b").example(json!(1));
        assert_eq!(output(&fail), json!("disk"));
    }
}
