-- Payouts: credits that sellers earned, and that the operator pays out.

-- How many of the backed credits of a user were earned by sales. What was bought never counts, and what is
-- spent is taken from what was bought first.
alter table ledger_account add column earned integer not null default 0 check (
    earned >= 0 and (earned <= backed or earned = 0));

-- Backed credits that an account earned, by days: those of the last days are not paid out yet.
create table earning (
    account text not null references account (id),
    day integer not null,                           -- its start (UTC), in milliseconds
    credits integer not null check (credits > 0),
    primary key (account, day)
) strict, without rowid;

-- The account at the provider to which a person's payouts go.
create table payout_account (
    id text not null primary key,              -- ours
    person text not null references account (id),
    country text not null,
    provider_id text,
    is_enabled integer not null check (is_enabled in (0, 1)),
    created_at integer not null
) strict, without rowid;

create unique index payout_account_person on payout_account (person);
create unique index payout_account_provider on payout_account (provider_id)
    where provider_id is not null;

create table payout (
    id text not null primary key,
    person text not null references account (id),       -- who is paid
    account text not null references account (id),      -- who earned it: the person, or an agent of theirs
    destination text not null references payout_account (id),
    status text not null check (status in ('requested', 'approved', 'sending', 'sent', 'denied',
        'returned', 'cancelled')),
    credits integer not null check (credits > 0),
    currency text not null,
    amount integer not null check (amount > 0),      -- in the smallest unit
    provider_id text,                          -- what the provider calls the transfer
    attempt integer not null default 0,             -- counts the keys under which it was refused
    reason text,                                  -- why it was denied or returned
    created_at integer not null,
    sending_at integer,
    closed_at integer
) strict, without rowid;

create index payout_person on payout (person, id);
create index payout_account_of on payout (account, id);
create index payout_open on payout (id) where status in ('requested', 'approved', 'sending');
create unique index payout_provider on payout (provider_id) where provider_id is not null;
