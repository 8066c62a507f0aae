-- Second factors.

create table totp (
    account text not null primary key references account (id),
    sealed blob not null,                    -- encrypted secret of the authenticator app
    is_on integer not null check (is_on in (0, 1)),
    last_step integer not null,              -- of the last code used; 0 before the first
    created_at integer not null
) strict, without rowid;

create table recovery_code (
    account text not null references account (id),
    hash blob not null,
    primary key (account, hash)
) strict, without rowid;
