-- When the last grant of a deleted app was ended.
alter table developer_app add column grants_ended_at bigint;
create index developer_app_grants on developer_app (deleted_at, id)
    where deleted_at is not null and grants_ended_at is null;
