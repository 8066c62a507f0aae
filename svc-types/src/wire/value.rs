//! A serde deserializer that reports which member is wrong and what it must be.
//!
//! serde's messages name a type and a column; API users need the member's name and the rule. Each
//! visitor's `expecting` text is the rule, so it is written once, next to the type that checks it.

use std::borrow::Cow;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

use super::decode::Members;
use super::fields::{Fields, Part, Unknown};
use super::problem::Error;
use super::{decimal, free, tagged};

/// Maximum number of elements of a list: ten times that of the longest list of an endpoint.
const ELEMENTS_MAX: usize = 1_000;

/// One value; `required` becomes false once the type turns out to be an option.
pub(super) struct Value<'de, 'a> {
    pub(super) part: Part<'de>,
    pub(super) required: &'a mut bool,
    /// How unknown members inside of it are handled.
    pub(super) unknown: Unknown<'de>,
}

impl<'de> Value<'de, '_> {
    /// The text of a string from any source.
    fn text(&self, expected: &dyn Expected) -> Result<Cow<'de, str>, Error> {
        let text = match &self.part {
            Part::Text(text) => text.clone(),
            Part::Typed(texts) => Cow::Borrowed(last(texts)),
            Part::Json(raw) if raw.get().starts_with('"') => string(raw)?,
            Part::Json(raw) => return Err(Error::no_string(raw.get(), expected)),
            Part::Form(_) | Part::Missing => return Err(Error::must_be(expected)),
        };
        if text.contains('\0') {
            return Err(de::Error::custom("must not hold the character U+0000"));
        }
        Ok(text)
    }

    /// The JSON text of a number or boolean from any source.
    fn scalar<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = match &self.part {
            Part::Text(text) => text.as_ref(),
            Part::Typed(texts) => last(texts),
            Part::Json(raw) => raw.get(),
            Part::Form(_) | Part::Missing => return Err(Error::must_be(&visitor)),
        };
        match serde_json::from_str::<serde_json::Value>(text) {
            Ok(serde_json::Value::Bool(flag)) => visitor.visit_bool(flag),
            Ok(serde_json::Value::Number(number)) => match (number.as_u64(), number.as_i64()) {
                (Some(natural), _) => visitor.visit_u64(natural),
                (None, Some(whole)) => visitor.visit_i64(whole),
                // A double that rounds to another number would make the text look exact.
                (None, None) => match number.as_f64() {
                    Some(fraction) if decimal::is_exact(text, fraction) => {
                        visitor.visit_f64(fraction)
                    }
                    _ => Err(Error::must_be(&visitor)),
                },
            },
            _ => Err(Error::must_be(&visitor)),
        }
    }
}

/// The members of a JSON object.
fn fields(raw: &RawValue) -> Result<Fields<'_>, Error> {
    let object: Members<'_> = serde_json::from_str(raw.get())?;
    let members = object.0.into_iter().map(|(name, raw)| (name, Part::Json(raw)));
    Ok(Fields::new(members.collect()))
}

/// The last of several fields with one name, if one value is expected: a hidden field before a
/// checkbox provides its unchecked value.
fn last<'de>(texts: &[&'de str]) -> &'de str {
    texts.last().copied().unwrap_or_default()
}

/// An object written as JSON, unread.
fn typed_json<'de>(texts: &[&'de str]) -> Option<&'de RawValue> {
    let raw: &'de RawValue = serde_json::from_str(last(texts)).ok()?;
    raw.get().starts_with('{').then_some(raw)
}

/// An object written as JSON.
fn typed_object<'de>(texts: &[&'de str]) -> Result<Fields<'de>, Error> {
    fields(typed_json(texts).ok_or_else(|| Error::must_be(&"an object"))?)
}

/// A JSON string, borrowed if it contains no escapes.
pub(super) fn string(raw: &RawValue) -> Result<Cow<'_, str>, Error> {
    let inner = &raw.get()[1..raw.get().len() - 1];
    if inner.contains('\\') {
        Ok(Cow::Owned(serde_json::from_str(raw.get())?))
    } else {
        Ok(Cow::Borrowed(inner))
    }
}

macro_rules! scalars {
    ($($method:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.scalar(visitor)
        }
    )+};
}

macro_rules! texts {
    ($($method:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.text(&visitor)? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for Value<'de, '_> {
    type Error = Error;

    scalars! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32
        deserialize_f64
    }
    texts! { deserialize_str deserialize_string deserialize_char deserialize_identifier }

    /// Free-form JSON: objects, and numbers whose type depends on their value.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.part {
            Part::Typed(texts) => {
                let json = typed_json(&texts).map(Part::Json);
                let value = Value { part: json.unwrap_or(Part::Typed(texts)), ..self };
                match value.part {
                    Part::Json(_) => value.deserialize_any(visitor),
                    _ => value.deserialize_str(visitor),
                }
            }
            Part::Text(_) => self.deserialize_str(visitor),
            Part::Form(members) => visitor.visit_map(Fields::new(members)),
            Part::Json(raw) => {
                free::check(raw.get()).map_err(<Error as de::Error>::custom)?;
                Ok(serde_json::Deserializer::from_str(raw.get()).deserialize_any(visitor)?)
            }
            Part::Missing => Err(Error::must_be(&visitor)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.part {
            Part::Json(raw) if raw.get().starts_with('{') => {
                let members = fields(raw)?;
                match members.doubled() {
                    Some(name) => Err(de::Error::custom(free::twice(name))),
                    None => visitor.visit_map(members),
                }
            }
            Part::Typed(texts) => visitor.visit_map(typed_object(&texts)?),
            Part::Form(members) => visitor.visit_map(Fields::new(members)),
            _ => Err(Error::must_be(&"an object")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        *self.required = false;
        match &self.part {
            part if part.is_left_out() => visitor.visit_none(),
            Part::Json(raw) if raw.get() == "null" => {
                Err(de::Error::custom("must not be null; leave it out instead"))
            }
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.part {
            Part::Json(raw) if raw.get().starts_with('{') && name == tagged::NAME => {
                tagged::read(raw, fields, self.unknown, visitor)
            }
            Part::Json(raw) if raw.get().starts_with('{') => {
                self::fields(raw)?.with(self.unknown).deserialize_struct(name, fields, visitor)
            }
            Part::Typed(texts) if name != tagged::NAME => {
                typed_object(&texts)?.deserialize_struct(name, fields, visitor)
            }
            Part::Form(members) if name != tagged::NAME => {
                Fields::new(members).deserialize_struct(name, fields, visitor)
            }
            _ => Err(Error::must_be(&"an object")),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.part {
            Part::Json(raw) if raw.get().starts_with('[') => {
                let elements: Vec<&'de RawValue> = serde_json::from_str(raw.get())?;
                if elements.len() > ELEMENTS_MAX {
                    let rule = format!("must have at most {ELEMENTS_MAX} elements");
                    return Err(de::Error::custom(rule));
                }
                let elements: Vec<Part<'de>> = elements.into_iter().map(Part::Json).collect();
                let elements = elements.into_iter().enumerate();
                visitor.visit_seq(Elements { elements, unknown: self.unknown })
            }
            Part::Typed(texts) => {
                let chosen = texts.into_iter().filter(|text| !text.is_empty());
                let elements: Vec<Part<'de>> = chosen.map(|text| Part::Typed(vec![text])).collect();
                let elements = elements.into_iter().enumerate();
                visitor.visit_seq(Elements { elements, unknown: Unknown::Ignored })
            }
            _ => Err(Error::must_be(&"an array")),
        }
    }

    /// Enum values: unknown ones are refused here and kept in responses.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let word = self.text(&visitor)?;
        if words.contains(&word.as_ref()) {
            visitor.visit_enum(WordAccess(&word))
        } else {
            Err(Error::must_be(&visitor))
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i128 u128 bytes byte_buf unit unit_struct tuple tuple_struct
    }
}

/// The elements of an array, each with its index in the path.
struct Elements<'de> {
    elements: std::iter::Enumerate<std::vec::IntoIter<Part<'de>>>,
    unknown: Unknown<'de>,
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some((index, part)) = self.elements.next() else {
            return Ok(None);
        };
        let unknown = self.unknown.inside(&index.to_string());
        let value = Value { part, required: &mut false, unknown };
        seed.deserialize(value).map(Some).map_err(|error| error.inside(&index.to_string(), false))
    }
}

/// A value that selects a variant without data.
struct WordAccess<'a>(&'a str);

impl<'de> EnumAccess<'de> for WordAccess<'_> {
    type Error = Error;
    type Variant = UnitVariant;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, UnitVariant), Error> {
        let word: StrDeserializer<'_, Error> = self.0.into_deserializer();
        seed.deserialize(word).map(|value| (value, UnitVariant))
    }
}

struct UnitVariant;

impl<'de> de::VariantAccess<'de> for UnitVariant {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Error> {
        Err(Error::must_be(&"a word"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        Err(Error::must_be(&visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        Err(Error::must_be(&visitor))
    }
}
