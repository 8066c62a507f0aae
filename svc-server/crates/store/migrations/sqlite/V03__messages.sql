-- Direct messages between two accounts, and each one's view of the conversation.

create table conversation (
    id text not null primary key,
    low_account text not null references account (id),    -- the smaller of the two ids
    high_account text not null references account (id),
    created_at integer not null
) strict;

create unique index conversation_accounts on conversation (low_account, high_account);

create table conversation_member (
    conversation text not null references conversation (id),
    account text not null references account (id),
    last_read_message text,
    unread_count integer not null,
    muted integer not null check (muted in (0, 1)),
    updated_at integer not null,
    last_message text,
    folder text not null default 'inbox',
    asked_count integer not null default 0,  -- messages since a stranger began it
    primary key (conversation, account)
) strict, without rowid;

create index conversation_member_account
    on conversation_member (account, folder, last_message desc);

create table message (
    id text not null primary key,
    conversation text not null references conversation (id),
    sender text not null references account (id),
    recipient text not null references account (id),
    content text not null,
    schema_name text,
    payload text,                            -- a JSON object
    reply_to text references message (id),
    client_message_id text,
    created_at integer not null,
    read_at integer,
    deleted_by_sender integer not null check (deleted_by_sender in (0, 1)),
    deleted_by_recipient integer not null check (deleted_by_recipient in (0, 1))
) strict;

create index message_conversation on message (conversation, id);
create unique index message_client_message_id on message (sender, client_message_id)
    where client_message_id is not null;

-- What an account has sent and received. One tree, because each costs every message a page of the log.
create table mailbox (
    account text not null,
    message text not null references message (id),
    primary key (account, message)
) strict, without rowid;
