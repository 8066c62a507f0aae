//! Changes that PostgreSQL gets as one statement.

use svc_store::db::{Db, Settings, Together, Tx, sql, together, values};
use svc_store::error::Result;
use svc_types::Code;

use crate::{on_both_engines, open};

const PAGE: &str = "insert into page (id, lines) values ($1, 1)
    on conflict (id) do update set lines = page.lines + 1";
const LINE: &str = "insert into line (page, text) values ($1, $2)";
const BOOK: &str = "update book set text = $1 where id >= $2";

const ALL: Together<3> = together!(PAGE, LINE, BOOK);

/// The second is there already.
const TAKEN: Together<2> = together!(PAGE, "insert into book (id) values ($1)");

async fn make_tables(db: &Db) {
    db.write(|tx| {
        for table in [
            sql!("create table page (id bigint primary key, lines bigint not null)"),
            sql!("create table line (page bigint not null references page (id), text text)"),
            sql!("create table book (id bigint primary key, text text)"),
            sql!("insert into book (id) values (1), (2), (3)"),
        ] {
            tx.execute(table, &[])?;
        }
        Ok(())
    })
    .await
    .unwrap();
}

/// Writes a line; how many books have its text.
fn add(tx: &mut Tx<'_>, page: i64, text: Option<&str>, first: i64) -> Result<u64> {
    tx.execute_together(ALL, [values![page], values![page, text], values![text, first]])
}

on_both_engines! {
    async fn all_changes_are_made_and_the_last_one_is_counted(settings: Settings) {
        let db = open(&settings);
        make_tables(&db).await;
        let counts = db.write(|tx| {
            let counts = [add(tx, 7, Some("one"), 2)?, add(tx, 7, Some("two"), 4)?, add(tx, 8, None, 3)?];
            tx.write_together(ALL, [values![8], values![8, "x"], values!["last", 3]])?;
            Ok(counts)
        });
        assert_eq!(counts.await.unwrap(), [2, 0, 1]);
        let found = db.read(|tx| {
            let lines: Vec<(i64, Option<String>)> = tx.all(sql!("select page, text from line"), &[])?;
            let pages: Vec<(i64, i64)> = tx.all(sql!("select id, lines from page order by id"), &[])?;
            let books: Vec<Option<String>> = tx.all(sql!("select text from book order by id"), &[])?;
            Ok((lines, pages, books))
        });
        let (mut lines, pages, books) = found.await.unwrap();
        lines.sort();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(lines, [(7, text("one")), (7, text("two")), (8, None), (8, text("x"))]);
        assert_eq!(pages, [(7, 2), (8, 2)]);
        assert_eq!(books, [None, text("one"), text("last")]);
    }

    async fn one_change_that_fails_undoes_all(settings: Settings) {
        let db = open(&Settings { connections: 1, ..settings });
        make_tables(&db).await;
        let failed = db.write(|tx| tx.write_together(TAKEN, [values![7], values![1]]));
        assert_eq!(failed.await.unwrap_err().code(), Code::Internal);
        let pages = sql!("select count(*) from page");
        assert_eq!(db.read(move |tx| tx.one::<i64>(pages, &[])).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn changes_together_are_one_statement_to_postgres() {
    let Some(settings) = crate::postgres() else { return };
    let db = open(&Settings { connections: 1, ..settings });
    make_tables(&db).await;
    let job = |page| db.write(move |tx| add(tx, page, Some("text"), 1));
    // The first of a connection prepares.
    job(1).await.unwrap();
    db.groups().watch();
    job(2).await.unwrap();
    let groups = db.groups().take();
    assert_eq!((groups[0].statements, groups[0].trips), (1, 2), "the changes, commit");
}
