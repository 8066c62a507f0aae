//! Objects whose member `op` selects their type.
//!
//! serde's tagged enums buffer what they read, and a buffer loses our rules for members and their
//! paths.

use std::borrow::Cow;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor,
};
use serde_json::value::RawValue;

use super::decode::Members;
use super::fields::{Fields, Part, Unknown};
use super::problem::Error;
use super::value::string;

/// Name under which such a type requests itself as a struct. Other deserializers do not know it and
/// present a map.
pub(crate) const NAME: &str = "svc_types::wire::tagged";

/// The member that selects the type.
pub(crate) const OP: &str = "op";

/// Reads such an object; `words` are the possible values of `op`.
pub(super) fn read<'de, V: Visitor<'de>>(
    raw: &'de RawValue,
    words: &'static [&'static str],
    unknown: Unknown<'de>,
    visitor: V,
) -> Result<V::Value, Error> {
    let object: Members<'de> = serde_json::from_str(raw.get())?;
    let (ops, rest): (Vec<_>, Vec<_>) = object.0.into_iter().partition(|(name, _)| name == OP);
    let op = match ops.as_slice() {
        [(_, raw)] if raw.get().starts_with('"') => Some(string(raw)?),
        [] | [_] => None,
        _ => return Err(Error::custom("must stand once").inside(OP, true)),
    };
    let Some(op) = op.filter(|op| words.contains(&op.as_ref())) else {
        let rule = format!("one of {}", words.join(", "));
        return Err(Error::must_be(&rule.as_str()).inside(OP, true));
    };
    let members = rest.into_iter().map(|(name, raw)| (name, Part::Json(raw)));
    visitor.visit_enum(Tagged { op, fields: Fields::new(members.collect()).with(unknown) })
}

struct Tagged<'de> {
    op: Cow<'de, str>,
    fields: Fields<'de>,
}

impl<'de> EnumAccess<'de> for Tagged<'de> {
    type Error = Error;
    type Variant = Rest<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Rest<'de>), Error> {
        let op: StrDeserializer<'_, Error> = self.op.as_ref().into_deserializer();
        seed.deserialize(op).map(|op| (op, Rest(self.fields)))
    }
}

/// The other members of the object.
struct Rest<'de>(Fields<'de>);

impl<'de> VariantAccess<'de> for Rest<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        Err(Error::must_be(&visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_map(self.0)
    }
}
