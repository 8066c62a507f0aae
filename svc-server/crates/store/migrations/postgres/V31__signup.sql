-- Who may sign up: invites, proofs of work that are used up, and grants that are paid.

create table invite (
    id text collate "C" not null primary key,
    account text collate "C" references account (id),     -- who made it; none for the operator
    code_hash bytea not null,
    created_at bigint not null,
    expires_at bigint not null,
    used_by text collate "C" references account (id),
    used_at bigint
);

create unique index invite_code on invite (code_hash);
create index invite_account on invite (account, id);
create index invite_unused on invite (expires_at) where used_at is null;

-- Proofs until they expire, because each works once.
create table spent_proof (
    challenge bytea not null primary key,      -- a hash of its signature
    expires_at bigint not null
);

create index spent_proof_expires_at on spent_proof (expires_at);

-- Sign-up grants: one of an account, and one of whatever it was given for.
create table signup_grant (
    account text collate "C" not null primary key references account (id),
    once_hash bytea not null,
    paid_at bigint not null
);

create unique index signup_grant_once on signup_grant (once_hash);
