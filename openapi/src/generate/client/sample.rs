//! A call of each method of the client as a function that compiles: the example of its documentation,
//! with the lines that rustdoc hides.

use std::collections::BTreeMap;

use super::{endpoint, exceptions, method};

/// The code of a call by the name of its endpoint.
pub(crate) fn samples() -> BTreeMap<&'static str, String> {
    let all = endpoint::all().into_iter();
    all.map(|endpoint| {
        let name = endpoint.declared.name;
        let example = exceptions::shown(name);
        let example = example.map_or_else(|| method::example_of_method(&endpoint), str::to_owned);
        (name, whole(&example))
    })
    .collect()
}

/// An example as a whole function.
fn whole(example: &str) -> String {
    let mut lines = Vec::new();
    for line in example.lines() {
        match line.strip_prefix("# ") {
            Some("Ok(()) }") => lines.push("    Ok(())\n}".to_owned()),
            Some(head) if head.starts_with("async fn") && !lines.is_empty() => {
                lines.push(format!("\n{head}"));
            }
            Some(hidden) => lines.push(hidden.to_owned()),
            None => lines.push(format!("    {line}")),
        }
    }
    lines.join("\n")
}
