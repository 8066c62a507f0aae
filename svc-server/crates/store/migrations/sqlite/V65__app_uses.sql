-- How developer apps are used, which their owners see.
alter table developer_app add column last_used_at integer;
alter table developer_app add column verifications integer not null default 0;
