-- Real money: credits that are sold, what stands behind them, and a ledger of the money itself.
-- Money stands behind the part "backed" of a balance. What was issued before is granted: unbacked.
pragma writable_schema = on;

update sqlite_schema set sql = replace(sql,
    'kind = ''issuance'' or kind = ''user'' or kind = ''hold'' or kind = ''forfeited''',
    'kind = ''issuance'' or kind = ''user'' or kind = ''hold'' or kind = ''forfeited''
        or kind = ''sold'' or kind = ''frozen'' or kind = ''debt'' or kind = ''written_off''
        or kind = ''fee'' or kind = ''payable'' or kind = ''redeemed''')
    where type = 'table' and name = 'ledger_account';
update sqlite_schema set sql = replace(sql,
    'check (kind = ''issuance'' or balance >= 0)',
    'check (balance >= 0 or kind = ''issuance'' or kind = ''sold'' or kind = ''debt'' or kind = ''written_off'')')
    where type = 'table' and name = 'ledger_account';
update sqlite_schema set sql = replace(sql,
    'kind = ''settle''
        or kind = ''forfeit''',
    'kind = ''settle'' or kind = ''forfeit''
        or kind = ''purchase'' or kind = ''refund'' or kind = ''refunded''
        or kind = ''refund_failed'' or kind = ''claw'' or kind = ''won'' or kind = ''lost''
        or kind = ''collect'' or kind = ''forgive'' or kind = ''pass'' or kind = ''payout''
        or kind = ''sent'' or kind = ''returned''')
    where type = 'table' and name = 'ledger_transfer';

pragma writable_schema = reset;

alter table ledger_account add column backed integer not null default 0 check (
    backed >= 0 and backed <= balance
    or kind = 'issuance' or kind = 'sold' or kind = 'debt' or kind = 'written_off');
-- What the last entry moved of it.
alter table ledger_account add column backed_moved integer not null default 0;
alter table ledger_entry add column backed integer not null default 0 check (
    backed >= 0 and backed <= amount or backed <= 0 and backed >= amount);

-- Money, in minor units of its currency. Rows are only ever added, as in the ledger of credits.
create table money_account (
    id text not null primary key,            -- its kind and currency: receivable:usd
    kind text not null check (kind in ('receivable', 'disputed', 'loss', 'sales', 'tax', 'cash',
        'provider_fee', 'payouts', 'subscriptions')),
    currency text not null,
    balance integer not null,
    entries integer not null check (entries >= 0)
) strict, without rowid;

create table money_transfer (
    id text not null primary key,
    kind text not null check (kind in ('purchase', 'refund', 'refund_failed', 'dispute', 'won',
        'lost', 'cash', 'invoice', 'payout', 'returned')),
    ref text not null,                       -- what it is for; once per kind
    currency text not null,
    at integer not null
) strict, without rowid;

create unique index money_transfer_once on money_transfer (kind, ref);

create table money_entry (
    account text not null references money_account (id),
    seq integer not null,
    transfer text not null references money_transfer (id),
    amount integer not null check (amount <> 0),
    balance_after integer not null,
    primary key (account, seq)
) strict, without rowid;

create unique index money_entry_transfer on money_entry (transfer, account);

create trigger money_transfer_no_update before update on money_transfer
begin select raise(abort, 'money_transfer is only added to'); end;
create trigger money_transfer_no_delete before delete on money_transfer
begin select raise(abort, 'money_transfer is only added to'); end;
create trigger money_entry_no_update before update on money_entry
begin select raise(abort, 'money_entry is only added to'); end;
create trigger money_entry_no_delete before delete on money_entry
begin select raise(abort, 'money_entry is only added to'); end;
