//! Runs one job at a time per conversation, in order of arrival.

use std::collections::{HashMap, VecDeque};

use crate::journal::QueuedJob;

/// Jobs queued by conversation; the first job of each conversation is running.
#[derive(Debug, Default)]
pub(super) struct KeyedQueue {
    waiting: HashMap<String, VecDeque<QueuedJob>>,
    /// The arrival number of the last job pushed.
    pub(super) last: i64,
}

impl KeyedQueue {
    /// Appends jobs and returns those that may start now.
    pub(super) fn push(&mut self, jobs: Vec<QueuedJob>) -> Vec<QueuedJob> {
        let mut ready = Vec::new();
        for job in jobs {
            self.last = self.last.max(job.arrived);
            let queue = self.waiting.entry(job.conversation.clone()).or_default();
            if queue.is_empty() {
                ready.push(job.clone());
            }
            queue.push_back(job);
        }
        ready
    }

    /// Removes the finished first job of a conversation and returns the next one.
    pub(super) fn finish(&mut self, conversation: &str) -> Option<QueuedJob> {
        let queue = self.waiting.get_mut(conversation)?;
        queue.pop_front();
        let next = queue.front().cloned();
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

    fn job(arrived: i64, conversation: u8) -> QueuedJob {
        let conversation = format!("conv_{conversation}");
        QueuedJob { arrived, id: format!("msg_{arrived}"), conversation }
    }

    proptest! {
        /// Jobs arrive in four conversations; which running job ends next is random.
        #[test]
        fn conversations_are_kept_in_order_and_do_not_block_each_other(
            jobs in prop::collection::vec(0_u8..4, 0..40),
            ends in prop::collection::vec(any::<prop::sample::Index>(), 80),
        ) {
            let (mut queue, mut running, mut ended) = (KeyedQueue::default(), Vec::new(), Vec::new());
            let mut arriving = jobs.iter().zip(1..).map(|(key, at)| job(at, *key));
            for end in ends {
                running.extend(queue.push(arriving.by_ref().take(1).collect()));
                let names = running.iter().map(|job: &QueuedJob| job.conversation.clone());
                let busy: std::collections::HashSet<String> = names.collect();
                prop_assert_eq!(busy.len(), running.len(), "one at a time in each");
                prop_assert_eq!(busy.len(), queue.waiting.len(), "and in each that has jobs");
                if running.is_empty() { continue; }
                let one = running.swap_remove(end.index(running.len()));
                running.extend(queue.finish(&one.conversation));
                ended.push(one);
            }
            prop_assert_eq!(ended.len(), jobs.len(), "nothing is left behind");
            ended.sort_by_key(|job| job.conversation.clone());
            let in_order = |pair: &[QueuedJob]| {
                pair[0].conversation != pair[1].conversation || pair[0].arrived < pair[1].arrived
            };
            prop_assert!(ended.windows(2).all(in_order), "{:?}", ended);
        }
    }

    #[test]
    fn a_job_waits_only_for_the_one_before_it() {
        let mut queue = KeyedQueue::default();
        let ready = queue.push(vec![job(1, 1), job(2, 1), job(3, 2)]);
        assert_eq!(ready, [job(1, 1), job(3, 2)]);
        assert_eq!(queue.last, 3);
        assert_eq!(queue.finish("conv_2"), None);
        assert_eq!(queue.finish("conv_1"), Some(job(2, 1)));
        assert!(queue.push(vec![job(4, 1)]).is_empty());
        assert_eq!(queue.finish("conv_1"), Some(job(4, 1)));
        assert_eq!(queue.push(vec![job(5, 2)]), [job(5, 2)]);
    }
}
