-- Exports: what an account asked for, and the file that was made of it.

create table export (
    account text not null primary key references account (id),
    state text not null check (state in ('working', 'ready', 'failed')),
    reason text,                             -- why it failed
    build integer not null,                  -- grows with each attempt; chunks of others are leftovers
    tries integer not null,                  -- attempts of this request
    due_at integer,                          -- when a node may take it: at once, or when a lease ends
    bytes integer,                           -- size of the file
    created_at integer not null,
    expires_at integer,                      -- when it is deleted
    check ((state = 'working') = (due_at is not null)),
    check ((state = 'working') = (expires_at is null)),
    check ((state = 'ready') = (bytes is not null)),
    check ((state = 'failed') = (reason is not null))
) strict, without rowid;

create index export_due_at on export (due_at, account) where due_at is not null;
create index export_expires_at on export (expires_at, account) where expires_at is not null;

-- Rows rather than a file, so that every node serves it.
create table export_chunk (
    account text not null references export (account),
    build integer not null,
    n integer not null,
    bytes blob not null,
    primary key (account, build, n)
) strict;

-- Which accounts were erased lately, for the log outside the database.
create index account_erased_at on account (erased_at, id) where erased_at is not null;

-- Where an erased account is named: reports of it, grants to its apps, what it did to others.
create index report_owner on report (owner, id);
create index oauth_grant_client on oauth_grant (client_id, id);
create index security_entry_actor on security_entry (actor) where actor is not null;
