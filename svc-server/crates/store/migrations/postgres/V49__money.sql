-- Real money: credits that are sold, what stands behind them, and a ledger of the money itself.
-- Money stands behind the part "backed" of a balance. What was issued before is granted: unbacked.
alter table ledger_account drop constraint ledger_account_kind_check;
alter table ledger_account add constraint ledger_account_kind_check check (kind in (
    'issuance', 'user', 'hold', 'forfeited', 'sold', 'frozen', 'debt', 'written_off', 'fee',
    'payable', 'redeemed'));
alter table ledger_account drop constraint ledger_account_check;
alter table ledger_account add constraint ledger_account_check check (
    balance >= 0 or kind = 'issuance' or kind = 'sold' or kind = 'debt' or kind = 'written_off');
alter table ledger_transfer drop constraint ledger_transfer_kind_check;
alter table ledger_transfer add constraint ledger_transfer_kind_check check (kind in (
    'grant', 'topup', 'hold', 'settle', 'forfeit', 'purchase', 'refund', 'refunded',
    'refund_failed', 'claw', 'won', 'lost', 'collect', 'forgive', 'pass', 'payout', 'sent',
    'returned'));

alter table ledger_account add column backed bigint not null default 0 check (
    backed >= 0 and backed <= balance
    or kind = 'issuance' or kind = 'sold' or kind = 'debt' or kind = 'written_off');
-- What the last entry moved of it.
alter table ledger_account add column backed_moved bigint not null default 0;
alter table ledger_entry add column backed bigint not null default 0 check (
    backed >= 0 and backed <= amount or backed <= 0 and backed >= amount);

-- Money, in minor units of its currency. Rows are only ever added, as in the ledger of credits.
create table money_account (
    id text collate "C" not null primary key,            -- its kind and currency: receivable:usd
    kind text not null check (kind in ('receivable', 'disputed', 'loss', 'sales', 'tax', 'cash',
        'provider_fee', 'payouts', 'subscriptions')),
    currency text not null,
    balance bigint not null,
    entries bigint not null check (entries >= 0)
);

create table money_transfer (
    id text collate "C" not null primary key,
    kind text not null check (kind in ('purchase', 'refund', 'refund_failed', 'dispute', 'won',
        'lost', 'cash', 'invoice', 'payout', 'returned')),
    ref text collate "C" not null,                       -- what it is for; once per kind
    currency text not null,
    at bigint not null
);

create unique index money_transfer_once on money_transfer (kind, ref);

create table money_entry (
    account text collate "C" not null references money_account (id),
    seq bigint not null,
    transfer text collate "C" not null references money_transfer (id),
    amount bigint not null check (amount <> 0),
    balance_after bigint not null,
    primary key (account, seq)
);

create unique index money_entry_transfer on money_entry (transfer, account);

create trigger money_transfer_no_update before update on money_transfer
    for each row execute function refuse_change();
create trigger money_transfer_no_delete before delete on money_transfer
    for each row execute function refuse_change();
create trigger money_entry_no_update before update on money_entry
    for each row execute function refuse_change();
create trigger money_entry_no_delete before delete on money_entry
    for each row execute function refuse_change();
