//! How hashtags, lists and what is searched for are found.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use svc_client::types::api::hashtags::{HashtagPostSort, HashtagSort, HashtagWindow};
use svc_client::types::api::lists::RepliesPolicy;
use svc_server::testing::START;
use svc_store::db::Plan;

use super::World;

/// Tables whose statements are told here.
const TABLES: &[&str] = &["hashtag", "list_member", "from list", "search_"];

/// Each way a table is read once, under the request that went it first, in the words of SQLite.
///
/// Sorted are the members of a list, 1000 at most, by their newest posts, and the 1000 newest posts
/// of a hashtag; what a list merges is at most a page of posts for each place of the page.
const PLANS: &str = "
index
  SEARCH h USING COVERING INDEX post_hashtag_tag (tag=? AND post>?)
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH hashtag USING COVERING INDEX hashtag_due (due_at>? AND due_at<?)
  SEARCH hashtag USING PRIMARY KEY (name=?)
  SEARCH search_doc USING COVERING INDEX search_doc_id (id=?)
  SEARCH search_queue USING PRIMARY KEY (id=?)
    LIST SUBQUERY 1
    SEARCH search_queue USING PRIMARY KEY (id>?)
  SEARCH search_queue USING PRIMARY KEY (id>?)
trending
  SEARCH h USING INDEX hashtag_day (accounts_day>? AND accounts_day<?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH f USING PRIMARY KEY (account=? AND tag=?)
trending in a week
  SEARCH h USING INDEX hashtag_week (accounts_week>? AND accounts_week<?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH f USING PRIMARY KEY (account=? AND tag=?)
trending of a beginning
  CO-ROUTINE named
    SEARCH t USING PRIMARY KEY (name>? AND name<?)
    SCAN named
    SEARCH h USING PRIMARY KEY (name=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH f USING PRIMARY KEY (account=? AND tag=?)
    USE TEMP B-TREE FOR ORDER BY
hashtags by name
  SEARCH h USING PRIMARY KEY (name>? AND name<?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH f USING PRIMARY KEY (account=? AND tag=?)
hashtag
  SEARCH h USING PRIMARY KEY (name=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH f USING PRIMARY KEY (account=? AND tag=?)
posts of a hashtag, new
  SCAN CONSTANT ROW
    SCALAR SUBQUERY 1
    SEARCH hashtag_follow USING PRIMARY KEY (account=? AND tag=?)
    SCALAR SUBQUERY 2
    SEARCH post_hashtag USING COVERING INDEX post_hashtag_tag (tag=?)
  SEARCH h USING COVERING INDEX post_hashtag_tag (tag=? AND post<?)
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SCALAR SUBQUERY 1
    SEARCH b USING PRIMARY KEY (blocker=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    SCALAR SUBQUERY 3
    SEARCH b USING COVERING INDEX block_blocked (blocked=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    SCALAR SUBQUERY 5
    SEARCH m USING PRIMARY KEY (muter=?)
    CORRELATED SCALAR SUBQUERY 6
    SEARCH m USING PRIMARY KEY (muter=? AND muted=?)
posts of a hashtag, hot
  SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    LIST SUBQUERY 9
    SEARCH h USING COVERING INDEX post_hashtag_tag (tag=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SCALAR SUBQUERY 3
    SEARCH b USING PRIMARY KEY (blocker=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    SCALAR SUBQUERY 5
    SEARCH b USING COVERING INDEX block_blocked (blocked=?)
    CORRELATED SCALAR SUBQUERY 6
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    SCALAR SUBQUERY 7
    SEARCH m USING PRIMARY KEY (muter=?)
    CORRELATED SCALAR SUBQUERY 8
    SEARCH m USING PRIMARY KEY (muter=? AND muted=?)
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
    USE TEMP B-TREE FOR ORDER BY
follow a hashtag
  SEARCH hashtag_follow USING PRIMARY KEY (account=?)
followed hashtags
  SEARCH f USING PRIMARY KEY (account=? AND tag>?)
    SEARCH h USING PRIMARY KEY (name=?) LEFT-JOIN
make a list
  SEARCH l USING INDEX sqlite_autoindex_list_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH list USING COVERING INDEX list_owner (owner=?)
lists
  SEARCH l USING INDEX list_owner (owner=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
public lists
  SEARCH l USING INDEX list_public (owner=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
members
  SEARCH m USING PRIMARY KEY (list=? AND member>?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
feed of a list, all
  CO-ROUTINE heads
    SEARCH m USING PRIMARY KEY (list=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 3
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH t USING PRIMARY KEY (muter=? AND muted=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH q USING COVERING INDEX post_author (author=? AND id<?)
    USE TEMP B-TREE FOR ORDER BY
    SCAN heads
    SEARCH p USING INDEX post_author (author=? AND id>? AND id<?)
    CORRELATED SCALAR SUBQUERY 6
    SEARCH q USING COVERING INDEX post_author (author=? AND id<?)
    USE TEMP B-TREE FOR ORDER BY
feed of a list, members
  CO-ROUTINE heads
    SEARCH m USING PRIMARY KEY (list=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 3
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH t USING PRIMARY KEY (muter=? AND muted=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH q USING COVERING INDEX post_author (author=? AND id<?)
    USE TEMP B-TREE FOR ORDER BY
    SCAN heads
    SEARCH p USING INDEX post_author (author=? AND id>? AND id<?)
    CORRELATED SCALAR SUBQUERY 6
    SEARCH q USING COVERING INDEX post_author (author=? AND id<?)
    CORRELATED SCALAR SUBQUERY 8
    SEARCH r USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH o USING PRIMARY KEY (list=? AND member=?)
    USE TEMP B-TREE FOR ORDER BY
feed of a list, none
  CO-ROUTINE heads
    SEARCH m USING PRIMARY KEY (list=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 3
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH t USING PRIMARY KEY (muter=? AND muted=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH q USING INDEX post_author_top (author=? AND id<?)
    USE TEMP B-TREE FOR ORDER BY
    SCAN heads
    SEARCH p USING INDEX post_author_top (author=? AND id>? AND id<?)
    CORRELATED SCALAR SUBQUERY 6
    SEARCH q USING INDEX post_author_top (author=? AND id<?)
    USE TEMP B-TREE FOR ORDER BY
remove from a list
  SEARCH list_member USING PRIMARY KEY (list=? AND member=?)
delete a list
  SEARCH list USING INDEX sqlite_autoindex_list_1 (id=?)
    SEARCH list_member USING PRIMARY KEY (list=?)
  SEARCH list_member USING PRIMARY KEY (list=?)
search posts
  CO-ROUTINE found
    SCAN search_index VIRTUAL TABLE INDEX 192:M1<>
    SCAN found
    SEARCH d USING INTEGER PRIMARY KEY (rowid=?)
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 3
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH m USING PRIMARY KEY (muter=? AND muted=?)
  SCAN CONSTANT ROW
    SCALAR SUBQUERY 1
    SEARCH search_doc USING COVERING INDEX search_doc_id (id>? AND id<?)
    SCALAR SUBQUERY 2
    SEARCH search_doc
search accounts
  CO-ROUTINE found
    SCAN search_index VIRTUAL TABLE INDEX 192:M1<>
    SCAN found
    SEARCH d USING INTEGER PRIMARY KEY (rowid=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
search services
  CO-ROUTINE found
    SCAN search_index VIRTUAL TABLE INDEX 192:M1<>
    SCAN found
    SEARCH d USING INTEGER PRIMARY KEY (rowid=?)
    SEARCH s USING INDEX sqlite_autoindex_service_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
edit
  SEARCH hashtag USING PRIMARY KEY (name=?)
    LIST SUBQUERY 1
    SEARCH post_hashtag USING PRIMARY KEY (post=?)
  SEARCH post_hashtag USING PRIMARY KEY (post=?)
";

impl World {
    /// Makes a request and tells of its statements about these tables.
    pub(super) async fn note<T>(
        &mut self,
        told: &mut String,
        tables: &[&str],
        name: &str,
        call: impl IntoFuture<Output = svc_client::Result<T>>,
    ) {
        self.app.server.app().plans.watch();
        call.await.map(drop).unwrap();
        let mut lines = BTreeSet::new();
        for Plan { sql, steps } in self.app.server.app().plans.take() {
            let scan = steps.iter().find(|step| self.scans_a_table(step));
            assert_eq!(scan, None, "{name}: {}", sql.text());
            let is_told = tables.iter().any(|table| sql.text().contains(table));
            if is_told && !sql.text().starts_with("insert") && self.known.insert(sql) {
                lines.insert(format!("  {}", steps.join("\n    ")));
            }
        }
        if !lines.is_empty() {
            let lines: Vec<String> = lines.into_iter().collect();
            writeln!(told, "{name}\n{}", lines.join("\n")).unwrap();
        }
    }

    async fn tell_of_discovery(&mut self) -> String {
        let told = &mut String::new();
        let bob = self.app.agent("bob").await;
        let top = self.ada.post("top #tag").await;
        bob.reply(&top, "reply #tag").await;
        bob.client.services().create("work", "does work", 5).await.unwrap();
        let (client, app) = (self.ada.client.clone(), Arc::clone(self.app.server.app()));
        self.note(told, TABLES, "index", async move {
            svc_core::tasks::index::once(&app).await.unwrap();
            Ok(())
        })
        .await;

        let hashtags = client.hashtags();
        self.note(told, TABLES, "trending", hashtags.list()).await;
        let week = hashtags.list().window(HashtagWindow::Week);
        self.note(told, TABLES, "trending in a week", week).await;
        self.note(told, TABLES, "trending of a beginning", hashtags.list().beginning("t")).await;
        self.note(told, TABLES, "hashtags by name", hashtags.list().sort(HashtagSort::Name)).await;
        self.note(told, TABLES, "hashtag", hashtags.get("tag")).await;
        for sort in [HashtagPostSort::New, HashtagPostSort::Hot] {
            let list = hashtags.posts("tag").sort(sort.clone());
            self.note(told, TABLES, &format!("posts of a hashtag, {sort}"), list).await;
        }
        self.note(told, TABLES, "follow a hashtag", hashtags.follow("tag")).await;
        self.note(told, TABLES, "followed hashtags", hashtags.followed()).await;

        let lists = client.lists();
        let list = lists.create("list").await.unwrap().list.id;
        self.note(told, TABLES, "make a list", lists.create("more")).await;
        self.note(told, TABLES, "lists", lists.list()).await;
        self.note(told, TABLES, "public lists", lists.list().owner("ada")).await;
        self.note(told, TABLES, "add to a list", lists.add(&list, ["bob"])).await;
        self.note(told, TABLES, "members", lists.members(&list)).await;
        for policy in [RepliesPolicy::All, RepliesPolicy::Members, RepliesPolicy::None] {
            lists.update(&list).replies_policy(policy.clone()).await.unwrap();
            self.note(told, TABLES, &format!("feed of a list, {policy}"), lists.feed(&list)).await;
        }
        self.note(told, TABLES, "remove from a list", lists.remove(&list, "bob")).await;
        self.note(told, TABLES, "delete a list", lists.delete(&list)).await;

        let search = client.search();
        self.note(told, TABLES, "search posts", search.posts("top").author("ada").since(START))
            .await;
        self.note(told, TABLES, "search accounts", search.users("ada")).await;
        self.note(told, TABLES, "search services", search.services("work")).await;
        self.note(told, TABLES, "edit", client.posts().edit(&top.id).content("edited")).await;
        self.note(told, TABLES, "delete", client.posts().delete(&top.id)).await;
        told.trim().to_owned()
    }
}

#[tokio::test]
async fn hashtags_lists_and_what_is_searched_for_are_found_along_an_index() {
    let mut world = World::new().await;
    assert_eq!(world.tell_of_discovery().await, PLANS.trim());
}

#[tokio::test]
async fn their_plans_stay_when_sqlite_has_counted_very_uneven_tables() {
    let mut world = World::new().await;
    world.skew().await;
    assert_eq!(world.tell_of_discovery().await, PLANS.trim());
}
