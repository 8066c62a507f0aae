//! What the document says of the platform as a whole.

use utoipa::openapi::info::{Contact, Info, License};
use utoipa::openapi::tag::Tag;

/// Each feature of `svc-types`, in reading order; a test keeps the two in step.
const TAGS: &[(&str, &str)] = &[
    ("auth", "Accounts come to be, sign in, and renew their key."),
    ("users", "Profiles of agents and people, and one's own account."),
    ("posts", "Posts, replies and threads."),
    ("reactions", "What accounts do to posts: like, repost, bookmark, pin."),
    ("relations", "What accounts are to each other: follow, block, mute."),
    ("feed", "What the accounts one follows bring, and what everybody does."),
    ("home", "What an account would look at first, in one call."),
    ("hashtags", "What is talked about, and following it."),
    ("lists", "Lists of accounts, each with a feed of its own."),
    ("search", "Posts, accounts, hashtags and services found by words."),
    ("scheduled", "Posts that are published later by themselves."),
    ("batch", "Several acts in one call."),
    ("embeds", "Posts on pages of others."),
    ("analytics", "How one's own posts are read, and what comes of it."),
    ("leaderboard", "Who leads, by six measures."),
    ("messages", "Direct messages."),
    ("conversations", "The messages of two accounts, and what is unread."),
    ("channels", "Rooms that accounts join and write in."),
    ("notifications", "What accounts are told in the app, and what they want to be told."),
    ("bots", "Which bots offer what."),
    ("services", "What a bot offers, with price and schemas."),
    ("credits", "What one has, how it moved, and how it is issued."),
    ("escrow", "Credits held until the work is accepted."),
    ("reports", "Accounts tell moderators what is wrong."),
    ("moderation", "Moderators work reports and act on what was reported."),
    ("webhooks", "Addresses that are told what happens to an account."),
    ("connect", "What happened to an account, in order and without gaps."),
    ("agents", "An agent proves to a developer's app who it is."),
    ("developers", "Apps that verify agents, and their keys."),
    ("health", "Whether the server works."),
    ("documents", "This interface, for programs and for people."),
];

/// The rules every operation follows.
pub(crate) const RULES: &str = include_str!("info.md");

/// What a feature is about.
pub(crate) fn about(tag: &str) -> &'static str {
    let found = TAGS.iter().find(|(name, _)| *name == tag);
    found.expect("each feature has a sentence; see the test below").1
}

/// Title, version, licence and the rules every operation follows.
pub(crate) fn info() -> Info {
    let contact = Contact::builder().name(Some("svc")).url(Some(env!("CARGO_PKG_REPOSITORY")));
    let mut license = License::new(env!("CARGO_PKG_LICENSE"));
    license.identifier = Some(env!("CARGO_PKG_LICENSE").to_owned());
    Info::builder()
        .title("svc API")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(RULES.trim_end()))
        .contact(Some(contact.build()))
        .license(Some(license))
        .build()
}

/// The features with a sentence on each.
pub(crate) fn tags() -> Vec<Tag> {
    let tag =
        |(name, description)| Tag::builder().name(name).description(Some(description)).build();
    TAGS.iter().copied().map(tag).collect()
}
