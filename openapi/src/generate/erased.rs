//! Endpoints and the types of their responses as values.
//!
//! Code that is generic over an endpoint is compiled for each of several hundred. Therefore only the small functions
//! that make these values are generic; everything else reads the values.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};
use svc_types::samples::{self, SampleVisitor};
use svc_types::wire::{self, EncodeError};
use svc_types::{Declaration, Endpoint};

use crate::generate::schema::Fields;

/// Writes the schema of a type.
pub(crate) type WriteSchema = fn(&mut SchemaGenerator) -> Schema;

/// An endpoint without its types.
pub(crate) struct ErasedEndpoint {
    pub(crate) declared: Declaration,
    /// Writes the schema of its request.
    pub(crate) request: WriteSchema,
    /// The fields of its request as the type declares them.
    pub(crate) fields: Fields,
    /// The members of a valid request, without those that it omits.
    pub(crate) sample: Map<String, Value>,
    pub(crate) response: ErasedType,
}

/// A type with a schema.
#[derive(Clone, Copy)]
pub(crate) struct ErasedType {
    /// The name of its schema.
    pub(crate) name: fn() -> Cow<'static, str>,
    /// Writes its schema.
    pub(crate) schema: WriteSchema,
    /// Adds its schema to the definitions of the generator and writes a reference to it.
    pub(crate) define: WriteSchema,
}

impl ErasedEndpoint {
    /// The endpoint of this valid request.
    pub(crate) fn of<E: Endpoint>(sample: &E) -> Self {
        let response = ErasedType::of::<E::Response>();
        Self::new(Declaration::of::<E>(), E::json_schema, wire::members(sample), response)
    }

    fn new(
        declared: Declaration,
        request: WriteSchema,
        sample: Result<Map<String, Value>, EncodeError>,
        response: ErasedType,
    ) -> Self {
        let mut sample = sample.expect("samples can be sent");
        sample.retain(|_, value| !value.is_null());
        Self { declared, request, fields: Fields::declared(request), sample, response }
    }
}

impl ErasedType {
    pub(crate) fn of<T: JsonSchema>() -> Self {
        Self {
            name: T::schema_name,
            schema: T::json_schema,
            define: SchemaGenerator::subschema_for::<T>,
        }
    }
}

/// Every endpoint in the order of its declaration.
pub(crate) fn endpoints() -> Vec<ErasedEndpoint> {
    struct All(Vec<ErasedEndpoint>);
    impl SampleVisitor for All {
        fn visit<E: Endpoint>(&mut self, sample: E) {
            self.0.push(ErasedEndpoint::of(&sample));
        }
    }
    let mut all = All(Vec::new());
    samples::visit(&mut all);
    all.0
}
