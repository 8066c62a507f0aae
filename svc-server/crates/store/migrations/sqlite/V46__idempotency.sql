-- Rows in the order of time, found by a short hash: beside the key, an answer took a page of its own.
-- Keys of the last day are forgotten once, since their hashes cannot be computed here.
drop table idempotency;

create table idempotency (
    id integer not null primary key,
    hash blob not null,                      -- 8 bytes of the principal, 16 of principal and key
    fingerprint blob not null,
    status integer,
    headers text,
    body blob,
    created_at integer not null,
    expires_at integer                       -- of an encrypted answer
) strict;

create unique index idempotency_hash on idempotency (hash);
create index idempotency_expires_at on idempotency (expires_at) where expires_at is not null;
