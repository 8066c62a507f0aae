//! Moderators whom a report concerns, and two who take the same one.

use svc_client::types::api::moderation::{
    AssignReport, ReopenReport, ReportOutcome, ResolveReport,
};
use svc_client::types::api::reports::{ReportStatus, Subject};
use svc_client::types::{Code, ReportId};

use super::{moderator, report};
use crate::app::{Member, code};
use crate::on_both_engines;
use crate::owners::pair;

on_both_engines! {
    async fn moderators_cannot_judge_their_own_cases(app: TestApp) {
        let [ada, _eve] = app.agents(["ada", "eve"]).await;
        let [judge, other] = [moderator(&app, "judge").await, moderator(&app, "other").await];
        let by_judge = report(&judge, Subject::user("eve")).await.id;
        let about_judge = report(&ada, Subject::user("judge")).await.id;
        for id in [&by_judge, &about_judge] {
            let moderation = judge.client.moderation();
            for assigned in [
                moderation.assign(id).await,
                moderation.assign(id).username("other").await,
            ] {
                assert_eq!(code::<AssignReport>(assigned), Code::Forbidden);
            }
            let refused = moderation.resolve(id, ReportOutcome::Dismissed).await;
            assert_eq!(code::<ResolveReport>(refused), Code::Forbidden);
            let of_other = other.client.moderation();
            of_other.resolve(id, ReportOutcome::Dismissed).note("nothing in it").await.unwrap();
            let refused = moderation.reopen(id).note("on second thought").await;
            assert_eq!(code::<ReopenReport>(refused), Code::Forbidden);
            let kept = of_other.report(id).await.unwrap().report;
            let kept = (kept.status, kept.note.as_deref());
            assert_eq!(kept, (ReportStatus::Dismissed, Some("nothing in it")));
        }
    }

    async fn a_moderator_does_not_learn_who_reported_them_or_their_agent(app: TestApp) {
        let [ada, _eve] = app.agents(["ada", "eve"]).await;
        let [ann, bot] = pair(&app).await;
        app.grant_role("ann", "moderator").await;
        let other = moderator(&app, "other").await;
        let post = bot.post("spam").await;
        for subject in [Subject::user("ann"), Subject::post(&post.id), Subject::user("eve")] {
            report(&ada, subject).await;
        }
        let named = async |by: &Member| {
            let listed = by.client.moderation().reports().await.unwrap().reports;
            let mut named = Vec::new();
            for report in listed {
                let one = by.client.moderation().report(&report.id).await.unwrap().report;
                assert_eq!(one, report);
                named.push(report.reporter.is_some());
            }
            named
        };
        assert_eq!(named(&ann).await, [true, false, false], "the newest first");
        assert_eq!(named(&other).await, [true; 3]);
        ann.client.agents().release("bot").await.unwrap();
        assert_eq!(named(&ann).await, [true, false, false], "a release does not tell her either");
    }

    async fn moderators_cannot_judge_cases_of_their_agents(app: TestApp) {
        let [ada, _eve] = app.agents(["ada", "eve"]).await;
        let [ann, bot] = pair(&app).await;
        app.grant_role("ann", "moderator").await;
        let other = moderator(&app, "other").await;
        let by_agent = report(&bot, Subject::user("eve")).await.id;
        let about_agent = report(&ada, Subject::user("bot")).await.id;
        let ends = async |id: &ReportId| {
            let ended = ann.client.moderation().resolve(id, ReportOutcome::Dismissed).await;
            code::<ResolveReport>(ended)
        };
        for id in [&by_agent, &about_agent] {
            assert_eq!(ends(id).await, Code::Forbidden);
        }
        ann.client.agents().release("bot").await.unwrap();
        assert_eq!(ends(&about_agent).await, Code::Forbidden, "it was hers when ada reported it");
        other.client.moderation().resolve(&about_agent, ReportOutcome::Dismissed).await.unwrap();
    }

    async fn a_report_is_assigned_to_nobody_whom_it_concerns(app: TestApp) {
        let [ada, _eve] = app.agents(["ada", "eve"]).await;
        let [judge, other] = [moderator(&app, "judge").await, moderator(&app, "other").await];
        let by_judge = report(&judge, Subject::user("eve")).await.id;
        let about_judge = report(&ada, Subject::user("judge")).await.id;
        let third = report(&ada, Subject::user("eve")).await.id;
        let of_other = other.client.moderation();
        for id in [&by_judge, &about_judge] {
            let refused = of_other.assign(id).username("judge").await.unwrap_err();
            assert_eq!(refused.field(), Some("username"));
            assert!(of_other.report(id).await.unwrap().report.assignee.is_none());
            of_other.assign(id).await.unwrap();
        }
        of_other.assign(&third).username("judge").await.unwrap();
    }

    async fn one_of_two_moderators_resolves_a_report(app: TestApp, "database.connections" = "4") {
        let [ada, _eve] = app.agents(["ada", "eve"]).await;
        let [judge, other] = [moderator(&app, "judge").await, moderator(&app, "other").await];
        let id = report(&ada, Subject::user("eve")).await.id;
        let ending = |who: &Member, outcome| {
            let call = who.client.moderation().resolve(&id, outcome);
            tokio::spawn(call.into_future())
        };
        let both = [
            ending(&judge, ReportOutcome::Actioned),
            ending(&other, ReportOutcome::Dismissed),
            ending(&judge, ReportOutcome::Dismissed),
            ending(&other, ReportOutcome::Actioned),
        ];
        let mut ended = Vec::new();
        for one in both {
            match one.await.unwrap() {
                Ok(answer) => ended.push(answer.report.status),
                Err(refused) => assert_eq!(refused.code(), Some(&Code::WrongState)),
            }
        }
        assert_eq!(ended.len(), 1);
        assert_eq!(judge.client.moderation().report(&id).await.unwrap().report.status, ended[0]);
    }
}
