-- Channels: rooms that accounts join and write in, one owner each.
create table channel (
    id text collate "C" not null primary key,
    -- It never changes; that of a deleted channel is its id, so that the name is free.
    name text collate "C" not null,
    title text collate "C",
    description text collate "C",
    owner text collate "C" not null references account (id),
    visibility text collate "C" not null,
    post_policy text collate "C" not null,
    members_count bigint not null,
    created_at bigint not null,
    deleted_at bigint                       -- the sweeper takes away what it held, then itself
);

create unique index channel_name on channel (name);
create index channel_public on channel (name) where visibility = 'public' and deleted_at is null;
create index channel_owner on channel (owner, id);
create index channel_deleted on channel (deleted_at) where deleted_at is not null;

create table channel_member (
    channel text collate "C" not null references channel (id),
    account text collate "C" not null references account (id),
    name text collate "C" not null, -- of the channel, so that one's own lie in its order
    last_read text collate "C" not null, -- the newest message that was read; empty for none
    joined_at bigint not null,
    primary key (channel, account)
);

create index channel_member_account on channel_member (account, name, channel);

create table channel_message (
    id text collate "C" not null primary key,
    channel text collate "C" not null references channel (id),
    sender text collate "C" not null references account (id),
    content text not null,
    schema_name text collate "C",
    payload text collate "C",                            -- a JSON object
    reply_to text collate "C",                           -- may be gone
    client_message_id text collate "C",
    created_at bigint not null,
    deleted_at bigint                       -- kept for a day, so that its clientMessageId is known
);

create index channel_message_channel on channel_message (channel, id);
create unique index channel_message_client on channel_message (channel, sender, client_message_id)
    where client_message_id is not null;
create index channel_message_deleted on channel_message (deleted_at) where deleted_at is not null;
