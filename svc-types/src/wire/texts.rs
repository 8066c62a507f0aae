//! The texts of a request, for rules that apply to all of them.

use std::fmt;

use serde::ser::{
    Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, Serializer,
};

use crate::endpoint::Endpoint;
use crate::secret;

/// Calls `see` with every text of a request and its field: values at any depth, and names of
/// members in free-form JSON. Fields whose type is a secret are omitted.
///
/// ```
/// use svc_types::api::auth::Login;
/// use svc_types::wire;
///
/// let request = Login {
///     username: Some("ada".into()),
///     email: None,
///     password: "correct horse".into(),
///     code: None,
///     proof: None,
/// };
/// let mut seen = Vec::new();
/// wire::visit_texts(&request, |field, text| seen.push(format!("{field}: {text}")));
/// assert_eq!(seen, ["username: ada"]);
/// ```
pub fn visit_texts<E: Endpoint>(request: &E, mut see: impl FnMut(&'static str, &str)) {
    let walk = Walk { field: None, see: &mut see };
    request.serialize(walk).expect("a request is JSON, and nothing is written");
}

/// A serializer that visits a value.
struct Walk<'a> {
    /// The member of the request that is visited.
    field: Option<&'static str>,
    see: &'a mut dyn FnMut(&'static str, &str),
}

impl Walk<'_> {
    fn inside(&mut self, field: Option<&'static str>) -> Walk<'_> {
        Walk { field: self.field.or(field), see: &mut *self.see }
    }

    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        value.serialize(self.inside(None))
    }
}

macro_rules! skipped {
    ($($method:ident: $type:ty),+) => {$(
        fn $method(self, _: $type) -> fmt::Result {
            Ok(())
        }
    )+};
}

impl Serializer for Walk<'_> {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Impossible<(), fmt::Error>;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    skipped! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
        serialize_i64: i64, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32,
        serialize_u64: u64, serialize_f32: f32, serialize_f64: f64, serialize_char: char,
        serialize_bytes: &[u8], serialize_unit_struct: &'static str
    }

    fn serialize_str(self, text: &str) -> fmt::Result {
        (self.see)(self.field.unwrap_or_default(), text);
        Ok(())
    }

    fn serialize_none(self) -> fmt::Result {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_unit(self) -> fmt::Result {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> fmt::Result {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> fmt::Result {
        if name == secret::NAME { Ok(()) } else { value.serialize(self) }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, fmt::Error> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, fmt::Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, fmt::Error> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, fmt::Error> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, fmt::Error> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, fmt::Error> {
        Ok(self)
    }
}

macro_rules! elements {
    ($($trait:ident $method:ident),+) => {$(
        impl $trait for Walk<'_> {
            type Ok = ();
            type Error = fmt::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
                self.part(value)
            }

            fn end(self) -> fmt::Result {
                Ok(())
            }
        }
    )+};
}

elements! {
    SerializeSeq serialize_element, SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field
}

macro_rules! members {
    ($($trait:ident),+) => {$(
        impl $trait for Walk<'_> {
            type Ok = ();
            type Error = fmt::Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> fmt::Result {
                value.serialize(self.inside(Some(name)))
            }

            fn end(self) -> fmt::Result {
                Ok(())
            }
        }
    )+};
}

members! { SerializeStruct, SerializeStructVariant }

impl SerializeMap for Walk<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> fmt::Result {
        self.part(name)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        self.part(value)
    }

    fn end(self) -> fmt::Result {
        Ok(())
    }
}
