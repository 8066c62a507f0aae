//! The client's methods are those of the declarations.

#[path = "../../examples/document/client/mod.rs"]
mod written;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
    let written = written::files();
    for (name, source) in &written {
        let stale = "is stale; run `cargo document` and commit the file";
        assert!(committed.get(name) == Some(source), "svc-client/src/methods/{name} {stale}");
    }
    for name in committed.keys() {
        assert!(written.contains_key(name), "svc-client/src/methods/{name} is no longer written");
    }
}
