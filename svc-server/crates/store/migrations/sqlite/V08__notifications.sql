-- What accounts are told in the app, and what they want to be told. A notice has the number of its
-- event among the account's: what is committed later stands later.
create table notification (
    account text not null,
    seq integer not null,
    id text not null,                        -- has the number of its event
    type text not null,
    actor text,
    post text,                               -- the post it is about
    answer text,                             -- the reply or quote that was made
    message text,
    escrow text,
    text text,
    read integer not null check (read in (0, 1)),
    created_at integer not null,
    primary key (account, seq)
) strict, without rowid;

create unique index notification_id on notification (id);
create index notification_type on notification (account, type, read, seq);
create index notification_post on notification (account, post, read) where post is not null;
create index notification_answer on notification (account, answer, read)
    where answer is not null;

-- A type without a row is told in every way.
create table notification_preference (
    account text not null references account (id),
    type text not null,
    in_app integer not null check (in_app in (0, 1)),
    webhook integer not null check (webhook in (0, 1)),
    mqtt integer not null check (mqtt in (0, 1)),
    primary key (account, type)
) strict, without rowid;

alter table account add column notify_from text not null default 'everyone'
    check (notify_from in ('everyone', 'following'));

-- What is undone and done again is told once: the act has a name.
create index event_once on event (stream, subject, created_at)
    where kind in ('follow', 'like', 'repost');
