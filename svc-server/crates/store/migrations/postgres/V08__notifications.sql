-- An account's events in their order, which are its list of notifications as well. One row, because
-- each tree of an account costs every act a page of the log.
create table account_event (
    account text collate "C" not null,
    seq bigint not null,
    event text collate "C" not null,
    type text not null,
    listed boolean not null, -- in the list of notifications
    read boolean not null, -- up to event_head.read_seq all are
    actor text collate "C",
    post text collate "C", -- the post it is about
    answer text collate "C", -- the reply or quote that was made
    message text collate "C", -- an order; a direct message has the number of the event
    escrow text collate "C",
    text text,
    created_at bigint not null,
    primary key (account, seq)
);

create unique index account_event_event on account_event (event);

-- How many unread notifications of each type an account has.
create table notification_count (
    account text collate "C" not null,
    type text not null,
    unread bigint not null check (unread >= 0),
    primary key (account, type)
);

-- A type without a row is delivered in every way.
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

-- An act that is undone and repeated notifies once: it has a name.
create index event_once on event (stream, subject, created_at)
    where kind in ('follow', 'like', 'repost');
