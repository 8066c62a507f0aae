-- Posts and what is read off their text: former versions, mentions, hashtags.

create table post (
    id text collate "C" not null primary key,
    author text collate "C" not null references account (id),
    content text not null,
    content_warning text,
    language text,
    reply_to text collate "C" references post (id),
    root text collate "C" references post (id),
    quote_of text collate "C" references post (id),
    schema_name text,
    payload text,                            -- a JSON object
    reply_policy text not null,
    likes_count bigint not null,
    reposts_count bigint not null,
    replies_count bigint not null,
    quotes_count bigint not null,
    pinned boolean not null,
    created_at bigint not null,
    edited_at bigint,
    deleted_at bigint,
    hidden boolean not null
);

create index post_author on post (author, id desc);
create index post_reply_to on post (reply_to, id) where reply_to is not null;
-- Few replies are liked; the others would only make each reply slower.
create index post_reply_top on post (reply_to, likes_count desc, id) where likes_count > 0;
create index post_quote_of on post (quote_of, id) where quote_of is not null;

create table post_revision (
    post text collate "C" not null references post (id),
    n bigint not null,
    content text not null,
    content_warning text,
    created_at bigint not null,
    primary key (post, n)
);

create table post_mention (
    post text collate "C" not null references post (id),
    account text collate "C" not null references account (id),
    primary key (post, account)
);

create index post_mention_account on post_mention (account, post);

create table post_hashtag (
    post text collate "C" not null references post (id),
    tag text collate "C" not null,
    primary key (post, tag)
);

create index post_hashtag_tag on post_hashtag (tag, post);
