//! Random histories: what a server answers is what the model says, on both engines.
//!
//! `SVC_MODEL_HISTORIES` says how many there are per engine.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use proptest::strategy::{BoxedStrategy, Just, Strategy, ValueTree};
use proptest::test_runner::{Config, TestError, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use svc_server::testing::Engine;
use svc_store::testing::postgres;
use svc_types::Code;
use tokio::runtime::Runtime;

use crate::generate;
use crate::model::{Model, Outcome};
use crate::node::Node;
use crate::real::{Real, SharedServer};
use crate::step::Step;

/// Steps of the longest history.
const STEPS: usize = 50;

/// Histories of one server: the audit checks all of them each time.
const HISTORIES_PER_SERVER: u32 = 25;

struct Reference;

impl ReferenceStateMachine for Reference {
    type State = Model;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model::new()).boxed()
    }

    fn transitions(model: &Model) -> BoxedStrategy<Step> {
        generate::steps(model)
    }

    fn apply(mut model: Model, step: &Step) -> Model {
        model.take(step);
        model
    }
}

/// A history at a server on one of the engines.
struct History<const POSTGRES: bool>;

impl<const POSTGRES: bool> StateMachineTest for History<POSTGRES> {
    type SystemUnderTest = Real;
    type Reference = Reference;

    fn init_test(_: &Model) -> Real {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut shared = shared::<POSTGRES>();
        let shared = shared.get_or_insert_with(Shared::start);
        let server = shared.server(if POSTGRES { Engine::Postgres } else { Engine::Sqlite });
        shared.runtime.block_on(Real::begin(server, number))
    }

    fn apply(mut real: Real, model: &Model, step: Step) -> Real {
        block_on::<POSTGRES>(real.take(&step, model));
        real
    }

    fn teardown(real: Real, model: Model) {
        block_on::<POSTGRES>(real.end(model));
    }
}

/// What the histories of an engine share.
struct Shared {
    /// The server, and how many histories it has seen.
    server: Option<(Arc<SharedServer>, u32)>,
    runtime: Runtime,
}

impl Shared {
    fn start() -> Self {
        Self { server: None, runtime: Runtime::new().unwrap() }
    }

    /// The server for the next history; a new one after a number of them.
    fn server(&mut self, engine: Engine) -> Arc<SharedServer> {
        self.server.take_if(|(_, seen)| *seen == HISTORIES_PER_SERVER);
        let (server, seen) = self.server.get_or_insert_with(|| {
            let server = self.runtime.block_on(async {
                let node = Node::on(engine).await.expect("the engine was there before");
                SharedServer::of(node).await
            });
            (Arc::new(server), 0)
        });
        *seen += 1;
        Arc::clone(server)
    }
}

/// What the histories of this engine share, while they run.
fn shared<const POSTGRES: bool>() -> MutexGuard<'static, Option<Shared>> {
    static SHARED: [Mutex<Option<Shared>>; 2] = [Mutex::new(None), Mutex::new(None)];
    SHARED[usize::from(POSTGRES)].lock().unwrap_or_else(PoisonError::into_inner)
}

fn block_on<const POSTGRES: bool>(work: impl Future<Output = ()>) {
    let shared = shared::<POSTGRES>();
    shared.as_ref().expect("a history has begun").runtime.block_on(work);
}

/// Ends the server of an engine with its histories, also when one fails: nothing drops a static, and its
/// files would stay.
struct EndOfServer<const POSTGRES: bool>;

impl<const POSTGRES: bool> Drop for EndOfServer<POSTGRES> {
    fn drop(&mut self) {
        drop(shared::<POSTGRES>().take());
    }
}

/// How many histories are wanted.
fn wanted(otherwise: u32) -> u32 {
    let given = std::env::var_os("SVC_MODEL_HISTORIES");
    given.map_or(otherwise, |count| {
        let count = count.to_str().and_then(|count| count.parse().ok());
        count.expect("SVC_MODEL_HISTORIES is a number")
    })
}

/// Runs histories until one fails, which is then shrunk and printed.
fn run<const POSTGRES: bool>(count: u32) {
    let config = Config {
        cases: count,
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let mut runner = TestRunner::new(config.clone());
    let _end = EndOfServer::<POSTGRES>;
    let histories = Reference::sequential_strategy(STEPS / 2..=STEPS);
    let judged = runner.run(&histories, |(model, steps, seen)| {
        History::<POSTGRES>::test_sequential(config.clone(), model, steps, seen);
        Ok(())
    });
    match judged {
        Ok(()) => {}
        Err(TestError::Abort(reason)) => panic!("{reason}"),
        Err(TestError::Fail(reason, (_, steps, _))) => {
            panic!("{reason}\n\nThe shortest history that goes wrong:\n{}", format_steps(&steps))
        }
    }
}

/// A step per line.
fn format_steps(steps: &[Step]) -> String {
    let lines = steps.iter().enumerate().map(|(at, step)| format!("{at:3}  {step:?}\n"));
    lines.collect()
}

#[test]
fn random_histories_match_the_model_on_sqlite() {
    run::<false>(wanted(40));
}

#[test]
fn random_histories_match_the_model_on_postgres() {
    if postgres::postgres().is_some() {
        run::<true>(wanted(15));
    }
}

/// Everything that comes of a history, in words.
fn words(steps: &[Step]) -> BTreeSet<String> {
    let mut model = Model::new();
    let mut words = BTreeSet::new();
    for step in steps {
        model.take(step);
        words.insert(match &model.outcome {
            Outcome::Refused(code, _) => code.to_string(),
            other => format!("{other:?}"),
        });
    }
    let ends = model.escrows.values().filter_map(|escrow| escrow.end.clone());
    words.extend(ends.map(|end| end.to_string()));
    words.extend(model.orders.values().map(|order| {
        let kind = if order.escrow.is_some() { "paid" } else { "direct" };
        format!("{kind} {}", order.state)
    }));
    words
}

/// The refusals and ends that histories must come by, so that they test something.
fn wanted_words() -> BTreeSet<String> {
    let codes = [
        Code::ChargeExceedsOffer,
        Code::EscrowInUse,
        Code::EscrowMismatch,
        Code::Forbidden,
        Code::IdempotencyConflict,
        Code::InputSchemaMismatch,
        Code::InsufficientCredits,
        Code::InvalidServiceMessage,
        Code::NotFound,
        Code::RequestClosed,
        Code::RequestNotFound,
        Code::SelfAction,
        Code::SelfEscrow,
        Code::ServiceNotFound,
        Code::ValidationFailed,
        Code::VersionMismatch,
        Code::WrongState,
    ];
    let transitions = svc_types::api::escrow::TRANSITIONS.iter();
    let ends = transitions.filter_map(|row| row.close_reason.as_ref().map(ToString::to_string));
    let states = ["open", "completed", "rejected", "error", "expired"];
    let states = states.iter().flat_map(|it| [format!("direct {it}"), format!("paid {it}")]);
    let others = ["Done", "Quiet", "Replayed"].map(str::to_owned);
    codes.iter().map(ToString::to_string).chain(ends).chain(states).chain(others).collect()
}

#[test]
fn random_histories_cover_every_refusal_and_every_outcome() {
    let mut runner = TestRunner::deterministic();
    let histories = Reference::sequential_strategy(STEPS..=STEPS);
    let mut found = BTreeSet::new();
    for _ in 0..200 {
        let (_, steps, _) = histories.new_tree(&mut runner).unwrap().current();
        found.append(&mut words(&steps));
    }
    assert_eq!(wanted_words().difference(&found).collect::<Vec<_>>(), [""; 0]);
}
