//! Each target in an ordinary build: the seeds, what was kept in `corpus/`, and mutations of both.
//!
//! `SVC_FUZZ_SECONDS` says how long mutations are tried instead of a fixed number of them, and
//! `SVC_FUZZ_SEED` begins with others. An input that fails is left in the folder for temporary files.

#![expect(clippy::disallowed_methods, reason = "the time and the seed are given by variables")]

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use svc_fuzz::mutation::{Dice, mutate};
use svc_fuzz::{ServerUse, TARGETS, Target, successes};

/// One at a time, because memory and work are those of the whole process.
static TURN: Mutex<()> = Mutex::new(());

/// Mutations that are tried without a time.
const MUTATIONS: usize = 200;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("it is a number"))
}

fn judge(target: Target, input: &[u8]) {
    let judged = panic::catch_unwind(AssertUnwindSafe(|| target.judge(input)));
    if let Err(failed) = judged {
        let path = std::env::temp_dir().join(format!("svc-fuzz-{}", target.name));
        std::fs::write(&path, input).expect("the input can be left behind");
        eprintln!("the input is in {}: {}", path.display(), input.escape_ascii());
        panic::resume_unwind(failed);
    }
}

fn play(name: &str) {
    // Before the turn: a test that waits keeps the server for itself.
    let _use = ServerUse::begin();
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let target = Target::named(name).expect("there is such a target");
    let corpus = target.corpus();
    for input in &corpus {
        judge(target, input);
    }
    let mut dice = Dice::new(number("SVC_FUZZ_SEED").unwrap_or(1));
    let time = number("SVC_FUZZ_SECONDS").map(Duration::from_secs);
    let (began, mut tried) = (Instant::now(), 0);
    while time.map_or(tried < MUTATIONS, |time| began.elapsed() < time) {
        judge(target, &mutate(&corpus, &mut dice));
        tried += 1;
    }
    println!("{name}: {} inputs and {tried} mutations", corpus.len());
}

#[test]
fn a_server_grants_some_of_the_seeds_for_it() {
    let _use = ServerUse::begin();
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for name in ["a2a", "cursors", "mcp", "oauth", "passkeys", "stripe", "uploads"] {
        let target = Target::named(name).expect("there is such a target");
        let before = successes();
        target.corpus().iter().for_each(|input| judge(target, input));
        assert!(successes() > before, "the seeds of {name} are stale");
    }
}

macro_rules! targets {
    ($($name:ident)+) => {
        $(
            #[test]
            fn $name() {
                play(stringify!($name));
            }
        )+

        #[test]
        fn every_target_is_played() {
            assert_eq!(TARGETS.map(|target| target.name), [$(stringify!($name)),+]);
        }
    };
}

targets! {
    a2a configuration cursors markdown mcp mqtt oauth passkeys pictures requests schemas
    service_messages stripe uploads values webhooks
}
