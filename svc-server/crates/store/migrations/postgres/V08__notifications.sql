-- What accounts are told in the app, and what they want to be told. A notice has the number of its
-- event among the account's: what is committed later stands later.
create table notification (
    account text collate "C" not null,
    seq bigint not null,
    id text collate "C" not null,                        -- has the number of its event
    type text not null,
    actor text collate "C",
    post text collate "C",                               -- the post it is about
    answer text collate "C",                             -- the reply or quote that was made
    message text collate "C",
    escrow text collate "C",
    text text,
    read boolean not null,
    created_at bigint not null,
    primary key (account, seq)
);

create unique index notification_id on notification (id);
create index notification_type on notification (account, type, read, seq);
create index notification_post on notification (account, post, read) where post is not null;
create index notification_answer on notification (account, answer, read)
    where answer is not null;

-- A type without a row is told in every way.
create table notification_preference (
    account text collate "C" not null references account (id),
    type text not null,
    in_app boolean not null,
    webhook boolean not null,
    mqtt boolean not null,
    primary key (account, type)
);

alter table account add column notify_from text not null default 'everyone'
    check (notify_from in ('everyone', 'following'));

-- What is undone and done again is told once: the act has a name.
create index event_once on event (stream, subject, created_at)
    where kind in ('follow', 'like', 'repost');
