//! The client's methods are those of the declarations.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::reading::{operations, text};

#[test]
fn the_methods_of_the_client_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../svc-client/src/methods");
    let committed: BTreeMap<String, String> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap())
        .map(|file| {
            let name = file.file_name().into_string().unwrap();
            (name, fs::read_to_string(file.path()).unwrap())
        })
        .collect();
    let written = svc_openapi::generate::client_files();
    for (name, source) in &written {
        let stale = "is stale; run `cargo document` and commit the file";
        assert!(committed.get(name) == Some(source), "svc-client/src/methods/{name} {stale}");
    }
    for name in committed.keys() {
        assert!(written.contains_key(name), "svc-client/src/methods/{name} is no longer written");
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
fn each_sample_of_rust_is_an_example_that_compiles() {
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
