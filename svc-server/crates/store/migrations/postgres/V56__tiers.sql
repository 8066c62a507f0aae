-- Tiers by money: what decides them, passes that credits buy, and the subscriptions of people with their
-- seats. Tiers that were set before this, free apart, are the operator's word.
create table tier_facts (
    account text collate "C" not null primary key references account (id),
    word text check (word in ('free', 'boost', 'pro')),  -- the operator's; none if what is paid counts
    seat_until bigint,                           -- with the time that unpaid seats are kept
    boost_until bigint,                          -- the last pass of each tier
    pro_until bigint,
    due_at bigint                                -- when time changes the stored tier
);

create index tier_facts_due on tier_facts (due_at, account) where due_at is not null;

insert into tier_facts (account, word) select id, tier from account where tier <> 'free';

create table pass (
    id text collate "C" not null primary key,
    account text collate "C" not null references account (id),
    tier text not null check (tier in ('boost', 'pro')),
    credits bigint not null check (credits > 0),
    from_at bigint not null,
    until_at bigint not null check (until_at > from_at),
    created_at bigint not null
);

create index pass_account on pass (account, id);

create table subscription (
    id text collate "C" not null primary key,
    account text collate "C" not null references account (id),
    status text not null check (status in ('creating', 'open', 'active', 'past_due', 'ended')),
    currency text not null,
    amount bigint not null check (amount > 0),    -- of a seat and month, in the smallest unit
    in_test boolean not null,
    wanted text not null,                         -- who gets the first seats: ids between spaces
    session text collate "C",                                 -- the provider's page, its id and its URL
    url text,
    provider_id text collate "C",                             -- what the provider calls it, once it was paid
    customer text collate "C",
    item text collate "C",
    quantity bigint not null,                     -- seats that are paid
    cancels boolean not null,                     -- whether it ends with the period
    refunded_at bigint,                           -- when the last payment went back
    paid_until bigint,
    until_at bigint,                              -- the same, with the time that unpaid seats are kept
    created_at bigint not null,
    expires_at bigint not null,                   -- of the page
    ended_at bigint,
    check ((status = 'ended') = (ended_at is not null))
);

create index subscription_account on subscription (account, id);
create unique index subscription_running on subscription (account) where status <> 'ended';
create unique index subscription_session on subscription (session) where session is not null;
create unique index subscription_provider on subscription (provider_id) where provider_id is not null;
create index subscription_open on subscription (id) where status = 'open';

create table seat (
    account text collate "C" not null primary key references account (id),
    subscription text collate "C" not null references subscription (id),
    position bigint not null
);

create unique index seat_subscription on seat (subscription, position);

-- Changes of a subscription that the provider must make, one at a time.
create table subscription_change (
    id text collate "C" not null primary key,
    subscription text collate "C" not null references subscription (id),
    action text not null check (action in ('seats', 'cancel', 'resume', 'end')),
    seats text,                                   -- who has them afterwards: ids between spaces
    status text not null check (status in ('asked', 'done', 'declined')),
    created_at bigint not null
);

create unique index subscription_change_asked on subscription_change (subscription)
    where status = 'asked' and action <> 'end';

create table subscription_invoice (
    id text collate "C" not null primary key,                 -- the provider's
    subscription text collate "C" not null references subscription (id),
    intent text collate "C",                                  -- what the provider calls its payment
    amount bigint not null,                       -- with tax
    tax bigint not null,
    refunded bigint not null,                     -- how much of the amount went back
    paid_at bigint not null
);

create index subscription_invoice_subscription on subscription_invoice (subscription, id);
create unique index subscription_invoice_intent on subscription_invoice (intent)
    where intent is not null;
