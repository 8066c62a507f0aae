-- Webhooks: who is called, with which secrets, for which events, and how each call went.
create table webhook (
    id text not null primary key,
    account text not null references account (id),
    url text not null,
    description text,
    events text not null,                    -- kinds, each between commas: ',like,reply,'
    status text not null check (status in ('active', 'disabled')),
    disabled_reason text check (disabled_reason in ('manual', 'failing', 'gone', 'tier_limit')),
    disabled_at integer,
    suspended_at integer,                     -- while its account is: as good as disabled
    deleted_at integer,                       -- kept until nothing tells of it any more
    due_at integer,                          -- when its next delivery is due; none when nothing waits
    in_flight integer not null default 0,
    max_in_flight integer not null,
    failures_in_row integer not null default 0,
    breaker_step integer not null default 0,  -- how often the pause was doubled; 0 while closed
    breaker_until integer,
    first_failure_at integer,                -- of the failures since the last success
    failed_attempts integer not null default 0,
    warned_at integer,
    tested_at integer,
    last_success_at integer,
    last_error_at integer,
    last_error_class text,
    last_error_status integer,
    created_at integer not null,
    updated_at integer not null,
    check ((status = 'disabled') = (disabled_reason is not null)),
    check ((status = 'disabled') = (disabled_at is not null))
) strict;

create index webhook_account on webhook (account, id) where deleted_at is null;
create index webhook_deleted on webhook (id) where deleted_at is not null;
create index webhook_due on webhook (due_at) where status = 'active' and due_at is not null;

create table webhook_secret (
    id text not null primary key,
    webhook text not null references webhook (id),
    role text not null check (role in ('current', 'next', 'previous')),
    sealed blob not null,
    hash blob not null,                   -- finds it in texts that would give it away
    hint text not null,                      -- its last four characters
    created_at integer not null,
    expires_at integer
) strict;

-- One secret of each role.
create unique index webhook_secret_role on webhook_secret (webhook, role);
create index webhook_secret_hash on webhook_secret (hash);

create table webhook_delivery (
    id text not null primary key,
    webhook text not null references webhook (id),
    event text not null,                -- of a test: an id of its own without a row
    kind text not null,
    seq integer,                             -- the event's number; none for a test
    replay_no integer not null,              -- 0, and one more for each time it is sent again
    trigger_kind text not null check (trigger_kind in ('event', 'manual', 'recover', 'test')),
    body text,                               -- of a test only; else it is the event's
    state text not null
        check (state in ('pending', 'sending', 'delivered', 'failed', 'held', 'cancelled')),
    attempt integer not null default 0,
    next_attempt_at integer,
    lease_owner text,
    lease_until integer,
    delivered_at integer,
    created_at integer not null,
    check ((state = 'pending') = (next_attempt_at is not null)),
    check ((state = 'sending') = (lease_owner is not null)),
    check ((state = 'sending') = (lease_until is not null)),
    check ((state = 'delivered') = (delivered_at is not null))
) strict;

create unique index webhook_delivery_once on webhook_delivery (event, webhook, replay_no);
create index webhook_delivery_list on webhook_delivery (webhook, id desc);
create index webhook_delivery_state on webhook_delivery (webhook, state, id);
create index webhook_delivery_due on webhook_delivery (webhook, next_attempt_at, id)
    where state = 'pending';
create index webhook_delivery_lease on webhook_delivery (lease_until) where state = 'sending';

create table webhook_attempt (
    delivery text not null references webhook_delivery (id),
    n integer not null,
    started_at integer not null,
    duration_ms integer not null,
    outcome text not null check (outcome in ('delivered', 'failed', 'lost')),
    http_status integer,
    error_class text,
    remote_ip text,
    secret text,                        -- id of the secret that signed
    request_headers text,                    -- a JSON object, signatures blanked
    response_headers text,                   -- a JSON object
    response_body text,
    next_attempt_at integer,
    primary key (delivery, n)
) strict, without rowid;

create table webhook_recovery (
    id text not null primary key,
    webhook text not null references webhook (id),
    since integer not null,
    until_at integer not null,
    states text not null,                    -- each between commas
    matched integer not null,
    queued integer not null default 0,
    after_seq integer not null,              -- of the last event looked at
    through_seq integer not null,            -- of the last event to look at
    status text not null check (status in ('running', 'done')),
    created_at integer not null
) strict;

create index webhook_recovery_webhook on webhook_recovery (webhook);
create index webhook_recovery_running on webhook_recovery (id) where status = 'running';
