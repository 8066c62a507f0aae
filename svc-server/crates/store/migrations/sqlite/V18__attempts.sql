-- Whoever counts an attempt changes the row of its scope first, so that attempts at once are counted
-- one after the other, on several nodes too.
create table attempt_scope (
    scope text not null primary key,
    until integer not null                   -- when the latest attempt no longer counts
) strict, without rowid;

create index attempt_scope_until on attempt_scope (until);

-- Networks from which an account has signed in, by a hash of both: guesses of strangers elsewhere
-- do not slow them down.
create table known_network (
    account text not null references account (id),
    network text not null,
    seen_at integer not null,
    primary key (account, network)
) strict, without rowid;

create index known_network_seen_at on known_network (seen_at);

-- How many escrows of a buyer wait for credits.
create index escrow_unfunded on escrow (buyer) where status = 'created';
