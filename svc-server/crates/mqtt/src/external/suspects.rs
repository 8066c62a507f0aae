//! Events that may be why the broker hung up, such as one that is larger than it takes.

use std::collections::HashSet;

use svc_types::EventId;

/// Events that are remembered at most; beyond that the suspicion begins anew.
const SUSPECTS_MAX: usize = 1_024;

/// What was on its way when the broker hung up. Each is sent alone the next time, so that it is
/// known to be the reason when the broker hangs up again, and is not sent a third time.
#[derive(Debug, Default)]
pub(super) struct Suspects(HashSet<EventId>);

impl Suspects {
    /// Whether an event is sent alone.
    pub(super) fn contains(&self, event: &EventId) -> bool {
        self.0.contains(event)
    }

    /// The broker has taken it.
    pub(super) fn acquit(&mut self, event: &EventId) {
        self.0.remove(event);
    }

    /// The broker hung up while these were on their way. The answer is whether there was only one,
    /// and that for the second time.
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
    fn what_is_on_its_way_alone_at_two_ends_was_the_reason() {
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
        for some in events.chunks(100) {
            assert!(!suspects.hung_up_on(some.iter()));
            assert!(some.iter().all(|event| suspects.contains(event)));
            assert!(suspects.0.len() <= SUSPECTS_MAX);
        }
    }
}
