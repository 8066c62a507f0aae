-- How developer apps are used, which their owners see.
alter table developer_app add column last_used_at bigint;
alter table developer_app add column verifications bigint not null default 0;
