//! Examples of bodies, from the samples of `svc-types`.

use std::collections::BTreeMap;

use serde_json::Value;
use svc_types::{Code, ErrorBody, samples};
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::{Ref, RefOr};

/// The examples of a body by name.
pub(crate) type Examples = BTreeMap<String, RefOr<Example>>;

/// The name of the only example of a body.
const ONLY: &str = "sample";

/// A body with one example.
pub(crate) fn one(value: Value) -> Examples {
    Examples::from([(ONLY.to_owned(), example(value).into())])
}

/// A body with one example, an error of this code.
pub(crate) fn of_code(code: &Code, body: &ErrorBody) -> Examples {
    let body = serde_json::to_value(body).expect("an error is plain JSON");
    Examples::from([(code.to_string(), example(body).into())])
}

/// An error of each code, written once in the components.
pub(crate) fn of_codes(codes: &[Code]) -> Examples {
    let refer = |code: &Code| {
        let place = format!("#/components/examples/{code}");
        (code.to_string(), RefOr::Ref(Ref::new(place)))
    };
    codes.iter().map(refer).collect()
}

/// The examples of errors as components.
pub(crate) fn components<'a>(codes: impl IntoIterator<Item = &'a Code>) -> Examples {
    let component = |code: &Code| {
        let body = serde_json::to_value(samples::error(code));
        (code.to_string(), example(body.expect("an error is plain JSON")).into())
    };
    codes.into_iter().map(component).collect()
}

fn example(value: Value) -> Example {
    ExampleBuilder::new().value(Some(value)).build()
}
