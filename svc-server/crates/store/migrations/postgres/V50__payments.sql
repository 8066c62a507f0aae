-- Credits that are bought by card: payments, what went back, and the objects of the provider that
-- must be looked at.

create table payment (
    id text collate "C" not null primary key,
    account text collate "C" not null references account (id),     -- who gets the credits
    status text not null check (status in ('creating', 'open', 'paid', 'expired', 'mismatch')),
    credits bigint not null check (credits > 0),
    currency text not null,
    amount bigint not null check (amount > 0),   -- in the smallest unit, without tax
    tax bigint,                                  -- once it is paid
    in_test boolean not null,
    session text collate "C",                             -- the provider's page, its id and its URL
    url text,
    intent text collate "C",                              -- what the provider calls the payment
    receipt_url text,
    created_at bigint not null,
    expires_at bigint not null,
    paid_at bigint,
    check ((status = 'paid') = (paid_at is not null))
);

create index payment_account on payment (account, id);
create unique index payment_session on payment (session) where session is not null;
create unique index payment_intent on payment (intent) where intent is not null;

create table payment_refund (
    id text collate "C" not null primary key,             -- ours, or the provider's if it was made there
    payment text collate "C" not null references payment (id),
    provider_id text collate "C",
    status text not null check (status in ('asked', 'done', 'failed')),
    credits bigint not null check (credits >= 0),
    amount bigint not null check (amount > 0),
    tax bigint not null,                         -- how much of the amount is tax
    created_at bigint not null,
    closed_at bigint
);

create index payment_refund_payment on payment_refund (payment, id);
create unique index payment_refund_provider on payment_refund (provider_id)
    where provider_id is not null;

create table payment_dispute (
    id text collate "C" not null primary key,             -- the provider's
    payment text collate "C" not null references payment (id),
    status text not null check (status in ('open', 'won', 'lost')),
    credits bigint not null check (credits >= 0),
    amount bigint not null check (amount > 0),
    created_at bigint not null,
    closed_at bigint
);

create index payment_dispute_payment on payment_dispute (payment, id);

-- What a webhook, a page or a look for lost events named. The worker gets the object and applies what it
-- is now. It is done when nothing was named meanwhile.
create table provider_object (
    id text collate "C" not null primary key,
    kind text not null,
    dirty bigint not null,                       -- how often it was named
    lease bigint not null,                       -- counts its leases: an old one applies nothing
    due_at bigint,                               -- none when it is done
    tries bigint not null,
    problem text
);

create index provider_object_due on provider_object (due_at, id) where due_at is not null;

-- What is known of the provider: the mode of the key, and up to when its events were read.
create table provider_state (
    name text not null primary key,
    value text not null
);
