//! The README and the guides work as printed: from the installation to the last row of the table.

mod newcomer;

use std::path::Path;

use self::newcomer::Newcomer;

/// The tour and the guides that continue it, in the order in which they are read.
const GUIDES: [&str; 4] = ["README.md", "docs/identity.md", "docs/bots.md", "docs/command-line.md"];

fn read(document: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document);
    std::fs::read_to_string(path).unwrap()
}

/// The text of each block of a language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("\n```{language}\n");
    let rest = text.split(&begin).skip(1);
    rest.map(|rest| rest.split("\n```").next().unwrap()).collect()
}

/// A command as it is printed, with what it answers.
struct Step {
    line: String,
    shown: Vec<String>,
}

/// The commands of the blocks marked `console`: what stands behind `$ `, and the lines below.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in blocks(text, "console").into_iter().flat_map(str::lines) {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(line), _) => steps.push(Step { line: line.to_owned(), shown: Vec::new() }),
            (None, Some(step)) => step.shown.push(line.to_owned()),
            (None, None) => panic!("{line} stands below no command"),
        }
    }
    steps
}

/// The commands in the table of what works.
fn examples(text: &str) -> Vec<String> {
    let table = text.split("## What works\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with('|'));
    let spans = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let examples = spans.filter(|span| span.starts_with("svc "));
    examples.map(|example| example.replace("\\|", "|")).collect()
}

#[test]
fn a_newcomer_comes_from_the_installation_to_the_last_row_of_the_table() {
    let texts = GUIDES.map(read).concat();
    let (steps, examples) = (steps(&texts), examples(&texts));
    assert!(steps.len() >= 20, "the guides show commands");
    assert!(examples.len() >= 30, "the guides show what works: {examples:?}");
    let mut newcomer = Newcomer::new();
    for step in &steps {
        newcomer.types(&step.line, &step.shown);
    }
    newcomer.takes_a_post();
    for line in &examples {
        newcomer.types(line, &[]);
    }
}

#[test]
fn the_service_that_is_shown_is_the_example_that_runs() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/src/bin/paid_service.rs");
    let example = std::fs::read_to_string(example).unwrap();
    let text = read("README.md");
    let shown = blocks(&text, "rust");
    assert_eq!(shown.len(), 1, "other code of the README is marked as cut short");
    assert!(example.contains(shown[0]), "{}", shown[0]);
}
