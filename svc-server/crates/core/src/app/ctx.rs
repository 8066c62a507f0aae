//! What a service function gets: a transaction, and what belongs to it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use svc_store::db::Tx;
use svc_store::error::{Budget, Error, Refusal, Result};
use svc_store::trace::Trace;
use svc_types::{Id, Timestamp};

use super::App;
use crate::effects::CommitEffects;
use crate::network::Network;
use crate::services::post::code::CodeOfPosts;
use crate::services::security::Alert;

/// The context of a service function: a transaction, and the app it belongs to.
pub struct Ctx<'a, 'tx> {
    /// The transaction.
    pub tx: &'a mut Tx<'tx>,
    /// Ids and settings.
    pub app: &'a App,
    /// The id of the current request; empty when there is none.
    pub request_id: Arc<str>,
    /// The trace of the request that writes, which its events keep.
    pub trace: Option<Trace>,
    /// Effects to deliver after the commit.
    pub effects: CommitEffects,
    /// New entries of security logs. Their accounts are notified just before the commit.
    pub alerts: Vec<Alert>,
    /// Size of the request body, for the budget of the account.
    pub request_bytes: u64,
    /// What this transaction spent of the account's budgets.
    pub spent: Vec<Budget>,
    /// Bytes of the events that this transaction has written or emptied.
    pub event_bytes: usize,
    /// Bytes of HTML that the posts of the answer may still have; 0 if the request asks for none.
    pub html_bytes: usize,
    /// The marks of the code in posts that were read, where a page shows them.
    pub code: Option<CodeOfPosts>,
    due_by: Option<Timestamp>,
    address: Option<IpAddr>,
    by_operator: bool,
    changed: Option<Arc<[String]>>,
}

impl<'a, 'tx> Ctx<'a, 'tx> {
    pub(super) fn new(tx: &'a mut Tx<'tx>, app: &'a App) -> Self {
        #[cfg(feature = "testing")]
        tx.note_plans(&app.plans);
        Self {
            tx,
            app,
            request_id: Arc::default(),
            trace: None,
            effects: CommitEffects::default(),
            alerts: Vec::new(),
            request_bytes: 0,
            spent: Vec::new(),
            event_bytes: 0,
            html_bytes: 0,
            code: None,
            due_by: None,
            address: None,
            by_operator: false,
            changed: None,
        }
    }

    /// The time of the transaction.
    pub const fn now(&self) -> Timestamp {
        self.tx.now()
    }

    /// Notes in security logs that the operator acts, rather than the account.
    pub const fn act_as_operator(&mut self) {
        self.by_operator = true;
    }

    /// Whether the operator acts.
    pub const fn is_by_operator(&self) -> bool {
        self.by_operator
    }

    /// Notes which members a person changed in a form whose request replaces several together; `None` if the request
    /// means all of them, as that of a program does.
    pub fn change_only(&mut self, members: Option<Arc<[String]>>) {
        self.changed = members;
    }

    /// Whether it is known which members a person changed.
    pub const fn is_of_changes(&self) -> bool {
        self.changed.is_some()
    }

    /// Whether a person left a member as the form showed it, so that it keeps its current value.
    pub fn leaves(&self, member: &str) -> bool {
        self.changed.as_ref().is_some_and(|changed| !changed.iter().any(|own| own == member))
    }

    /// Sets the address the request comes from.
    pub const fn come_from(&mut self, address: IpAddr) {
        self.address = Some(address);
    }

    /// The address the request comes from, if it is known.
    pub const fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// The network the request comes from. Requests without an address share one.
    pub fn network(&self) -> Network {
        Network::of(self.address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
    }

    /// Limits what lists and balances treat as overdue to what falls due by `instant`.
    pub const fn due_by(&mut self, instant: Option<Timestamp>) -> &mut Self {
        self.due_by = instant;
        self
    }

    /// The instant up to which lists and balances consider items overdue.
    pub fn due_by_now(&self) -> Timestamp {
        self.due_by.map_or(self.now(), |due_by| due_by.min(self.now()))
    }

    /// Runs `part` in a savepoint. A refusal rolls it back and is returned, and the transaction
    /// continues; any other error ends the transaction as usual.
    pub fn attempt<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Result<T, Box<Refusal>>> {
        self.tx.set_savepoint()?;
        let (mark, alerts) = (self.effects.mark(), self.alerts.len());
        match part(self) {
            Ok(done) => {
                self.tx.release_savepoint()?;
                Ok(Ok(done))
            }
            Err(Error::Refused(refusal)) if !self.tx.is_lost() => {
                self.tx.roll_back_to_savepoint()?;
                self.effects.forget_since(mark);
                self.alerts.truncate(alerts);
                Ok(Err(refusal))
            }
            Err(error) => Err(error),
        }
    }

    /// A new id.
    pub fn id<I: Id>(&self) -> I {
        self.app.ids.next(self.now())
    }

    /// A new id that is larger than the newest of a list, whose lock this transaction holds.
    pub fn id_after<I: Id + AsRef<str>>(&self, newest: Option<&I>) -> I {
        match newest {
            Some(newest) => self.app.ids.next_after(self.now(), newest),
            None => self.id(),
        }
    }
}
