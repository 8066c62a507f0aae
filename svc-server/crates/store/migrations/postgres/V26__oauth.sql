-- OAuth: what other programs may do in the name of an account, and how they prove it.

create table oauth_client (
    id text collate "C" not null primary key,            -- cli_… of a registration, or the URL of a document
    name text collate "C" not null,
    redirect_uris text collate "C" not null,             -- a line each
    id_token_alg text collate "C" not null,
    fresh_until bigint,                     -- of a document: when it is fetched again
    created_at bigint not null,
    used_at bigint not null
);

create index oauth_client_used_at on oauth_client (used_at);

create table oauth_grant (
    id text collate "C" not null primary key,
    account text collate "C" not null references account (id),  -- who is acted for
    giver text collate "C" not null references account (id),    -- who agreed
    client_id text collate "C" not null,
    client_name text collate "C" not null,
    client_host text collate "C" not null,
    scopes text collate "C" not null,                    -- separated by spaces
    resource text collate "C" not null,
    spend_per_order bigint,                 -- in micro-credits
    spend_per_day bigint,
    remembered boolean not null,
    created_at bigint not null,
    last_used_at bigint,
    confirmed_until bigint                  -- of the last step-up
);

create index oauth_grant_account on oauth_grant (account, id);
create index oauth_grant_giver on oauth_grant (giver, id);
create unique index oauth_grant_remembered on oauth_grant (account, client_id, resource)
    where remembered = true;
create index oauth_grant_passing on oauth_grant (created_at) where remembered = false;

-- A used code stays for a while, so that its second use ends what the first one gave.
create table oauth_code (
    code_hash bytea not null primary key,
    grant_id text collate "C" not null references oauth_grant (id),
    family text collate "C" not null,
    client_id text collate "C" not null,
    redirect_uri text collate "C" not null,
    challenge text collate "C" not null,
    scopes text collate "C" not null,
    nonce text collate "C",
    auth_time bigint not null,
    expires_at bigint not null,
    is_used boolean not null
);

create index oauth_code_grant on oauth_code (grant_id);
create index oauth_code_expires_at on oauth_code (expires_at);

-- Tokens that came from one code are a family. Its id is part of its refresh tokens, so that an
-- older one is known as such without being kept.
create table oauth_family (
    id text collate "C" not null primary key,
    grant_id text collate "C" not null references oauth_grant (id),
    client_id text collate "C" not null,
    scopes text collate "C" not null,
    auth_time bigint not null,
    refresh_hash bytea not null,
    rotated_at bigint not null,
    expires_at bigint not null
);

create index oauth_family_grant on oauth_family (grant_id);
create index oauth_family_expires_at on oauth_family (expires_at);

create table oauth_access (
    token_hash bytea not null primary key,
    family text collate "C" not null references oauth_family (id),
    grant_id text collate "C" not null references oauth_grant (id),
    scopes text collate "C" not null,
    issued_at bigint not null,
    expires_at bigint not null
);

create index oauth_access_family on oauth_access (family, issued_at);
create index oauth_access_grant on oauth_access (grant_id);
create index oauth_access_expires_at on oauth_access (expires_at);

create table oauth_device (
    device_hash bytea not null primary key,
    user_code text collate "C" not null,
    client_id text collate "C" not null,
    client_name text collate "C" not null,
    client_host text collate "C" not null,
    scopes text collate "C" not null,
    resource text collate "C" not null,
    state text collate "C" not null,                     -- waiting, allowed, denied, used
    grant_id text collate "C",
    auth_time bigint,
    interval_s bigint not null,
    polled_at bigint,
    expires_at bigint not null
);

create unique index oauth_device_user_code on oauth_device (user_code);
create index oauth_device_expires_at on oauth_device (expires_at);

-- Keys that sign ID tokens, numbered in the order of their use.
create table signing_key (
    alg text collate "C" not null,
    n bigint not null,
    kid text collate "C" not null,
    public text collate "C" not null,                    -- as a JSON Web Key
    sealed bytea not null,                    -- encrypted PKCS #8
    active_from bigint not null,
    active_until bigint not null,
    primary key (alg, n)
);
