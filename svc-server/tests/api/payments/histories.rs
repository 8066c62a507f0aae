//! Random histories of purchases, refunds, disputes, subscriptions, payouts and trade, with faults, lost
//! and reordered reports, and nodes that die: each ends as Stripe's books say.
//!
//! `SVC_PAYMENT_HISTORIES` says how many there are per engine.

mod bank;
mod books;
mod seller;
mod step;

use proptest::collection::vec;
use proptest::test_runner::{Config, TestError, TestRunner};
use svc_server::testing::Engine;
use svc_store::testing::postgres;
use tokio::runtime::Runtime;

use self::bank::Bank;
use self::step::{Step, step};

/// Most steps of a history.
const STEPS: usize = 60;

/// How many histories are wanted.
fn wanted(otherwise: u32) -> u32 {
    let given = std::env::var_os("SVC_PAYMENT_HISTORIES");
    given.map_or(otherwise, |count| {
        let count = count.to_str().and_then(|count| count.parse().ok());
        count.expect("SVC_PAYMENT_HISTORIES is a number")
    })
}

/// Runs histories until one fails, which is then shrunk and printed.
fn run(engine: Engine, count: u32) {
    let config = Config {
        cases: count,
        failure_persistence: None,
        max_shrink_iters: 1_000,
        ..Config::default()
    };
    let runtime = Runtime::new().unwrap();
    let judged = TestRunner::new(config).run(&vec(step(), 0..=STEPS), |steps| {
        runtime.block_on(history(engine, &steps));
        Ok(())
    });
    match judged {
        Ok(()) => {}
        Err(TestError::Abort(reason)) => panic!("{reason}"),
        Err(TestError::Fail(reason, steps)) => {
            panic!("{reason}\n\nThe shortest history that goes wrong:\n{steps:#?}")
        }
    }
}

async fn history(engine: Engine, steps: &[Step]) {
    let mut bank = Bank::open(engine).await;
    for step in steps {
        bank.take(step).await;
    }
    bank.settle().await;
    bank.agrees_with_stripe().await;
    bank.close();
}

#[test]
fn random_histories_end_as_stripes_books_say_on_sqlite() {
    run(Engine::Sqlite, wanted(12));
}

#[test]
fn random_histories_end_as_stripes_books_say_on_postgres() {
    if postgres::postgres().is_some() {
        run(Engine::Postgres, wanted(6));
    }
}
