//! Prints Python.

use std::fmt::Write;

use super::model::{Declaration, Declarations, Kind, Service, Type};
use super::names::lines;

pub(super) fn print(head: &str, services: &[Service], declarations: &Declarations) -> String {
    let mut out =
        format!("# {head}\n\nfrom typing import Any, Literal, NotRequired, TypedDict\n\n");
    for declaration in &declarations.all {
        declare(&mut out, declaration);
        out.push('\n');
    }
    for service in services {
        let Service { constant, order, price, input, output, .. } = service;
        doc(&mut out, "", &service.description);
        doc(&mut out, "", &format!("It costs {price}, takes {input} and answers {output}."));
        let _ = writeln!(out, "{constant} = {}\n", text(order));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn declare(out: &mut String, declaration: &Declaration) {
    let Declaration { name, doc: described, kind } = declaration;
    doc(out, "", described);
    match kind {
        Kind::Struct(fields) => {
            // This form takes any name of a member.
            let _ = writeln!(out, "{name} = TypedDict(\n    \"{name}\",\n    {{");
            for field in fields {
                doc(out, "        ", &field.doc);
                let mut kind = name_of(&field.kind);
                if !field.is_required {
                    kind = format!("NotRequired[{kind}]");
                }
                let _ = writeln!(out, "        {}: {kind},", text(&field.name));
            }
            out.push_str("    },\n)\n");
        }
        Kind::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| text(word)).collect();
            let _ = writeln!(out, "{name} = Literal[{}]", words.join(", "));
        }
        Kind::Alias(kind) => {
            let _ = writeln!(out, "{name} = {}", name_of(kind));
        }
    }
}

fn name_of(kind: &Type) -> String {
    match kind {
        Type::Any => "Any".to_owned(),
        Type::Null => "None".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Integer => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Text => "str".to_owned(),
        Type::List(item) => format!("list[{}]", name_of(item)),
        Type::Map(value) => format!("dict[str, {}]", name_of(value)),
        Type::Nullable(inner) => match &**inner {
            // A text can't be combined by `|`.
            Type::Recursive(name) => format!("\"{name} | None\""),
            inner => format!("{} | None", name_of(inner)),
        },
        Type::Named(name) => name.clone(),
        Type::Recursive(name) => format!("\"{name}\""),
    }
}

/// A text in quotes.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn doc(out: &mut String, indent: &str, text: &str) {
    for line in lines(text) {
        let _ = writeln!(out, "{indent}# {line}");
    }
}
