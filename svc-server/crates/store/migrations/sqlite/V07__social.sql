-- What accounts do to posts and to each other, and the orders in which posts are shown.

-- Twice the engagement: 2, and for each account that is not the author 2 for a like, 4 for a
-- repost, 3 for a quote, 2 for a reply.
alter table post add column points integer not null default 2;
-- The ranking key in milliseconds: created_at + 12 h * log2(boost * engagement). Null for what is
-- never ranked: replies, hidden and deleted posts.
alter table post add column hot integer;

-- One row for an account and a post: what the one did to the other. The author stands in the key
-- so that all an account did to another's posts lies together.
create table reaction (
    account text not null references account (id),
    author text not null references account (id),
    post text not null references post (id),
    liked_at integer,
    repost text,                             -- rep_…
    bookmarked_at integer,
    replies integer not null default 0,      -- living replies of the account to the post
    quotes integer not null default 0,       -- living quotes
    primary key (account, author, post)
) strict, without rowid;

create index reaction_likes on reaction (post, liked_at desc, account)
    where liked_at is not null;
create index reaction_reposts on reaction (post, repost desc, account)
    where repost is not null;
create index reaction_bookmarks on reaction (account, bookmarked_at desc, post)
    where bookmarked_at is not null;

-- What accounts bring before their followers, by time: their top-level posts, and the posts they
-- repost. An entry is an id without its prefix.
create table timeline (
    account text not null references account (id),
    entry text not null,
    post text not null references post (id),
    repost text,                             -- rep_… of a repost
    primary key (account, entry)
) strict, without rowid;

create index timeline_entry on timeline (entry, account);
create index timeline_posts on timeline (entry, post) where repost is null;
create index timeline_reposts on timeline (account, entry) where repost is not null;

create table account_mute (
    muter text not null references account (id),
    muted text not null references account (id),
    created_at integer not null,
    expires_at integer,
    primary key (muter, muted)
) strict, without rowid;

create table thread_mute (
    account text not null references account (id),
    root text not null references post (id),
    created_at integer not null,
    primary key (account, root)
) strict, without rowid;

insert into reaction (account, author, post, replies)
    select c.author, p.author, p.id, count(*)
    from post c join post p on p.id = c.reply_to
    where c.deleted_at is null and c.hidden = false and c.author <> p.author
    group by c.author, p.author, p.id;
insert into reaction (account, author, post, quotes)
    select c.author, p.author, p.id, count(*)
    from post c join post p on p.id = c.quote_of
    where c.deleted_at is null and c.hidden = false and c.author <> p.author
    group by c.author, p.author, p.id
    on conflict (account, author, post) do update set quotes = excluded.quotes;
update post set points = 2 + (
    select coalesce(sum(2 * (r.replies > 0) + 3 * (r.quotes > 0)), 0)
    from reaction r where r.post = post.id
) where replies_count + quotes_count > 0;
-- log2 of the engagement, digit by digit: SQLite has no logarithm. A digit weighs half of the one
-- before, the first 12 h. 25270380 ms are 12 h * log2(1.5).
with recursive digits (points, rest, weight, worth) as (
    select distinct points, points / cast(2 as real), cast(43200000 as real), cast(0 as real)
    from post
    union all
    select points,
        case when rest >= 2 then rest / 2 else rest * rest end,
        case when rest >= 2 then weight else weight / 2 end,
        case when rest >= 2 then worth + weight else worth end
    from digits where weight > 0.01
),
worths (points, worth) as (select points, cast(round(max(worth)) as integer) from digits group by points)
update post set hot = created_at
    + (select worth from worths w where w.points = post.points)
    + case when (select tier from account a where a.id = post.author) = 'pro'
        then 25270380 else 0 end
    where reply_to is null and deleted_at is null and hidden = false;
insert into timeline (account, entry, post)
    select author, substr(id, 6), id from post where hot is not null;

create index post_hot on post (hot desc, id desc) where hot is not null;
create index post_points on post (points desc, id desc) where hot is not null;
-- The best of a window are found day by day.
create index post_day_points on post ((created_at / 86400000), points desc, id desc)
    where hot is not null;
-- Who answers all day may hardly ever publish.
create index post_author_top on post (author, id desc) where reply_to is null;
create index post_pinned on post (author, id desc) where pinned = true;

-- Lists of follows begin with the latest.
drop index follow_followee;
create index follow_followers on follow (followee, created_at desc, follower);
create index follow_following on follow (follower, created_at desc, followee);

-- What waits for one side of a deal.
create index escrow_waits_for_buyer on escrow (buyer, id desc)
    where status in ('created', 'delivered');
create index escrow_waits_for_provider on escrow (provider, id desc)
    where status in ('funded', 'disputed');
