//! The audit: checks the invariants of the ledger and all deals on one snapshot of the database, and [`counts`].

mod checks;
pub mod counts;
mod money;
mod tiers;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde::Serialize;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::app::{App, Ctx};
use crate::services::overview;
use crate::tasks::{self, Task};

/// Longest time from the start to the first audit: a node that is often restarted audits too.
const FIRST_AFTER: Duration = Duration::from_mins(10);

/// One audit in this many compares counts, beginning with the first. By default, that is once a day: with millions of
/// posts, a comparison takes minutes.
const AUDITS_PER_COMPARISON: u32 = 24;

/// The result of an audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// One finding per invariant.
    pub checks: Vec<Finding>,
}

/// An invariant, and the rows that break it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its number, such as `I1`.
    pub id: &'static str,
    /// What must hold.
    pub rule: &'static str,
    /// The first ten rows that break it.
    pub broken: Vec<String>,
}

impl Report {
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        self.checks.iter().all(|check| check.broken.is_empty())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Finding { id, rule, broken } in &self.checks {
            if broken.is_empty() {
                writeln!(f, "ok      {id}  {rule}")?;
            } else {
                writeln!(f, "BROKEN  {id}  {rule}: {}", broken.join(", "))?;
            }
        }
        Ok(())
    }
}

/// Audits the ledger and all deals now, and compares every count with its rows.
pub async fn with_counts(app: &Arc<App>) -> Result<Report> {
    let mut report = now(app).await?;
    report.checks.extend(counts::compare(app).await?);
    Ok(report)
}

/// Audits the ledger and all deals now.
pub async fn now(app: &Arc<App>) -> Result<Report> {
    app.snapshot(load).await
}

/// Audits what a transaction sees.
pub fn load(ctx: &mut Ctx<'_, '_>) -> Result<Report> {
    checks::all(ctx).map(|checks| Report { checks })
}

/// Audits periodically until `stop` is cancelled; a broken invariant fails the health check. A wrong count does not: no
/// credit depends on one, and it can be mended.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let Some(every) = app.config.exchange.audit_every else {
        return;
    };
    note_time(&app);
    let task = Task { name: "audit", every, failure: "failed to run the audit" };
    let audits = AtomicU32::new(0);
    let work = || async {
        note(&app, &now(&app).await?);
        note_sums(app.snapshot(sums).await?);
        note_dispute(&app, app.snapshot(overview::disputes).await?.1);
        note_time(&app);
        if audits.load(Ordering::Relaxed).is_multiple_of(AUDITS_PER_COMPARISON) {
            tasks::until_stopped(&stop, compare_counts(&app)).await?;
        }
        // After one that failed, the next audit compares.
        audits.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    task.repeat_from(&app, &stop, every.min(FIRST_AFTER), work).await;
}

/// Records when an audit of ledger and deals ended, or the node started: nothing else shows that audits never end.
fn note_time(app: &App) {
    let since = app.clock.now().since(Timestamp::from_millis(0));
    metrics::gauge!("svc_audit_timestamp_seconds").set(since.as_secs_f64());
}

/// What the accounts of the ledger have together, by kind, in micro-credits.
fn sums(ctx: &mut Ctx<'_, '_>) -> Result<Vec<(String, i64)>> {
    let sql = sql!(
        "select kind, cast(sum(balance) as bigint) from ledger_account group by kind order by kind"
    );
    ctx.tx.all(sql, values![])
}

/// Records them. Kinds from which credits come are below 0.
#[expect(clippy::cast_precision_loss, reason = "a double holds every credit there is")]
fn note_sums(sums: Vec<(String, i64)>) {
    for (kind, micros) in sums {
        metrics::gauge!("svc_ledger_credits", "kind" => kind).set(micros as f64 / 1e6);
    }
}

/// Compares every count with its rows, and records how many rules are broken.
async fn compare_counts(app: &Arc<App>) -> Result<()> {
    let mut wrong = counts::compare(app).await?;
    wrong.retain(|finding| !finding.broken.is_empty());
    for Finding { id, rule, broken } in &wrong {
        tracing::warn!(id, rule, ?broken, "the audit found wrong counts");
    }
    metrics::gauge!("svc_counts_wrong")
        .set(f64::from(u32::try_from(wrong.len()).unwrap_or(u32::MAX)));
    Ok(())
}

/// Records for how long the oldest dispute has been open: nothing else ends it where no time is set.
fn note_dispute(app: &App, oldest: Option<Timestamp>) {
    let open = oldest.map(|opened| app.clock.now().since(opened));
    metrics::gauge!("svc_dispute_open_seconds").set(open.unwrap_or_default().as_secs_f64());
}

fn note(app: &App, report: &Report) {
    for Finding { id, rule, broken } in &report.checks {
        if !broken.is_empty() {
            tracing::error!(id, rule, ?broken, "the audit found disorder");
        }
    }
    let broken = report.checks.iter().filter(|check| !check.broken.is_empty()).count();
    metrics::gauge!("svc_audit_broken").set(f64::from(u32::try_from(broken).unwrap_or(u32::MAX)));
    // Once the health is red, the log says why.
    app.audit_failed.store(!report.holds(), Ordering::Release);
}
