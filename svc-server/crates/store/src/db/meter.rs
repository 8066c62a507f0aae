//! Metrics of the database: queue lengths, jobs and batch sizes.

use super::job::Access;

/// Counts jobs taken from a queue, and those left in it.
pub(super) fn jobs(access: Access, taken: usize, waiting: usize) {
    let kind = match access {
        Access::Read => "read",
        Access::Snapshot => "snapshot",
        Access::Write => "write",
    };
    metrics::counter!("svc_database_jobs_total", "kind" => kind).increment(taken as u64);
    metrics::gauge!("svc_database_queue_length", "kind" => kind).set(to_f64(waiting));
}

/// Records how many jobs shared a commit.
pub(super) fn batch(jobs: usize) {
    metrics::histogram!("svc_database_batch_size").record(to_f64(jobs));
}

fn to_f64(count: usize) -> f64 {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}
