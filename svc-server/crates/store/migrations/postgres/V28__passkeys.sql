-- Sign-ins between password and code.

create table login_step (
    hash bytea not null primary key,          -- of the token of the page
    account text collate "C" not null references account (id),
    password_hash text collate "C" not null,  -- the one that was verified
    expires_at bigint not null
);

create unique index login_step_account on login_step (account);
create index login_step_expires_at on login_step (expires_at);
