//! The members of an object, given to serde so that those that were not sent are reported too.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

use super::problem::{self, Error};
use super::value::Value;
use crate::endpoint::path_parameters;
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
    pub(super) fn is_left_out(&self) -> bool {
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
    /// They are refused with this code. The hint names no parameter of this path.
    Refused(Code, &'static str),
}

/// Maximum number of ignored members that are noted.
const NOTED_MAX: usize = 10;

impl Unknown<'_> {
    /// The rule for the members of this member.
    pub(super) fn inside(&self, name: &str) -> Self {
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
            Self::Refused(code, path) => {
                if let Some(name) = unknown.next() {
                    let in_path: Vec<&str> = path_parameters(path).collect();
                    let sent_here = fields.iter().copied().filter(|field| !in_path.contains(field));
                    let sent_here: Vec<&str> = sent_here.collect();
                    return Err(Error::unknown(code.clone(), name, &sent_here));
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

    /// The name that two members have.
    pub(super) fn doubled(&self) -> Option<&str> {
        let mut known = HashSet::new();
        self.names.iter().map(String::as_str).find(|name| !known.insert(*name))
    }

    /// The same members with another rule for unknown ones.
    pub(super) fn with(self, unknown: Unknown<'de>) -> Self {
        Self { unknown, ..self }
    }

    /// The same members with these names last, so that problems of the others are reported first.
    pub(super) fn with_last(self, last: &'de [String]) -> Self {
        Self { last, ..self }
    }

    /// Moves those that come last behind all others, sent or missing.
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
