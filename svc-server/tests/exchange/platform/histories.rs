//! Random histories: what a server answers is what the model says, on both engines.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use svc_server::testing::Engine;
use svc_store::testing::postgres;
use svc_types::Code;
use tokio::runtime::Runtime;

use super::model::Outcome;
use super::real::{Real, SharedServer};
use super::seeds::{History, VARIABLE, seed_in, shortest};

/// The variable that says how many histories there are per engine.
const COUNT: &str = "SVC_PLATFORM_HISTORIES";

/// Histories without a wish, and at once on each engine.
const HISTORIES: u32 = 2_000;
const AT_ONCE: usize = 2;

/// Histories of one server, and histories between two audits, which take the longer the more a server
/// has seen.
const PER_SERVER: usize = 500;
const PER_AUDIT: usize = 100;

fn wish(variable: &str) -> Option<String> {
    let given = std::env::var_os(variable)?;
    Some(given.into_string().expect("the variable is text"))
}

async fn server(engine: Engine) -> Arc<SharedServer> {
    let server = SharedServer::on(engine).await;
    Arc::new(server.expect("the engine was there before"))
}

/// Takes a history at a server. Panics where it goes wrong.
async fn judge(server: Arc<SharedServer>, history: History) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut model = history.model.clone();
    let mut real = Real::begin(server, number, &model).await;
    for step in &history.steps {
        history.note_step();
        model.take(step);
        real.take(step, &model).await;
    }
    real.end(model).await;
}

/// Takes the history of a seed at a server of its own, which is audited; the shortest one if it fails.
fn judge_alone(runtime: &Runtime, engine: Engine, seed: u64) -> Option<String> {
    shortest(seed, |history| {
        runtime.block_on(async {
            let server = server(engine).await;
            judge(Arc::clone(&server), history).await;
            server.node.audit().await;
        });
    })
}

/// Takes histories one after the other, many at the same server.
struct Worker<'a> {
    runtime: &'a Runtime,
    engine: Engine,
    server: Option<Arc<SharedServer>>,
    /// Histories that this server has seen.
    seen: Vec<u64>,
}

impl<'a> Worker<'a> {
    const fn new(runtime: &'a Runtime, engine: Engine) -> Self {
        Self { runtime, engine, server: None, seen: Vec::new() }
    }

    /// The report of what goes wrong, if anything does.
    fn take(&mut self, seed: u64) -> Option<String> {
        let server = match &self.server {
            Some(server) => Arc::clone(server),
            None => self.runtime.block_on(server(self.engine)),
        };
        self.server = Some(Arc::clone(&server));
        self.seen.push(seed);
        let judged = catch_unwind(AssertUnwindSafe(|| {
            self.runtime.block_on(judge(server, History::of(seed)));
        }));
        if judged.is_err() {
            let alone = judge_alone(self.runtime, self.engine, seed);
            return Some(alone.unwrap_or_else(|| {
                format!("the history of {VARIABLE}={seed:016x} fails only after others")
            }));
        }
        let report = self.seen.len().is_multiple_of(PER_AUDIT).then(|| self.audit()).flatten();
        if self.seen.len() == PER_SERVER {
            *self = Self::new(self.runtime, self.engine);
        }
        report
    }

    /// Audits the server; if it finds disorder, the report of the history it comes from.
    fn audit(&self) -> Option<String> {
        let server = self.server.as_ref()?;
        let audited = catch_unwind(AssertUnwindSafe(|| self.runtime.block_on(server.node.audit())));
        audited.err()?;
        let judge_alone = |seed: &u64| judge_alone(self.runtime, self.engine, *seed);
        let mut alone = self.seen.iter().filter_map(judge_alone);
        let several = || format!("the audit fails only after all of {:x?}", self.seen);
        Some(alone.next().unwrap_or_else(several))
    }
}

/// Takes this many histories, or the one of the seed that is asked for.
fn run(engine: Engine) {
    // Its end is that of the servers, whose files would stay otherwise.
    let runtime = Runtime::new().unwrap();
    if let Some(wish) = wish(VARIABLE) {
        let seed = seed_in(&wish).expect("a seed is a hexadecimal number");
        assert_eq!(judge_alone(&runtime, engine, seed), None);
        return;
    }
    let count = wish(COUNT).map_or(HISTORIES, |count| count.parse().expect("it is a number"));
    let first = RandomState::new().build_hasher().finish();
    let (next, failure) = (AtomicU32::new(0), Mutex::new(None));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let mut worker = Worker::new(&runtime, engine);
                loop {
                    let turn = next.fetch_add(1, Ordering::Relaxed);
                    if turn >= count || failure.lock().unwrap().is_some() {
                        break;
                    }
                    if let Some(report) = worker.take(first.wrapping_add(turn.into())) {
                        failure.lock().unwrap().get_or_insert(report);
                    }
                }
                if let Some(report) = worker.audit() {
                    failure.lock().unwrap().get_or_insert(report);
                }
            });
        }
    });
    if let Some(report) = failure.into_inner().unwrap() {
        panic!("{report}");
    }
}

#[test]
fn random_histories_match_the_model_on_sqlite() {
    run(Engine::Sqlite);
}

#[test]
fn random_histories_match_the_model_on_postgres() {
    if postgres::postgres().is_some() {
        run(Engine::Postgres);
    }
}

/// The answers and refusals that histories must come by, so that they test something.
fn wanted_words() -> BTreeSet<String> {
    let codes = [
        Code::AccountDeleted,
        Code::AccountSuspended,
        Code::AlreadyExists,
        Code::Blocked,
        Code::ChargeExceedsOffer,
        Code::DmNotAllowed,
        Code::Forbidden,
        Code::IdempotencyConflict,
        Code::InputSchemaMismatch,
        Code::InsufficientCredits,
        Code::InsufficientScope,
        Code::NotFound,
        Code::OpenObligations,
        Code::ReplyNotAllowed,
        Code::RequestClosed,
        Code::SelfAction,
        Code::ServiceNotFound,
        Code::StepUpRequired,
        Code::Unauthorized,
        Code::UsernameTaken,
        Code::WrongState,
    ];
    let others = ["Done", "Limited", "Quiet", "Replayed"].map(str::to_owned);
    codes.iter().map(ToString::to_string).chain(others).collect()
}

#[test]
fn random_histories_cover_every_refusal() {
    let mut found = BTreeSet::new();
    for seed in 0..3_000 {
        let History { mut model, steps, .. } = History::of(seed);
        for step in &steps {
            model.take(step);
            found.insert(match &model.outcome {
                Outcome::Refused(code, _) => code.to_string(),
                Outcome::Limited(_) => "Limited".to_owned(),
                other => format!("{other:?}"),
            });
        }
    }
    assert_eq!(wanted_words().difference(&found).collect::<Vec<_>>(), [""; 0]);
}
