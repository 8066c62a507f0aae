-- What is talked about, lists of accounts, and search.

-- A hashtag that was used, and what was counted when it was last looked at. The present window may
-- have moved on since; `due_at` says when it is looked at again.
create table hashtag (
    name text not null primary key,
    posts_day integer not null,              -- in the 24 hours up to the present one
    accounts_day integer not null,
    posts_week integer not null,             -- in the 7 days up to the present one
    accounts_week integer not null,
    hours text not null,                     -- a JSON array: hours with posts
    days text not null,                      -- a JSON array: days with posts
    counted_at integer not null,
    due_at integer
) strict, without rowid;

create index hashtag_day on hashtag (accounts_day desc, name) where accounts_day > 0;
create index hashtag_week on hashtag (accounts_week desc, name) where accounts_week > 0;
create index hashtag_due on hashtag (due_at, name) where due_at is not null;

insert into hashtag (name, posts_day, accounts_day, posts_week, accounts_week, hours, days,
        counted_at, due_at)
    select distinct tag, 0, 0, 0, 0, '[]', '[]', 0, 0 from post_hashtag;

create table hashtag_follow (
    account text not null references account (id),
    tag text not null,
    created_at integer not null,
    primary key (account, tag)
) strict, without rowid;

create table list (
    id text not null primary key,
    owner text not null references account (id),
    name text not null,
    description text,
    visibility text not null,
    exclusive integer not null check (exclusive in (0, 1)),
    replies_policy text not null,
    members_count integer not null,
    created_at integer not null,
    updated_at integer not null
) strict;

create index list_owner on list (owner, id desc);
create index list_public on list (owner, id desc) where visibility = 'public';

create table list_member (
    list text not null references list (id),
    member text not null references account (id),
    created_at integer not null,
    primary key (list, member)
) strict, without rowid;

create index list_member_member on list_member (member, list);

-- What waits to be indexed: ids of posts, accounts and services whose texts changed.
create table search_queue (
    id text not null primary key
) strict, without rowid;

insert into search_queue (id)
    select id from post where deleted_at is null
    union all select id from account where deleted_at is null
    union all select id from service where deleted_at is null;

-- What is indexed. Documents are numbered in the order they came, so that later ones are newer.
create table search_doc (
    doc integer not null primary key,
    id text not null
) strict;

create unique index search_doc_id on search_doc (id);

-- The index of words, which each engine has in its own way. Texts come cut into words, so here only
-- spaces divide; beginnings of words of up to 12 characters, marked by kind, are indexed too.
create virtual table search_index using fts5 (
    words, content = '', contentless_delete = 1, detail = none,
    tokenize = "ascii tokenchars '_@$!#'", prefix = '2 3 4 5 6 7 8 9 10 11 12 13'
);
