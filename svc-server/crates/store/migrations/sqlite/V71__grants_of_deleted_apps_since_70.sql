-- When a sweep had ended all that accounts allowed an app that was deleted.
alter table developer_app add column grants_ended_at integer;
create index developer_app_grants on developer_app (deleted_at, id)
    where deleted_at is not null and grants_ended_at is null;
