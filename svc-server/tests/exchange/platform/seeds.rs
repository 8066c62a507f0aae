//! One history per seed: made, judged, and made shorter while it fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::any;
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use proptest_state_machine::ReferenceStateMachine;

use super::generate;
use super::model::Model;
use super::step::Step;

/// The variable that replays the history of a seed.
pub(super) const VARIABLE: &str = "SVC_PLATFORM_SEED";

/// Steps of the longest history: most of what accounts do to each other needs a few steps, and there are
/// many short histories in the time of one long one.
const STEPS: usize = 10;

/// A history: the state it begins with, its steps, and how many of them were taken.
pub(super) struct History {
    pub(super) model: Model,
    pub(super) steps: Vec<Step>,
    taken: Option<Arc<AtomicUsize>>,
}

impl History {
    /// The history of a seed.
    pub(super) fn of(seed: u64) -> Self {
        tree(&mut runner(seed)).current().into()
    }

    /// Notes that a step is taken: those that are not are cut off first.
    pub(super) fn note_step(&self) {
        if let Some(taken) = &self.taken {
            taken.fetch_add(1, Ordering::Relaxed);
        }
    }
}

type Generated = (Model, Vec<Step>, Option<Arc<AtomicUsize>>);

impl From<Generated> for History {
    fn from((model, steps, taken): Generated) -> Self {
        Self { model, steps, taken }
    }
}

struct Reference;

impl ReferenceStateMachine for Reference {
    type State = Model;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Model> {
        any::<[bool; 2]>().prop_map(|[one, other]| Model::new(one && other)).boxed()
    }

    fn transitions(model: &Model) -> BoxedStrategy<Step> {
        generate::steps(model)
    }

    fn apply(mut model: Model, step: &Step) -> Model {
        model.take(step);
        model
    }
}

fn runner(seed: u64) -> TestRunner {
    let config = Config { failure_persistence: None, max_shrink_iters: 500, ..Config::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

fn tree(runner: &mut TestRunner) -> impl ValueTree<Value = Generated> + use<> {
    Reference::sequential_strategy(STEPS / 4..=STEPS).new_tree(runner).unwrap()
}

/// Judges the history of a seed; if it fails, the report of the shortest one that does.
pub(super) fn shortest(seed: u64, judge: impl Fn(History)) -> Option<String> {
    let mut runner = runner(seed);
    let tree = tree(&mut runner);
    let judged = runner.run_one(tree, |generated| {
        judge(generated.into());
        Ok(())
    });
    match judged {
        Ok(_) => None,
        Err(TestError::Abort(reason)) => Some(reason.to_string()),
        Err(TestError::Fail(reason, (_, steps, _))) => {
            Some(report(seed, &reason.to_string(), &steps))
        }
    }
}

fn report(seed: u64, reason: &str, steps: &[Step]) -> String {
    let lines = steps.iter().enumerate().map(|(at, step)| format!("{at:3}  {step:?}\n"));
    format!(
        "{reason}\n\nThe shortest history that goes wrong:\n{}\nIt is replayed by {VARIABLE}={seed:016x} \
         cargo test --workspace --test exchange -- platform",
        lines.collect::<String>()
    )
}

/// The seed that a report names, or that the variable holds.
pub(super) fn seed_in(text: &str) -> Option<u64> {
    let after = text.rsplit_once('=').map_or(text, |(_, after)| after);
    u64::from_str_radix(after.split(' ').next()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Actor;

    /// Fails once somebody who is followed is suspended.
    #[expect(clippy::needless_pass_by_value, reason = "judges take histories")]
    fn dislike(history: History) {
        let mut model = history.model.clone();
        for step in &history.steps {
            history.note_step();
            model.take(step);
            let is_bad = |(_, whom): &(Actor, Actor)| model.accounts[whom].is_suspended;
            assert!(!model.follows.iter().any(is_bad), "a followed account is suspended");
        }
    }

    #[test]
    fn a_report_names_the_seed_that_replays_its_history() {
        let failure = (0..).find_map(|seed| Some((seed, shortest(seed, dislike)?)));
        let (seed, report) = failure.unwrap();
        assert_eq!(seed_in(&report), Some(seed), "{report}");
        assert_eq!(shortest(seed, dislike).as_deref(), Some(&*report));
        let steps = report.lines().filter(|line| line.contains("Call {")).count();
        assert_eq!(steps, 2, "a follow and a suspension are left of\n{report}");
    }

    #[test]
    fn a_seed_makes_the_same_history_each_time() {
        let words = |seed| format!("{:?}", History::of(seed).steps);
        assert_eq!(words(7), words(7));
        assert_ne!(words(7), words(8));
    }
}
