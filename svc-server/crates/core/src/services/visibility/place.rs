//! How far the counts at others include what an account did.
//!
//! All rows by which an account counts elsewhere have one order. The counts include those behind a
//! place, which moves to the end while the account does not stand, and to the beginning while it
//! does. An account whose place has arrived has none: all of its rows are counted, or none is.

use std::fmt;

use svc_store::error::{Error, Result};
use svc_store::row;
use svc_types::{ChannelId, ListId, PostId, Timestamp, UserId};

use super::kind::{KINDS, Kind};
use crate::services::post::Record;

/// A row by which an account counts elsewhere.
#[derive(Clone, Copy, Debug)]
pub enum Counted<'a> {
    /// It follows this account.
    Following(&'a UserId),
    /// This account has followed it since then.
    Follower(&'a UserId, Timestamp),
    /// It is in this list.
    List(&'a ListId),
    /// It is in the channel of this name and id.
    Channel(&'a str, &'a ChannelId),
    /// This post of its own replies to, or quotes, another of its own.
    OwnThread(&'a PostId),
    /// What it did to a post: the post's author and id.
    Reaction(&'a UserId, &'a PostId),
}

impl<'a> Counted<'a> {
    /// That `post` of `author` replies to, or quotes, another.
    pub fn reference(author: &'a UserId, post: &'a PostId, to: &'a Record) -> Self {
        if *author == to.author {
            Self::OwnThread(post)
        } else {
            Self::Reaction(&to.author, &to.id)
        }
    }

    fn place(self) -> Place {
        let (kind, key) = match self {
            Self::Following(account) => (Kind::Following, account.to_string()),
            Self::Follower(account, since) => {
                (Kind::Followers, follower_key(since.as_millis(), account.as_str()))
            }
            Self::List(list) => (Kind::Lists, list.to_string()),
            Self::Channel(name, channel) => (Kind::Channels, format!("{name} {channel}")),
            Self::OwnThread(post) => (Kind::OwnThreads, post.to_string()),
            Self::Reaction(author, post) => (Kind::Reactions, format!("{author} {post}")),
        };
        Place { kind: kind as usize, key }
    }
}

/// How far the counts at others include what an account did.
#[derive(Debug)]
pub struct Counts {
    pub(super) stands: bool,
    pub(super) after: Option<String>,
}
row!(Counts { stands: "status <> 'suspended' and deleted_at is null", after: "counted_after" });

impl Counts {
    /// Whether they include this row of the account.
    pub fn include(&self, row: Counted<'_>) -> bool {
        match &self.after {
            // A kind has one digit, so texts are in the order of their places.
            Some(after) => row.place().to_string() > *after,
            None => self.stands,
        }
    }

    /// Which way the place moves: what a row that it passes adds to the counts.
    pub(super) const fn way(&self) -> i64 {
        if self.stands { 1 } else { -1 }
    }
}

/// A place in the order of the rows: kind by kind, each in an order of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of the kind.
    pub(super) kind: usize,
    /// The last row before the place; empty where the kind begins.
    pub(super) key: String,
}

impl Place {
    /// Where the rows of a kind begin, and those of the kind before it end.
    pub(super) const fn beginning_of(kind: usize) -> Self {
        Self { kind, key: String::new() }
    }

    /// Where a place begins that moves this way.
    pub(super) const fn first(way: i64) -> Self {
        Self::beginning_of(if way < 0 { 0 } else { KINDS.len() })
    }

    /// Where a place arrives that moves this way.
    pub(super) const fn last(way: i64) -> Self {
        Self::first(-way)
    }

    pub(super) fn parse(text: &str) -> Result<Self> {
        let (kind, key) = text.split_once(' ').unwrap_or((text, ""));
        Ok(Self { kind: kind.parse::<usize>().map_err(Error::internal)?, key: key.to_owned() })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.key)
    }
}

/// The place of a follower, the latest first: that is the order of the index.
pub(super) fn follower_key(since: i64, follower: &str) -> String {
    format!("{:019} {follower}", i64::MAX.saturating_sub(since))
}

/// The time in the first part of such a key.
pub(super) fn followed_since(part: &str) -> Result<i64> {
    let left = part.parse::<i64>().map_err(Error::internal)?;
    Ok(i64::MAX.saturating_sub(left))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(stands: bool, after: Option<&str>) -> Counts {
        Counts { stands, after: after.map(str::to_owned) }
    }

    #[test]
    fn a_place_is_read_as_it_is_written() {
        for text in
            ["0 ", "0 usr_1", "1 0000000000000000009 usr_1", "5 usr_1 post_1", "6 srv_1", "7 "]
        {
            assert_eq!(Place::parse(text).unwrap().to_string(), text);
        }
        assert_eq!((Place::first(-1), Place::last(-1)), (Place::last(1), Place::first(1)));
    }

    #[test]
    fn rows_behind_the_place_are_counted_whether_or_not_the_account_stands() {
        let [one, two] = ["usr_1", "usr_2"].map(UserId::from);
        let post = PostId::from("post_1");
        for stands in [true, false] {
            let counts = counts(stands, Some("0 usr_1"));
            assert!(!counts.include(Counted::Following(&one)));
            assert!(counts.include(Counted::Following(&two)));
            assert!(counts.include(Counted::Reaction(&one, &post)), "it is of a later kind");
        }
        assert!(counts(true, None).include(Counted::Following(&one)));
        assert!(!counts(false, None).include(Counted::Following(&one)));
    }

    #[test]
    fn the_latest_follower_comes_first() {
        let follower = UserId::from("usr_1");
        let earlier = Place { kind: 1, key: follower_key(1_000, "usr_1") };
        let counts = counts(true, Some(&earlier.to_string()));
        let included =
            |since| counts.include(Counted::Follower(&follower, Timestamp::from_millis(since)));
        assert_eq!([999, 1_000, 1_001].map(included), [true, false, false]);
        assert_eq!(followed_since(earlier.key.split_once(' ').unwrap().0).unwrap(), 1_000);
    }
}
