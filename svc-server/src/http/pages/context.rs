//! The endpoints that a page reads, in one job for one visitor.

use std::collections::HashSet;
use std::mem;

use svc_core::app::App;
use svc_core::app::Ctx;
use svc_core::identity::credentials::{self, Credentials};
use svc_core::identity::{Account, Caller};
use svc_core::keys::Hash;
use svc_core::services::moderation::{self, InForce};
use svc_core::services::post::code::CodeOfPosts;
use svc_core::services::{owner, report, visibility};
use svc_store::error::{Error, Result};
use svc_types::api::reports::Subject;
use svc_types::{Code, Endpoint, PostId, ReportId, Timestamp, UserId};

use super::{Site, signed_out};
use crate::http::pipeline::stale_session;

/// A job without its lifetimes.
trait Job {
    fn app(&self) -> &App;
    fn now(&self) -> Timestamp;
    fn run(&mut self, part: &mut dyn FnMut(&mut Ctx<'_, '_>));
}

impl Job for Ctx<'_, '_> {
    fn app(&self) -> &App {
        self.app
    }

    fn now(&self) -> Timestamp {
        Ctx::now(self)
    }

    fn run(&mut self, part: &mut dyn FnMut(&mut Ctx<'_, '_>)) {
        part(self);
    }
}

/// A visitor's view of the endpoints in one job.
pub struct PageContext<'l> {
    job: &'l mut dyn Job,
    site: &'l Site,
    account: Option<Account>,
    code: CodeOfPosts,
    changed: Option<Vec<String>>,
}

impl<'l> PageContext<'l> {
    /// Opens a context for the account of these credentials. An ended session is anonymous, and so
    /// is that of a deleted account, which can only restore itself.
    pub(super) fn open<'a, 'tx>(
        ctx: &'l mut Ctx<'a, 'tx>,
        site: &'l Site,
        credentials: &Credentials,
    ) -> Result<Self>
    where
        'a: 'l,
        'tx: 'l,
    {
        let account = match credentials::account(ctx, credentials) {
            Ok(account) => Some(account),
            Err(Error::Refused(refusal))
                if matches!(
                    refusal.code,
                    Code::Unauthorized | Code::AccountDeleted | Code::ApprovalPending
                ) =>
            {
                None
            }
            Err(error) => return Err(error),
        };
        Ok(Self { job: ctx, site, account, code: CodeOfPosts::new(), changed: None })
    }

    /// Reads an endpoint, as a client with the visitor's credential would.
    pub fn ask<E: Endpoint>(&mut self, request: &E) -> Result<E::Response> {
        let Self { job, site, account, code, .. } = self;
        let mut answer = None;
        job.run(&mut |ctx| {
            ctx.code = Some(mem::take(code));
            answer = Some(site.direct.read(ctx, account.as_ref(), request));
            *code = ctx.code.take().unwrap_or_default();
        });
        answer.expect("a job runs its closure")
    }

    /// Those of these accounts that search engines may list, which no endpoint says.
    pub fn listed(&mut self, usernames: &[&str]) -> Result<HashSet<String>> {
        let mut answer = None;
        self.job.run(&mut |ctx| answer = Some(visibility::listed(ctx, usernames)));
        answer.expect("a job runs its closure")
    }

    /// Whether moderators have hidden a post, which no endpoint says.
    pub fn is_hidden(&mut self, post: &PostId) -> Result<bool> {
        let mut answer = None;
        self.job.run(&mut |ctx| answer = Some(visibility::is_hidden(ctx, post)));
        answer.expect("a job runs its closure")
    }

    /// What moderators and the operator did to a subject that holds, which no endpoint says.
    pub fn in_force(&mut self, subject: &str) -> Result<Vec<InForce>> {
        let mut answer = None;
        self.job.run(&mut |ctx| answer = Some(moderation::in_force(ctx, subject)));
        answer.expect("a job runs its closure")
    }

    /// Whether the visitor, a moderator, leaves a subject to others because of whose it is, which no endpoint says.
    pub fn is_protected(&mut self, subject: &Subject) -> Result<bool> {
        let Self { job, account, .. } = self;
        let moderator = account.as_ref().ok_or_else(signed_out)?;
        let mut answer = None;
        job.run(&mut |ctx| answer = Some(moderation::is_protected(ctx, subject, moderator)));
        answer.expect("a job runs its closure")
    }

    /// Whether another moderator than the visitor decides a report, which no endpoint says.
    pub fn is_left_to_others(&mut self, report: &ReportId) -> Result<bool> {
        let Self { job, account, .. } = self;
        let moderator = account.as_ref().ok_or_else(signed_out)?;
        let mut answer = None;
        job.run(&mut |ctx| {
            let found = report::by_id(ctx, report);
            answer = Some(found.and_then(|found| found.concerns(ctx, moderator.person())));
        });
        answer.expect("a job runs its closure")
    }

    /// Whether one person is behind two accounts, which no endpoint says.
    pub fn are_of_one(&mut self, accounts: [&UserId; 2]) -> Result<bool> {
        let mut answer = None;
        self.job.run(&mut |ctx| answer = Some(owner::are_of_one(ctx, accounts)));
        answer.expect("a job runs its closure")
    }

    /// The username of the agent that a claim link is for, which no endpoint says.
    pub fn claimable(&mut self, link: &str) -> Result<Option<String>> {
        let mut answer = None;
        self.job.run(&mut |ctx| answer = Some(owner::claimable(ctx, link)));
        answer.expect("a job runs its closure")
    }

    /// Notes which members the person changed, for a form whose request replaces several together. The endpoint leaves
    /// the others as they are.
    pub fn change_only(&mut self, members: Vec<String>) {
        self.changed = Some(members);
    }

    /// Those members, if they were noted.
    pub(super) const fn take_changed(&mut self) -> Option<Vec<String>> {
        self.changed.take()
    }

    /// The marks of the code in the posts that were read so far.
    pub fn take_code(&mut self) -> CodeOfPosts {
        mem::take(&mut self.code)
    }

    /// The visitor's account, if signed in.
    pub const fn account(&self) -> Option<&Account> {
        self.account.as_ref()
    }

    /// The visitor's account; 401 leads to the sign-in.
    pub fn signed_in(&self) -> Result<&Account> {
        self.account.as_ref().ok_or_else(signed_out)
    }

    /// The platform's state.
    pub fn app(&self) -> &App {
        self.job.app()
    }

    /// The time of the job.
    pub fn now(&self) -> Timestamp {
        self.job.now()
    }

    /// Whether there is a page at a path such as `/messages`, for optional links.
    pub fn has(&self, path: &str) -> bool {
        self.site.page_paths.contains(&path)
    }

    pub(super) fn stale_session(&self) -> Option<Hash> {
        self.account.as_ref().and_then(stale_session)
    }

    pub(super) fn principal(&self) -> Option<String> {
        self.account.as_ref().and_then(Caller::principal).map(str::to_owned)
    }
}
