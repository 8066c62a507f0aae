//! Type-erased handlers.

use std::marker::PhantomData;
use std::pin::Pin;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::context::Ctx;
use super::fail::{Fail, Rejection};
use super::output::{Done, Output};

pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Executes an order.
pub(crate) trait Handler: Send + Sync {
    fn call(&self, cx: Ctx, input: Map<String, Value>) -> BoxFuture<Result<Done, Fail>>;
}

/// A typed function.
pub(super) struct Typed<H, I> {
    pub(super) function: H,
    pub(super) input: PhantomData<fn(I)>,
}

impl<H, I, F, O> Handler for Typed<H, I>
where
    H: Fn(Ctx, I) -> F + Send + Sync,
    I: DeserializeOwned + 'static,
    F: Future<Output = Result<O, Fail>> + Send + 'static,
    O: Output,
{
    fn call(&self, cx: Ctx, input: Map<String, Value>) -> BoxFuture<Result<Done, Fail>> {
        match serde_json::from_value(Value::Object(input)) {
            Ok(input) => {
                let running = (self.function)(cx, input);
                Box::pin(async move { Ok(running.await?.done()?.0) })
            }
            // The type may be stricter than its schema, for example about the format of a date.
            Err(error) => {
                let rejection = Rejection::at(
                    "the input can't be read",
                    "/input",
                    format!("must be an input of the service: {}", without_value(&error)),
                );
                Box::pin(std::future::ready(Err(Fail::rejected(rejection))))
            }
        }
    }
}

/// The error without the value, which may be secret.
fn without_value(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(", expected ") {
        Some((_, expected)) => format!("expected {expected}"),
        None if text.starts_with("missing field") || text.starts_with("unknown field") => text,
        None => "its format is not as expected".to_owned(),
    }
}
