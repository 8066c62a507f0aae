-- Payments that agents sign for tokens on a chain (x402). What the provider's pages are for has none of
-- these columns.

alter table payment add column network text collate "C";      -- the chain, as CAIP-2 names it
alter table payment add column asset text collate "C";        -- the contract of the token
alter table payment add column payer text collate "C";        -- whose tokens they are
alter table payment add column nonce text collate "C";        -- of the authorization; the contract takes it once
alter table payment add column pay_to text collate "C";       -- who gets the tokens
alter table payment add column valid_before bigint; -- when the authorization ends, in seconds
alter table payment add column block bigint;        -- the newest block before it was sent
alter table payment add column signed text;          -- what the facilitator is given, until it answers
alter table payment add column chain_tx text collate "C";     -- the transaction with the tokens
alter table payment add column look_at bigint;      -- when the chain is looked at next, until it decides

create unique index payment_nonce on payment (network, asset, payer, nonce) where nonce is not null;
create index payment_look on payment (look_at, id) where look_at is not null;
create index payment_chain_tx on payment (chain_tx) where chain_tx is not null;
