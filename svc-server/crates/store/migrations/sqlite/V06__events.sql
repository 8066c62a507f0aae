-- What happened to accounts and in channels: written with its cause, numbered without gaps per
-- account and per channel.
create table event_head (
    stream text not null primary key,
    last_seq integer not null,
    -- Of accounts: up to these numbers, events have been swept, and notifications are read.
    swept_seq integer not null default 0,
    read_seq integer not null default 0
) strict, without rowid;

create table event (
    id text not null primary key,
    stream text not null,
    seq integer not null,
    kind text not null,
    subject text,                            -- the act that caused it, for the audit
    body text not null,                      -- the bytes a webhook carries
    created_at integer not null,
    relayed_at integer
) strict, without rowid;

-- Of a channel without a broker: nobody reads them.
create index event_of_channel on event (stream)
    where stream >= 'chan_' and stream < 'chan`' and relayed_at is not null;
