//! Prints Rust.

use std::collections::HashSet;
use std::fmt::Write;

use super::model::{Declaration, Declarations, Field, Kind, Service, Type};
use super::names::{lines, pascal, snake, unused};

const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

pub(super) fn print(head: &str, services: &[Service], declarations: &Declarations) -> String {
    let mut out = format!("// {head}\n\nuse serde::{{Deserialize, Serialize}};\n");
    for service in services {
        let Service { constant, order, price, input, output, .. } = service;
        out.push('\n');
        doc(&mut out, "", &service.description);
        let types = format!("It costs {price}, takes [`{input}`] and answers [`{output}`].");
        doc(&mut out, "", &types);
        let _ = writeln!(out, "pub const {constant}: &str = {order:?};");
    }
    for declaration in &declarations.all {
        out.push('\n');
        declare(&mut out, declaration);
    }
    out
}

fn declare(out: &mut String, declaration: &Declaration) {
    let Declaration { name, doc: text, kind } = declaration;
    doc(out, "", text);
    match kind {
        Kind::Struct(fields) => {
            let _ = writeln!(out, "#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]");
            let _ = writeln!(out, "pub struct {name} {{");
            let mut used = HashSet::new();
            for member in fields {
                field(out, member, &mut used);
            }
            out.push_str("}\n");
        }
        Kind::Words(words) => {
            let _ = writeln!(
                out,
                "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]"
            );
            let _ = writeln!(out, "pub enum {name} {{");
            let mut used = HashSet::from(["Self".to_owned()]);
            for word in words {
                let variant = unused(&pascal(word), &mut used);
                let _ = writeln!(out, "    #[serde(rename = {word:?})]\n    {variant},");
            }
            out.push_str("}\n");
        }
        Kind::Alias(kind) => {
            let _ = writeln!(out, "pub type {name} = {};", name_of(kind));
        }
    }
}

fn field(out: &mut String, field: &Field, used: &mut HashSet<String>) {
    doc(out, "    ", &field.doc);
    let mut ident = snake(&field.name);
    if KEYWORDS.contains(&&*ident) {
        ident.push('_');
    }
    let ident = unused(&ident, used);
    let mut options = Vec::new();
    if ident != field.name {
        options.push(format!("rename = {:?}", field.name));
    }
    let mut kind = name_of(&field.kind);
    if !field.is_required {
        options.push("default".to_owned());
        options.push("skip_serializing_if = \"Option::is_none\"".to_owned());
        if !matches!(field.kind, Type::Nullable(_)) {
            kind = format!("Option<{kind}>");
        }
    }
    if !options.is_empty() {
        let _ = writeln!(out, "    #[serde({})]", options.join(", "));
    }
    let _ = writeln!(out, "    pub {ident}: {kind},");
}

fn name_of(kind: &Type) -> String {
    match kind {
        Type::Any => "serde_json::Value".to_owned(),
        Type::Null => "()".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Integer => "i64".to_owned(),
        Type::Number => "f64".to_owned(),
        Type::Text => "String".to_owned(),
        Type::List(item) => match &**item {
            // The items are on the heap already.
            Type::Recursive(name) => format!("Vec<{name}>"),
            item => format!("Vec<{}>", name_of(item)),
        },
        Type::Map(value) => {
            format!("std::collections::BTreeMap<String, {}>", name_of(value))
        }
        Type::Nullable(inner) => format!("Option<{}>", name_of(inner)),
        Type::Named(name) => name.clone(),
        Type::Recursive(name) => format!("Box<{name}>"),
    }
}

fn doc(out: &mut String, indent: &str, text: &str) {
    for line in lines(text) {
        // rustdoc runs what stands between fences, and these texts are by others.
        let line = line.replace("```", "'''").replace("~~~", "---");
        let _ = writeln!(out, "{indent}/// {line}");
    }
}
