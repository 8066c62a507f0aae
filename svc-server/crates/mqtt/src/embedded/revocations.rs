//! Accounts that lost a right lately, so that only those are authorized again.

use std::collections::VecDeque;

use svc_types::UserId;

/// Revocations that are remembered; an authorization older than the oldest is repeated.
const REMEMBERED_MAX: usize = 1_024;

/// The latest revocations, oldest first.
#[derive(Debug, Default)]
pub(super) struct Revocations {
    accounts: VecDeque<UserId>,
    /// Number of revocations before those.
    forgotten: u64,
}

/// The number of revocations up to some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Epoch(u64);

/// The account lost a right since it was authorized: authorize it again.
#[derive(Debug)]
pub(super) struct Outdated;

impl Revocations {
    /// The present moment.
    pub(super) fn epoch(&self) -> Epoch {
        Epoch(self.forgotten + self.accounts.len() as u64)
    }

    /// Records that this account lost a right.
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
        self.accounts.iter().skip(known).any(|revoked| revoked == account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revocation_concerns_its_account_and_every_outdated_epoch() {
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
        assert!(revocations.concern(&other, before), "the revocations since then are forgotten");
        assert!(!revocations.concern(&other, after) && revocations.concern(&one, after));
        assert_eq!(revocations.accounts.len(), REMEMBERED_MAX);
    }
}
