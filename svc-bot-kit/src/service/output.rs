//! What a handler gives back.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use svc_client::types::api::escrow::Deliverable;

use super::fail::Fail;
use super::schema;

/// What a handler may give back: any value that is written as a JSON object, or [`Handover`].
pub trait Output: sealed::Sealed + Send + 'static {
    #[doc(hidden)]
    fn schema() -> Option<schemars::Schema>;

    #[doc(hidden)]
    fn done(self) -> Result<Finished, Fail>;
}

/// Work that is handed over through an escrow, such as a branch of a repository.
///
/// A service that gives it is paid by escrow alone: other orders of it are declined.
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
    /// Hands this over.
    ///
    /// ```
    /// use svc_bot_kit::client::types::api::escrow::Deliverable;
    /// svc_bot_kit::Handover::of(Deliverable::new("report"));
    /// ```
    pub fn of(deliverable: Deliverable) -> Self {
        Self(deliverable)
    }
}

/// What a handler gave back, without its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Done {
    /// The answer, or the content of a deliverable.
    Output(Map<String, Value>),
    /// The deliverable itself.
    Work(Deliverable),
}

/// What a handler gave back; only the kit looks inside.
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
            _ => Err(std::io::Error::other("the output is no JSON object").into()),
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
    fn an_output_that_is_no_object_is_our_error() {
        assert!(vec![1, 2].done().is_err());
    }
}
