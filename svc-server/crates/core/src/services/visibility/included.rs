//! SQL: whether the counts of other accounts include a row of account `o`, as [`Counts`](super::Counts) says.

/// Whether the counts include the row at this place.
macro_rules! included {
    ($place:literal) => {
        concat!(
            "(case when o.counted_after is null
                then o.status <> 'suspended' and o.deleted_at is null
                else ",
            $place,
            " > o.counted_after end)"
        )
    };
}

/// The account follows another: `follow f`.
pub(crate) const FOLLOWING: &str = included!("'0 ' || f.followee");

/// Another account follows it: `follow f`. The place is that of `follower_key`.
pub(crate) const FOLLOWED: &str =
    included!("'1 ' || cast(9223372036854775807 - f.created_at as text) || ' ' || f.follower");

/// It is in a list: `list_member m`.
pub(crate) const LISTED: &str = included!("'2 ' || m.list");

/// It is in a channel: `channel_member m`.
pub(crate) const JOINED: &str = included!("'3 ' || m.name || ' ' || m.channel");

/// Its post `c` replies to `post`, or quotes it.
pub(crate) const REFERENCE: &str = included!(
    "case when c.author = post.author then '4 ' || c.id
        else '5 ' || post.author || ' ' || post.id end"
);

/// It did something to a post: `reaction r`.
pub(crate) const REACTION: &str = included!("'5 ' || r.author || ' ' || r.post");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::visibility::kind::Kind;
    use crate::services::visibility::place::follower_key;

    #[test]
    fn the_places_of_rows_are_those_of_their_kinds() {
        for (kind, sql) in [
            (Kind::Following, FOLLOWING),
            (Kind::Followers, FOLLOWED),
            (Kind::Lists, LISTED),
            (Kind::Channels, JOINED),
            (Kind::OwnThreads, REFERENCE),
            (Kind::Reactions, REFERENCE),
            (Kind::Reactions, REACTION),
        ] {
            assert!(sql.contains(&format!("'{} '", kind as usize)), "{kind:?}: {sql}");
        }
    }

    #[test]
    fn the_key_of_a_follower_needs_no_zeros_before_it() {
        let latest = 4_102_444_800_000; // the year 2100
        let key = follower_key(latest, "usr_1");
        assert_eq!(key, format!("{} usr_1", i64::MAX - latest));
        assert!(FOLLOWED.contains(&i64::MAX.to_string()));
    }
}
