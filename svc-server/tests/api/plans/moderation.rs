//! How reports and what moderators did are found, and what is read for their acts.

use svc_client::types::api::moderation::{ModerationActionType as Kind, ReportOutcome};
use svc_client::types::api::reports::{ReportReason, ReportStatus, Subject, SubjectType};

use super::World;
use crate::app::Member;

/// The lists, in the words of SQLite; the acts are looked through for tables read from end to end.
const PLANS: &str = "
own reports
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH r USING INDEX report_reporter (reporter=? AND id<?)
    SEARCH m USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
queue
  SEARCH r USING INDEX sqlite_autoindex_report_1 (id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH m USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
queue, status
  SEARCH r USING INDEX report_status (status=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH m USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
queue, reason
  SEARCH r USING INDEX report_reason (reason=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH m USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
queue, subject
  SEARCH r USING INDEX report_subject_type (subject_type=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH m USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
queue, assignee
  SEARCH r USING INDEX report_assignee (assignee=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH m USING INDEX sqlite_autoindex_account_1 (id=?) LEFT-JOIN
actions
  SEARCH m USING INDEX sqlite_autoindex_moderation_action_1 (id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
actions, subject
  SEARCH m USING INDEX moderation_action_subject (subject=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
actions, actor
  SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    SEARCH m USING INDEX moderation_action_actor (actor=? AND id<?)
actions, type
  SEARCH m USING INDEX moderation_action_kind (kind=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
actions, kind of subject
  SEARCH m USING INDEX moderation_action_subject_type (subject_type=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
";

impl World {
    /// Reports something and does everything to it, as the moderator ada.
    async fn act_on_all(&mut self, bob: &Member, eve: &Member) {
        let moderation = self.ada.client.clone();
        let moderation = moderation.moderation();
        let top = bob.post("top").await;
        let post = eve.reply(&top, "a trick").await;
        eve.client.reactions().like(&top.id).await.unwrap();
        eve.client.relations().follow("bob").await.unwrap();
        let of_post = || Subject::post(&post.id);
        self.tell("report", bob.client.reports().create(of_post(), ReportReason::Spam)).await;
        let id = bob.client.reports().list().await.unwrap().reports.remove(0).id;
        self.tell("a report", moderation.report(&id)).await;
        self.tell("assign", moderation.assign(&id)).await;
        self.tell("resolve", moderation.resolve(&id, ReportOutcome::Dismissed)).await;
        self.tell("reopen", moderation.reopen(&id)).await;
        let act = |subject, kind| moderation.act(subject, kind, "the rules");
        self.tell("hide", act(of_post(), Kind::Hide)).await;
        self.tell("restore", act(of_post(), Kind::Restore)).await;
        self.tell("label", act(of_post(), Kind::Label).label("satire")).await;
        self.tell("suspend", act(Subject::user("eve"), Kind::Suspend)).await;
        self.tell("unsuspend", act(Subject::user("eve"), Kind::Unsuspend)).await;
        self.tell("remove", act(of_post(), Kind::Remove)).await;
        self.tell("forget", eve.client.users().delete_me("eve")).await;
    }

    /// Tells of the lists of reporters and moderators.
    async fn tell_of_moderation(&mut self, bob: &Member) {
        let ada = self.ada.client.clone();
        self.tell("own reports", bob.client.reports().list()).await;
        let queue = || ada.moderation().reports();
        self.tell("queue", queue()).await;
        self.tell("queue, status", queue().status(ReportStatus::Open)).await;
        self.tell("queue, reason", queue().reason(ReportReason::Spam)).await;
        self.tell("queue, subject", queue().subject_type(SubjectType::Post)).await;
        self.tell("queue, assignee", queue().assignee("ada")).await;
        let list = || ada.moderation().actions();
        self.tell("actions", list()).await;
        self.tell("actions, subject", list().subject_id("post_1")).await;
        self.tell("actions, actor", list().actor("ada")).await;
        self.tell("actions, type", list().kind(Kind::Hide)).await;
        self.tell("actions, kind of subject", list().subject_type(SubjectType::Post)).await;
    }
}

#[tokio::test]
async fn reports_and_actions_are_found_along_an_index() {
    let mut world = World::new().await;
    let [eve, bob] = world.app.agents(["eve", "bob"]).await;
    world.app.grant_role("ada", "moderator").await;
    world.act_on_all(&bob, &eve).await;
    world.told.clear();
    world.tell_of_moderation(&bob).await;
    assert_eq!(world.told.trim(), PLANS.trim());
}
