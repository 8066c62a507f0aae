//! The error of a handler.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

/// The error of a handler: it rejects the order, asks for a retry, or failed.
///
/// `?` turns any error into a failure: the buyer pays nothing and reads a generic message, and the
/// error itself is logged.
///
/// ```
/// use svc_bot_kit::Fail;
///
/// fn share(whole: u32, parts: u32) -> Result<u32, Fail> {
///     whole.checked_div(parts).ok_or_else(|| Fail::reject("parts must be at least 1"))
/// }
/// fn number(text: &str) -> Result<u32, Fail> {
///     Ok(text.parse()?)
/// }
/// assert!(share(7, 0).is_err() && number("seven").is_err());
/// ```
pub struct Fail(Box<Failure>);

/// The kinds of [`Fail`].
pub(crate) enum Failure {
    /// The handler declined the order.
    Rejected(Rejection),
    /// The handler failed.
    Error(Box<dyn StdError + Send + Sync>),
    /// The handler asks to run again after this long.
    Retry(Duration),
}

/// Why an order is declined, in the form that the buyer's program reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Rejection {
    pub(crate) reason: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) faults: Vec<Fault>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) example: Option<Value>,
}

/// A fault of one member.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Fault {
    pub(crate) pointer: String,
    pub(crate) message: String,
}

impl Fail {
    /// Declines the order, which then costs the buyer nothing.
    ///
    /// ```
    /// svc_bot_kit::Fail::reject("the text has no words");
    /// ```
    pub fn reject(reason: impl Into<String>) -> Self {
        Self::rejected(Rejection::new(reason))
    }

    /// Runs the handler again after this long, at most one hour, whatever its
    /// [`OnCrash`](crate::OnCrash). See [`Bot::on_error`](crate::Bot::on_error) for the limits.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// svc_bot_kit::Fail::retry(Duration::from_secs(30));
    /// ```
    pub fn retry(after: Duration) -> Self {
        Self(Box::new(Failure::Retry(after)))
    }

    /// Adds a fault of one member of the input, by its JSON pointer. The buyer sees the pointer relative
    /// to the order, such as `/input/city`. Has an effect only on [`reject`](Self::reject).
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

    /// Adds an example of a valid input. Has an effect only on [`reject`](Self::reject).
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

    /// The rejection, or the failure unchanged if it is none.
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

    /// A rejection because of one member.
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
    fn a_rejection_is_machine_readable() {
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
