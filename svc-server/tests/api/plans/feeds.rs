//! How feeds are found: along the index of their order, however many posts there are.

use svc_client::types::api::feed::{FeedSort, Window};
use svc_store::sql;

use super::World;

/// The feeds, in the words of SQLite.
const PLANS: &str = "
global, hot
  SEARCH p USING INDEX post_hot (hot>? AND (hot,id)<(?,?))
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
global, new
  SEARCH t USING INDEX timeline_posts (entry<?)
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
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
global, top, all
  SEARCH p USING INDEX post_points ((points,id)<(?,?))
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
  SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING PRIMARY KEY (account=? AND author=? AND post=?) LEFT-JOIN
    SCALAR SUBQUERY 1
    SEARCH m USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (account=? AND root=?)
global, top, 24h
  SEARCH p USING INDEX post_day_points (<expr>=? AND (points,id)<(?,?))
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
home
  SEARCH account USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH list USING INDEX list_owner (owner=?)
  SEARCH f USING COVERING INDEX follow_following (follower=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (muter=? AND muted=?)
    CORRELATED SCALAR SUBQUERY 3
    SEARCH l USING INDEX list_owner (owner=?)
    SEARCH o USING PRIMARY KEY (list=? AND member=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH t USING PRIMARY KEY (account=? AND entry<?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH t USING PRIMARY KEY (account=? AND entry<?)
    USE TEMP B-TREE FOR ORDER BY
  SEARCH timeline USING PRIMARY KEY (account=? AND entry>? AND entry<?)
  SEARCH f USING PRIMARY KEY (account=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH h USING COVERING INDEX post_hashtag_tag (tag=? AND post<?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH h USING COVERING INDEX post_hashtag_tag (tag=? AND post<?)
    USE TEMP B-TREE FOR ORDER BY
  SEARCH h USING COVERING INDEX post_hashtag_tag (tag=? AND post>? AND post<?)
    SEARCH p USING INDEX sqlite_autoindex_post_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH f USING PRIMARY KEY (follower=? AND followee=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH l USING INDEX list_owner (owner=?)
    SEARCH o USING PRIMARY KEY (list=? AND member=?)
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH f USING PRIMARY KEY (follower=? AND followee=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH f USING PRIMARY KEY (follower=? AND followee=?)
    CORRELATED SCALAR SUBQUERY 3
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 5
    SEARCH m USING PRIMARY KEY (muter=? AND muted=?)
home of who follows many
  CO-ROUTINE latest
    SEARCH timeline USING COVERING INDEX timeline_entry (entry<?)
    SCAN latest
    CORRELATED SCALAR SUBQUERY 3
    SEARCH m USING PRIMARY KEY (muter=? AND muted=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH l USING INDEX list_owner (owner=?)
    SEARCH o USING PRIMARY KEY (list=? AND member=?)
    SEARCH f EXISTS USING PRIMARY KEY (follower=? AND followee=?)
    SEARCH t USING PRIMARY KEY (account=? AND entry=?)
followers
  SEARCH a USING INDEX account_username (username=?)
  SEARCH f USING COVERING INDEX follow_followers (followee=? AND created_at<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
following
  SEARCH f USING COVERING INDEX follow_following (follower=? AND created_at<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
suggested
  SEARCH follow USING COVERING INDEX follow_following (follower=?)
  SEARCH follow USING COVERING INDEX follow_following (follower=?)
  SEARCH a USING INDEX account_followers ((followers_count,id)<(?,?))
    CORRELATED SCALAR SUBQUERY 1
    SEARCH f USING PRIMARY KEY (follower=? AND followee=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 3
    SEARCH b USING PRIMARY KEY (blocker=? AND blocked=?)
    CORRELATED SCALAR SUBQUERY 4
    SEARCH m USING PRIMARY KEY (muter=? AND muted=?)
likes
  SEARCH r USING COVERING INDEX reaction_likes (post=? AND liked_at>? AND liked_at<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
reposts
  SEARCH r USING COVERING INDEX reaction_reposts (post=? AND repost>? AND repost<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
bookmarks
  SEARCH reaction USING COVERING INDEX reaction_bookmarks (account=? AND bookmarked_at>? AND bookmarked_at<?)
";

impl World {
    async fn tell_of_feeds(&mut self) {
        let [bob, eve] = self.app.agents(["bob", "eve"]).await;
        let top = bob.post("top #tag").await;
        let client = self.ada.client.clone();
        client.relations().follow("bob").await.unwrap();
        eve.client.reactions().repost(&top.id).await.unwrap();
        client.relations().follow("eve").await.unwrap();
        client.hashtags().follow("tag").await.unwrap();
        client.feed().home().await.unwrap();
        client.feed().home().limit(1).await.unwrap();
        self.known.clear();
        self.tell("by key and post", client.posts().get(&top.id)).await;
        self.told.clear();
        for sort in [FeedSort::Hot, FeedSort::New] {
            self.tell(&format!("global, {sort}"), client.feed().global().sort(sort)).await;
        }
        for window in [Window::All, Window::Day] {
            let list = client.feed().global().sort(FeedSort::Top).window(window.clone());
            self.tell(&format!("global, top, {window}"), list).await;
        }
        self.tell("home", client.feed().home()).await;
        let many = sql!("update account set following_count = 1000 where username = 'ada'");
        self.app.execute(move |ctx| ctx.tx.execute(many, &[])).await;
        self.tell("home of who follows many", client.feed().home()).await;
        self.tell("followers", client.relations().followers("bob")).await;
        self.tell("following", client.relations().following("ada")).await;
        self.tell("suggested", client.relations().suggested()).await;
        self.tell("likes", client.reactions().likes(&top.id)).await;
        self.tell("reposts", client.reactions().reposts(&top.id)).await;
        self.tell("bookmarks", client.reactions().bookmarks()).await;
    }
}

#[tokio::test]
async fn feeds_are_found_along_an_index() {
    let mut world = World::new().await;
    world.tell_of_feeds().await;
    assert_eq!(world.told.trim(), PLANS.trim());
}
