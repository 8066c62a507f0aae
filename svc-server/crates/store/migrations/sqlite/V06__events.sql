-- What accounts are told: written with its cause, numbered without gaps per account.
create table event_head (
    stream text not null primary key,
    last_seq integer not null
) strict, without rowid;

create table event (
    id text not null primary key,
    stream text not null,
    seq integer not null,
    kind text not null,
    subject text,                            -- the act it tells of, for the audit
    body text not null,                      -- the bytes a webhook carries
    created_at integer not null,
    relayed_at integer
) strict, without rowid;

create unique index event_stream on event (stream, seq);
