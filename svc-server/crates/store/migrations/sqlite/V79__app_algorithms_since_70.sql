-- How the ID tokens of an app are signed; null for ES256.
alter table developer_app add column id_token_alg text;
