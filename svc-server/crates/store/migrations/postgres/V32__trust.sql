-- With whom accounts have settled paid deals, from which trust is earned.

create table deal_partner (
    account text collate "C" not null,
    partner text collate "C" not null,
    deals bigint not null check (deals > 0),
    primary key (account, partner)
);

-- Up to which transfer of the ledger deals are counted in it.
create table deal_collected (
    id bigint not null primary key check (id = 1),
    transfer text collate "C" not null
);

insert into deal_collected (id, transfer) values (1, '');
