-- Passkeys, the ceremonies in which they are added and used, and sign-ins between password and code.

create table passkey (
    id text not null primary key,
    account text not null references account (id),
    name text not null,
    credential_id blob not null,              -- what the device calls it
    credential text not null,                 -- public key, counter and flags: JSON
    is_synced integer not null check (is_synced in (0, 1)),
    created_at integer not null,
    last_used_at integer
) strict;

create unique index passkey_credential_id on passkey (credential_id);
create index passkey_account on passkey (account, id);

create table ceremony (
    hash blob not null primary key,           -- of the ceremony's id
    kind text not null,
    account text references account (id),     -- null when signing in
    username text,                            -- whose passkey is expected when signing in, if given
    state text not null,                      -- the challenge, and what the answer must hold: JSON
    expires_at integer not null
) strict, without rowid;

create unique index ceremony_account on ceremony (account, kind);
create index ceremony_expires_at on ceremony (expires_at);

create table login_step (
    hash blob not null primary key,           -- of the token of the page
    account text not null references account (id),
    password_hash text not null,              -- the one that was verified
    expires_at integer not null
) strict, without rowid;

create unique index login_step_account on login_step (account);
create index login_step_expires_at on login_step (expires_at);
