-- Links in mails, and mails on their way: what proves an address, and leads back into an account.

create table mail_token (
    hash blob not null primary key,
    account text not null references account (id),
    kind text not null,
    email text not null,                     -- the address the link was sent to
    expires_at integer not null
) strict, without rowid;

create index mail_token_account on mail_token (account, kind);
create index mail_token_expires_at on mail_token (expires_at);

-- A mail waits here from the transaction of its cause until a server accepts it. Taking it moves
-- due_at ahead, so that no other node takes it; the number of its attempt tells a late result.
create table mail_outbox (
    id text not null primary key,
    account text references account (id),
    recipient text not null,
    kind text not null,
    subject text,                            -- none until a reset found its account
    sealed blob,                             -- the text, which holds a link
    attempt integer not null,
    due_at integer not null,
    expires_at integer not null,             -- when it is given up
    created_at integer not null
) strict;

create index mail_outbox_due_at on mail_outbox (due_at, id);
create index mail_outbox_account on mail_outbox (account);
