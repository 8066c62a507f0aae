-- An account's events in their order, which are its list of notifications as well. One row, because
-- each tree of an account costs every act a page of the log.
create table account_event (
    account text not null,
    seq integer not null,
    event text not null,
    type text not null,
    listed integer not null check (listed in (0, 1)), -- in the list of notifications
    read integer not null check (read in (0, 1)), -- up to event_head.read_seq all are
    actor text,
    post text, -- the post it is about
    answer text, -- the reply or quote that was made
    message text, -- an order; a direct message has the number of the event
    escrow text,
    text text,
    created_at integer not null,
    primary key (account, seq)
) strict, without rowid;

create unique index account_event_event on account_event (event);

-- How many unread notifications of each type an account has.
create table notification_count (
    account text not null,
    type text not null,
    unread integer not null check (unread >= 0),
    primary key (account, type)
) strict, without rowid;

-- A type without a row is delivered in every way.
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

-- An act that is undone and repeated notifies once: it has a name.
create index event_once on event (stream, subject, created_at)
    where kind in ('follow', 'like', 'repost');
