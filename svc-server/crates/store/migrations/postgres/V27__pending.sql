-- Changes that could take an account away from its owner, until their time comes.

create table pending_change (
    id text collate "C" not null primary key,
    account text collate "C" not null references account (id),
    kind text collate "C" not null,
    email text collate "C",                               -- the new address
    token_hash bytea not null,                 -- of the link that takes it back
    created_at bigint not null,
    due_at bigint not null
);

create unique index pending_change_account on pending_change (account, kind);
create unique index pending_change_token_hash on pending_change (token_hash);
create index pending_change_due_at on pending_change (due_at, id);
