//! What may start: one job at a time per conversation, in the order they came.

use std::collections::{HashMap, VecDeque};

use crate::journal::Place;

/// Conversations with their jobs; the first of each was started.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    waiting: HashMap<String, VecDeque<Place>>,
    /// Where the last job that was put in stands.
    pub(super) last: i64,
}

impl Lanes {
    /// Puts jobs in behind all others; those that may start now.
    pub(super) fn put(&mut self, places: Vec<Place>) -> Vec<Place> {
        let mut free = Vec::new();
        for place in places {
            self.last = self.last.max(place.arrived);
            let lane = self.waiting.entry(place.conversation.clone()).or_default();
            if lane.is_empty() {
                free.push(place.clone());
            }
            lane.push_back(place);
        }
        free
    }

    /// Takes out the first job of a conversation, which is finished; the next that may start.
    pub(super) fn finish(&mut self, conversation: &str) -> Option<Place> {
        let lane = self.waiting.get_mut(conversation)?;
        lane.pop_front();
        let next = lane.front().cloned();
        if next.is_none() {
            self.waiting.remove(conversation);
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place(arrived: i64, conversation: u8) -> Place {
        let conversation = format!("conv_{conversation}");
        Place { arrived, id: format!("msg_{arrived}"), conversation }
    }

    proptest! {
        /// Jobs come in over four conversations; which of those that run ends next is by chance.
        #[test]
        fn conversations_are_kept_in_order_and_hold_up_no_other(
            jobs in prop::collection::vec(0_u8..4, 0..40),
            ends in prop::collection::vec(any::<prop::sample::Index>(), 80),
        ) {
            let (mut lanes, mut running, mut ended) = (Lanes::default(), Vec::new(), Vec::new());
            let mut coming = jobs.iter().zip(1..).map(|(lane, at)| place(at, *lane));
            for end in ends {
                running.extend(lanes.put(coming.by_ref().take(1).collect()));
                let names = running.iter().map(|place: &Place| place.conversation.clone());
                let busy: std::collections::HashSet<String> = names.collect();
                prop_assert_eq!(busy.len(), running.len(), "one at a time in each");
                prop_assert_eq!(busy.len(), lanes.waiting.len(), "and in each that has jobs");
                if running.is_empty() { continue; }
                let one = running.swap_remove(end.index(running.len()));
                running.extend(lanes.finish(&one.conversation));
                ended.push(one);
            }
            prop_assert_eq!(ended.len(), jobs.len(), "nothing is left behind");
            ended.sort_by_key(|place| place.conversation.clone());
            let in_order = |pair: &[Place]| {
                pair[0].conversation != pair[1].conversation || pair[0].arrived < pair[1].arrived
            };
            prop_assert!(ended.windows(2).all(in_order), "{:?}", ended);
        }
    }

    #[test]
    fn a_job_waits_for_the_one_before_it_alone() {
        let mut lanes = Lanes::default();
        let free = lanes.put(vec![place(1, 1), place(2, 1), place(3, 2)]);
        assert_eq!(free, [place(1, 1), place(3, 2)]);
        assert_eq!(lanes.last, 3);
        assert_eq!(lanes.finish("conv_2"), None);
        assert_eq!(lanes.finish("conv_1"), Some(place(2, 1)));
        assert!(lanes.put(vec![place(4, 1)]).is_empty());
        assert_eq!(lanes.finish("conv_1"), Some(place(4, 1)));
        assert_eq!(lanes.put(vec![place(5, 2)]), [place(5, 2)]);
    }
}
