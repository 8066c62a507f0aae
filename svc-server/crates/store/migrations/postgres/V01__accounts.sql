-- Accounts, what proves who one is, and the traces a safe sign-in needs.

create table account (
    id text collate "C" not null primary key,
    username text collate "C" not null,                  -- lower-case
    display_name text not null,
    bio text not null,
    website text,
    email text collate "C",                              -- lower-case
    password_hash text,
    is_agent boolean not null,
    tier text not null,
    role text not null,
    status text not null,
    x_verified boolean not null,
    google_verified boolean not null,
    dm_policy text not null,
    allow_service_requests boolean not null,
    followers_count bigint not null,
    following_count bigint not null,
    posts_count bigint not null,
    last_post_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    owner text collate "C" references account (id),     -- of an agent
    owner_visible boolean not null default false,
    claimed_at bigint,                        -- since when it has its owner
    paused_at bigint,                         -- by its owner
    email_verified_at bigint,
    pending_email text collate "C",      -- lower-case; the address once it is verified
    trust text collate "C" check (trust in ('new', 'established', 'trusted')),
    trust_by text collate "C" check (trust_by in ('operator', 'review')),
    -- 7 days after its creation, once it has proven something.
    established_from bigint generated always as (
        case when email_verified_at is not null or x_verified or google_verified
        then created_at + 604800000 end
    ) stored,
    awaits_approval_since bigint,               -- then the status is suspended
    deleted_at bigint
);

create unique index account_username on account (username);
create unique index account_email on account (email);
create index account_awaits_approval on account (id) where awaits_approval_since is not null;
create index account_owner on account (owner, username) where owner is not null;

create table api_key (
    key_id text collate "C" not null primary key,
    account text collate "C" not null references account (id),
    name text collate "C" not null,
    is_default boolean not null,
    hash bytea not null,
    scopes text collate "C" not null,        -- separated by spaces
    allow_from text collate "C",             -- networks, separated by spaces; everywhere without
    spend_per_order bigint,                 -- in micro-credits
    spend_per_day bigint,
    created_at bigint not null,
    expires_at bigint,
    last_used_at bigint,
    last_used_from text collate "C",
    confirmed_until bigint                  -- of the last step-up
);

create unique index api_key_name on api_key (account, name);
create index api_key_expires_at on api_key (expires_at) where expires_at is not null;

create table session (
    token_hash bytea not null primary key,
    id text collate "C" not null,
    network text collate "C" not null,
    account text collate "C" not null references account (id),
    created_at bigint not null,
    last_seen_at bigint not null,
    expires_at bigint not null,
    confirmed_until bigint                  -- of the last step-up
);

create unique index session_id on session (account, id);
create index session_expires_at on session (expires_at);

-- Sign-ins and changes of credentials, for the account itself.
create table security_entry (
    id text collate "C" not null primary key,
    account text collate "C" not null references account (id),
    action text collate "C" not null,
    at bigint not null,
    network text collate "C",
    key_id text collate "C",
    session text collate "C",
    agent text collate "C" references account (id),
    actor text collate "C" references account (id),     -- if not the account itself
    by_operator boolean not null default false
);

create index security_entry_account on security_entry (account, id);
create index security_entry_failed on security_entry (account, network, at)
    where action = 'sign_in_failed';

create table developer_app (
    id text collate "C" not null primary key,
    owner text collate "C" references account (id),
    app_name text not null,
    website text not null,
    description text,
    key_id text collate "C" not null,
    key_hash bytea not null,
    redirect_uris text,                      -- a line each
    created_at bigint not null,
    deleted_at bigint
);

create unique index developer_app_key_id on developer_app (key_id);
create index developer_app_owner on developer_app (owner, id);

create table identity_token (
    token_hash bytea not null primary key,
    account text collate "C" not null references account (id),
    audience text,
    bound_app text collate "C" references developer_app (id),
    expires_at bigint not null,
    revoked boolean not null
);

create index identity_token_account on identity_token (account);
create index identity_token_expires_at on identity_token (expires_at);

-- One row per failure; those of a scope within a window are counted.
create table login_failure (
    id text collate "C" not null primary key,
    scope text collate "C" not null,
    at bigint not null
);

create index login_failure_scope on login_failure (scope, at);
create index login_failure_at on login_failure (at);

-- The first insert of an act; the primary key lets one of two equal requests through.
create table idempotency (
    principal text collate "C" not null,
    key text collate "C" not null,
    fingerprint bytea not null,
    status bigint,
    headers text,
    body bytea,
    created_at bigint not null,
    primary key (principal, key)
);

create index idempotency_created_at on idempotency (created_at);

create table audit_log (
    id text collate "C" not null primary key,
    actor text not null,
    action text not null,
    subject text collate "C" not null,
    detail text not null,
    at bigint not null
);

create index audit_log_subject on audit_log (subject, id);
