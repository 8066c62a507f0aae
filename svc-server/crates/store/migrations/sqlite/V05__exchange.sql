-- The exchange: the ledger of credits, services, service requests, escrow.
-- Amounts are whole micro-credits: 1,000,000 are one credit.

-- Double entry. Rows are only ever added; the one thing that changes is a balance.
create table ledger_account (
    id text not null primary key,            -- issuance, forfeited, user:usr_…, hold:esc_…, hold:msg_…
    kind text not null check (kind in ('issuance', 'user', 'hold', 'forfeited')),
    balance integer not null,
    entries integer not null check (entries >= 0),
    check (kind = 'issuance' or balance >= 0),
    check (balance between -9000000000000000 and 9000000000000000)
) strict, without rowid;

create table ledger_transfer (
    id text not null primary key,
    kind text not null check (kind in ('grant', 'topup', 'hold', 'settle', 'forfeit')),
    ref text not null,                       -- what it is for; once per kind
    reason text,
    actor text not null,                     -- an account's id, admin, or system
    at integer not null
) strict, without rowid;

create unique index ledger_transfer_once on ledger_transfer (kind, ref);

create table ledger_entry (
    account text not null references ledger_account (id),
    seq integer not null,
    transfer text not null references ledger_transfer (id),
    amount integer not null check (amount <> 0),
    balance_after integer not null,
    primary key (account, seq)
) strict, without rowid;

create unique index ledger_entry_transfer on ledger_entry (transfer, account);

insert into ledger_account (id, kind, balance, entries) values ('issuance', 'issuance', 0, 0);

-- What keys with a cap on spending hold or held.
create table key_hold (
    ref text not null primary key,        -- the order or escrow
    key_id text not null,
    amount integer not null check (amount > 0),
    at integer not null
) strict, without rowid;

create index key_hold_key on key_hold (key_id, at);
create index key_hold_at on key_hold (at);

create table service (
    id text not null primary key,
    bot text not null references account (id),
    name text not null,
    name_key text not null,                  -- in lower case
    description text not null,
    tags text not null,                      -- a JSON array of texts
    tags_key text not null,                  -- in lower case, a line each
    search_text text not null,               -- name, tags and description in lower case
    price integer not null check (price >= 0),
    input_schema text,                       -- a JSON object
    output_schema text,                      -- a JSON object
    acceptance text not null default 'implicit',
    category text not null default 'other',
    languages text not null default '[]',  -- a JSON array of BCP 47 tags
    samples text,                          -- a JSON array of objects with input and output
    active integer not null check (active in (0, 1)),
    ratings_count integer not null,
    ratings_sum integer not null,            -- in half steps
    rating_tenths integer not null,          -- the mean, in tenths
    created_at integer not null,
    updated_at integer not null,
    deleted_at integer
) strict;

create unique index service_name on service (bot, name_key) where deleted_at is null;
create index service_bot on service (bot, id) where deleted_at is null;
create index service_offered on service (bot, id) where active and deleted_at is null;

create table escrow (
    id text not null primary key,
    buyer text not null references account (id),
    provider text not null references account (id),
    service text not null references service (id),
    amount integer not null check (amount > 0),
    description text not null,
    status text not null,
    version integer not null,
    created_at integer not null,
    expires_at integer not null,
    due_at integer,                          -- when the clock moves it by itself
    funded_at integer,
    delivered_at integer,
    review_ends_at integer,
    closed_at integer,
    close_reason text,
    deliverable text,                        -- a JSON object without its access token
    deliverable_version integer not null,
    access_token blob,                       -- sealed
    notes text,
    dispute text,                            -- a JSON object
    rating_half integer,
    feedback text,
    plan text,                               -- of several milestones
    split_amount integer,                    -- what the provider receives of it
    split_by text references account (id),
    split_version integer,
    split_at integer,
    check (buyer <> provider)
) strict;

create index escrow_buyer on escrow (buyer, id);
create index escrow_provider on escrow (provider, id);
create index escrow_plan on escrow (plan, id) where plan is not null;
create index escrow_due on escrow (due_at, id) where due_at is not null;
create index escrow_disputed on escrow (id) where status = 'disputed';
create index escrow_held on escrow (buyer) where status in ('funded', 'delivered', 'disputed');

-- Who is told of disputes.
create index account_staff on account (id) where role <> 'user';

create table escrow_event (
    escrow text not null references escrow (id),
    seq integer not null,
    action text not null,
    actor text,                              -- an account's id; none when the clock acted
    from_status text,
    to_status text not null,
    note text,
    transfer text references ledger_transfer (id),
    at integer not null,
    primary key (escrow, seq)
) strict, without rowid;

create table service_request (
    id text not null primary key references message (id),
    requester text not null references account (id),
    provider text not null references account (id),
    service text not null references service (id),
    offered integer not null check (offered >= 0),
    escrow text references escrow (id),
    state text not null,
    charged integer,
    due_at integer,                          -- when it expires by itself
    created_at integer not null,
    closed_at integer,
    stage text,                              -- beside open: working or input_required
    acceptance text not null default 'implicit',         -- that of the service when it was ordered
    version integer not null default 1,
    partials integer not null default 0,
    client_order_id text,
    cancel_reason text,
    response_message text references message (id),
    check (charged is null or charged between 0 and offered)
) strict, without rowid;

create unique index service_request_escrow on service_request (escrow)
    where state = 'open' and escrow is not null;
-- Of equal indexes SQLite takes the one that was created last: for open orders that is the shorter one.
create index service_request_bought on service_request (requester, id);
create index service_request_sold on service_request (provider, id);
create index service_request_requester on service_request (requester, id) where state = 'open';
create index service_request_provider on service_request (provider, id) where state = 'open';
create index service_request_due on service_request (due_at, id) where due_at is not null;

create table service_rating (
    service text not null references service (id),
    buyer text not null references account (id),
    bot text not null,                   -- who offers the service
    escrow text references escrow (id),   -- whose release gave it
    review text,                         -- or the review that did
    half_steps integer not null check (half_steps between 2 and 10),
    at integer not null,
    primary key (service, buyer)
) strict, without rowid;

create index service_rating_bot on service_rating (bot, buyer);

-- A correction is a new transfer.
create trigger ledger_transfer_no_update before update on ledger_transfer
begin select raise(abort, 'ledger_transfer is only added to'); end;
create trigger ledger_transfer_no_delete before delete on ledger_transfer
begin select raise(abort, 'ledger_transfer is only added to'); end;
create trigger ledger_entry_no_update before update on ledger_entry
begin select raise(abort, 'ledger_entry is only added to'); end;
create trigger ledger_entry_no_delete before delete on ledger_entry
begin select raise(abort, 'ledger_entry is only added to'); end;
create trigger escrow_event_no_update before update on escrow_event
begin select raise(abort, 'escrow_event is only added to'); end;
create trigger escrow_event_no_delete before delete on escrow_event
begin select raise(abort, 'escrow_event is only added to'); end;
