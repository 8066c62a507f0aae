-- Who may sign up: invites, proofs of work that are used up, and grants that are paid.

create table invite (
    id text not null primary key,
    account text references account (id),     -- who made it; none for the operator
    code_hash blob not null,
    created_at integer not null,
    expires_at integer not null,
    used_by text references account (id),
    used_at integer
) strict, without rowid;

create unique index invite_code on invite (code_hash);
create index invite_account on invite (account, id);
create index invite_unused on invite (expires_at) where used_at is null;

-- Proofs until they expire, because each works once.
create table spent_proof (
    challenge blob not null primary key,      -- a hash of its signature
    expires_at integer not null
) strict, without rowid;

create index spent_proof_expires_at on spent_proof (expires_at);

-- Sign-up grants: one of an account, and one of whatever it was given for.
create table signup_grant (
    account text not null primary key references account (id),
    once_hash blob not null,
    paid_at integer not null
) strict, without rowid;

create unique index signup_grant_once on signup_grant (once_hash);
