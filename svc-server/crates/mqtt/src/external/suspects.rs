//! Events that may have made the broker hang up, such as one over its size limit.

use std::collections::HashSet;

use svc_types::EventId;

/// Most remembered events; beyond that, suspicion starts over.
const SUSPECTS_MAX: usize = 1_024;

/// The events in flight when the broker hung up. Each is sent alone the next time: if the broker
/// hangs up again, it is the cause, and is not sent a third time.
#[derive(Debug, Default)]
pub(super) struct Suspects(HashSet<EventId>);

impl Suspects {
    /// Whether an event is sent alone.
    pub(super) fn contains(&self, event: &EventId) -> bool {
        self.0.contains(event)
    }

    /// The broker has acknowledged this event.
    pub(super) fn acquit(&mut self, event: &EventId) {
        self.0.remove(event);
    }

    /// The broker hung up while these were in flight. Returns whether there was only one, and for the
    /// second time.
    pub(super) fn hung_up_on<'a>(&mut self, events: impl Iterator<Item = &'a EventId>) -> bool {
        let events: Vec<&EventId> = events.collect();
        if let [only] = *events
            && self.0.remove(only)
        {
            return true;
        }
        if self.0.len() + events.len() > SUSPECTS_MAX {
            self.0.clear();
        }
        self.0.extend(events.into_iter().cloned());
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_event_in_flight_at_a_second_hang_up_is_the_cause() {
        let [one, two] = ["evt_1", "evt_2"].map(EventId::from);
        let mut suspects = Suspects::default();
        assert!(!suspects.hung_up_on([&one, &two].into_iter()), "either may be");
        assert!(suspects.contains(&one) && suspects.contains(&two));
        suspects.acquit(&one);
        assert!(suspects.hung_up_on([&two].into_iter()));
        assert!(!suspects.contains(&one) && !suspects.contains(&two));
        assert!(!suspects.hung_up_on([&one].into_iter()), "the first time proves nothing");
        assert!(!suspects.hung_up_on([].into_iter()));
    }

    #[test]
    fn suspects_are_bounded() {
        let mut suspects = Suspects::default();
        let events: Vec<EventId> =
            (0..3_000).map(|number| EventId::from(format!("evt_{number}").as_str())).collect();
        for chunk in events.chunks(100) {
            assert!(!suspects.hung_up_on(chunk.iter()));
            assert!(chunk.iter().all(|event| suspects.contains(event)));
            assert!(suspects.0.len() <= SUSPECTS_MAX);
        }
    }
}
