//! The methods of the SDKs in other languages, written from the declarations of the endpoints.
//!
//! A [`Group`] is what every language needs to know. A language is a function from the groups to its
//! source files and has a line in [`LANGUAGES`]; all else about an SDK is written by hand next to
//! those files. Names are in the case of Rust here, each language writes its own.

mod model;
mod python;
mod sample;
mod typescript;

use std::collections::BTreeMap;

use crate::generate::client;
use model::Group;
pub(super) use sample::Samples;

/// Source files by name.
type Files = BTreeMap<String, String>;

/// Writes the source files of a language.
type Writer = fn(&[Group]) -> Files;

/// The folder of each language's sources, from the root of the repository, and what writes them.
const LANGUAGES: [(&str, Writer); 2] = [
    ("sdk/python/src/svc/_methods", python::files),
    ("sdk/typescript/src/generated", typescript::files),
];

/// The folder of the methods of `svc-client`.
const CLIENT: &str = "svc-client/src/methods";

/// Every source file that is written from the declarations, by its path from the root of the
/// repository. The folders contain no other files.
pub(super) fn sources() -> BTreeMap<String, String> {
    let groups = model::groups();
    let languages = LANGUAGES.map(|(folder, files)| (folder, files(&groups)));
    let folders = [(CLIENT, client::files())].into_iter().chain(languages);
    let files = folders.flat_map(|(folder, files)| {
        files.into_iter().map(move |(name, source)| (format!("{folder}/{name}"), source))
    });
    files.collect()
}
