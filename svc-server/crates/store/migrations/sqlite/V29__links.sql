-- Accounts elsewhere that are linked to accounts here.

-- Of an account elsewhere only a hash is kept. Its row stays once it is unlinked, so that what a
-- person gets once is not given again.
create table link (
    provider text not null,
    subject_hash blob not null,
    account text references account (id),     -- none once it is unlinked
    linked_at integer,
    times integer not null,                      -- how often it was linked
    primary key (provider, subject_hash)
) strict, without rowid;

create unique index link_account on link (account, provider) where account is not null;

-- A link on its way: begun here until it is proved elsewhere, then until it is confirmed.
create table link_attempt (
    account text not null references account (id),
    provider text not null,
    token_hash blob not null,                 -- of the state, later of the token that confirms
    by_session integer not null check (by_session in (0, 1)),
    nonce_hash blob not null,
    sealed blob not null,                     -- the PKCE verifier, later the name to be shown
    subject_hash blob,                        -- once it is proved
    expires_at integer not null,
    primary key (account, provider)
) strict, without rowid;

create unique index link_attempt_token_hash on link_attempt (token_hash);
create index link_attempt_expires_at on link_attempt (expires_at);
