-- Links in mails, and mails on their way: what proves an address, and leads back into an account.

create table mail_token (
    hash bytea not null primary key,
    account text collate "C" not null references account (id),
    kind text collate "C" not null,
    email text collate "C" not null,         -- the address the link was sent to
    expires_at bigint not null
);

create index mail_token_account on mail_token (account, kind);
create index mail_token_expires_at on mail_token (expires_at);

-- A mail waits here from the transaction of its cause until a server accepts it. Taking it moves
-- due_at ahead, so that no other node takes it; the number of its attempt tells a late result.
create table mail_outbox (
    id text collate "C" not null primary key,
    account text collate "C" references account (id),
    recipient text collate "C" not null,
    kind text collate "C" not null,
    subject text collate "C",                -- none until a reset found its account
    sealed bytea,                            -- the text, which holds a link
    attempt bigint not null,
    due_at bigint not null,
    expires_at bigint not null,              -- when it is given up
    created_at bigint not null
);

create index mail_outbox_due_at on mail_outbox (due_at, id);
create index mail_outbox_account on mail_outbox (account);
