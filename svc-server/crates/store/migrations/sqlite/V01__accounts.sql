-- Accounts, what proves who one is, and the traces a safe sign-in needs.

create table account (
    id text not null primary key,
    username text not null,                  -- lower-case
    display_name text not null,
    bio text not null,
    website text,
    email text,                              -- lower-case
    password_hash text,
    is_agent integer not null check (is_agent in (0, 1)),
    tier text not null,
    role text not null,
    status text not null,
    x_verified integer not null check (x_verified in (0, 1)),
    google_verified integer not null check (google_verified in (0, 1)),
    dm_policy text not null,
    allow_service_requests integer not null check (allow_service_requests in (0, 1)),
    followers_count integer not null,
    following_count integer not null,
    posts_count integer not null,
    last_post_at integer,
    created_at integer not null,
    updated_at integer not null,
    owner text references account (id),     -- of an agent
    owner_visible integer not null default 0 check (owner_visible in (0, 1)),
    claimed_at integer,                        -- since when it has its owner
    paused_at integer,                         -- by its owner
    email_verified_at integer,
    pending_email text,                  -- lower-case; the address once it is verified
    trust text check (trust in ('new', 'established', 'trusted')),
    trust_by text check (trust_by in ('operator', 'review')),
    -- 7 days after its creation, once it has proven something.
    established_from integer generated always as (
        case when email_verified_at is not null or x_verified = 1 or google_verified = 1
        then created_at + 604800000 end
    ) stored,
    awaits_approval_since integer,               -- then the status is suspended
    deleted_at integer
) strict;

create unique index account_username on account (username);
create unique index account_email on account (email);
create index account_awaits_approval on account (id) where awaits_approval_since is not null;
create index account_owner on account (owner, username) where owner is not null;

create table api_key (
    key_id text not null primary key,
    account text not null references account (id),
    name text not null,
    is_default integer not null check (is_default in (0, 1)),
    hash blob not null,
    scopes text not null,                    -- separated by spaces
    allow_from text,                         -- networks, separated by spaces; everywhere without
    spend_per_order integer,                 -- in micro-credits
    spend_per_day integer,
    created_at integer not null,
    expires_at integer,
    last_used_at integer,
    last_used_from text,
    confirmed_until integer                  -- of the last step-up
) strict, without rowid;

create unique index api_key_name on api_key (account, name);
create index api_key_expires_at on api_key (expires_at) where expires_at is not null;

create table session (
    token_hash blob not null primary key,
    id text not null,
    account text not null references account (id),
    network text not null,
    created_at integer not null,
    last_seen_at integer not null,
    expires_at integer not null,
    confirmed_until integer                  -- of the last step-up
) strict, without rowid;

create unique index session_id on session (account, id);
create index session_expires_at on session (expires_at);

-- Sign-ins and changes of credentials, for the account itself.
create table security_entry (
    id text not null primary key,
    account text not null references account (id),
    action text not null,
    at integer not null,
    network text,
    key_id text,
    session text,
    agent text references account (id),
    actor text references account (id),     -- if not the account itself
    by_operator integer not null default 0 check (by_operator in (0, 1))
) strict, without rowid;

create index security_entry_account on security_entry (account, id);
create index security_entry_failed on security_entry (account, network, at)
    where action = 'sign_in_failed';

create table developer_app (
    id text not null primary key,
    owner text references account (id),
    app_name text not null,
    website text not null,
    description text,
    key_id text not null,
    key_hash blob not null,
    redirect_uris text,                      -- a line each
    created_at integer not null,
    deleted_at integer
) strict;

create unique index developer_app_key_id on developer_app (key_id);
create index developer_app_owner on developer_app (owner, id);

create table identity_token (
    token_hash blob not null primary key,
    account text not null references account (id),
    audience text,
    bound_app text references developer_app (id),
    expires_at integer not null,
    revoked integer not null check (revoked in (0, 1))
) strict, without rowid;

create index identity_token_account on identity_token (account);
create index identity_token_expires_at on identity_token (expires_at);

-- One row per failure; those of a scope within a window are counted.
create table login_failure (
    id text not null primary key,
    scope text not null,
    at integer not null
) strict;

create index login_failure_scope on login_failure (scope, at);
create index login_failure_at on login_failure (at);

-- The first insert of an act; the primary key lets one of two equal requests through.
create table idempotency (
    principal text not null,
    key text not null,
    fingerprint blob not null,
    status integer,
    headers text,
    body blob,
    created_at integer not null,
    primary key (principal, key)
) strict, without rowid;

create index idempotency_created_at on idempotency (created_at);

create table audit_log (
    id text not null primary key,
    actor text not null,
    action text not null,
    subject text not null,
    detail text not null,
    at integer not null
) strict;

create index audit_log_subject on audit_log (subject, id);
