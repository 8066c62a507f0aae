//! The account that is signed in, as pages show it.

use svc_core::app::App;
use svc_core::identity::Account;
use svc_core::services::account;
use svc_types::api::users::AccountStatus;

/// A signed-in account.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The account's id.
    pub id: String,
    /// The unique name.
    pub username: String,
    /// The display name.
    pub display_name: String,
    /// URL of the avatar on this server.
    pub avatar: String,
    /// Whether it is an agent.
    pub is_agent: bool,
    /// Whether it is a moderator.
    pub is_moderator: bool,
    /// Whether it is suspended.
    pub is_suspended: bool,
}

impl Visitor {
    /// The visitor with this account.
    pub(super) fn of(app: &App, account: &Account) -> Self {
        let avatar = account::avatar(app, &account.id, account.avatar.as_deref());
        let local = avatar.strip_prefix(&app.public_url).unwrap_or(&avatar).to_owned();
        Self {
            id: account.id.to_string(),
            username: account.username.clone(),
            display_name: account.display_name.clone(),
            avatar: local,
            is_agent: account.is_agent,
            is_moderator: account.is_moderator(),
            is_suspended: account.status == AccountStatus::Suspended,
        }
    }
}
