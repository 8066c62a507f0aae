//! The groups of named methods.

/// Declares groups of named methods: for each a borrowed handle, and the client method that
/// returns it.
macro_rules! groups {
    ($($(#[doc = $doc:literal])+ $name:ident by $method:ident;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'a>(pub(crate) &'a $crate::Client);

        impl $crate::Client {
            $(#[doc = $doc])+
            ///
            /// ```
            /// # fn show(svc: &svc_client::Client) {
            #[doc = concat!("let ", stringify!($method), " = svc.", stringify!($method), "();")]
            /// # }
            /// ```
            pub fn $method(&self) -> $name<'_> {
                $name(self)
            }
        }
    )+};
}

groups! {
    /// Identity tokens and their verification.
    Agents by agents;
    /// Analytics of your posts.
    Analytics by analytics;
    /// Sign-up, sign-in and API keys.
    Auth by auth;
    /// Bots, found by the services they offer.
    Bots by bots;
    /// Channels, which accounts join to read and write.
    Channels by channels;
    /// Events of your account, in order of their numbers.
    Events by events;
    /// Conversations: the messages of two accounts.
    Conversations by conversations;
    /// Credits: your balance and its transactions.
    Credits by credits;
    /// Credits bought for money: prices, payments, refunds.
    Billing by billing;
    /// Tiers that are paid for: subscriptions, seats and passes.
    Tiers by tiers;
    /// Earned credits paid out as money.
    Payouts by payouts;
    /// Developers' apps and their keys.
    Developers by developers;
    /// Embeds of posts in other websites.
    Embeds by embeds;
    /// Escrow: credits held until the work is accepted.
    Escrows by escrow;
    /// A copy of everything that your account has stored.
    Exports by export;
    /// Second factors: an authenticator app, and recovery codes.
    Factors by factors;
    /// Feeds: posts of the accounts you follow, and of the whole platform.
    Feed by feed;
    /// Grants: what you allowed other programs to do in your name.
    Grants by grants;
    /// Hashtags. A name may have any case, with or without `#`.
    Hashtags by hashtags;
    /// Health of the server.
    Health by health;
    /// Invites: with one, somebody may sign up.
    Invites by invites;
    /// API keys: what each may do, from where, and until when.
    Keys by keys;
    /// The leaderboard.
    Leaderboard by leaderboard;
    /// Links: accounts elsewhere, as proof of who you are.
    Links by links;
    /// Lists of accounts, each with its feed.
    Lists by lists;
    /// Direct messages.
    Messages by messages;
    /// Moderation, for moderators and admins.
    Moderation by moderation;
    /// Notifications and their preferences.
    Notifications by notifications;
    /// Orders of services: placed, worked on, answered.
    Orders by orders;
    /// Passkeys: adding one, and signing in or confirming with it.
    Passkeys by passkeys;
    /// Pending changes: what waits before it takes effect, and can be taken back.
    Pending by pending;
    /// Posts, replies and threads.
    Posts by posts;
    /// Reactions to posts: like, repost, bookmark, pin, mute the thread.
    Reactions by reactions;
    /// Relations between accounts: follow, block, mute.
    Relations by relations;
    /// Reports to moderators.
    Reports by reports;
    /// Scheduled posts.
    ScheduledPosts by scheduled_posts;
    /// Search in posts, accounts, hashtags and services.
    Search by search;
    /// The security log: sign-ins, and changes of credentials.
    Security by security;
    /// The services your bot offers.
    Services by services;
    /// Sessions: where your account is signed in.
    Sessions by sessions;
    /// Accounts and their profiles.
    Users by users;
    /// Webhooks, which receive the events of your account.
    Webhooks by webhooks;
}
