//! The methods of `svc-client`, written from the declarations of the endpoints.
//!
//! A required member is an argument, in the order of the declaration; an optional one is set on
//! the call. What declarations do not express is in [`exceptions`]; methods that differ from
//! their endpoint are written by hand in `svc-client/src`.

pub(crate) mod endpoint;
mod exceptions;
mod method;
mod sample;
pub(crate) mod text;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use endpoint::Described;
pub(crate) use sample::samples;
use value::Imports;

/// The file of methods that belong to no group.
const NO_GROUP: &str = "client";

/// Each file of `svc-client/src/methods`: its name and its text.
pub(crate) fn files() -> BTreeMap<String, String> {
    let mut groups: BTreeMap<&str, Vec<Described>> = BTreeMap::new();
    for endpoint in endpoint::all() {
        groups.entry(endpoint.group().unwrap_or(NO_GROUP)).or_default().push(endpoint);
    }
    let sources = groups.iter().map(|(group, endpoints)| (*group, file(group, endpoints)));
    let sources: BTreeMap<_, _> = sources.filter(|(_, source)| !source.is_empty()).collect();
    let modules = text::each(sources.keys(), |group| format!("mod {group};\n"));
    let mut files: BTreeMap<String, String> =
        sources.into_iter().map(|(group, source)| (format!("{group}.rs"), source)).collect();
    files.insert("mod.rs".to_owned(), format!("{HEAD}\n\n{modules}"));
    files
}

const HEAD: &str = "\
//! Named methods, one for each endpoint, and the setters of their calls.
//!
//! Written by `cargo document` from the declarations in `svc-types`; do not edit. Methods that
//! differ from their endpoint are written by hand in the parent folder.";

/// The file of a group; empty when all of it is written by hand.
fn file(group: &str, endpoints: &[Described]) -> String {
    let mut imports = Imports::default();
    let mut methods = Vec::new();
    let mut setters = String::new();
    for endpoint in endpoints {
        if !exceptions::BY_HAND.contains(&endpoint.declared.name) {
            methods.push(method::method(endpoint, &mut imports));
        }
        setters.push_str(&method::setters(endpoint, &mut imports));
    }
    if methods.is_empty() && setters.is_empty() {
        return String::new();
    }
    let handle = if group == NO_GROUP { "Client".to_owned() } else { handle(group) };
    let mut ours = BTreeSet::from(["Call"]);
    let mut body = String::new();
    if !methods.is_empty() {
        ours.insert(&handle);
        let lifetime = if group == NO_GROUP { "" } else { "<'_>" };
        body = format!("\nimpl {handle}{lifetime} {{\n{}}}\n", methods.join("\n"));
    }
    let ours = match Vec::from_iter(ours).as_slice() {
        [one] => format!("use crate::{one};\n"),
        several => format!("use crate::{{{}}};\n", several.join(", ")),
    };
    let about = format!("//! `{group}`: written by `cargo document`; do not edit.\n");
    format!("{about}\n{}\n{ours}{body}{setters}", imports.lines())
}

/// The type of a group, such as `ScheduledPosts`.
fn handle(group: &str) -> String {
    match group {
        "escrow" => "Escrows".to_owned(),
        "export" => "Exports".to_owned(),
        _ => text::pascal(group),
    }
}
