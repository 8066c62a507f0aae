-- With whom accounts have settled paid deals, from which trust is earned.

create table deal_partner (
    account text not null,
    partner text not null,
    deals integer not null check (deals > 0),
    primary key (account, partner)
) strict, without rowid;

-- Up to which transfer of the ledger deals are counted in it.
create table deal_collected (
    id integer not null primary key check (id = 1),
    transfer text not null
) strict;

insert into deal_collected (id, transfer) values (1, '');
