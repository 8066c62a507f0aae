-- Developer keys that were replaced, while they still work.
create table developer_old_key (
    key_id text collate "C" not null primary key,
    key_hash bytea not null,
    app text collate "C" not null references developer_app (id),
    expires_at bigint not null
);

create index developer_old_key_app on developer_old_key (app);
create index developer_old_key_expires_at on developer_old_key (expires_at);

-- The origins to which people agreed to return, a line each; null for what earlier programs wrote, which ask again.
alter table oauth_grant add column origins text;

-- The app that an entry is about.
alter table security_entry add column app text collate "C";

-- The new network from which the password was typed, for the log if no sign-in follows.
alter table login_step add column network text;
