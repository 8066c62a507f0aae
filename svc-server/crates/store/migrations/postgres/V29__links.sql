-- Accounts elsewhere that are linked to accounts here.

-- Of an account elsewhere only a hash is kept. Its row stays once it is unlinked, so that what a
-- person gets once is not given again.
create table link (
    provider text collate "C" not null,
    subject_hash bytea not null,
    account text collate "C" references account (id),     -- none once it is unlinked
    linked_at bigint,
    times bigint not null,                      -- how often it was linked
    primary key (provider, subject_hash)
);

create unique index link_account on link (account, provider) where account is not null;

-- A link on its way: begun here until it is proved elsewhere, then until it is confirmed.
create table link_attempt (
    account text collate "C" not null references account (id),
    provider text collate "C" not null,
    token_hash bytea not null,                 -- of the state, later of the token that confirms
    by_session boolean not null,
    nonce_hash bytea not null,
    sealed bytea not null,                     -- the PKCE verifier, later the name to be shown
    subject_hash bytea,                        -- once it is proved
    expires_at bigint not null,
    primary key (account, provider)
);

create unique index link_attempt_token_hash on link_attempt (token_hash);
create index link_attempt_expires_at on link_attempt (expires_at);
