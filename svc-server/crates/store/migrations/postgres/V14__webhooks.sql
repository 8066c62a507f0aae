-- Webhooks: who is called, with which secrets, for which events, and how each call went.
create table webhook (
    id text collate "C" not null primary key,
    account text collate "C" not null references account (id),
    url text not null,
    description text,
    events text not null,                    -- kinds, each between commas: ',like,reply,'
    status text not null check (status in ('active', 'disabled')),
    disabled_reason text check (disabled_reason in ('manual', 'failing', 'gone', 'tier_limit')),
    disabled_at bigint,
    suspended_at bigint,                     -- while its account is: as good as disabled
    deleted_at bigint,                       -- kept until nothing tells of it any more
    due_at bigint,                          -- when its next delivery is due; none when nothing waits
    in_flight bigint not null default 0,
    max_in_flight bigint not null,
    failures_in_row bigint not null default 0,
    breaker_step bigint not null default 0,  -- how often the pause was doubled; 0 while closed
    breaker_until bigint,
    first_failure_at bigint,                -- of the failures since the last success
    failed_attempts bigint not null default 0,
    warned_at bigint,
    tested_at bigint,
    last_success_at bigint,
    last_error_at bigint,
    last_error_class text,
    last_error_status bigint,
    created_at bigint not null,
    updated_at bigint not null,
    check ((status = 'disabled') = (disabled_reason is not null)),
    check ((status = 'disabled') = (disabled_at is not null))
);

create index webhook_account on webhook (account, id) where deleted_at is null;
create index webhook_deleted on webhook (id) where deleted_at is not null;
create index webhook_due on webhook (due_at) where status = 'active' and due_at is not null;

create table webhook_secret (
    id text collate "C" not null primary key,
    webhook text collate "C" not null references webhook (id),
    role text not null check (role in ('current', 'next', 'previous')),
    sealed bytea not null,
    hash bytea not null,                   -- finds it in texts that would give it away
    hint text not null,                      -- its last four characters
    created_at bigint not null,
    expires_at bigint
);

-- One secret of each role.
create unique index webhook_secret_role on webhook_secret (webhook, role);
create index webhook_secret_hash on webhook_secret (hash);

create table webhook_delivery (
    id text collate "C" not null primary key,
    webhook text collate "C" not null references webhook (id),
    event text collate "C" not null,                -- of a test: an id of its own without a row
    kind text not null,
    seq bigint,                             -- the event's number; none for a test
    replay_no bigint not null,              -- 0, and one more for each time it is sent again
    trigger_kind text not null check (trigger_kind in ('event', 'manual', 'recover', 'test')),
    body text,                               -- of a test only; else it is the event's
    state text not null
        check (state in ('pending', 'sending', 'delivered', 'failed', 'held', 'cancelled')),
    attempt bigint not null default 0,
    next_attempt_at bigint,
    lease_owner text,
    lease_until bigint,
    delivered_at bigint,
    created_at bigint not null,
    check ((state = 'pending') = (next_attempt_at is not null)),
    check ((state = 'sending') = (lease_owner is not null)),
    check ((state = 'sending') = (lease_until is not null)),
    check ((state = 'delivered') = (delivered_at is not null))
);

create unique index webhook_delivery_once on webhook_delivery (event, webhook, replay_no);
create index webhook_delivery_list on webhook_delivery (webhook, id desc);
create index webhook_delivery_state on webhook_delivery (webhook, state, id);
create index webhook_delivery_due on webhook_delivery (webhook, next_attempt_at, id)
    where state = 'pending';
create index webhook_delivery_lease on webhook_delivery (lease_until) where state = 'sending';

create table webhook_attempt (
    delivery text collate "C" not null references webhook_delivery (id),
    n bigint not null,
    started_at bigint not null,
    duration_ms bigint not null,
    outcome text not null check (outcome in ('delivered', 'failed', 'lost')),
    http_status bigint,
    error_class text,
    remote_ip text,
    secret text collate "C",                        -- id of the secret that signed
    request_headers text,                    -- a JSON object, signatures blanked
    response_headers text,                   -- a JSON object
    response_body text,
    next_attempt_at bigint,
    primary key (delivery, n)
);

create table webhook_recovery (
    id text collate "C" not null primary key,
    webhook text collate "C" not null references webhook (id),
    since bigint not null,
    until_at bigint not null,
    states text not null,                    -- each between commas
    matched bigint not null,
    queued bigint not null default 0,
    after_seq bigint not null,              -- of the last event looked at
    through_seq bigint not null,            -- of the last event to look at
    status text not null check (status in ('running', 'done')),
    created_at bigint not null
);

create index webhook_recovery_webhook on webhook_recovery (webhook);
create index webhook_recovery_running on webhook_recovery (id) where status = 'running';
