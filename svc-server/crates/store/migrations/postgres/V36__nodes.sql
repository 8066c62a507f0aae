-- Rights that ended, for the nodes that did not end them: each reads what is younger than a minute.
create table revocation (
    nonce text collate "C" not null primary key,             -- random
    node text collate "C" not null,                          -- the process that committed it
    -- account: its connections end; credential: its streams are authenticated again; channel: it was left
    kind text collate "C" not null check (kind in ('account', 'credential', 'channel')),
    accounts text not null,                                  -- ids, separated by spaces
    channel text collate "C",
    at bigint not null                                       -- of the database's clock
);
create index revocation_at on revocation (at);

-- Events that are live, for nodes whose subscribers lack some.
create index event_live on event (stream, seq) where relayed_at is null;

-- How a node hears of what the others commit: a bus, none, or not at all, as an operator's command.
alter table node add column bus text collate "C" not null default 'command';
alter table node add column started_at timestamptz not null default clock_timestamp();
