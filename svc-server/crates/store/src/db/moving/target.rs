//! The database of PostgreSQL that data is moved to.

use std::io;

use postgres::{Client, Row, Transaction};

use super::rows::{Column, Hashing, Kind, Table};
use super::source::{Source, not_copied};
use crate::db::fault;
use crate::db::postgres::{LIFTED, describe, failed};
use crate::error::{Error, Result};

/// The tables that are copied, with their columns, types, and primary key; what is copied to one with partitions
/// finds its partition. Numbers of nodes and the index of words are not: SQLite has them in another form.
const TABLES: &str = "
    select cast(c.relname as text),
        array_agg(cast(a.attname as text) order by a.attnum),
        array_agg(cast(t.typname as text) order by a.attnum),
        (select array_agg(cast(k.attname as text) order by array_position(i.indkey, k.attnum))
         from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey)
         where i.indrelid = c.oid and i.indisprimary)
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = ''
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = cast(current_schema() as regnamespace) and c.relkind in ('r', 'p')
        and not c.relispartition and c.relname not in ('node', 'search_index', 'refinery_schema_history')
    group by c.oid order by 1";

/// Servers that run on this database. The interval is `LASTS_FOR_OTHERS` of svc-core's node.rs.
const SERVERS: &str = "
    select count(*) from node
    where bus <> 'command' and seen_at > clock_timestamp() - interval '10 s'";

/// References between tables: a statement that removes each, and one that makes it again. A partition has those of
/// its table.
const REFERENCES: &str = "
    select format('alter table %s drop constraint %I', cast(conrelid as regclass), conname),
        format('alter table %s add constraint %I %s', cast(conrelid as regclass), conname,
            pg_get_constraintdef(oid))
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = cast(current_schema() as regnamespace)";

/// Statements by which columns that number rows continue after the largest number.
const SEQUENCES: &str = "
    select format('select setval(pg_get_serial_sequence(%L, %L), max(%I)) from %I',
        table_name, column_name, column_name, table_name)
    from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'
        and not (select relispartition from pg_class where oid = to_regclass(format('%I', table_name)))";

/// The table of what is to be indexed. Here [`INDEX_ALL`] fills it, so it differs from the file.
const QUEUE: &str = "search_queue";

/// Has this database make its index of words, which each engine has in its own form.
const INDEX_ALL: &str =
    "insert into search_queue (id) select id from search_doc on conflict do nothing";

/// The transaction that moves everything.
pub(super) struct Loading<'a> {
    transaction: Transaction<'a>,
    tables: Vec<Table>,
}

impl<'a> Loading<'a> {
    /// Locks all tables, on which no server may run.
    pub(super) fn begin(client: &'a mut Client) -> Result<Self> {
        let transaction = client.build_transaction().read_only(false).start().map_err(failed)?;
        let mut loading = Self { transaction, tables: Vec::new() };
        loading.run(LIFTED)?;
        let rows = loading.transaction.query(TABLES, &[]).map_err(failed)?;
        loading.tables = rows.iter().map(table).collect::<Result<_>>()?;
        let tables = loading.names();
        loading.run(&format!("lock table node, {tables} in access exclusive mode"))?;
        if loading.count(SERVERS)? > 0 {
            return Err(Error::setup(
                "database_url: a server runs on this database; it must stop first (after a crash, wait \
                 for 10 s)",
            ));
        }
        Ok(loading)
    }

    /// Whether nobody has signed up here.
    pub(super) fn is_empty(&mut self) -> Result<bool> {
        self.count("select count(*) from (select 1 from account limit 1) first").map(|it| it == 0)
    }

    /// Copies every table, and compares it.
    pub(super) fn fill(
        &mut self,
        source: &Source,
        mut copied: impl FnMut(&str, u64),
    ) -> Result<Vec<(String, u64)>> {
        let references = self.transaction.query(REFERENCES, &[]).map_err(failed)?;
        // Rows come by table, and tables refer to each other in circles.
        self.run_each(&references, 0)?;
        let names = self.names();
        self.run(&format!("truncate {names}"))?;
        let mut counts = Vec::new();
        for table in std::mem::take(&mut self.tables) {
            let count = self.copy(source, &table)?;
            copied(&table.name, count);
            counts.push((table.name, count));
        }
        let sequences = self.transaction.query(SEQUENCES, &[]).map_err(failed)?;
        self.run_each(&sequences, 0)?;
        self.run(INDEX_ALL)?;
        self.run_each(&references, 1)?;
        Ok(counts)
    }

    /// Compares every table with the file, unless one differs.
    pub(super) fn compare(&mut self, source: &Source) -> Result<Vec<(String, u64)>> {
        let mut counts = Vec::new();
        for table in std::mem::take(&mut self.tables) {
            let mut hashing = Hashing::new(io::sink());
            let count = source.write(&table, &mut hashing)?;
            let (hash, _) = hashing.end();
            if table.name != QUEUE && hash != self.hash(&table)? {
                return Err(Error::setup(format!(
                    "database_url: this database has accounts that are not those of {} ({} differs); \
                     name an empty one",
                    source.path().display(),
                    table.name
                )));
            }
            counts.push((table.name, count));
        }
        Ok(counts)
    }

    pub(super) fn commit(self) -> Result<()> {
        fault::reach(fault::BEFORE_COMMIT);
        self.transaction.commit().map_err(failed)?;
        fault::reach(fault::AFTER_COMMIT);
        Ok(())
    }

    /// Copies a table; what this database then has must be what the file has.
    fn copy(&mut self, source: &Source, table: &Table) -> Result<u64> {
        let sql = format!("copy {} ({}) from stdin (format binary)", table.name(), table.columns());
        let mut copying = Hashing::new(self.transaction.copy_in(&sql).map_err(failed)?);
        let count = source.write(table, &mut copying)?;
        let (hash, copying) = copying.end();
        copying.finish().map_err(|error| {
            Error::internal(format!("failed to copy {}: {}", table.name, describe(&error)))
        })?;
        if hash == self.hash(table)? {
            return Ok(count);
        }
        Err(Error::internal(format!("the copy of {} differs from the original", table.name)))
    }

    /// The hash of a table's rows by its key, as binary `COPY` has them.
    fn hash(&mut self, table: &Table) -> Result<[u8; 32]> {
        let (columns, key) = (table.columns(), table.key());
        let rows = format!("select {columns} from {} order by {key}", table.name());
        let sql = format!("copy ({rows}) to stdout (format binary)");
        let mut reader = self.transaction.copy_out(&sql).map_err(failed)?;
        let mut hashing = Hashing::new(io::sink());
        io::copy(&mut reader, &mut hashing).map_err(|error| not_copied(table, error))?;
        Ok(hashing.end().0)
    }

    fn names(&self) -> String {
        self.tables.iter().map(Table::name).collect::<Vec<_>>().join(", ")
    }

    fn run(&mut self, statements: &str) -> Result<()> {
        self.transaction.batch_execute(statements).map_err(failed)
    }

    /// Runs the statements in this column of the rows.
    fn run_each(&mut self, rows: &[Row], column: usize) -> Result<()> {
        rows.iter().try_for_each(|row| self.run(row.get(column)))
    }

    fn count(&mut self, sql: &str) -> Result<i64> {
        self.transaction.query_one(sql, &[]).map(|row| row.get(0)).map_err(failed)
    }
}

/// A row of [`TABLES`].
fn table(row: &Row) -> Result<Table> {
    let (name, columns, types): (String, Vec<String>, Vec<String>) =
        (row.get(0), row.get(1), row.get(2));
    let columns = columns.into_iter().zip(types).map(|(column, kind)| {
        let kind = Kind::named(&kind).ok_or_else(|| {
            Error::internal(format!("{name}.{column} has the type {kind}, which can't be copied"))
        })?;
        Ok(Column { name: column, kind })
    });
    Ok(Table { columns: columns.collect::<Result<_>>()?, key: row.get(3), name })
}

impl Table {
    fn name(&self) -> String {
        quoted(&self.name)
    }

    fn columns(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|column| quoted(&column.name)).collect();
        names.join(", ")
    }

    /// Texts are ordered by their bytes, as in SQLite.
    fn key(&self) -> String {
        let part = |name: &String| {
            let is_text = self.columns.iter().any(|it| it.name == *name && it.kind == Kind::Text);
            quoted(name) + if is_text { " collate \"C\"" } else { "" }
        };
        self.key.iter().map(part).collect::<Vec<_>>().join(", ")
    }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}
