-- What accounts are told: written with its cause, numbered without gaps per account.
create table event_head (
    stream text collate "C" not null primary key,
    last_seq bigint not null
);

create table event (
    id text collate "C" not null primary key,
    stream text collate "C" not null,
    seq bigint not null,
    kind text not null,
    subject text collate "C",                            -- the act it tells of, for the audit
    body text not null,                      -- the bytes a webhook carries
    created_at bigint not null,
    relayed_at bigint
);

create unique index event_stream on event (stream, seq);
