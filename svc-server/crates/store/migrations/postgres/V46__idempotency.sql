-- Rows in the order of time, found by a short hash: beside the key, an answer took a page of its own.
-- Keys of the last day are forgotten once, since their hashes cannot be computed here.
drop table idempotency;

create table idempotency (
    id bigint generated always as identity primary key,
    hash bytea not null,                     -- 8 bytes of the principal, 16 of principal and key
    fingerprint bytea not null,
    status bigint,
    headers text,
    body bytea,
    created_at bigint not null,
    expires_at bigint                       -- of an encrypted answer
);

create unique index idempotency_hash on idempotency (hash);
create index idempotency_expires_at on idempotency (expires_at) where expires_at is not null;
