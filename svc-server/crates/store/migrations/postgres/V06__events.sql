-- What happened to accounts and in channels: written with its cause, numbered without gaps per
-- account and per channel.
create table event_head (
    stream text collate "C" not null primary key,
    last_seq bigint not null,
    -- Of accounts: up to these numbers, events have been swept, and notifications are read.
    swept_seq bigint not null default 0,
    read_seq bigint not null default 0
);

create table event (
    id text collate "C" not null primary key,
    stream text collate "C" not null,
    seq bigint not null,
    kind text not null,
    subject text collate "C",                            -- the act that caused it, for the audit
    body text not null,                      -- the bytes a webhook carries
    created_at bigint not null,
    relayed_at bigint
);

-- Of a channel without a broker: nobody reads them.
create index event_of_channel on event (stream)
    where stream >= 'chan_' and stream < 'chan`' and relayed_at is not null;
