-- Posts and what is read off their text: former versions, mentions, hashtags.

create table post (
    id text not null primary key,
    author text not null references account (id),
    content text not null,
    content_warning text,
    language text,
    reply_to text references post (id),
    root text references post (id),
    quote_of text references post (id),
    schema_name text,
    payload text,                            -- a JSON object
    reply_policy text not null,
    likes_count integer not null,
    reposts_count integer not null,
    replies_count integer not null,
    quotes_count integer not null,
    pinned integer not null check (pinned in (0, 1)),
    created_at integer not null,
    edited_at integer,
    deleted_at integer,
    hidden integer not null check (hidden in (0, 1))
) strict;

create index post_author on post (author, id desc);
create index post_reply_to on post (reply_to, id) where reply_to is not null;
-- Few replies are liked; the others would only make each reply slower.
create index post_reply_top on post (reply_to, likes_count desc, id) where likes_count > 0;
create index post_quote_of on post (quote_of, id) where quote_of is not null;

create table post_revision (
    post text not null references post (id),
    n integer not null,
    content text not null,
    content_warning text,
    created_at integer not null,
    primary key (post, n)
) strict;

create table post_mention (
    post text not null references post (id),
    account text not null references account (id),
    primary key (post, account)
) strict, without rowid;

create index post_mention_account on post_mention (account, post);

create table post_hashtag (
    post text not null references post (id),
    tag text not null,
    primary key (post, tag)
) strict, without rowid;

create index post_hashtag_tag on post_hashtag (tag, post);
