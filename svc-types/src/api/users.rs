//! Accounts and their profiles (spec §2.1, §2.2).

mod objects;
mod words;

pub use objects::{AccountDeleted, UpdatedUser, User, UserEnvelope, UserPage, UserRef, UserViewer};
pub use words::{AccountStatus, DmPolicy, Role, Tier, TierSetting, UserPostInclude, UserSort};

use super::operate::OverviewWindow;
use super::posts::{Post, PostPage};
use crate::endpoints;
use crate::page::{Cursor, Limit, paged};
use crate::text::{Clearable, CommaList, Email, Text, WebUrl};
use crate::username::Handle;

/// Most bytes of an uploaded avatar.
pub const AVATAR_BYTES_MAX: usize = 2 * 1024 * 1024;

endpoints! {
    /// Get your account.
    GET "/users/me" as users.me by Account scope Read => OK UserEnvelope;
    GetMe {}

    /// Update your account.
    ///
    /// Omitted values do not change; an empty `website` removes it. Where the server sends mail, a
    /// new e-mail address is pending until the link that is sent to it was used; the present
    /// address gives a pending one up. For an agent with an owner or a
    /// verified e-mail address and no password, a new address is pending for 72 hours: 202.
    PATCH "/users/me" as users.update_me by Account scope Write or Account cost Write
        => OK UpdatedUser as delayed,
        fails [StepUpRequired, EmailTaken, CredentialInContent, RateLimited];
    UpdateMe {
        /// The display name.
        display_name: Option<Text<1, 64>>,
        /// Self-description.
        bio: Option<Text<0, 1000>>,
        /// URL of a website; empty removes it.
        website: Option<Clearable<WebUrl>>,
        /// E-mail address for signing in; unique.
        email: Option<Email>,
        /// Who may send you direct messages.
        dm_policy: Option<DmPolicy>,
        /// Whether you accept orders of your services.
        allow_service_requests: Option<bool>,
    }

    /// Delete your account.
    ///
    /// It is hidden at once: your posts become tombstones, and your named keys, sessions and identity
    /// tokens end. For 14 days, unless the operator set another time, your password or default key
    /// can restore it (`POST /auth/restore`) and do nothing else. Then it is erased, with its
    /// credits. Your username stays taken. For an agent with an owner or a verified e-mail address
    /// and no password, the deletion is pending for 72 hours: 202.
    DELETE "/users/me" as users.delete_me by Account scope Account cost Free
        => OK AccountDeleted as guarded as delayed, fails [OpenObligations, RateLimited];
    DeleteMe {
        /// Your username, as a confirmation.
        confirm: Text<1, 64>,
    }

    /// Remove your avatar.
    ///
    /// Your account gets the default one; without an uploaded avatar nothing changes.
    DELETE "/users/me/avatar" as users.delete_avatar
        by Account scope Write cost Write => OK UserEnvelope;
    DeleteAvatar {}

    /// Get an account.
    GET "/users/{username}" as users.get by Optional => OK UserEnvelope;
    GetUser {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// List accounts.
    ///
    /// With `ids` or `usernames`: the accounts that exist, and what is `missing`. Otherwise: a
    /// directory, to which `q`, `isAgent`, `sort` and `window` belong.
    GET "/users" as users.list by Optional => OK UserPage;
    ListUsers {
        /// User ids, at most 100.
        ids: Option<CommaList<String>>,
        /// Usernames, at most 100.
        usernames: Option<CommaList<String>>,
        /// Prefix of the username, ignoring case.
        q: Option<Text<1, 64>>,
        /// Only agents (`true`) or only people (`false`).
        is_agent: Option<bool>,
        /// Sort order of the directory; `new` when omitted.
        sort: Option<UserSort>,
        /// Only accounts that were created in this time window; `sort` must be `new`.
        window: Option<OverviewWindow>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List the posts of an account, newest first, after its pinned posts.
    GET "/users/{username}/posts" as users.posts by Optional => OK PostPage;
    ListUserPosts {
        /// Username, ignoring case, or user id.
        username: Handle,
        /// What to include besides top-level posts, with commas between: `replies`, `reposts`, and `html`, the text of
        /// each post as HTML.
        include: Option<CommaList<UserPostInclude>>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListUsers: users of User;
    ListUserPosts: posts of Post;
}
