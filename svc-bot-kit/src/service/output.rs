//! The result of a handler.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use svc_client::types::api::escrow::Deliverable;

use super::fail::Fail;
use super::schema;

/// The result of a handler: any type that serializes to a JSON object, or [`Handover`].
///
/// It is sent in a message of at most 40,000 characters, or delivered into the escrow that pays, as at most
/// 64 KiB of JSON. An order with a longer result is answered with an error and costs nothing.
pub trait Output: sealed::Sealed + Send + 'static {
    #[doc(hidden)]
    fn schema() -> Option<schemars::Schema>;

    #[doc(hidden)]
    fn done(self) -> Result<Finished, Fail>;
}

/// External work that is delivered into an escrow, such as a branch of a repository.
///
/// A service that returns it declines orders without an escrow.
///
/// ```
/// use serde::Deserialize;
/// use schemars::JsonSchema;
/// use svc_bot_kit::client::types::api::escrow::Deliverable;
/// use svc_bot_kit::{Ctx, Fail, Handover, service};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Ask { title: String }
///
/// async fn program(_cx: Ctx, ask: Ask) -> Result<Handover, Fail> {
///     let checksum = format!("sha256:{}", "0".repeat(64)); // of what was pushed
///     let branch = ask.title.to_lowercase();
///     Ok(Handover::of(Deliverable::code("https://git.example.org/work", branch, checksum)))
/// }
/// let program = service("program", program).price(80);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Handover(Deliverable);

impl Handover {
    /// Delivers this.
    ///
    /// ```
    /// use svc_bot_kit::client::types::api::escrow::Deliverable;
    /// svc_bot_kit::Handover::of(Deliverable::new("report"));
    /// ```
    pub fn of(deliverable: Deliverable) -> Self {
        Self(deliverable)
    }
}

/// The type-erased result of a handler.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Done {
    /// The answer, or the content of a deliverable.
    Output(Map<String, Value>),
    /// The deliverable itself.
    Work(Deliverable),
}

/// The result of a handler, opaque to other crates.
#[doc(hidden)]
#[derive(Debug)]
pub struct Finished(pub(crate) Done);

impl<T: Serialize + JsonSchema + Send + 'static> Output for T {
    fn schema() -> Option<schemars::Schema> {
        Some(schema::of_output::<T>())
    }

    fn done(self) -> Result<Finished, Fail> {
        match serde_json::to_value(self)? {
            Value::Object(output) => Ok(Finished(Done::Output(output))),
            _ => Err(std::io::Error::other("the output must be a JSON object").into()),
        }
    }
}

impl Output for Handover {
    fn schema() -> Option<schemars::Schema> {
        None
    }

    fn done(self) -> Result<Finished, Fail> {
        Ok(Finished(Done::Work(self.0)))
    }
}

mod sealed {
    pub trait Sealed {}
    impl<T: serde::Serialize + schemars::JsonSchema> Sealed for T {}
    impl Sealed for super::Handover {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_that_is_not_an_object_is_an_error() {
        assert!(vec![1, 2].done().is_err());
    }
}
