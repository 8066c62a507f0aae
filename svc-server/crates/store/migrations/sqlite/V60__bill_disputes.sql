-- Disputes of what was paid for seats.
create table invoice_dispute (
    id text not null primary key,                 -- the provider's
    invoice text not null references subscription_invoice (id),
    status text not null check (status in ('open', 'won', 'lost')),
    amount integer not null check (amount > 0),
    created_at integer not null,
    closed_at integer
) strict, without rowid;

create index invoice_dispute_invoice on invoice_dispute (invoice, id);
