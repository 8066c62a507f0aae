-- Changes that could take an account away from its owner, until their time comes.

create table pending_change (
    id text not null primary key,
    account text not null references account (id),
    kind text not null,
    email text,                               -- the new address
    token_hash blob not null,                 -- of the link that takes it back
    created_at integer not null,
    due_at integer not null
) strict;

create unique index pending_change_account on pending_change (account, kind);
create unique index pending_change_token_hash on pending_change (token_hash);
create index pending_change_due_at on pending_change (due_at, id);
