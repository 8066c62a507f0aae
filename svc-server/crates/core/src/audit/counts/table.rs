//! Every count that the platform shows and that follows from rows, as a statement that counts them again.
//!
//! An account that leaves or returns is in some counts and not yet in others: [`included`] says in which. What an
//! erased account has is not compared, because its rows go and its counts stay.
//!
//! Not here are counts that a task makes from time to time, of hashtags and rankings, and those whose rows are not
//! kept: views, verifications by apps. Ratings and figures are among the checks of deals.

use svc_store::{joined, sql};

use super::Count;
use crate::services::visibility::included;

/// Rows in a page.
const PAGE: i64 = 1_000;

/// One page for all rows.
const ALL: i64 = i64::MAX;

/// A count in a column of a table whose key is `id`. `$rows` counts again what belongs to a row of the table, and
/// `$which` says which rows of the table are compared.
macro_rules! count {
    ($id:literal, $rule:literal, $table:literal, $column:literal, $rows:expr, $which:literal) => {
        Count {
            id: $id,
            rule: $rule,
            page: sql!(
                "select min(id), max(id) from (
                    select id from ",
                $table,
                " where id > $1 order by id limit $2) page"
            ),
            rows: PAGE,
            find: sql!(
                "select x.id, x.id, x.stored_count, x.rows_count from (
                    select ",
                $table,
                ".id as id, ",
                $table,
                ".",
                $column,
                " as stored_count, ",
                $rows,
                " as rows_count from ",
                $table,
                " where ",
                $table,
                ".id >= $1 and ",
                $table,
                ".id <= $2 and ",
                $which,
                ") x
                 where x.stored_count <> x.rows_count order by x.id limit $3"
            ),
            lock: &[sql!("select id from ", $table, " where id = $1 for no key update")],
            set: &[sql!("update ", $table, " set ", $column, " = ", $rows, " where id = $1")],
            is_rank: false,
        }
    };
}

/// Every count, in order.
pub(super) static COUNTS: [Count; 14] = [
    count!(
        "C1",
        "followersCount is how many follow",
        "account",
        "followers_count",
        FOLLOWERS,
        "account.deleted_at is null"
    ),
    count!(
        "C2",
        "followingCount is how many are followed",
        "account",
        "following_count",
        FOLLOWING,
        "account.deleted_at is null"
    ),
    count!(
        "C3",
        "postsCount is how many posts are neither hidden nor deleted",
        "account",
        "posts_count",
        POSTS,
        "account.deleted_at is null"
    ),
    count!("C4", "likesCount is how many like", "post", "likes_count", LIKES, "true"),
    count!("C5", "repostsCount is how many repost", "post", "reposts_count", REPOSTS, "true"),
    count!(
        "C6",
        "repliesCount is how many visible replies there are",
        "post",
        "replies_count",
        REPLIES,
        "true"
    ),
    count!(
        "C7",
        "quotesCount is how many visible quotes there are",
        "post",
        "quotes_count",
        QUOTES,
        "true"
    ),
    BOOKMARKS,
    Count {
        is_rank: true,
        ..count!(
            "C9",
            "the points of a post are those of its counts",
            "post",
            "points",
            POINTS,
            "true"
        )
    },
    count!(
        "C10",
        "a post has as many images as are stored for it",
        "post",
        "images",
        IMAGES,
        "exists (select 1 from account a where a.id = post.author and a.deleted_at is null)"
    ),
    count!(
        "C11",
        "membersCount of a list is how many are in it",
        "list",
        "members_count",
        LIST_MEMBERS,
        "true"
    ),
    count!(
        "C12",
        "membersCount of a channel is how many are in it",
        "channel",
        "members_count",
        CHANNEL_MEMBERS,
        "channel.deleted_at is null"
    ),
    UNREAD,
    NOTIFICATIONS,
];

// `cross join` keeps SQLite from beginning with all accounts.

const FOLLOWERS: &str = joined!(
    "(select count(*) from follow f cross join account o
        where f.followee = account.id and o.id = f.follower and ",
    included::FOLLOWING,
    ")"
);

const FOLLOWING: &str = joined!(
    "(select count(*) from follow f cross join account o
        where f.follower = account.id and o.id = f.followee and ",
    included::FOLLOWED,
    ")"
);

const POSTS: &str = "(select count(*) from post p
    where p.author = account.id and p.hidden = false and p.deleted_at is null)";

/// Accounts that like a post.
const LIKERS: &str = joined!(
    "from reaction r cross join account o
        where r.post = post.id and r.liked_at is not null and o.id = r.account and ",
    included::REACTION
);

const LIKES: &str = joined!("(select count(*) ", LIKERS, ")");

/// Accounts that repost it.
const REPOSTERS: &str = joined!(
    "from reaction r cross join account o
        where r.post = post.id and r.repost is not null and o.id = r.account and ",
    included::REACTION
);

const REPOSTS: &str = joined!("(select count(*) ", REPOSTERS, ")");

/// Replies to it.
const ANSWERS: &str = joined!(
    "from post c cross join account o
        where c.reply_to = post.id and c.hidden = false and c.deleted_at is null
            and o.id = c.author and ",
    included::REFERENCE
);

const REPLIES: &str = joined!("(select count(*) ", ANSWERS, ")");

/// Quotes of it.
const QUOTERS: &str = joined!(
    "from post c cross join account o
        where c.quote_of = post.id and c.hidden = false and c.deleted_at is null
            and o.id = c.author and ",
    included::REFERENCE
);

const QUOTES: &str = joined!("(select count(*) ", QUOTERS, ")");

/// As `rank` counts them; what its author does adds none.
const POINTS: &str = joined!(
    "(2 + 2 * (select count(*) ",
    LIKERS,
    " and r.account <> post.author)
        + 4 * (select count(*) ",
    REPOSTERS,
    " and r.account <> post.author)
        + 3 * (select count(distinct c.author) ",
    QUOTERS,
    " and c.author <> post.author)
        + 2 * (select count(distinct c.author) ",
    ANSWERS,
    " and c.author <> post.author))"
);

const IMAGES: &str = "(select count(*) from media m where m.post = post.id)";

const LIST_MEMBERS: &str = joined!(
    "(select count(*) from list_member m cross join account o
        where m.list = list.id and o.id = m.member and ",
    included::LISTED,
    ")"
);

const CHANNEL_MEMBERS: &str = joined!(
    "(select count(*) from channel_member m cross join account o
        where m.channel = channel.id and o.id = m.account and ",
    included::JOINED,
    ")"
);

/// No index leads from a post to its bookmarks, so all are read once.
const BOOKMARKS: Count = Count {
    rows: ALL,
    find: sql!(
        "select post.id, post.id, post.bookmarks_count, coalesce(b.rows_count, 0)
         from post left join (
            select r.post as post, count(*) as rows_count
            from reaction r cross join account o
            where r.post >= $1 and r.post <= $2 and r.bookmarked_at is not null
                and o.id = r.account and ",
        included::REACTION,
        " group by r.post
         ) b on b.post = post.id
         where post.id >= $1 and post.id <= $2
            and post.bookmarks_count <> coalesce(b.rows_count, 0)
         order by post.id limit $3"
    ),
    ..count!(
        "C8",
        "the bookmarks of a post are counted",
        "post",
        "bookmarks_count",
        BOOKMARKS_OF_POST,
        "true"
    )
};

/// An account has one row for a post, found by its key.
const BOOKMARKS_OF_POST: &str = joined!(
    "(select count(*) from account o cross join reaction r
        where r.account = o.id and r.author = post.author and r.post = post.id
            and r.bookmarked_at is not null and ",
    included::REACTION,
    ")"
);

/// As when the conversation is read: of earlier messages, none is unread.
const UNREAD_MESSAGES: &str = "(select count(*) from message g
    where g.conversation = conversation_member.conversation
        and g.sender <> conversation_member.account
        and g.id > coalesce(conversation_member.last_read_message, '') and g.read_at is null
        and g.deleted_by_recipient = false and g.hidden = false)";

/// Whether the member is not deleted.
const IS_THERE: &str = "exists (select 1 from account a
    where a.id = conversation_member.account and a.deleted_at is null)";

/// A conversation has two members, so that its rows are found and set together.
const UNREAD: Count = Count {
    id: "C13",
    rule: "unreadCount of a conversation is how many messages are unread",
    page: sql!(
        "select min(id), max(id) from (
            select id from conversation where id > $1 order by id limit $2) page"
    ),
    rows: PAGE,
    find: sql!(
        "select x.id, x.id || ' ' || x.member, x.stored_count, x.rows_count from (
            select conversation_member.conversation as id, conversation_member.account as member,
                conversation_member.unread_count as stored_count, ",
        UNREAD_MESSAGES,
        " as rows_count
            from conversation_member
            where conversation_member.conversation >= $1 and conversation_member.conversation <= $2
                and ",
        IS_THERE,
        "
         ) x
         where x.stored_count <> x.rows_count order by x.id, x.member limit $3"
    ),
    lock: &[sql!(
        "select account from conversation_member where conversation = $1
         order by account for no key update"
    )],
    set: &[sql!(
        "update conversation_member set unread_count = ",
        UNREAD_MESSAGES,
        " where conversation = $1 and ",
        IS_THERE
    )],
    is_rank: false,
};

/// Notifications in an account's list that it has not read.
const UNREAD_EVENTS: &str = "from event_head h cross join account_event n
    where n.account = h.stream and n.seq > h.read_seq and n.listed = true and n.read = false";

/// An account has a count for each type. They change under the lock of its events.
const NOTIFICATIONS: Count = Count {
    id: "C14",
    rule: "unread notifications of a type are those in the list",
    page: sql!(
        "select min(id), max(id) from (
            select id from account where id > $1 order by id limit $2) page"
    ),
    rows: PAGE,
    find: sql!(
        "select x.account, x.account || ' ' || x.type, x.stored_count, x.rows_count from (
            select c.account, c.type, cast(sum(c.unread) as bigint) as stored_count,
                cast(sum(c.found) as bigint) as rows_count
            from (
                select account, type, unread, 0 as found from notification_count
                where account >= $1 and account <= $2
                union all
                select n.account, n.type, 0, 1 ",
        UNREAD_EVENTS,
        " and h.stream >= $1 and h.stream <= $2
            ) c
            join account a on a.id = c.account and a.deleted_at is null
            group by c.account, c.type
         ) x
         where x.stored_count <> x.rows_count order by x.account, x.type limit $3"
    ),
    lock: &[sql!("select stream from event_head where stream = $1 for update")],
    set: &[
        sql!("update notification_count set unread = 0 where account = $1 and unread > 0"),
        sql!(
            "insert into notification_count (account, type, unread)
             select n.account, n.type, count(*) ",
            UNREAD_EVENTS,
            " and h.stream = $1 group by n.account, n.type
             on conflict (account, type) do update set unread = excluded.unread"
        ),
    ],
    is_rank: false,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::post::rank;

    #[test]
    fn points_weigh_what_the_rank_says() {
        for (weight, of) in [
            (rank::LIKE_POINTS, LIKERS),
            (rank::REPOST_POINTS, REPOSTERS),
            (rank::QUOTE_POINTS, QUOTERS),
            (rank::REPLIER_POINTS, ANSWERS),
        ] {
            let found = ["count(*)", "count(distinct c.author)"]
                .iter()
                .any(|count| POINTS.contains(&format!("{weight} * (select {count} {of}")));
            assert!(found, "{weight} {of}");
        }
        assert!(POINTS.starts_with(&format!("({} + ", rank::POINTS_AT_FIRST)));
    }

    #[test]
    fn rules_have_numbers_in_their_order() {
        for (number, count) in (1..).zip(&COUNTS) {
            assert_eq!(count.id, format!("C{number}"));
        }
    }
}
