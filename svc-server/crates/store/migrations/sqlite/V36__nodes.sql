-- Rights that ended, for the server beside an operator's command: it reads what is younger than a
-- minute.
create table revocation (
    nonce text not null primary key,                         -- random
    node text not null,                                      -- the process that committed it
    -- account: its connections end; credential: its streams are authenticated again; channel: it was left
    kind text not null check (kind in ('account', 'credential', 'channel')),
    accounts text not null,                                  -- ids, separated by spaces
    channel text,
    at integer not null                                      -- of the machine's clock
) strict, without rowid;
create index revocation_at on revocation (at);
