//! A serde deserializer that reports which member is wrong and what it must be.
//!
//! serde's messages name a type and a column; API users need the member's name and the rule. Each
//! visitor's `expecting` text is the rule, so it is written once, next to the type that checks it.

use std::borrow::Cow;
use std::cell::RefCell;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

use super::decode::Members;
use super::problem::{self, Error};
use super::{decimal, free, tagged};
use crate::error::Code;

/// A member's value as received.
#[derive(Clone)]
pub(super) enum Part<'de> {
    /// From the path or the query.
    Text(Cow<'de, str>),
    /// From the body.
    Json(&'de RawValue),
    /// From a form, in the order of its fields; never empty.
    Typed(Vec<&'de str>),
    /// An object from fields with dots in their names.
    Form(Vec<(Cow<'de, str>, Part<'de>)>),
    /// Not sent.
    Missing,
}

impl Part<'_> {
    /// Whether nothing was sent, or an object of a form without any text.
    fn is_left_out(&self) -> bool {
        match self {
            Part::Missing => true,
            Part::Form(members) => members.iter().all(|(_, part)| part.is_left_out()),
            Part::Text(_) | Part::Json(_) | Part::Typed(_) => false,
        }
    }
}

/// How unknown members are handled.
#[derive(Clone, Debug)]
pub(super) enum Unknown<'de> {
    Ignored,
    /// They are ignored and their fields are noted.
    Noted(&'de RefCell<Vec<String>>, Vec<String>),
    /// They are refused with this code.
    Refused(Code),
}

/// Maximum number of ignored members that are noted.
const NOTED_MAX: usize = 10;

impl Unknown<'_> {
    /// The rule for the members of this member.
    fn inside(&self, name: &str) -> Self {
        match self {
            Self::Noted(noted, path) => {
                let path = path.iter().cloned().chain([name.to_owned()]);
                Self::Noted(noted, path.collect())
            }
            other => other.clone(),
        }
    }

    /// Handles the members that are not fields of the struct.
    fn judge(&self, names: &[String], fields: &[&str]) -> Result<(), Error> {
        let mut unknown = names.iter().filter(|name| !fields.contains(&name.as_str()));
        match self {
            Self::Ignored => {}
            Self::Noted(noted, path) => {
                let mut noted = noted.borrow_mut();
                let rest = NOTED_MAX.saturating_sub(noted.len());
                noted.extend(unknown.take(rest).map(|name| pointer(path, name)));
            }
            Self::Refused(code) => {
                if let Some(name) = unknown.next() {
                    return Err(Error::unknown(code.clone(), name, fields));
                }
            }
        }
        Ok(())
    }
}

/// The field of a member inside of these.
fn pointer(path: &[String], name: &str) -> String {
    let path: Vec<String> = path.iter().cloned().chain([name.to_owned()]).collect();
    problem::field(&path).unwrap_or_default()
}

/// The members of an object. Members that the struct expects and that were not sent are presented
/// as missing.
pub(super) struct Fields<'de> {
    members: std::vec::IntoIter<(Cow<'de, str>, Part<'de>)>,
    names: Vec<String>,
    missing: std::slice::Iter<'static, &'static str>,
    next: Option<(Cow<'de, str>, Part<'de>)>,
    unknown: Unknown<'de>,
    /// Names that come after all others, sent or not.
    last: &'de [String],
}

impl<'de> Fields<'de> {
    pub(super) fn new(members: Vec<(Cow<'de, str>, Part<'de>)>) -> Self {
        let names = members.iter().map(|(name, _)| name.clone().into_owned()).collect();
        let unknown = Unknown::Ignored;
        let missing = [].iter();
        Self { members: members.into_iter(), names, missing, next: None, unknown, last: &[] }
    }

    /// The same members with another rule for unknown ones.
    pub(super) fn with(self, unknown: Unknown<'de>) -> Self {
        Self { unknown, ..self }
    }

    /// The same members with these names last, so that problems of the others are reported first.
    pub(super) fn with_last(self, last: &'de [String]) -> Self {
        Self { last, ..self }
    }

    /// Puts all members in the order of the struct, with missing ones for those that were not sent.
    fn put_last(&mut self) {
        let mut all: Vec<_> = std::iter::from_fn(|| self.take_next()).collect();
        all.sort_by_key(|(name, _)| self.last.iter().any(|last| last == name));
        self.members = all.into_iter();
    }

    fn take_next(&mut self) -> Option<(Cow<'de, str>, Part<'de>)> {
        let sent = self.members.next();
        sent.or_else(|| {
            let names = &self.names;
            let name = self.missing.find(|name| !names.iter().any(|sent| sent == **name))?;
            Some((Cow::Borrowed(*name), Part::Missing))
        })
    }
}

impl<'de> Deserializer<'de> for Fields<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.unknown.judge(&self.names, fields)?;
        self.missing = fields.iter();
        if !self.last.is_empty() {
            self.put_last();
        }
        visitor.visit_map(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.next = self.take_next();
        let Some((name, _)) = &self.next else {
            return Ok(None);
        };
        let name: StrDeserializer<'_, Error> = name.as_ref().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (name, part) = self.next.take().expect("serde asks for a key before its value");
        let mut required = true;
        let unknown = match &part {
            // Only these have members.
            Part::Json(raw) if raw.get().starts_with(['{', '[']) => self.unknown.inside(&name),
            _ => Unknown::Ignored,
        };
        let is_missing = matches!(part, Part::Missing);
        let value = Value { part, required: &mut required, unknown };
        seed.deserialize(value)
            .map_err(|error| error.inside(&name, required).of_missing(is_missing))
    }
}

/// One value; `required` becomes false once the type turns out to be an option.
struct Value<'de, 'a> {
    part: Part<'de>,
    required: &'a mut bool,
    /// How unknown members inside of it are handled.
    unknown: Unknown<'de>,
}

impl<'de> Value<'de, '_> {
    /// The text of a string from any source.
    fn text(&self, expected: &dyn Expected) -> Result<Cow<'de, str>, Error> {
        let text = match &self.part {
            Part::Text(text) => text.clone(),
            Part::Typed(texts) => Cow::Borrowed(last(texts)),
            Part::Json(raw) if raw.get().starts_with('"') => string(raw)?,
            Part::Json(_) | Part::Form(_) | Part::Missing => return Err(Error::must_be(expected)),
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
            Part::Json(raw) if raw.get().starts_with('{') => visitor.visit_map(fields(raw)?),
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
