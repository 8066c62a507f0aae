use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fluent_bundle::FluentResource;
use fluent_syntax::ast::Entry;

use super::*;

#[test]
fn the_language_is_the_best_that_a_browser_accepts() {
    let cases = [
        ("de", Some(Language::German)),
        ("de-AT,de;q=0.9,en;q=0.8", Some(Language::German)),
        ("en;q=0.5, de", Some(Language::German)),
        ("fr, en-GB;q=0.3, DE;q=0.2", Some(Language::English)),
        ("de;q=0, en;q=0.1", Some(Language::English)),
        ("fr", None),
        ("fr, de;q=0", None),
        ("de;q=x, ;;, *", None),
        ("", None),
    ];
    for (header, language) in cases {
        assert_eq!(Language::accepted(header), language, "{header}");
    }
}

#[test]
fn counters_are_grouped_then_short() {
    let pairs = [(0, "0"), (999, "999"), (1_240, "1,240"), (9_999, "9,999"), (10_000, "10K")];
    let more = [(12_345, "12.3K"), (999_999, "999K"), (3_400_000, "3.4M"), (2_000_000_000, "2B")];
    for (number, text) in pairs.into_iter().chain(more) {
        assert_eq!(number::count(Language::English, number), text);
        let german = text.replace(',', "_").replace('.', ",").replace('_', ".");
        let german =
            german.replace('K', "\u{a0}Tsd.").replace('M', "\u{a0}Mio.").replace('B', "\u{a0}Mrd.");
        assert_eq!(number::count(Language::German, number), german);
    }
}

/// The messages of a catalogue: id, and the variables of its text.
fn messages(files: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    for file in files {
        let resource = FluentResource::try_new((*file).to_owned());
        let resource = resource.unwrap_or_else(|(_, errors)| panic!("{errors:?} in {file:.60}"));
        for entry in resource.entries() {
            let Entry::Message(message) = entry else { continue };
            let text = format!("{:?}", message.value);
            let variables = text.split("VariableReference { id: Identifier { name: \"").skip(1);
            let variables = variables.map(|rest| rest.split('"').next().unwrap().to_owned());
            let id = message.id.name.to_owned();
            assert!(found.insert(id.clone(), variables.collect()).is_none(), "{id} occurs twice");
        }
    }
    found
}

#[test]
fn every_language_has_the_same_texts_with_the_same_values() {
    let (english, german) = (messages(catalogue::ENGLISH), messages(catalogue::GERMAN));
    let ids = |one: &BTreeMap<String, _>, other: &BTreeMap<String, _>| {
        one.keys().filter(|id| !other.contains_key(*id)).cloned().collect::<Vec<_>>()
    };
    assert_eq!(ids(&english, &german), [""; 0], "not in German");
    assert_eq!(ids(&german, &english), [""; 0], "not in English");
    for (id, variables) in &english {
        let shown = |variables: &BTreeSet<String>| -> BTreeSet<String> {
            // A plural may need its number in one language only.
            variables.iter().filter(|name| *name != "count").cloned().collect()
        };
        let (own, others) = (shown(variables), shown(&german[id]));
        // What the API says names things that its translation need not.
        let is_pattern = id.starts_with("api-");
        assert!(own == others || is_pattern && others.is_subset(&own), "{id}: {own:?}, {others:?}");
    }
}

/// The texts of templates and code.
fn sources(folder: &Path, found: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if !path.ends_with("language/tests.rs") {
            found.push_str(&std::fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

#[test]
fn every_text_is_used_and_every_used_text_exists() {
    let mut sources_text = String::new();
    for folder in ["src", "templates"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut sources_text);
    }
    let english = messages(catalogue::ENGLISH);
    let begins: BTreeSet<&str> = after(&sources_text, "format!(\"", '{').collect();
    let is_begin = |begin: &&str| begin.ends_with('-') && is_id(begin);
    let begins: Vec<&str> = begins.into_iter().filter(is_begin).collect();
    let quoted: BTreeSet<&str> = sources_text.split('"').filter(|text| is_id(text)).collect();
    let is_used =
        |id: &str| quoted.contains(id) || begins.iter().any(|begin| id.starts_with(begin));
    let unused: Vec<&String> = english.keys().filter(|id| !is_used(id)).collect();
    assert_eq!(unused, [""; 0], "texts that nothing shows");
    let calls = [".t(\"", ".html(\"", ".text(\"", ".message(\""];
    let used = calls.iter().flat_map(|call| after(&sources_text, call, '"'));
    let missing: BTreeSet<&str> =
        used.filter(|id| is_id(id) && id.contains('-') && !english.contains_key(*id)).collect();
    assert_eq!(missing, BTreeSet::new(), "texts that are in no catalogue");
}

/// Every text between `begin` and the next `end`.
fn after<'a>(text: &'a str, begin: &'a str, end: char) -> impl Iterator<Item = &'a str> {
    text.split(begin).skip(1).filter_map(move |rest| rest.split(end).next())
}

fn is_id(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
