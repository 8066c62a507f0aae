-- Passkeys, the ceremonies in which they are added and used, and sign-ins between password and code.

create table passkey (
    id text collate "C" not null primary key,
    account text collate "C" not null references account (id),
    name text collate "C" not null,
    credential_id bytea not null,             -- what the device calls it
    credential text collate "C" not null,     -- public key, counter and flags: JSON
    is_synced boolean not null,
    created_at bigint not null,
    last_used_at bigint
);

create unique index passkey_credential_id on passkey (credential_id);
create index passkey_account on passkey (account, id);

create table ceremony (
    hash bytea not null primary key,          -- of the ceremony's id
    kind text collate "C" not null,
    account text collate "C" references account (id), -- null when signing in
    username text collate "C",                -- whose passkey is expected when signing in, if given
    state text collate "C" not null,          -- the challenge, and what the answer must hold: JSON
    expires_at bigint not null
);

create unique index ceremony_account on ceremony (account, kind);
create index ceremony_expires_at on ceremony (expires_at);

create table login_step (
    hash bytea not null primary key,          -- of the token of the page
    account text collate "C" not null references account (id),
    password_hash text collate "C" not null,  -- the one that was verified
    expires_at bigint not null
);

create unique index login_step_account on login_step (account);
create index login_step_expires_at on login_step (expires_at);
