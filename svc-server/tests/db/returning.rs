//! Changes that answer the rows they leave.

use svc_store::db::{Db, returning, sql, values};
use svc_types::Code;

use crate::{on_both_engines, open};

async fn make_counters(db: &Db) {
    db.write(|tx| {
        tx.execute(sql!("create table counter (id text primary key, n bigint not null)"), &[])?;
        tx.execute(sql!("insert into counter (id, n) values ('a', 1), ('b', 5)"), &[])
    })
    .await
    .unwrap();
}

on_both_engines! {
    async fn a_change_answers_the_rows_as_it_leaves_them(settings: Settings) {
        let db = open(&settings);
        make_counters(&db).await;
        let add = returning!(
            "insert into counter (id, n) values ($1, $2)
             on conflict (id) do update set n = counter.n + excluded.n",
            "n",
            "counter where id = $1",
        );
        let (old, new) = db
            .write(move |tx| {
                let old: i64 = tx.one_returning(add, values!["a", 2], values!["a"])?;
                let new: i64 = tx.one_returning(add, values!["c", 7], values!["c"])?;
                Ok((old, new))
            })
            .await
            .unwrap();
        assert_eq!((old, new), (3, 7));
    }

    async fn a_change_that_finds_no_row_answers_none(settings: Settings) {
        let db = open(&settings);
        make_counters(&db).await;
        // The query of the key would find the row that the change left alone.
        let take = returning!(
            "update counter set n = n - $1 where id = $2 and n >= $1",
            "n",
            "counter where id = $1",
        );
        let none = db.write(move |tx| tx.optional_returning::<i64>(take, values![2, "a"], values!["a"]));
        assert_eq!(none.await.unwrap(), None);
        let some = db.write(move |tx| tx.optional_returning::<i64>(take, values![2, "b"], values!["b"]));
        assert_eq!(some.await.unwrap(), Some(3));
    }

    async fn a_change_of_one_row_that_changed_several_is_undone(settings: Settings) {
        let db = open(&settings);
        make_counters(&db).await;
        let all = returning!("update counter set n = 0 where n > $1", "n", "counter where n = $1");
        let several = db.write(move |tx| tx.one_returning::<i64>(all, values![0], values![0]));
        assert_eq!(several.await.unwrap_err().code(), Code::Internal);
        let sum = sql!("select cast(sum(n) as bigint) from counter");
        assert_eq!(db.read(move |tx| tx.one::<i64>(sum, &[])).await.unwrap(), 6);
    }
}
