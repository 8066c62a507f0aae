-- Which keys sealed secrets, so that a server with other keys is told so instead of failing later;
-- and whose texts were erased after their account was deleted.

create table sealing_key (
    n integer not null primary key,          -- in the order they came into use
    id text not null,                        -- made of the key, tells it from others
    created_at integer not null
) strict;

create unique index sealing_key_id on sealing_key (id);

alter table account add column erased_at integer;
alter table account add column erase_now integer not null default 0 check (erase_now in (0, 1));

create index account_unerased on account (deleted_at, id)
    where deleted_at is not null and erased_at is null;
create index channel_message_sender on channel_message (sender, id);

-- A note in the log of an escrow is the text of an account, which may be erased. Nothing else of
-- the log ever changes.
drop trigger escrow_event_no_update;
create trigger escrow_event_no_update before update on escrow_event
when new.escrow is not old.escrow or new.seq is not old.seq or new.action is not old.action
    or new.actor is not old.actor or new.from_status is not old.from_status
    or new.to_status is not old.to_status or new.note is not null
    or new.transfer is not old.transfer or new.at is not old.at
begin select raise(abort, 'escrow_event is only added to'); end;
