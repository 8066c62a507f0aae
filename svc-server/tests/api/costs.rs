//! Golden costs: statements, steps of SQLite and pages of the log that each kind of request takes.
//!
//! The figures in `costs/sqlite.txt` are held within 5 %. After a change that is meant to move them,
//! `SVC_UPDATE_COSTS=1 cargo test -p svc-server --test api costs` writes the file again.

mod crowd;

use std::fmt::Write;
use std::path::Path;

use self::crowd::{Cost, Crowd, Trips};

/// By how much a figure may differ.
const TOLERANCE: f64 = 0.05;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_cost_as_many_statements_steps_and_pages_as_recorded() {
    let costs = Crowd::new().await.costs().await;
    assert_orders_cost_alike(&costs);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/costs/sqlite.txt");
    if std::env::var_os("SVC_UPDATE_COSTS").is_some() {
        std::fs::write(path, table(&costs)).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(path).unwrap();
    let golden: Vec<Cost> = golden.lines().skip(1).map(parse).collect();
    let names = |costs: &[Cost]| costs.iter().map(|cost| cost.request.clone()).collect::<Vec<_>>();
    assert_eq!(names(&costs), names(&golden));
    for (cost, golden) in costs.iter().zip(&golden) {
        let is_near = |now: f64, then: f64| (now - then).abs() <= then * TOLERANCE;
        let holds = is_near(cost.statements, golden.statements)
            && is_near(cost.steps, golden.steps)
            && is_near(cost.pages, golden.pages);
        assert!(
            holds,
            "now:\n{}\nin costs/sqlite.txt:\n{}",
            table(&costs),
            table(std::slice::from_ref(golden))
        );
    }
}

/// The figures of `costs/postgres.txt` are exact, and written again like the others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acts_take_as_many_round_trips_to_postgres_as_recorded() {
    let Some(crowd) = Crowd::on_postgres().await else { return };
    let mut table = format!("{}\n", Trips::HEAD);
    for trips in crowd.trips().await {
        writeln!(table, "{trips}").unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/costs/postgres.txt");
    if std::env::var_os("SVC_UPDATE_COSTS").is_some() {
        std::fs::write(path, table).unwrap();
        return;
    }
    assert_eq!(table, std::fs::read_to_string(path).unwrap());
}

/// An order by its endpoint takes no more statements than by message.
fn assert_orders_cost_alike(costs: &[Cost]) {
    let statements = |request: &str| {
        let cost = costs.iter().find(|cost| cost.request == request);
        cost.unwrap_or_else(|| panic!("{request} is measured")).statements
    };
    let [by_message, by_endpoint] = ["order", "order, by its endpoint"].map(statements);
    assert!(by_endpoint <= by_message, "{by_endpoint} statements instead of {by_message}");
}

fn table(costs: &[Cost]) -> String {
    let mut table = format!("{}\n", Cost::HEAD);
    for cost in costs {
        writeln!(table, "{cost}").unwrap();
    }
    table
}

/// A row of the table.
fn parse(row: &str) -> Cost {
    let (request, figures) = row.split_at(28);
    let mut figures = figures.split_whitespace().map(|figure| figure.parse().unwrap());
    let mut figure = || figures.next().unwrap();
    Cost {
        request: request.trim().to_owned(),
        statements: figure(),
        steps: figure(),
        pages: figure(),
    }
}
