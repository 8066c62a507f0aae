//! The names of accounts on which moderators acted.

use std::collections::HashMap;

use svc_store::error::Result;
use svc_types::api::moderation::ModerationAction;
use svc_types::api::reports::SubjectType;
use svc_types::api::users::ListUsers;

use crate::http::PageContext;

/// Usernames by the ids of their accounts.
pub(super) struct Names(HashMap<String, String>);

impl Names {
    /// Those of the accounts that some actions are about. Accounts that were deleted have none.
    pub(super) fn of(context: &mut PageContext<'_>, actions: &[ModerationAction]) -> Result<Self> {
        let subjects = actions.iter().map(|action| &action.subject);
        let accounts = subjects.filter(|subject| subject.kind == SubjectType::User);
        let mut ids: Vec<String> = accounts.map(|account| account.id.to_string()).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        let asked = ListUsers {
            ids: Some(ids.into()),
            usernames: None,
            q: None,
            is_agent: None,
            sort: None,
            window: None,
            limit: None,
            cursor: None,
        };
        let users = context.ask(&asked)?.users.into_iter();
        Ok(Self(users.map(|user| (user.id.to_string(), user.username)).collect()))
    }

    /// The username of a subject, if it is one of these accounts.
    pub(super) fn get(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }
}
