//! An endpoint as commands see it: without its types, so that nothing else is compiled for each.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};
use svc_client::types::wire::{self, Handling, Rejected};
use svc_client::types::{Declaration, Endpoint};

use crate::consent::{asks, moves_credits, question_of};
use crate::error::Result;
use crate::field::{self, Field};

/// An endpoint as commands see it.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    /// What is declared of it.
    pub(crate) declared: Declaration,
    /// Whether it is asked about before it is called.
    pub(crate) asks: bool,
    /// Whether it spends credits, gives them away or issues them.
    pub(crate) moves_credits: bool,
    schema: fn(&mut SchemaGenerator) -> Schema,
    decode: fn(&Map<String, Value>) -> Result<(), Rejected>,
}

impl Operation {
    pub(crate) fn of<E: Endpoint>() -> Self {
        Self {
            declared: Declaration::of::<E>(),
            asks: asks::<E>(),
            moves_credits: moves_credits::<E>(),
            schema: E::json_schema,
            decode: |members| wire::decode_members_with::<E>(members, Handling::Strict).map(drop),
        }
    }

    /// Whether it is asked about before it is called with this body.
    pub(crate) fn asks_with(&self, body: Option<&Value>) -> bool {
        let members = body.and_then(Value::as_object);
        self.asks
            || members.is_some_and(|members| question_of(self.declared.name, members).is_some())
    }

    /// The fields of its request, read off their schema.
    pub(crate) fn fields(&self) -> Vec<Field> {
        field::fields(self.schema)
    }

    /// Rejects members that the server rejects for their form, and misspelt ones within a value.
    pub(crate) fn decode(&self, members: &Map<String, Value>) -> Result<(), Rejected> {
        (self.decode)(members)
    }
}
