//! Metrics of the database: queue lengths, jobs, statements and batch sizes.

use std::cell::Cell;

use super::job::Access;
use super::tx::Tx;

/// What statements cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) statements: u64,
    /// Steps of SQLite's virtual machine; none on PostgreSQL.
    pub(super) steps: u64,
}

/// Counts what one thread of the database does, group by group. A clone is for another thread.
#[derive(Clone, Default)]
pub(super) struct Meter {
    /// The work of the present group.
    work: Cell<Work>,
    /// Its round trips to PostgreSQL.
    trips: Cell<u64>,
    #[cfg(feature = "testing")]
    pub(super) groups: super::groups::Groups,
}

impl Meter {
    /// Counts the work of a job that ran.
    pub(super) fn ran(&self, tx: &Tx<'_>) {
        let (mut work, of_job) = (self.work.get(), tx.work());
        work.statements += of_job.statements;
        work.steps += of_job.steps;
        self.work.set(work);
    }

    /// Counts round trips to PostgreSQL.
    pub(super) fn sent(&self, trips: u64) {
        self.trips.set(self.trips.get() + trips);
    }

    /// Counts a read that a caller waited for.
    pub(super) fn answered_at(place: &'static str) {
        metrics::counter!("svc_database_reads_total", "place" => place).increment(1);
    }

    /// Counts a group of jobs that ran, those left in the queue, and the pages that its commit
    /// appended to the log.
    pub(super) fn group(&self, access: Access, jobs: usize, waiting: usize, log_pages: u64) {
        let kind = access.kind();
        let (Work { statements, steps }, trips) = (self.work.take(), self.trips.take());
        metrics::counter!("svc_database_jobs_total", "kind" => kind).increment(jobs as u64);
        metrics::counter!("svc_database_statements_total", "kind" => kind).increment(statements);
        metrics::counter!("svc_database_steps_total", "kind" => kind).increment(steps);
        metrics::counter!("svc_database_round_trips_total", "kind" => kind).increment(trips);
        metrics::gauge!("svc_database_queue_length", "kind" => kind).set(to_f64(waiting));
        if access == Access::Write {
            metrics::histogram!("svc_database_batch_size").record(to_f64(jobs));
            metrics::counter!("svc_database_log_pages_total").increment(log_pages);
        }
        #[cfg(feature = "testing")]
        self.groups.note(super::groups::Group { kind, jobs, statements, steps, trips, log_pages });
    }
}

fn to_f64(count: usize) -> f64 {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}
