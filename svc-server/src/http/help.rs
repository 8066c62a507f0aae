//! What each metric means: the HELP lines of `/metrics`.

use metrics::{counter, describe_counter, describe_gauge, describe_histogram};

enum Kind {
    Counter,
    Gauge,
    Histogram,
}
use Kind::{Counter, Gauge, Histogram};

/// Every metric of the server; a test finds one that is missing.
const METRICS: [(&str, Kind, &str); 67] = [
    ("svc_audit_broken", Gauge, "Invariants that the last audit found broken."),
    (
        "svc_audit_timestamp_seconds",
        Gauge,
        "When the last audit ended, or the node started, in seconds since 1970.",
    ),
    (
        "svc_backup_due_timestamp_seconds",
        Gauge,
        "When the next backup of a schedule is due, in seconds since 1970.",
    ),
    ("svc_billing_failing", Gauge, "Objects of Stripe that failed at least five times in a row."),
    (
        "svc_billing_mismatches_total",
        Counter,
        "Payments and transfers that differ from what was asked for.",
    ),
    ("svc_billing_objects_total", Counter, "Objects of Stripe that were worked on, by outcome."),
    (
        "svc_billing_read_timestamp_seconds",
        Gauge,
        "Up to when events of Stripe were read, in seconds since 1970.",
    ),
    ("svc_blob_call_seconds", Histogram, "Time of calls of the store of files, by call."),
    ("svc_blob_calls_total", Counter, "Calls of the store of files, by call and outcome."),
    ("svc_blobs_waiting", Gauge, "Objects in the store of files that are to be deleted."),
    ("svc_build_info", Gauge, "1, with the version as a label."),
    (
        "svc_bus_dropped_total",
        Counter,
        "Commits whose hints were left to the look: too many waited.",
    ),
    ("svc_bus_failed_total", Counter, "Batches of hints that could not be sent to other nodes."),
    ("svc_bus_hints_total", Counter, "Hints for other nodes, also those that could not be sent."),
    (
        "svc_bus_lag_seconds",
        Histogram,
        "Time from sending hints until this node hears them itself.",
    ),
    (
        "svc_clock_timestamp_seconds",
        Gauge,
        "The time of this node when it was asked, in seconds since 1970.",
    ),
    ("svc_counts_wrong", Gauge, "Kinds of stored counts that the last audit found wrong."),
    ("svc_database_batch_size", Histogram, "Write jobs in one commit."),
    (
        "svc_database_connections",
        Gauge,
        "Connections to the primary of PostgreSQL, by state: busy or idle.",
    ),
    (
        "svc_database_connects_failed_total",
        Counter,
        "Connections to PostgreSQL that could not be made.",
    ),
    ("svc_database_job_seconds", Histogram, "Time of database jobs, with their time in the queue."),
    ("svc_database_jobs_total", Counter, "Database jobs by kind."),
    ("svc_database_log_pages_total", Counter, "Pages that commits appended to the log of SQLite."),
    ("svc_database_queue_length", Gauge, "Database jobs that wait, by kind."),
    (
        "svc_database_reads_total",
        Counter,
        "Reads that callers waited for, by place: primary or replica of PostgreSQL.",
    ),
    ("svc_database_round_trips_total", Counter, "Round trips to PostgreSQL by kind of job."),
    ("svc_database_statements_total", Counter, "Statements by kind of job."),
    ("svc_database_steps_total", Counter, "Steps of SQLite's virtual machine by kind of job."),
    ("svc_database_timeline", Gauge, "The latest timeline of PostgreSQL that this node knows."),
    (
        "svc_database_unknown_outcomes_total",
        Counter,
        "Commits after which the connection was lost.",
    ),
    ("svc_db_overruns_total", Counter, "Round trips to PostgreSQL that did not end in time."),
    ("svc_disk_free_bytes", Gauge, "What is free on the disk of the data folder."),
    ("svc_disk_size_bytes", Gauge, "How large the disk of the data folder is."),
    (
        "svc_dispute_open_seconds",
        Gauge,
        "For how long the oldest dispute has been open, as of the last audit.",
    ),
    ("svc_event_loop_lag_seconds", Gauge, "How late a timer of the event loop fired."),
    (
        "svc_event_unpublished_seconds",
        Gauge,
        "Age of the oldest event that an external broker lacks.",
    ),
    ("svc_exports_total", Counter, "Exports of accounts by outcome."),
    ("svc_http_request_seconds", Histogram, "Time of HTTP requests by method and route."),
    (
        "svc_http_requests_total",
        Counter,
        "HTTP requests by method, route and status; of 5xx also by the code of the error.",
    ),
    (
        "svc_ledger_credits",
        Gauge,
        "Credits of all accounts of a kind in the ledger, as of the last audit.",
    ),
    ("svc_mails_total", Counter, "Mails by outcome."),
    (
        "svc_mqtt_certificate_ends_timestamp_seconds",
        Gauge,
        "When the certificate of the embedded broker ends, in seconds since 1970.",
    ),
    ("svc_mqtt_connections", Gauge, "Open connections to the embedded broker."),
    ("svc_mqtt_dropped_total", Counter, "Messages that full sessions did not get."),
    ("svc_mqtt_messages_total", Counter, "Messages that went to sessions of the embedded broker."),
    ("svc_mqtt_publishes_refused_total", Counter, "Messages of clients that were refused."),
    ("svc_mqtt_refused_total", Counter, "Connections that were refused."),
    ("svc_mqtt_sessions", Gauge, "Sessions of the embedded broker, connected or not."),
    ("svc_mqtt_stuck_total", Counter, "Connections that were ended because they took nothing."),
    ("svc_mqtt_topics", Gauge, "Topic filters with a subscriber."),
    ("svc_panics_total", Counter, "Caught panics, each a bug in the program."),
    (
        "svc_replica_lag_seconds",
        Gauge,
        "Age of what a replica of PostgreSQL has, up to two minutes.",
    ),
    ("svc_sealing_key_lacking", Gauge, "1 if other nodes encrypt with a key that this one lacks."),
    (
        "svc_task_done_timestamp_seconds",
        Gauge,
        "When a task in the background last succeeded, or began, in seconds since 1970.",
    ),
    ("svc_trace_spans_dropped_total", Counter, "Spans that no collector got, by reason."),
    ("svc_trace_spans_sent_total", Counter, "Spans that the collector took."),
    ("svc_webhook_attempt_seconds", Histogram, "Time of webhook calls."),
    ("svc_webhook_attempts_total", Counter, "Webhook calls by class of failure."),
    ("svc_webhook_breaker_open", Gauge, "Webhooks that are paused because they fail."),
    ("svc_webhook_deliveries_total", Counter, "Deliveries by outcome of the call."),
    (
        "svc_webhook_deliveries_waiting",
        Gauge,
        "Deliveries of all nodes that wait for a call or a retry, up to 10000.",
    ),
    ("svc_webhook_disabled_total", Counter, "Webhooks that were disabled, by reason."),
    ("svc_webhook_fenced_total", Counter, "Webhook calls whose lease another node had taken."),
    ("svc_webhook_in_flight", Gauge, "Running webhook calls."),
    ("svc_webhook_lag_seconds", Gauge, "Age of the oldest delivery that is ready to be sent."),
    ("svc_webhook_lease_expired_total", Counter, "Deliveries whose node did not finish them."),
    (
        "svc_x402_failures_total",
        Counter,
        "Open payments with tokens for which facilitator or chain did not answer.",
    ),
];

/// Counters that alerts watch. They begin at 0: Prometheus sees no increase in a counter that appears with its first
/// fault.
const FROM_ZERO: [&str; 7] = [
    "svc_billing_mismatches_total",
    "svc_bus_failed_total",
    "svc_database_connects_failed_total",
    "svc_database_unknown_outcomes_total",
    "svc_db_overruns_total",
    "svc_panics_total",
    "svc_x402_failures_total",
];

/// Gives the recorder the text of each metric, and begins those that alerts watch.
pub(super) fn describe() {
    for (name, kind, text) in METRICS {
        match kind {
            Counter => describe_counter!(name, text),
            Gauge => describe_gauge!(name, text),
            Histogram => describe_histogram!(name, text),
        }
    }
    for name in FROM_ZERO {
        counter!(name).increment(0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The names of metrics in the sources below a folder.
    fn used(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                used(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                for macro_name in ["counter!(", "gauge!(", "histogram!("] {
                    let calls = text.split(macro_name).skip(1);
                    let names = calls.filter_map(|call| call.trim_start().strip_prefix("\"svc_"));
                    found.extend(names.filter_map(|name| {
                        name.split_once('"').map(|(name, _)| format!("svc_{name}"))
                    }));
                }
            }
        }
    }

    #[test]
    fn every_metric_has_a_text_and_every_text_a_metric() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = BTreeSet::new();
        used(&root.join("src"), &mut found);
        used(&root.join("crates"), &mut found);
        let described: Vec<&str> = METRICS.iter().map(|(name, ..)| *name).collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), described);
    }

    #[test]
    fn an_alert_watches_each_counter_that_begins_at_zero() {
        let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/prometheus/rules.yml");
        let rules = fs::read_to_string(rules).unwrap();
        for name in FROM_ZERO {
            assert!(rules.contains(&format!("increase({name}[")), "{name}");
        }
    }

    #[test]
    fn alerts_and_dashboard_name_metrics_that_exist() {
        let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy");
        for file in ["prometheus/rules.yml", "grafana/svc.json"] {
            let text = fs::read_to_string(deploy.join(file)).unwrap();
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let named: BTreeSet<&str> = words.filter(|word| word.starts_with("svc_")).collect();
            assert!(named.len() > 9, "{file}: {named:?}");
            for name in named {
                let parts = ["_bucket", "_sum", "_count"];
                let whole = parts.iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name);
                assert!(METRICS.iter().any(|(metric, ..)| *metric == whole), "{file}: {name}");
            }
        }
    }
}
