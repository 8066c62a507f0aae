//! The documents, and the methods of the client and of the SDKs, match the declarations.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::reading::{operations, text};

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

#[test]
fn files_generated_from_the_declarations_are_current() {
    let generated = svc_openapi::generate::files();
    let mut folders = BTreeSet::new();
    for (path, text) in &generated {
        let committed = fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_default();
        assert!(committed == *text, "{path} is stale; run `cargo document` and commit the file");
        folders.insert(path.rsplit_once('/').unwrap().0);
    }
    folders.remove("openapi"); // It also has files that are written by hand.
    for folder in folders {
        for file in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
            let path = format!("{folder}/{}", file.unwrap().file_name().display());
            assert!(generated.contains_key(&path), "{path} is no longer generated");
        }
    }
}

/// A source text without line breaks, indentation and marks of documentation.
fn normalized(source: &str) -> String {
    let lines = source.lines().map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("///").map_or(line, str::trim_start);
        line.strip_prefix("# ").unwrap_or(line)
    });
    lines.flat_map(str::split_whitespace).collect()
}

#[expect(clippy::unwrap_used, reason = "the sources of this repository can be read")]
fn sources(folder: PathBuf, found: &mut String) {
    for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        if file.is_dir() {
            sources(file, found);
        } else {
            found.push_str(&normalized(&fs::read_to_string(file).unwrap()));
        }
    }
}

/// The examples in the documentation of the client are compiled as its tests.
#[test]
fn each_rust_sample_is_an_example_that_compiles() {
    let mut documented = String::new();
    sources(Path::new(env!("CARGO_MANIFEST_DIR")).join("../svc-client/src"), &mut documented);
    let mut seen = 0;
    for operation in operations() {
        for sample in operation.json["x-codeSamples"].as_array().into_iter().flatten() {
            if sample["lang"] == "Rust" {
                let source = text(&sample["source"]);
                assert!(documented.contains(&normalized(source)), "{}: {source}", operation.name());
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "{seen} samples");
}

#[test]
fn each_upload_shows_a_call_by_curl() {
    let mut seen = 0;
    for operation in operations() {
        if operation.json["requestBody"]["content"]["multipart/form-data"].is_object() {
            let source = text(&operation.json["x-codeSamples"][0]["source"]);
            let is_call =
                source.starts_with("curl -fsS \"$SVC_URL/") && source.contains("-F file=@");
            assert!(is_call, "{}: {source}", operation.name());
            seen += 1;
        }
    }
    assert_eq!(seen, 3);
}
