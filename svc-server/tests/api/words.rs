//! The words of `docs/words.toml` do not come back, and the tests of `docs/faults.md` do not disappear.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders and files below a folder that belong to the project.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "svc-data" {
                files(&path, found);
            }
        } else if ["rs", "md", "html", "toml"].iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
}

/// The identifiers of Rust code, without comments and texts.
fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    let code = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    // Every second part of a line that is split at quotes is a text.
    let code = code.flat_map(|line| line.split('"').step_by(2));
    code.flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '_'))
}

/// Words of a text in lower case with one space between them, so that line breaks, comment signs and
/// the underscores of test names do not hide a phrase.
fn words(text: &str) -> String {
    let is_break = |c: char| c.is_whitespace() || matches!(c, '/' | '!' | '_' | '`' | '*' | '#');
    let words: Vec<String> =
        text.split(is_break).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    format!(" {} ", words.join(" "))
}

fn holds(words: &str, phrase: &str) -> bool {
    words.match_indices(phrase).any(|(start, _)| {
        let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '\'');
        is_edge(words[..start].chars().next_back())
            && is_edge(words[start + phrase.len()..].chars().next())
    })
}

fn table<'a>(list: &'a toml::Table, name: &str) -> &'a toml::Table {
    list[name].as_table().unwrap()
}

#[test]
fn the_project_uses_the_terms_of_the_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let list: toml::Table =
        fs::read_to_string(root.join("docs/words.toml")).unwrap().parse().unwrap();
    let exempt: Vec<&str> = list["exempt"]["paths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|path| path.as_str().unwrap())
        .collect();
    let mut found = Vec::new();
    files(root, &mut found);
    let mut faults = Vec::new();
    for path in found {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        if exempt.iter().any(|part| name.contains(part)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let forbidden = table(&list, "modules").get(stem);
            faults.extend(
                forbidden.map(|right| format!("{name}: the file is named {stem}: {right}")),
            );
            let names = table(&list, "identifiers");
            let forbidden = identifiers(&text).filter_map(|word| Some((word, names.get(word)?)));
            faults.extend(forbidden.map(|(word, right)| format!("{name}: {word}: {right}")));
        }
        let text = words(&text);
        let forbidden = table(&list, "phrases").iter().filter(|(phrase, _)| holds(&text, phrase));
        faults.extend(forbidden.map(|(phrase, right)| format!("{name}: {phrase:?}: {right}")));
    }
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{} words to replace:\n{}", faults.len(), faults.join("\n"));
}

/// The source of a test that `docs/faults.md` names: empty where there is no such file.
fn source(root: &Path, file: &str) -> String {
    let folders = ["svc-server/tests/", "svc-bot-kit/tests/", "svc-server/", ""];
    let sources = folders.map(|folder| root.join(format!("{folder}{file}.rs")));
    let found = sources.into_iter().chain([root.join(file)]).find(|path| path.is_file());
    found.map(|path| fs::read_to_string(path).unwrap()).unwrap_or_default()
}

#[test]
fn the_table_of_faults_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let table = fs::read_to_string(root.join("docs/faults.md")).unwrap();
    let named = table.split('`').skip(1).step_by(2).filter_map(|text| text.split_once(": "));
    let named: Vec<(&str, &str)> = named.collect();
    assert!(named.len() > 90, "{} tests are named", named.len());
    let is_there = |(file, test): &(&str, &str)| {
        let code = source(root, file);
        let begins = [format!("fn {test}("), format!("def {test}("), format!("test(\"{test}\"")];
        begins.iter().any(|begin| code.contains(begin))
    };
    let missing: Vec<_> = named.into_iter().filter(|named| !is_there(named)).collect();
    assert!(missing.is_empty(), "docs/faults.md names tests that do not exist: {missing:#?}");
}

#[test]
fn a_phrase_is_found_across_lines_and_in_names_but_not_within_words() {
    assert!(holds(&words("/// the broker\n    /// of Others."), "broker of others"));
    assert!(holds(&words("fn a_broker_of_others_is_refused()"), "broker of others"));
    assert!(!holds(&words("a walker"), "walk") && !holds(&words("one's"), "one"));
    let code = "let told = \"shown\"; // heard\nlet kept = told;";
    let found: Vec<&str> = identifiers(code).filter(|word| !word.is_empty()).collect();
    assert_eq!(found, ["let", "told", "let", "kept", "told"]);
}
