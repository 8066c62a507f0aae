//! Who lost a right lately, so that only whoever it concerns is judged anew.

use std::collections::VecDeque;

use svc_types::UserId;

/// Losses that are remembered; whoever asked before the oldest is judged anew.
const REMEMBERED_MAX: usize = 1_024;

/// The latest losses of rights, oldest first.
#[derive(Debug, Default)]
pub(super) struct Revocations {
    accounts: VecDeque<UserId>,
    /// How many there were before those.
    forgotten: u64,
}

/// How many losses there were at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Epoch(u64);

impl Revocations {
    /// The present moment.
    pub(super) fn epoch(&self) -> Epoch {
        Epoch(self.forgotten + self.accounts.len() as u64)
    }

    /// This account has lost a right.
    pub(super) fn note(&mut self, account: &UserId) {
        if self.accounts.len() == REMEMBERED_MAX {
            self.accounts.pop_front();
            self.forgotten += 1;
        }
        self.accounts.push_back(account.clone());
    }

    /// Whether this account may have lost a right since.
    pub(super) fn concern(&self, account: &UserId, since: Epoch) -> bool {
        let Some(known) = since.0.checked_sub(self.forgotten) else { return true };
        let known = usize::try_from(known).unwrap_or(usize::MAX);
        self.accounts.iter().skip(known).any(|lost| lost == account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_concerns_its_account_and_those_who_asked_too_long_ago() {
        let [one, other] = ["usr_1", "usr_2"].map(UserId::from);
        let mut revocations = Revocations::default();
        let before = revocations.epoch();
        revocations.note(&one);
        let after = revocations.epoch();
        assert!(revocations.concern(&one, before) && !revocations.concern(&one, after));
        assert!(!revocations.concern(&other, before));
        for _ in 0..REMEMBERED_MAX {
            revocations.note(&one);
        }
        assert!(revocations.concern(&other, before), "what was lost since is not known any more");
        assert!(!revocations.concern(&other, after) && revocations.concern(&one, after));
        assert_eq!(revocations.accounts.len(), REMEMBERED_MAX);
    }
}
