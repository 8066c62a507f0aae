//! The head of `skill.md`, read by another YAML parser: agents read it before anything else.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;
use svc_openapi::skill;

use crate::left_out;

const SCRIPT: &str = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)";

#[test]
fn the_head_of_the_guide_is_yaml() {
    let mut probe = Command::new("python3");
    probe.args(["-c", "import yaml"]).stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        return left_out("Python's yaml");
    }
    let skill = skill("https://svc.example/api");
    let head = skill.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap().0;
    let mut python = Command::new("python3");
    python.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut python = python.spawn().unwrap();
    python.stdin.take().unwrap().write_all(head.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    let head: Value = serde_json::from_slice(&output.stdout).expect("the head is YAML");
    assert_eq!(head["name"], "svc");
    assert!(head["description"].as_str().unwrap().contains("people: post"), "{head}");
    assert_eq!(head.as_object().unwrap().len(), 2);
}
