//! Prints TypeScript.

use std::fmt::Write;

use super::model::{Declaration, Declarations, Kind, Service, Type};
use super::names::lines;

pub(super) fn print(head: &str, services: &[Service], declarations: &Declarations) -> String {
    let mut out = format!("// {head}\n");
    for service in services {
        let Service { constant, order, price, input, output, .. } = service;
        out.push('\n');
        let types = format!(
            "{}\nIt costs {price}, takes {input} and answers {output}.",
            service.description
        );
        doc(&mut out, "", &types);
        let _ = writeln!(out, "export const {constant} = {};", text(order));
    }
    for declaration in &declarations.all {
        out.push('\n');
        declare(&mut out, declaration);
    }
    out
}

fn declare(out: &mut String, declaration: &Declaration) {
    let Declaration { name, doc: described, kind } = declaration;
    doc(out, "", described);
    match kind {
        Kind::Struct(fields) => {
            let _ = writeln!(out, "export interface {name} {{");
            for field in fields {
                doc(out, "  ", &field.doc);
                let mark = if field.is_required { "" } else { "?" };
                let _ = writeln!(out, "  {}{mark}: {};", text(&field.name), name_of(&field.kind));
            }
            out.push_str("}\n");
        }
        Kind::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| text(word)).collect();
            let _ = writeln!(out, "export type {name} = {};", words.join(" | "));
        }
        Kind::Alias(kind) => {
            let _ = writeln!(out, "export type {name} = {};", name_of(kind));
        }
    }
}

fn name_of(kind: &Type) -> String {
    match kind {
        Type::Any => "unknown".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Integer | Type::Number => "number".to_owned(),
        Type::Text => "string".to_owned(),
        Type::List(item) => format!("Array<{}>", name_of(item)),
        Type::Map(value) => format!("Record<string, {}>", name_of(value)),
        Type::Nullable(inner) => format!("{} | null", name_of(inner)),
        Type::Named(name) | Type::Recursive(name) => name.clone(),
    }
}

/// A text in quotes.
fn text(text: &str) -> String {
    // The two line ends that JSON allows in texts and older JavaScript does not.
    let quoted = serde_json::Value::from(text).to_string();
    quoted.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn doc(out: &mut String, indent: &str, text: &str) {
    let all: Vec<String> = lines(text).map(|line| line.replace("*/", "* /")).collect();
    match &all[..] {
        [] => {}
        [only] => _ = writeln!(out, "{indent}/** {only} */"),
        many => {
            let body = many.join(&format!("\n{indent} * "));
            let _ = writeln!(out, "{indent}/**\n{indent} * {body}\n{indent} */");
        }
    }
}
