-- Orders as an interface: what buyers call them, and what happens before they end.

-- The ids that buyers give their orders, for ever, each with the hash of what was asked.
create table client_order (
    buyer text collate "C" not null references account (id),
    client_order_id text collate "C" not null,
    hash bytea not null,
    order_id text collate "C",                 -- none only within the transaction that places it
    primary key (buyer, client_order_id)
);

-- What the provider reported of an order and asked for.
create table order_progress (
    order_id text collate "C" not null primary key references service_request (id),
    percent bigint,
    note text,
    progress_at bigint not null,
    wants_until bigint,
    prompts bigint not null,           -- how many there were; the number of the latest is its id
    prompt text,
    prompt_schema text,              -- a JSON object
    prompt_input text,               -- JSON
    input_at bigint
);

create table order_partial (
    order_id text collate "C" not null references service_request (id),
    n bigint not null,
    partial text not null,           -- JSON
    created_at bigint not null,
    primary key (order_id, n)
);

-- Ended orders whose partial results are still kept.
create index service_request_partials on service_request (closed_at, id)
    where partials > 0 and closed_at is not null;
