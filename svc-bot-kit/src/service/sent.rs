//! How many replies and partial results a handler has sent.
//!
//! Each is known by its number, so that a handler that runs again sends it once. An attempt that skips a
//! finished step counts what the step sent, but not what others sent meanwhile: they count it themselves.

use std::array;
use std::collections::HashMap;
use std::sync::PoisonError;

use super::context::Ctx;
use super::fail::Fail;

/// What is counted.
const KINDS: [&str; 2] = ["partials", "replies"];

/// Numbers in the order of [`KINDS`].
type Counts = [u32; KINDS.len()];

tokio::task_local! {
    /// The steps that are under way here, each within the one before.
    static STEPS: Vec<String>;
}

/// What an attempt has sent, with what the steps sent that it skipped.
#[derive(Default)]
pub(crate) struct Sent {
    all: Counts,
    by_step: HashMap<String, Counts>,
}

/// Does the work of a step. What it sends counts for the step.
pub(super) async fn within<F: Future>(step: &str, work: F) -> F::Output {
    let mut steps = under_way();
    steps.push(step.to_owned());
    STEPS.scope(steps, work).await
}

/// The steps that this is a part of.
fn under_way() -> Vec<String> {
    STEPS.try_with(Clone::clone).unwrap_or_default()
}

impl Ctx {
    /// Counts a partial result; how many there were before.
    pub(super) fn count_partial(&self) -> u32 {
        self.count([1, 0])[0]
    }

    /// Counts a reply; how many there were before.
    pub(super) fn count_reply(&self) -> u32 {
        self.count([0, 1])[1]
    }

    /// Stores how much a step sent.
    pub(super) async fn save_sent(&self, step: &str) -> Result<(), Fail> {
        for (kind, count) in KINDS.into_iter().zip(self.sent_by(step)) {
            if count > 0 {
                let (job, name) = (self.request_id.as_str(), format!("{kind}:{step}"));
                self.state.journal.save_step(job, &name, count.to_string()).await?;
            }
        }
        Ok(())
    }

    /// Counts what a step sent that an earlier attempt finished. Journals of earlier versions have no counts
    /// of replies: as before, a later reply may then be lost, but none is sent twice.
    pub(super) async fn skip_sent(&self, step: &str) -> Result<(), Fail> {
        let mut sent = Counts::default();
        for (kind, count) in KINDS.into_iter().zip(&mut sent) {
            let name = format!("{kind}:{step}");
            let stored = self.state.journal.step(self.request_id.as_str(), &name).await?;
            *count = stored.and_then(|stored| stored.parse().ok()).unwrap_or_default();
        }
        self.count(sent);
        Ok(())
    }

    /// Counts what was sent; how much that was before.
    fn count(&self, more: Counts) -> Counts {
        let mut sent = self.state.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let before = sent.all;
        sent.all = sum(before, more);
        for step in under_way() {
            let count = sent.by_step.entry(step).or_default();
            *count = sum(*count, more);
        }
        before
    }

    fn sent_by(&self, step: &str) -> Counts {
        let sent = self.state.sent.lock().unwrap_or_else(PoisonError::into_inner);
        sent.by_step.get(step).copied().unwrap_or_default()
    }
}

fn sum(one: Counts, other: Counts) -> Counts {
    array::from_fn(|kind| one[kind].saturating_add(other[kind]))
}
