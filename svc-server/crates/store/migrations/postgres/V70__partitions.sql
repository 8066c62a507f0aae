-- Rows that only go by age lie in partitions by time, which the server makes ahead of time and drops as a whole. A row
-- whose partition is missing lies in the default one. What was there before this becomes a partition as it is, with the
-- name of the span of its last row, so that no row moves.

-- An index is unique within a partition: a key is there once because its hash is locked before it is inserted.
alter table idempotency rename to idempotency_before;
alter table idempotency_before
    alter column id drop identity,
    drop constraint idempotency_pkey,
    add primary key (id, created_at);
drop index idempotency_hash;
drop index idempotency_expires_at;

create table idempotency (like idempotency_before) partition by range (created_at);
alter table idempotency
    alter column id add generated always as identity,
    add primary key (id, created_at);
create unique index idempotency_hash on idempotency (hash, created_at);
create index idempotency_expires_at on idempotency (expires_at) where expires_at is not null;
create table idempotency_default partition of idempotency default;

-- Attempts are found by their delivery, whose id begins with its time.
alter table webhook_attempt rename to webhook_attempt_before;
alter table webhook_attempt_before rename constraint webhook_attempt_pkey to webhook_attempt_before_pkey;

create table webhook_attempt (like webhook_attempt_before including constraints) partition by range (delivery);
alter table webhook_attempt
    add primary key (delivery, n),
    add foreign key (delivery) references webhook_delivery (id);
create table webhook_attempt_default partition of webhook_attempt default;

do $$
declare
    half_day constant bigint := 12 * 3600 * 1000;
    week constant bigint := 7 * 24 * 3600 * 1000;
    -- When the span of the last row begins.
    start bigint;
begin
    select max(created_at) / half_day * half_day into start from idempotency_before;
    if start is null then
        drop table idempotency_before;
    else
        perform setval(pg_get_serial_sequence('idempotency', 'id'), max(id)) from idempotency_before;
        execute format('alter table idempotency attach partition idempotency_before for values from (minvalue) to (%s)',
            start + half_day);
        execute format('alter table idempotency_before rename to idempotency_%s',
            to_char(to_timestamp(start / 1000) at time zone 'UTC', 'YYYYMMDDHH24'));
    end if;

    -- Deliveries after the last that was tried lie in the default partition until the week is over.
    select max(started_at) / week * week into start from webhook_attempt_before;
    if start is null then
        drop table webhook_attempt_before;
    else
        execute format('alter table webhook_attempt attach partition webhook_attempt_before for values from (minvalue) to (%L)',
            (select max(delivery) || '~' from webhook_attempt_before));
        execute format('alter table webhook_attempt_before rename to webhook_attempt_%s',
            to_char(to_timestamp(start / 1000) at time zone 'UTC', 'YYYYMMDDHH24'));
    end if;
end $$;
