//! The code samples of the document: each sends, by the SDK of its language, the sample of its request.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::sync::LazyLock;

use serde_json::{Value, json};
use svc_client::types::samples::{self, SampleVisitor};
use svc_client::types::{Endpoint, wire};
use url::form_urlencoded;

use crate::languages::{command, said};
use crate::process::Place;
use crate::{sdk_python, sdk_typescript};

const PYTHON: &str = include_str!("foreign/samples.py");
const TYPESCRIPT: &str = include_str!("foreign/samples.mts");

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../openapi/openapi.json")).unwrap());

/// The samples of a language by the name of their operation.
fn programs(language: &str) -> BTreeMap<&'static str, &'static str> {
    let paths = DOCUMENT["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|path| path.as_object().unwrap().values());
    let sample = |operation: &'static Value| {
        let mut samples = operation["x-codeSamples"].as_array()?.iter();
        let found = samples.find(|sample| sample["lang"] == language)?;
        Some((operation["operationId"].as_str()?, found["source"].as_str()?))
    };
    operations.filter_map(sample).collect()
}

/// Requests by the name of their operation: method, path, query and body.
type Requests = BTreeMap<String, Value>;

/// What the samples are to send.
#[derive(Default)]
struct Expected(Requests);

impl SampleVisitor for Expected {
    fn visit<E: Endpoint>(&mut self, sample: E) {
        let encoded = wire::encode(&sample).unwrap();
        let body = encoded.body.map(|body| serde_json::from_slice(&body).unwrap());
        let path = format!("/api{}", encoded.path);
        let (first, rest) = E::NAME.split_at(1);
        let name = format!("{}{rest}", first.to_lowercase());
        self.0.insert(name, request(E::METHOD.as_str(), &path, &encoded.query, body));
    }
}

fn request(method: &str, path: &str, query: &str, body: Option<Value>) -> Value {
    let members: BTreeSet<_> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let body = body.filter(|body| *body != json!({}));
    json!({ "method": method, "path": path, "query": members, "body": body })
}

/// What was sent, a request on each line.
fn sent(lines: &str) -> Requests {
    let mut sent = Requests::new();
    for line in lines.lines() {
        let said: Value = serde_json::from_str(line).unwrap();
        let url = url::Url::parse(said["url"].as_str().unwrap()).unwrap();
        let body = said["body"].as_str().map(|body| serde_json::from_str(body).unwrap());
        let method = said["method"].as_str().unwrap();
        let request = request(method, url.path(), url.query().unwrap_or_default(), body);
        let name = said["name"].as_str().unwrap().to_owned();
        assert!(sent.insert(name, request).is_none(), "a sample sends one request: {line}");
    }
    sent
}

/// What a script said of the samples is what they are to send.
fn compare(said: &str) {
    let (sent, mut expected) = (sent(said), Expected::default());
    samples::visit(&mut expected);
    let [shown, declared] = [&sent, &expected.0].map(|of| of.keys().collect::<Vec<_>>());
    assert_eq!(shown, declared, "every endpoint has a sample");
    for (name, request) in &expected.0 {
        assert_eq!(sent[name], *request, "{name}");
    }
}

#[tokio::test]
async fn each_sample_in_typescript_is_type_checked_and_sends_its_request() {
    let Some(sdk) = sdk_typescript::Sdk::get().await else { return };
    let place = sdk.place();
    let mut functions = String::new();
    for (name, program) in programs("TypeScript") {
        let body = program.strip_prefix("import { Svc } from \"@svc/sdk\";\n").unwrap();
        writeln!(functions, "  {name}: async () => {{{body}\n  }},").unwrap();
    }
    let script = TYPESCRIPT.replace("  // samples\n", &functions);
    fs::write(place.path("samples.mts"), script).unwrap();
    let modules = format!("{}/node_modules", sdk_typescript::SDK);
    let [tsc, types] = ["typescript/bin/tsc", "@types"].map(|it| format!("{modules}/{it}"));
    let rules = "--strict --target es2022 --module nodenext --types node samples.mts";
    let mut tsc = command(&place, "node", &[&tsc, "--typeRoots", &types]);
    said(tsc.args(rules.split(' '))).await;
    compare(&said(&mut command(&place, "node", &["samples.mjs"])).await);
}

#[tokio::test]
async fn each_sample_in_python_is_type_checked_and_sends_its_request() {
    let Some(sdk) = sdk_python::Sdk::get().await else { return };
    let place = Place::new();
    let mut functions = String::new();
    for (name, program) in programs("Python") {
        let body = program.strip_prefix("from svc import Svc\n\n").unwrap();
        let body = body.replace('\n', "\n    ");
        writeln!(functions, "\n\ndef {name}() -> None:\n    {body}\n\n\nrun(\"{name}\", {name})")
            .unwrap();
    }
    let script = PYTHON.replace("\n\n# samples\n", &functions);
    fs::write(place.path("samples.py"), script).unwrap();
    let rules = ["--strict", "--cache-dir", "mypy", "samples.py", "--python-executable"];
    said(command(&place, "mypy", &rules).arg(&sdk.python)).await;
    compare(&said(&mut command(&place, sdk.python.to_str().unwrap(), &["samples.py"])).await);
}
