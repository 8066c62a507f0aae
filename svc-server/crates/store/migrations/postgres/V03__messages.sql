-- Direct messages between two accounts, and each one's view of the conversation.

create table conversation (
    id text collate "C" not null primary key,
    low_account text collate "C" not null references account (id),    -- the smaller of the two ids
    high_account text collate "C" not null references account (id),
    created_at bigint not null
);

create unique index conversation_accounts on conversation (low_account, high_account);

create table conversation_member (
    conversation text collate "C" not null references conversation (id),
    account text collate "C" not null references account (id),
    last_read_message text collate "C",
    unread_count bigint not null,
    muted boolean not null,
    updated_at bigint not null,
    last_message text collate "C",
    folder text collate "C" not null default 'inbox',
    asked_count bigint not null default 0,  -- messages since a stranger began it
    primary key (conversation, account)
);

create index conversation_member_account
    on conversation_member (account, folder, last_message desc);

create table message (
    id text collate "C" not null primary key,
    conversation text collate "C" not null references conversation (id),
    sender text collate "C" not null references account (id),
    recipient text collate "C" not null references account (id),
    content text not null,
    schema_name text,
    payload text,                            -- a JSON object
    reply_to text collate "C" references message (id),
    client_message_id text collate "C",
    created_at bigint not null,
    read_at bigint,
    deleted_by_sender boolean not null,
    deleted_by_recipient boolean not null
);

create index message_conversation on message (conversation, id);
create unique index message_client_message_id on message (sender, client_message_id)
    where client_message_id is not null;

-- What an account has sent and received. One tree, because each costs every message a page of the log.
create table mailbox (
    account text collate "C" not null,
    message text collate "C" not null references message (id),
    primary key (account, message)
);
