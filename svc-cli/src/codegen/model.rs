//! What the schemas of services declare, in the terms that all languages share.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};
use svc_client::types::api::bots::Capability;

use super::names::{pascal, screaming, unused};

/// Deeper types are JSON values.
const DEPTH_MAX: usize = 32;

/// Names that the printed programs use, and keywords.
const RESERVED: [&str; 17] = [
    "Any",
    "Array",
    "BTreeMap",
    "Box",
    "Deserialize",
    "False",
    "Literal",
    "None",
    "NotRequired",
    "Option",
    "Record",
    "Self",
    "Serialize",
    "String",
    "True",
    "TypedDict",
    "Vec",
];

/// A service with the types of its input and output.
pub(super) struct Service {
    /// The name of the constant that names it.
    pub(super) constant: String,
    /// As an order names it: `wordbot/count-words`.
    pub(super) order: String,
    pub(super) description: String,
    pub(super) price: String,
    pub(super) input: String,
    pub(super) output: String,
}

/// All declared types, each after those it uses, unless two use each other.
pub(super) struct Declarations {
    pub(super) all: Vec<Declaration>,
    /// Those of types and constants: Python does not tell them apart.
    names: HashSet<String>,
}

impl Default for Declarations {
    fn default() -> Self {
        let names = RESERVED.map(str::to_owned).into();
        Self { all: Vec::new(), names }
    }
}

/// A declared type.
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    Struct(Vec<Field>),
    /// One of these texts.
    Words(Vec<String>),
    Alias(Type),
}

/// A member of an object.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) is_required: bool,
    pub(super) kind: Type,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// Any JSON value.
    Any,
    Null,
    Bool,
    Integer,
    Number,
    Text,
    List(Box<Self>),
    /// An object with arbitrary names and values of one type.
    Map(Box<Self>),
    /// The type, or `null`.
    Nullable(Box<Self>),
    Named(String),
    /// A type that contains this one.
    Recursive(String),
}

impl Declarations {
    /// Declares the types of a service.
    pub(super) fn add(&mut self, user: &str, offer: &Capability) -> Service {
        let name = pascal(&offer.name);
        let mut declare = |schema: Option<&Map<String, Value>>, what: &str| {
            let doc = format!("The {what} of `{}`.", offer.name);
            let schema = schema.cloned().unwrap_or_default();
            let mut reader = Reader { root: &schema, declarations: self, known: BTreeMap::new() };
            let name = reader.declarations.name(&format!("{name} {what}"));
            let root = Value::Object(schema.clone());
            reader.declare(name.clone(), &doc, &root, 0);
            name
        };
        let input = declare(offer.input_schema.as_ref(), "input");
        let output = declare(offer.output_schema.as_ref(), "output");
        Service {
            constant: unused(&screaming(&offer.name), &mut self.names),
            order: format!("{user}/{}", offer.name),
            description: offer.description.clone(),
            price: offer.price_credits.in_words(),
            input,
            output,
        }
    }

    fn name(&mut self, wanted: &str) -> String {
        unused(&pascal(wanted), &mut self.names)
    }
}

/// Reads one schema.
struct Reader<'a> {
    root: &'a Map<String, Value>,
    declarations: &'a mut Declarations,
    /// The types that references name.
    known: BTreeMap<String, Type>,
}

impl Reader<'_> {
    /// Declares a type with this name for a schema.
    fn declare(&mut self, name: String, doc: &str, schema: &Value, depth: usize) {
        let described = schema["description"].as_str().unwrap_or_default();
        let doc = format!("{doc}\n{described}");
        let kind = match (words(schema), members(schema)) {
            (Some(words), _) => Kind::Words(words),
            (None, Some(members)) => Kind::Struct(self.fields(&name, schema, members, depth)),
            (None, None) => Kind::Alias(self.kind(&name, schema, depth)),
        };
        self.declarations.all.push(Declaration { name, doc, kind });
    }

    fn fields(
        &mut self,
        owner: &str,
        schema: &Value,
        members: &Map<String, Value>,
        depth: usize,
    ) -> Vec<Field> {
        let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut fields = Vec::new();
        for (name, member) in members {
            let kind = self.kind(&format!("{owner} {name}"), member, depth + 1);
            let doc = member["description"].as_str().unwrap_or_default().to_owned();
            let is_required = required.iter().any(|one| one == name);
            fields.push(Field { name: name.clone(), doc, is_required, kind });
        }
        fields
    }

    /// The type of a schema. `name` is what a type that it declares is called.
    fn kind(&mut self, name: &str, schema: &Value, depth: usize) -> Type {
        if depth > DEPTH_MAX {
            return Type::Any;
        }
        if let Some(reference) = schema["$ref"].as_str() {
            return self.reference(reference, depth);
        }
        if let Some((one, is_nullable)) = alternative(schema) {
            let kind = self.kind(name, one, depth + 1);
            return if is_nullable { nullable(kind) } else { kind };
        }
        if words(schema).is_some() || members(schema).is_some() {
            let name = self.declarations.name(name);
            self.declare(name.clone(), "", schema, depth);
            return Type::Named(name);
        }
        let (word, is_nullable) = word_of_type(schema);
        let kind = match word {
            Some("null") => Type::Null,
            Some("boolean") => Type::Bool,
            Some("integer") => Type::Integer,
            Some("number") => Type::Number,
            Some("string") => Type::Text,
            Some("array") => match schema.get("items") {
                Some(items) => {
                    Type::List(Box::new(self.kind(&format!("{name} item"), items, depth + 1)))
                }
                None => Type::List(Box::new(Type::Any)),
            },
            Some("object") => match schema.get("additionalProperties") {
                Some(values @ Value::Object(_)) => {
                    Type::Map(Box::new(self.kind(&format!("{name} value"), values, depth + 1)))
                }
                _ => Type::Map(Box::new(Type::Any)),
            },
            _ => Type::Any,
        };
        if is_nullable { nullable(kind) } else { kind }
    }

    /// The type that a reference within the schema declares.
    fn reference(&mut self, reference: &str, depth: usize) -> Type {
        if let Some(known) = self.known.get(reference) {
            return known.clone();
        }
        let path = reference.strip_prefix('#').unwrap_or_default();
        let root = Value::Object(self.root.clone());
        let Some(schema) = root.pointer(path).filter(|_| !path.is_empty()) else {
            return Type::Any;
        };
        let name = self.declarations.name(path.rsplit('/').next().unwrap_or_default());
        // While it is declared. Only an object may contain itself: Rust refuses other names that do.
        let within = members(schema).map_or(Type::Any, |_| Type::Recursive(name.clone()));
        self.known.insert(reference.to_owned(), within);
        self.declare(name.clone(), "", schema, depth + 1);
        self.known.insert(reference.to_owned(), Type::Named(name.clone()));
        Type::Named(name)
    }
}

fn nullable(kind: Type) -> Type {
    match kind {
        Type::Any | Type::Null | Type::Nullable(_) => kind,
        other => Type::Nullable(Box::new(other)),
    }
}

/// The texts of an enumeration.
fn words(schema: &Value) -> Option<Vec<String>> {
    let texts = |values: &Vec<Value>| -> Option<Vec<String>> {
        values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
    };
    let words = match (schema["enum"].as_array(), schema["const"].as_str()) {
        (Some(values), _) => texts(values),
        (None, Some(only)) => Some(vec![only.to_owned()]),
        (None, None) => {
            // Rust's schemas of enumerations whose words have descriptions.
            let one_of = schema["oneOf"].as_array()?;
            one_of.iter().map(|one| one["const"].as_str().map(str::to_owned)).collect()
        }
    };
    words.filter(|words| !words.is_empty())
}

/// The members of an object whose members are known.
fn members(schema: &Value) -> Option<&Map<String, Value>> {
    let is_object = matches!(word_of_type(schema), (Some("object") | None, false));
    schema["properties"].as_object().filter(|members| is_object && !members.is_empty())
}

/// The word of `type`, and whether `null` is allowed too.
fn word_of_type(schema: &Value) -> (Option<&str>, bool) {
    let Some(words) = schema["type"].as_array() else { return (schema["type"].as_str(), false) };
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    match words[..] {
        [one] => (Some(one), false),
        ["null", other] | [other, "null"] => (Some(other), true),
        _ => (None, false),
    }
}

/// The only alternative besides `null`, and whether `null` is one.
fn alternative(schema: &Value) -> Option<(&Value, bool)> {
    let all = ["anyOf", "oneOf", "allOf"].iter().find_map(|key| schema[*key].as_array())?;
    let (nulls, others): (Vec<&Value>, Vec<&Value>) =
        all.iter().partition(|one| one["type"] == "null");
    match others[..] {
        [one] => Some((one, !nulls.is_empty())),
        _ => None,
    }
}
