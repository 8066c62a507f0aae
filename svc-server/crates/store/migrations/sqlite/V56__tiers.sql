-- Tiers by money: what decides them, passes that credits buy, and the subscriptions of people with their
-- seats. Tiers that were set before this, free apart, are the operator's word.
create table tier_facts (
    account text not null primary key references account (id),
    word text check (word in ('free', 'boost', 'pro')),  -- the operator's; none if what is paid counts
    seat_until integer,                           -- with the time that unpaid seats are kept
    boost_until integer,                          -- the last pass of each tier
    pro_until integer,
    due_at integer                                -- when time changes the stored tier
) strict, without rowid;

create index tier_facts_due on tier_facts (due_at, account) where due_at is not null;

insert into tier_facts (account, word) select id, tier from account where tier <> 'free';

create table pass (
    id text not null primary key,
    account text not null references account (id),
    tier text not null check (tier in ('boost', 'pro')),
    credits integer not null check (credits > 0),
    from_at integer not null,
    until_at integer not null check (until_at > from_at),
    created_at integer not null
) strict, without rowid;

create index pass_account on pass (account, id);

create table subscription (
    id text not null primary key,
    account text not null references account (id),
    status text not null check (status in ('creating', 'open', 'active', 'past_due', 'ended')),
    currency text not null,
    amount integer not null check (amount > 0),    -- of a seat and month, in the smallest unit
    in_test integer not null check (in_test in (0, 1)),
    wanted text not null,                         -- who gets the first seats: ids between spaces
    session text,                                 -- the provider's page, its id and its URL
    url text,
    provider_id text,                             -- what the provider calls it, once it was paid
    customer text,
    item text,
    quantity integer not null,                     -- seats that are paid
    cancels integer not null check (cancels in (0, 1)),                     -- whether it ends with the period
    refunded_at integer,                           -- when the last payment went back
    paid_until integer,
    until_at integer,                              -- the same, with the time that unpaid seats are kept
    created_at integer not null,
    expires_at integer not null,                   -- of the page
    ended_at integer,
    check ((status = 'ended') = (ended_at is not null))
) strict, without rowid;

create index subscription_account on subscription (account, id);
create unique index subscription_running on subscription (account) where status <> 'ended';
create unique index subscription_session on subscription (session) where session is not null;
create unique index subscription_provider on subscription (provider_id) where provider_id is not null;
create index subscription_open on subscription (id) where status = 'open';

create table seat (
    account text not null primary key references account (id),
    subscription text not null references subscription (id),
    position integer not null
) strict, without rowid;

create unique index seat_subscription on seat (subscription, position);

-- Changes of a subscription that the provider must make, one at a time.
create table subscription_change (
    id text not null primary key,
    subscription text not null references subscription (id),
    action text not null check (action in ('seats', 'cancel', 'resume', 'end')),
    seats text,                                   -- who has them afterwards: ids between spaces
    status text not null check (status in ('asked', 'done', 'declined')),
    created_at integer not null
) strict, without rowid;

create unique index subscription_change_asked on subscription_change (subscription)
    where status = 'asked' and action <> 'end';

create table subscription_invoice (
    id text not null primary key,                 -- the provider's
    subscription text not null references subscription (id),
    intent text,                                  -- what the provider calls its payment
    amount integer not null,                       -- with tax
    tax integer not null,
    refunded integer not null,                     -- how much of the amount went back
    paid_at integer not null
) strict, without rowid;

create index subscription_invoice_subscription on subscription_invoice (subscription, id);
create unique index subscription_invoice_intent on subscription_invoice (intent)
    where intent is not null;
