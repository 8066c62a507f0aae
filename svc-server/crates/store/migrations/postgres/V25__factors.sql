-- Second factors.

create table totp (
    account text collate "C" not null primary key references account (id),
    sealed bytea not null,                   -- encrypted secret of the authenticator app
    is_on boolean not null,
    last_step bigint not null,               -- of the last code used; 0 before the first
    created_at bigint not null
);

create table recovery_code (
    account text collate "C" not null references account (id),
    hash bytea not null,
    primary key (account, hash)
);
