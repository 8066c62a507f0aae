//! Uses of developer apps, collected in memory until they are written.
//!
//! A verification never waits for a write: it is counted here, and [`flush`](crate::tasks::flush)
//! adds up what each app did since the last flush. Uses since then are lost when the process ends.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, PoisonError};

use svc_types::{AppId, Timestamp};

/// Most apps that are remembered between two flushes. Uses of further apps are lost.
const APPS_MAX: usize = 65_536;

/// What an app did since the last flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AppUse {
    /// When it used its key last.
    pub at: Timestamp,
    /// How many identities it verified.
    pub verifications: i64,
}

/// Collects uses by app.
#[derive(Debug, Default)]
pub struct AppUses(Mutex<HashMap<AppId, AppUse>>);

impl AppUses {
    /// Notes that an app used its key.
    pub fn note(&self, app: &AppId, at: Timestamp) {
        self.add(app, at, 0);
    }

    /// Notes what apps verified in a transaction that was committed.
    pub fn note_verified(&self, verified: &[(AppId, Timestamp)]) {
        for (app, at) in verified {
            self.add(app, *at, 1);
        }
    }

    /// Takes the uses to write. They are in the order of the apps, in which every node writes them: nodes would deadlock
    /// otherwise.
    pub fn take(&self) -> Vec<(AppId, AppUse)> {
        let apps = mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut uses: Vec<(AppId, AppUse)> = apps.into_iter().collect();
        uses.sort_by(|(one, _), (other, _)| one.cmp(other));
        uses
    }

    fn add(&self, app: &AppId, at: Timestamp, verifications: i64) {
        let mut apps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = apps.get_mut(app) {
            known.at = known.at.max(at);
            known.verifications += verifications;
        } else if apps.len() < APPS_MAX {
            apps.insert(app.clone(), AppUse { at, verifications });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_add_up_until_they_are_taken() {
        let uses = AppUses::default();
        let app = AppId::from("app_1");
        let [first, second] = [1, 2].map(Timestamp::from_millis);
        uses.note_verified(&[(app.clone(), second), (app.clone(), first)]);
        uses.note(&app, first);
        assert_eq!(uses.take(), [(app, AppUse { at: second, verifications: 2 })]);
        assert!(uses.take().is_empty());
    }

    #[test]
    fn memory_is_bounded() {
        let uses = AppUses::default();
        for number in 0..2 * APPS_MAX {
            uses.note(&AppId::from(number.to_string()), Timestamp::from_millis(0));
        }
        assert_eq!(uses.take().len(), APPS_MAX);
    }
}
