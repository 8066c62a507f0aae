//! The events that a node publishes at the moment: from when one is handed to the broker until its mark is written. A
//! sweeper that finds one unmarked leaves it alone.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_core::app::Ctx;
use svc_core::ids;
use svc_core::services::turn;
use svc_core::tasks::node;
use svc_store::db::SLOTS;
use svc_store::error::Result;
use svc_types::{EventId, Timestamp};

use crate::gone::leave_out_gone;
use crate::relay::{Live, SWEEP_EVERY, unmarked};

/// How often a sweeper reads on behind what is under way.
const READS_MAX: usize = 20;

/// The oldest events that were not relayed in time and that nobody has under way, as many as are published at once; and
/// when the oldest of all was made. What is under way may be more than that, and must not hold up what is behind it.
pub(crate) fn left_over(
    ctx: &mut Ctx<'_, '_>,
    under_way: &HashSet<EventId>,
) -> Result<(Vec<Live>, Option<Timestamp>)> {
    let (mut left, mut oldest, mut after) = (Vec::new(), None, None);
    for _ in 0..READS_MAX {
        let mut found = unmarked(ctx, SWEEP_EVERY, after)?;
        let (Some(first), Some(last)) = (found.first(), found.last()) else { break };
        oldest = oldest.or(Some(first.created_at));
        after = Some((last.created_at, last.id.clone()));
        let are_all = found.len() < SLOTS;
        leave_to_others(ctx, &mut found)?;
        left.extend(found.into_iter().filter(|event| !under_way.contains(&event.id)));
        if are_all || left.len() >= SLOTS {
            break;
        }
    }
    left.truncate(SLOTS);
    leave_out_gone(ctx, &mut left)?;
    left.sort_by(|a, b| (a.created_at, &a.stream, a.seq).cmp(&(b.created_at, &b.stream, b.seq)));
    Ok((left, oldest))
}

/// Leaves out events that another node may have under way: those that it committed not longer ago than a turn lasts, if
/// it runs. It looks for its own sooner. One that has lost its broker has none under way, but does not say so.
fn leave_to_others(ctx: &mut Ctx<'_, '_>, late: &mut Vec<Live>) -> Result<()> {
    if !ctx.app.bus.is_shared() {
        return Ok(());
    }
    let (others, since) = (node::others_with_broker(ctx)?, ctx.now().minus(turn::LASTS));
    let is_theirs = |event: &Live| others.contains(&ids::node_of(event.id.as_str()));
    late.retain(|event| event.created_at <= since || !is_theirs(event));
    Ok(())
}

/// The events that this node has under way: as many as the queues of the broker and of marks hold. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnderWay(Arc<Mutex<HashSet<EventId>>>);

/// That an event is under way, until this is dropped.
#[derive(Debug)]
pub(crate) struct Begun {
    event: EventId,
    all: UnderWay,
}

impl UnderWay {
    /// Begins to publish an event; none if it is under way.
    pub(crate) fn begin(&self, event: &EventId) -> Option<Begun> {
        let is_new = self.lock().insert(event.clone());
        is_new.then(|| Begun { event: event.clone(), all: self.clone() })
    }

    /// All events that are under way now.
    pub(crate) fn all(&self) -> HashSet<EventId> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<EventId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.all.lock().remove(&self.event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_under_way_until_what_began_it_is_dropped() {
        let (under_way, event) = (UnderWay::default(), EventId::from("evt_1"));
        let begun = under_way.begin(&event).unwrap();
        assert!(under_way.begin(&event).is_none(), "it is published once at a time");
        assert!(under_way.all().contains(&event), "the second try has ended nothing");
        drop(begun);
        assert!(!under_way.all().contains(&event));
        assert!(under_way.begin(&event).is_some());
    }
}
