//! Query plans of reports and moderation actions.
//!
//! The snapshot holds the lists; the actions themselves are only checked for table scans.

use svc_client::types::api::moderation::{ModerationActionType as Kind, ReportOutcome};
use svc_client::types::api::reports::{ReportReason, ReportStatus, Subject, SubjectType};

use super::{World, assert_plans};
use crate::app::Member;

impl World {
    /// Reports a post and takes every moderation action on it as the moderator ada.
    async fn take_all_actions(&mut self, bob: &Member, eve: &Member) {
        let moderation = self.ada.client.clone();
        let moderation = moderation.moderation();
        let top = bob.post("top").await;
        let post = eve.reply(&top, "a trick").await;
        eve.client.reactions().like(&top.id).await.unwrap();
        eve.client.relations().follow("bob").await.unwrap();
        let post_subject = || Subject::post(&post.id);
        self.record("report", bob.client.reports().create(post_subject(), ReportReason::Spam))
            .await;
        let id = bob.client.reports().list().await.unwrap().reports.remove(0).id;
        self.record("a report", moderation.report(&id)).await;
        self.record("assign", moderation.assign(&id)).await;
        self.record("resolve", moderation.resolve(&id, ReportOutcome::Dismissed)).await;
        self.record("reopen", moderation.reopen(&id)).await;
        let act = |subject, kind| moderation.act(subject, kind, "the rules");
        self.record("hide", act(post_subject(), Kind::Hide)).await;
        self.record("restore", act(post_subject(), Kind::Restore)).await;
        self.record("label", act(post_subject(), Kind::Label).label("satire")).await;
        self.record("suspend", act(Subject::user("eve"), Kind::Suspend)).await;
        self.record("unsuspend", act(Subject::user("eve"), Kind::Unsuspend)).await;
        self.record("remove", act(post_subject(), Kind::Remove)).await;
        self.record("forget", eve.client.users().delete_me("eve")).await;
    }

    /// Records the lists of reporters and moderators.
    async fn record_moderation(&mut self, bob: &Member) {
        let ada = self.ada.client.clone();
        self.record("own reports", bob.client.reports().list()).await;
        let queue = || ada.moderation().reports();
        self.record("queue", queue()).await;
        self.record("queue, status", queue().status(ReportStatus::Open)).await;
        self.record("queue, reason", queue().reason(ReportReason::Spam)).await;
        self.record("queue, subject", queue().subject_type(SubjectType::Post)).await;
        self.record("queue, assignee", queue().assignee("ada")).await;
        let list = || ada.moderation().actions();
        self.record("actions", list()).await;
        self.record("actions, subject", list().subject_id("post_1")).await;
        self.record("actions, actor", list().actor("ada")).await;
        self.record("actions, type", list().kind(Kind::Hide)).await;
        self.record("actions, kind of subject", list().subject_type(SubjectType::Post)).await;
    }
}

#[tokio::test]
async fn reports_and_actions_use_an_index() {
    let mut world = World::new().await;
    let [eve, bob] = world.app.agents(["eve", "bob"]).await;
    world.app.grant_role("ada", "moderator").await;
    world.take_all_actions(&bob, &eve).await;
    world.plans.clear();
    world.record_moderation(&bob).await;
    assert_plans("moderation", &world.plans);
}
