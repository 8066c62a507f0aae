-- Which keys sealed secrets, so that a server with other keys is told so instead of failing later;
-- and whose texts were erased after their account was deleted.

create table sealing_key (
    n bigint not null primary key,           -- in the order they came into use
    id text collate "C" not null,            -- made of the key, tells it from others
    created_at bigint not null
);

create unique index sealing_key_id on sealing_key (id);

alter table account add column erased_at bigint;
alter table account add column erase_now boolean not null default false;

create index account_unerased on account (deleted_at, id)
    where deleted_at is not null and erased_at is null;
create index channel_message_sender on channel_message (sender, id);

-- A note in the log of an escrow is the text of an account, which may be erased. Nothing else of
-- the log ever changes.
drop trigger escrow_event_no_update on escrow_event;
create trigger escrow_event_no_update before update on escrow_event
    for each row
    when (new.escrow is distinct from old.escrow or new.seq is distinct from old.seq
        or new.action is distinct from old.action or new.actor is distinct from old.actor
        or new.from_status is distinct from old.from_status
        or new.to_status is distinct from old.to_status or new.note is not null
        or new.transfer is distinct from old.transfer or new.at is distinct from old.at)
    execute function refuse_change();

-- The numbers of running nodes, which are part of the ids that they make. A number whose node has
-- not been seen for ten seconds is free. SQLite has one node.
create table node (
    number bigint not null primary key check (number between 0 and 63),
    holder text collate "C" not null,        -- random, of one process
    seen_at timestamptz not null
);
