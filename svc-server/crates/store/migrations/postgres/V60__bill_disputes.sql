-- Disputes of what was paid for seats.
create table invoice_dispute (
    id text collate "C" not null primary key,     -- the provider's
    invoice text collate "C" not null references subscription_invoice (id),
    status text not null check (status in ('open', 'won', 'lost')),
    amount bigint not null check (amount > 0),
    created_at bigint not null,
    closed_at bigint
);

create index invoice_dispute_invoice on invoice_dispute (invoice, id);
