//! Both engines have the same tables, but for the index of words, which each has in its own way.

use svc_store::db::sql;

use crate::open;

/// Table, name, type and whether it may be null, of each column.
type Columns = Vec<(String, String, String, bool)>;

/// Table, name, and whether it is unique, of each index that has a name of our own.
type Indexes = Vec<(String, String, bool)>;

/// Types that hold the same values.
const PAIRS: [(&str, &str); 4] =
    [("text", "text"), ("integer", "bigint"), ("integer", "boolean"), ("blob", "bytea")];

#[tokio::test]
async fn both_engines_have_the_same_columns() {
    let Some(settings) = crate::postgres() else {
        return;
    };
    let of_sqlite: Columns = open(&crate::sqlite())
        .read(|tx| {
            tx.all(
                sql!(
                    "select t.name, c.name, lower(c.type), not c.\"notnull\"
                     from pragma_table_list as t, pragma_table_xinfo(t.name) as c
                     where t.schema = 'main' and c.hidden <> 1
                         and t.name not in ('sqlite_schema', 'refinery_schema_history')
                         and t.name not like 'search_index%'
                     order by t.name, c.name"
                ),
                &[],
            )
        })
        .await
        .unwrap();
    let of_postgres: Columns = open(&settings)
        .read(|tx| {
            tx.all(
                sql!(
                    "select cast(table_name as text), cast(column_name as text),
                         cast(data_type as text), is_nullable = 'YES'
                     from information_schema.columns
                     where table_schema = 'public' and table_name <> 'refinery_schema_history'
                         and table_name not in ('search_index', 'node')
                         and not (select relispartition from pg_class where oid = to_regclass(table_name))
                     order by table_name, column_name"
                ),
                &[],
            )
        })
        .await
        .unwrap();

    assert!(!of_sqlite.is_empty());
    for (column, twin) in of_sqlite.iter().zip(&of_postgres) {
        assert_eq!((&column.0, &column.1, column.3), (&twin.0, &twin.1, twin.3));
        assert!(PAIRS.contains(&(&column.2, &twin.2)), "{column:?} is no {twin:?}");
    }
    assert_eq!(of_sqlite.len(), of_postgres.len());
}

#[tokio::test]
async fn both_engines_have_the_same_indexes() {
    let Some(settings) = crate::postgres() else {
        return;
    };
    let of_sqlite: Indexes = open(&crate::sqlite())
        .read(|tx| {
            tx.all(
                sql!(
                    "select t.name, i.name, i.\"unique\"
                     from pragma_table_list as t, pragma_index_list(t.name) as i
                     where t.schema = 'main' and i.origin = 'c'
                     order by t.name, i.name"
                ),
                &[],
            )
        })
        .await
        .unwrap();
    let of_postgres: Indexes = open(&settings)
        .read(|tx| {
            tx.all(
                sql!(
                    "select cast(t.relname as text), cast(c.relname as text), i.indisunique
                     from pg_index as i
                     join pg_class as c on c.oid = i.indexrelid
                     join pg_class as t on t.oid = i.indrelid
                     where t.relnamespace = cast('public' as regnamespace) and not i.indisprimary
                         and not t.relispartition
                         and t.relname <> 'search_index'
                         -- for what other nodes commit, of which SQLite has none
                         and c.relname <> 'event_live'
                     order by t.relname, c.relname"
                ),
                &[],
            )
        })
        .await
        .unwrap();

    assert!(!of_sqlite.is_empty());
    assert_eq!(of_sqlite, of_postgres);
}

/// SQLite would put the values into a temporary table for each row.
#[tokio::test]
async fn tables_that_acts_write_check_by_no_list_of_values() {
    let listed = sql!(
        "select name from sqlite_schema
         where sql like '% in (''%'
            and name in ('event_once', 'ledger_account', 'ledger_transfer', 'webhook_attempt',
                'webhook_delivery')"
    );
    let db = open(&crate::sqlite());
    assert_eq!(db.read(move |tx| tx.all::<String>(listed, &[])).await.unwrap(), [""; 0]);
}
