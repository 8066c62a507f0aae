-- Orders as an interface: what buyers call them, and what happens before they end.

-- The ids that buyers give their orders, for ever, each with the hash of what was asked.
create table client_order (
    buyer text not null references account (id),
    client_order_id text not null,
    hash blob not null,
    order_id text,                            -- none only within the transaction that places it
    primary key (buyer, client_order_id)
) strict, without rowid;

-- What the provider reported of an order and asked for.
create table order_progress (
    order_id text not null primary key references service_request (id),
    percent integer,
    note text,
    progress_at integer not null,
    wants_until integer,
    prompts integer not null,           -- how many there were; the number of the latest is its id
    prompt text,
    prompt_schema text,              -- a JSON object
    prompt_input text,               -- JSON
    input_at integer
) strict;

create table order_partial (
    order_id text not null references service_request (id),
    n integer not null,
    partial text not null,           -- JSON
    created_at integer not null,
    primary key (order_id, n)
) strict;

-- Ended orders whose partial results are still kept.
create index service_request_partials on service_request (closed_at, id)
    where partials > 0 and closed_at is not null;
