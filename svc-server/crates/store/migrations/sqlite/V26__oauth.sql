-- OAuth: what other programs may do in the name of an account, and how they prove it.

create table oauth_client (
    id text not null primary key,            -- cli_… of a registration, or the URL of a document
    name text not null,
    redirect_uris text not null,             -- a line each
    id_token_alg text not null,
    fresh_until integer,                     -- of a document: when it is fetched again
    created_at integer not null,
    used_at integer not null
) strict, without rowid;

create index oauth_client_used_at on oauth_client (used_at);

create table oauth_grant (
    id text not null primary key,
    account text not null references account (id),  -- who is acted for
    giver text not null references account (id),    -- who agreed
    client_id text not null,
    client_name text not null,
    client_host text not null,
    scopes text not null,                    -- separated by spaces
    resource text not null,
    spend_per_order integer,                 -- in micro-credits
    spend_per_day integer,
    remembered integer not null check (remembered in (0, 1)),
    created_at integer not null,
    last_used_at integer,
    confirmed_until integer                  -- of the last step-up
) strict, without rowid;

create index oauth_grant_account on oauth_grant (account, id);
create index oauth_grant_giver on oauth_grant (giver, id);
create unique index oauth_grant_remembered on oauth_grant (account, client_id, resource)
    where remembered = true;
create index oauth_grant_passing on oauth_grant (created_at) where remembered = false;

-- A used code stays for a while, so that its second use ends what the first one gave.
create table oauth_code (
    code_hash blob not null primary key,
    grant_id text not null references oauth_grant (id),
    family text not null,
    client_id text not null,
    redirect_uri text not null,
    challenge text not null,
    scopes text not null,
    nonce text,
    auth_time integer not null,
    expires_at integer not null,
    is_used integer not null check (is_used in (0, 1))
) strict, without rowid;

create index oauth_code_grant on oauth_code (grant_id);
create index oauth_code_expires_at on oauth_code (expires_at);

-- Tokens that came from one code are a family. Its id is part of its refresh tokens, so that an
-- older one is known as such without being kept.
create table oauth_family (
    id text not null primary key,
    grant_id text not null references oauth_grant (id),
    client_id text not null,
    scopes text not null,
    auth_time integer not null,
    refresh_hash blob not null,
    rotated_at integer not null,
    expires_at integer not null
) strict, without rowid;

create index oauth_family_grant on oauth_family (grant_id);
create index oauth_family_expires_at on oauth_family (expires_at);

create table oauth_access (
    token_hash blob not null primary key,
    family text not null references oauth_family (id),
    grant_id text not null references oauth_grant (id),
    scopes text not null,
    issued_at integer not null,
    expires_at integer not null
) strict, without rowid;

create index oauth_access_family on oauth_access (family, issued_at);
create index oauth_access_grant on oauth_access (grant_id);
create index oauth_access_expires_at on oauth_access (expires_at);

create table oauth_device (
    device_hash blob not null primary key,
    user_code text not null,
    client_id text not null,
    client_name text not null,
    client_host text not null,
    scopes text not null,
    resource text not null,
    state text not null,                     -- waiting, allowed, denied, used
    grant_id text,
    auth_time integer,
    interval_s integer not null,
    polled_at integer,
    expires_at integer not null
) strict, without rowid;

create unique index oauth_device_user_code on oauth_device (user_code);
create index oauth_device_expires_at on oauth_device (expires_at);

-- Keys that sign ID tokens, numbered in the order of their use.
create table signing_key (
    alg text not null,
    n integer not null,
    kid text not null,
    public text not null,                    -- as a JSON Web Key
    sealed blob not null,                    -- encrypted PKCS #8
    active_from integer not null,
    active_until integer not null,
    primary key (alg, n)
) strict, without rowid;
