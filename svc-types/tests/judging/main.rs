//! What it costs to judge a value by a schema, when both are untrusted: memory as a counting
//! allocator sees it, and steps. A binary of its own, because the allocator counts all threads.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod attacks;
mod random;

use std::sync::{Mutex, PoisonError};

use peak_alloc::PeakAlloc;
use serde_json::Value;
use svc_types::schema::{Fault, Schema};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// One measurement at a time.
static TURN: Mutex<()> = Mutex::new(());

/// Most bytes that judging one order may take.
const BYTES_MAX: usize = 100_000_000;

/// What judging a value brought and cost.
struct Judged {
    /// None when the schema was refused.
    faults: Option<Vec<Fault>>,
    bytes: usize,
}

fn judge(schema: &Value, value: &Value) -> Judged {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let schema = Schema::new(schema.as_object().unwrap()).ok();
    let faults = schema.as_ref().map(|schema| schema.faults(value));
    let bytes = ALLOCATOR.peak_usage().saturating_sub(before);
    Judged { faults, bytes }
}
