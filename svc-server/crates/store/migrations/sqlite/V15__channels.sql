-- Channels: rooms that accounts join and write in, one owner each.
create table channel (
    id text not null primary key,
    -- It never changes; that of a deleted channel is its id, so that the name is free.
    name text not null,
    title text,
    description text,
    owner text not null references account (id),
    visibility text not null,
    post_policy text not null,
    members_count integer not null,
    created_at integer not null,
    deleted_at integer                       -- the sweeper takes away what it held, then itself
) strict;

create unique index channel_name on channel (name);
create index channel_public on channel (name) where visibility = 'public' and deleted_at is null;
create index channel_owner on channel (owner, id);
create index channel_deleted on channel (deleted_at) where deleted_at is not null;

create table channel_member (
    channel text not null references channel (id),
    account text not null references account (id),
    name text not null, -- of the channel, so that one's own lie in its order
    last_read text not null, -- the newest message that was read; empty for none
    joined_at integer not null,
    primary key (channel, account)
) strict, without rowid;

create index channel_member_account on channel_member (account, name, channel);

create table channel_message (
    id text not null primary key,
    channel text not null references channel (id),
    sender text not null references account (id),
    content text not null,
    schema_name text,
    payload text,                            -- a JSON object
    reply_to text,                           -- may be gone
    client_message_id text,
    created_at integer not null,
    deleted_at integer                       -- kept for a day, so that its clientMessageId is known
) strict;

create index channel_message_channel on channel_message (channel, id);
create unique index channel_message_client on channel_message (channel, sender, client_message_id)
    where client_message_id is not null;
create index channel_message_deleted on channel_message (deleted_at) where deleted_at is not null;
