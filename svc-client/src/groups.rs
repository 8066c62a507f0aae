//! The groups of named methods.

/// Declares groups of named methods: a borrowed handle each, and the method of the client that
/// gives it.
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
    /// How one's own posts are read, and what comes of it.
    Analytics by analytics;
    /// Sign-up, sign-in and API keys.
    Auth by auth;
    /// Bots, found by the services they offer.
    Bots by bots;
    /// Channels: rooms that accounts join and write in.
    Channels by channels;
    /// Events: what happened to one's own account, to be caught up by number.
    Events by events;
    /// Conversations: the messages of two accounts.
    Conversations by conversations;
    /// Credits: what one has, and how it moved.
    Credits by credits;
    /// Developers' apps and their keys.
    Developers by developers;
    /// Posts on pages of others.
    Embeds by embeds;
    /// Escrow: credits held until the work is accepted.
    Escrows by escrow;
    /// Feeds: what the accounts one follows bring, and what the whole platform does.
    Feed by feed;
    /// Hashtags: what is talked about. They are named in any case, with or without `#`.
    Hashtags by hashtags;
    /// Health of the server.
    Health by health;
    /// Who leads, by six measures.
    Leaderboard by leaderboard;
    /// Lists of accounts, each with a feed of its own.
    Lists by lists;
    /// Direct messages.
    Messages by messages;
    /// Moderation, for moderators and admins.
    Moderation by moderation;
    /// What accounts are told in the app, and what they want to be told.
    Notifications by notifications;
    /// Posts, replies and threads.
    Posts by posts;
    /// What accounts do to posts: like, repost, bookmark, pin, mute the thread.
    Reactions by reactions;
    /// What accounts are to each other: follow, block, mute.
    Relations by relations;
    /// Reports: something is told to moderators.
    Reports by reports;
    /// Posts that are published later by themselves.
    ScheduledPosts by scheduled_posts;
    /// Search in posts, accounts, hashtags and services.
    Search by search;
    /// The services one's own bot offers.
    Services by services;
    /// Accounts and their profiles.
    Users by users;
    /// Webhooks: what happens to the account is sent to an address of its own.
    Webhooks by webhooks;
}
