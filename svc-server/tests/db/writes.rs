//! Writes whose result nobody needs: PostgreSQL gets them with the next statement.

use svc_store::db::{Db, Settings, Tx, sql, values};
use svc_store::error::{Error, Result};
use svc_types::Code;

use crate::{on_both_engines, open};

/// More than wait for another statement.
const MANY: i64 = 50;

async fn make_table(db: &Db) {
    let table =
        sql!("create table entry (n bigint primary key, text text, data bytea, is_set boolean)");
    db.write(move |tx| tx.write(table, &[])).await.unwrap();
}

fn insert(tx: &mut Tx<'_>, n: i64) -> Result<()> {
    tx.write(sql!("insert into entry (n) values ($1)"), values![n])
}

async fn numbers(db: &Db) -> Vec<i64> {
    db.read(|tx| tx.all(sql!("select n from entry order by n"), &[])).await.unwrap()
}

on_both_engines! {
    async fn a_statement_sees_the_writes_before_it_in_their_order(settings: Settings) {
        let db = open(&settings);
        make_table(&db).await;
        let seen = db.write(|tx| {
            for n in 0..MANY {
                insert(tx, n)?;
            }
            tx.write(
                sql!("update entry set text = $1, data = $2, is_set = $3 where n = $4"),
                values!["last", b"bytes".as_slice(), true, 7],
            )?;
            tx.write(sql!("update entry set n = n + 1000 where n > $1"), values![7])?;
            tx.write(sql!("update entry set is_set = $1 where n < $2"), values![None::<bool>, 7])?;
            let sql = sql!("select text, data, is_set from entry where n >= $1 and n < 1000");
            tx.one::<(String, Vec<u8>, bool)>(sql, values![7])
        });
        assert_eq!(seen.await.unwrap(), ("last".to_owned(), b"bytes".to_vec(), true));
        assert_eq!(numbers(&db).await.len(), usize::try_from(MANY).unwrap());
        assert_eq!(numbers(&db).await.last(), Some(&1049));
    }

    async fn a_write_that_fails_fails_its_job_and_undoes_it(settings: Settings) {
        // One connection, so that the next job has that of the failed one.
        let db = open(&Settings { connections: 1, ..settings });
        make_table(&db).await;
        let last = db.write(|tx| {
            insert(tx, 1)?;
            insert(tx, 1)
        });
        assert_eq!(last.await.unwrap_err().code(), Code::Internal);
        let before_another = db.write(|tx| {
            insert(tx, 1)?;
            insert(tx, 1)?;
            tx.one::<i64>(sql!("select count(*) from entry"), &[])
        });
        assert_eq!(before_another.await.unwrap_err().code(), Code::Internal);
        assert_eq!(numbers(&db).await, [0; 0]);
        db.write(|tx| insert(tx, 2)).await.unwrap();
        assert_eq!(numbers(&db).await, [2]);
    }

    async fn a_write_is_undone_with_its_job(settings: Settings) {
        let db = open(&Settings { connections: 1, ..settings });
        make_table(&db).await;
        let refused = db.write(|tx| {
            insert(tx, 1)?;
            Err::<(), _>(Error::refused(Code::Forbidden, "not today"))
        });
        assert_eq!(refused.await.unwrap_err().code(), Code::Forbidden);
        db.write(|tx| insert(tx, 2)).await.unwrap();
        assert_eq!(numbers(&db).await, [2]);
    }

    async fn a_write_belongs_to_its_savepoint(settings: Settings) {
        let db = open(&settings);
        make_table(&db).await;
        db.write(|tx| {
            insert(tx, 1)?;
            tx.set_savepoint()?;
            insert(tx, 2)?;
            tx.roll_back_to_savepoint()?;
            tx.set_savepoint()?;
            insert(tx, 3)?;
            tx.release_savepoint()?;
            insert(tx, 4)
        })
        .await
        .unwrap();
        assert_eq!(numbers(&db).await, [1, 3, 4]);
    }
}

#[tokio::test]
async fn a_begin_and_writes_share_the_round_trip_of_the_statement_that_follows() {
    let Some(settings) = crate::postgres() else { return };
    let db = open(&Settings { connections: 1, ..settings });
    make_table(&db).await;
    let job = |first: i64| {
        db.write(move |tx| {
            insert(tx, first)?;
            insert(tx, first + 1)?;
            tx.one::<i64>(sql!("select count(*) from entry"), &[])?;
            insert(tx, first + 2)
        })
    };
    // The first of a connection prepares.
    job(0).await.unwrap();
    db.groups().watch();
    job(10).await.unwrap();
    let groups = db.groups().take();
    assert_eq!((groups[0].statements, groups[0].trips), (4, 2), "begin and count, commit");
}
