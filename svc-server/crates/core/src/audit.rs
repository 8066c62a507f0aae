//! The audit: whether the ledger and all deals are in order, on one snapshot of the database.

mod checks;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::Serialize;
use svc_store::error::Result;
use tokio::sync::watch;

use crate::app::{App, Ctx};

/// What the audit found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Each thing that must hold.
    pub checks: Vec<Finding>,
}

/// One thing that must hold.
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

/// Looks at everything now.
pub async fn now(app: &Arc<App>) -> Result<Report> {
    app.snapshot(load).await
}

/// Looks at everything a transaction sees.
pub fn load(ctx: &mut Ctx<'_, '_>) -> Result<Report> {
    checks::all(ctx).map(|checks| Report { checks })
}

/// Looks again and again until `stop` turns true; what is broken makes the health red.
pub async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let Some(every) = app.config.exchange.audit_every else {
        return;
    };
    loop {
        let next = app.clock.now().plus(every);
        tokio::select! {
            () = app.clock.sleep_until(next) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        match now(&app).await {
            Ok(report) => note(&app, &report),
            Err(error) => tracing::warn!(%error, "the audit could not look"),
        }
    }
}

fn note(app: &App, report: &Report) {
    app.audit_failed.store(!report.holds(), Ordering::Relaxed);
    for Finding { id, rule, broken } in &report.checks {
        if !broken.is_empty() {
            tracing::error!(id, rule, ?broken, "the audit found disorder");
        }
    }
}
