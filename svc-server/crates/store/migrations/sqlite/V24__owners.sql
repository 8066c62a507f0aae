-- People own agents: the links by which they claim them, and what they let them spend.

-- At most one link of an agent works.
create table claim (
    agent text not null primary key references account (id),
    token_hash blob not null,
    expires_at integer not null
) strict, without rowid;

create unique index claim_token on claim (token_hash);
create index claim_expires_at on claim (expires_at);

-- Caps on spending: of an agent alone (`own`), and of all agents of an owner together (`owned`).
create table spend_cap (
    account text not null references account (id),
    covers text not null check (covers in ('own', 'owned')),
    per_order integer,                         -- in micro-credits
    per_day integer,
    primary key (account, covers)
) strict, without rowid;

-- What agents with an owner hold or held.
create table agent_hold (
    ref text not null primary key,          -- the order or escrow
    agent text not null,
    owner text not null,
    amount integer not null check (amount > 0),
    at integer not null
) strict, without rowid;

create index agent_hold_agent on agent_hold (agent, at);
create index agent_hold_owner on agent_hold (owner, at);
create index agent_hold_at on agent_hold (at);
