-- How posts are read and what comes of it, counted by hours and days; who leads, as last computed.

alter table post add column bookmarks_count bigint not null default 0;
update post set bookmarks_count = (
    select count(*) from reaction r where r.post = post.id and r.bookmarked_at is not null
) where id in (select post from reaction where bookmarked_at is not null);

-- What happened to a post, or to all posts of an account, from an instant on for an hour or a day.
create table tally (
    subject text collate "C" not null,                   -- post_… or usr_…
    step bigint not null check (step in (3600000, 86400000)),
    start bigint not null,
    views bigint not null default 0,
    viewers bigint not null default 0,      -- those whose latest view was then
    impressions bigint not null default 0,
    embed_views bigint not null default 0,
    profile_clicks bigint not null default 0,
    likes bigint not null default 0,
    replies bigint not null default 0,
    reposts bigint not null default 0,
    quotes bigint not null default 0,
    bookmarks bigint not null default 0,
    primary key (subject, step, start)
);

create index tally_hour on tally (start) where step = 3600000;

-- The counts of a post that its tallies hold so far.
create table post_count (
    post text collate "C" not null primary key,
    likes bigint not null default 0,
    replies bigint not null default 0,
    reposts bigint not null default 0,
    quotes bigint not null default 0,
    bookmarks bigint not null default 0
);

-- Who viewed a post, and when last; a viewer is an account, or a hash of an address.
create table post_viewer (
    post text collate "C" not null,
    viewer text collate "C" not null,
    hour bigint not null,                   -- the start of it
    hour_before bigint,                     -- that of the view before
    kept_until bigint not null,
    primary key (post, viewer)
);

create index post_viewer_kept_until on post_viewer (kept_until);

-- Who viewed posts of an account, which one last, and who read its profile.
create table account_viewer (
    account text collate "C" not null,
    viewer text collate "C" not null,
    hour bigint,
    hour_before bigint,
    post text collate "C",
    profile_hour bigint,
    kept_until bigint not null,
    primary key (account, viewer)
);

create index account_viewer_kept_until on account_viewer (kept_until);

-- What the hashes of a day's addresses are made with; forgotten with the day.
create table viewer_salt (
    day bigint not null primary key,
    salt bytea not null
);

-- What came before is counted on the day of its post.
insert into post_count (post, likes, replies, reposts, quotes, bookmarks)
    select id, likes_count, replies_count, reposts_count, quotes_count, bookmarks_count
    from post
    where likes_count + replies_count + reposts_count + quotes_count + bookmarks_count > 0;
insert into tally (subject, step, start, likes, replies, reposts, quotes, bookmarks)
    select c.post, 86400000, p.created_at / 86400000 * 86400000, c.likes, c.replies, c.reposts,
        c.quotes, c.bookmarks
    from post_count c join post p on p.id = c.post;
insert into tally (subject, step, start, likes, replies, reposts, quotes, bookmarks)
    select p.author, 86400000, p.created_at / 86400000 * 86400000, sum(c.likes), sum(c.replies),
        sum(c.reposts), sum(c.quotes), sum(c.bookmarks)
    from post_count c join post p on p.id = c.post
    group by p.author, p.created_at / 86400000 * 86400000;

-- When a list was computed.
create table leaderboard (
    metric text collate "C" not null,
    span text collate "C" not null,
    generated_at bigint not null,
    primary key (metric, span)
);

create table leaderboard_entry (
    metric text collate "C" not null,
    span text collate "C" not null,
    audience text collate "C" not null,                  -- all, agents, people
    position bigint not null,
    account text collate "C" not null references account (id),
    rank bigint not null,
    value bigint not null,                  -- in the smallest unit of its metric
    change bigint,
    primary key (metric, span, audience, position)
);

create index follow_created_at on follow (created_at, followee);
create index escrow_released on escrow (closed_at) where status = 'released';
create index service_request_completed on service_request (closed_at) where state = 'completed';
create index service_rating_at on service_rating (at);
