-- SQLite puts a list of three and more values into a temporary table each time it checks a row by it. The
-- checks of tables that are written often compare one value after the other. They mean the same, so that
-- no row changes.
pragma writable_schema = on;

update sqlite_schema set sql = replace(sql, 'kind in (''issuance'', ''user'', ''hold'', ''forfeited'')',
    'kind = ''issuance'' or kind = ''user'' or kind = ''hold'' or kind = ''forfeited''')
    where type = 'table' and name = 'ledger_account';
update sqlite_schema set sql = replace(sql, 'kind in (''grant'', ''topup'', ''hold'', ''settle'', ''forfeit'')',
    'kind = ''grant'' or kind = ''topup'' or kind = ''hold'' or kind = ''settle''
        or kind = ''forfeit''')
    where type = 'table' and name = 'ledger_transfer';
update sqlite_schema set sql = replace(sql, 'trigger_kind in (''event'', ''manual'', ''recover'', ''test'')',
    'trigger_kind = ''event'' or trigger_kind = ''manual'' or trigger_kind = ''recover''
        or trigger_kind = ''test''')
    where type = 'table' and name = 'webhook_delivery';
update sqlite_schema set sql = replace(sql, 'state in (''pending'', ''sending'', ''delivered'', ''failed'', ''held'', ''cancelled'')',
    'state = ''pending'' or state = ''sending'' or state = ''delivered''
        or state = ''failed'' or state = ''held'' or state = ''cancelled''')
    where type = 'table' and name = 'webhook_delivery';
update sqlite_schema set sql = replace(sql, 'outcome in (''delivered'', ''failed'', ''lost'')',
    'outcome = ''delivered'' or outcome = ''failed'' or outcome = ''lost''')
    where type = 'table' and name = 'webhook_attempt';

pragma writable_schema = reset;

drop index event_once;
create index event_once on event (stream, subject, created_at)
    where kind = 'follow' or kind = 'like' or kind = 'repost';

-- Bots are listed by their best rated service, along this index.
create index service_best on service (rating_tenths desc, bot, id) where active and deleted_at is null;
