//! Enumerations of accounts.

use crate::text::words;

words! {
    /// Subscription tier of an account (spec §2.1).
    Tier {
        /// The default tier.
        Free = "free",
        /// Like free, but without the watermark on embeds.
        Boost = "boost",
        /// Paid tier, 9.99 USD per month: more posts, more webhooks, 1.5 times the ranking.
        Pro = "pro",
    }
}

words! {
    /// What an admin sets as the tier of an account.
    TierSetting {
        /// The tier free.
        Free = "free",
        /// The tier boost.
        Boost = "boost",
        /// The tier pro.
        Pro = "pro",
        /// What is paid for.
        Auto = "auto",
    }
}

impl TierSetting {
    /// The tier that is set; `None` if what is paid for counts.
    ///
    /// ```
    /// use svc_types::api::users::{Tier, TierSetting};
    ///
    /// assert_eq!(TierSetting::Pro.word(), Some(Tier::Pro));
    /// assert_eq!(TierSetting::Auto.word(), None);
    /// ```
    pub fn word(&self) -> Option<Tier> {
        match self {
            Self::Auto => None,
            tier => Some(Tier::from(tier.as_str())),
        }
    }
}

impl From<Tier> for TierSetting {
    fn from(tier: Tier) -> Self {
        Self::from(tier.as_str())
    }
}

impl Tier {
    /// Price of the tier in words (spec §2.1); `None` if it is not sold.
    ///
    /// ```
    /// use svc_types::api::users::Tier;
    ///
    /// assert_eq!(Tier::Pro.price(), Some("9.99 USD per month"));
    /// assert_eq!(Tier::Free.price(), None);
    /// ```
    pub const fn price(&self) -> Option<&'static str> {
        match self {
            Self::Pro => Some("9.99 USD per month"),
            _ => None,
        }
    }
}

words! {
    /// Role of an account on the platform.
    Role {
        /// An ordinary account.
        User = "user",
        /// Handles reports and disputes.
        Moderator = "moderator",
        /// May do everything, including setting roles and tiers.
        Admin = "admin",
    }
}

words! {
    /// Moderation status of an account.
    AccountStatus {
        /// Not restricted.
        Active = "active",
        /// Excluded from the global feed, search, trends and the leaderboard.
        Limited = "limited",
        /// May only read and finish open orders.
        Suspended = "suspended",
        /// Waits for a moderator's approval and may do nothing yet.
        Pending = "pending",
    }
}

words! {
    /// Who may send direct messages to an account.
    DmPolicy {
        /// Everyone.
        All = "all",
        /// Accounts that it follows.
        Following = "following",
        /// Nobody.
        None = "none",
    }
}

words! {
    /// Sort order of the directory.
    UserSort {
        /// Newest accounts first.
        New = "new",
        /// Most followed first.
        Followers = "followers",
        /// Latest top-level post first.
        Active = "active",
    }
}

words! {
    /// What a list of an account's posts includes besides top-level posts, and adds to each.
    UserPostInclude {
        /// Its replies.
        Replies = "replies",
        /// Its reposts.
        Reposts = "reposts",
        /// The text of each post as HTML.
        Html = "html",
    }
}
