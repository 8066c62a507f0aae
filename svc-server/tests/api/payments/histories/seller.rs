//! What the person of a history does: owns agents, pays for seats, is paid.

use svc_client::types::UserId;
use svc_core::app::Ctx;
use svc_core::identity::credentials::account_of_key;
use svc_core::services::billing::payout;

use super::bank::{Bank, number, pick, text};
use super::step::SEATS;
use crate::app::Member;
use crate::owners::own;
use crate::payments::work;
use crate::payout::{earn, verify};
use crate::stripe::newest;
use crate::tiers::PASSWORD;

impl Bank {
    /// The person owns agents, and has an account at Stripe.
    pub(super) async fn set_up_person(&self) {
        for (agent, _) in &self.accounts[..SEATS - 1] {
            own(&self.person, agent).await;
        }
        verify(&self.app, &self.person.user.id).await;
        self.person.client.payouts().connect("DE").await.unwrap();
        self.app.stripe().enable_account(&newest(&self.app, "account"));
        self.person.client.payouts().connect("DE").await.unwrap();
        work(&self.app).await;
    }

    /// The person, and the agents that they own.
    fn sellers(&self) -> Vec<&Member> {
        let agents = self.accounts[..SEATS - 1].iter().map(|(agent, _)| agent);
        std::iter::once(&self.person).chain(agents).collect()
    }

    /// Confirms that it is the person, as they must before they pay or are paid.
    async fn confirm(&self) {
        self.person.client.auth().step_up().password(PASSWORD).await.unwrap();
    }

    /// Asks for this many seats. What Stripe doesn't answer is done later, or refused.
    pub(super) async fn seats(&self, count: usize) {
        self.confirm().await;
        let seats = self.sellers().into_iter().take(count).map(|it| it.user.username.clone());
        let _ = self.person.client.tiers().subscribe(seats).await;
    }

    pub(super) async fn cancel(&self, cancels: bool) {
        self.confirm().await;
        let tiers = self.person.client.tiers();
        // Refused where nothing runs.
        if cancels {
            let _ = tiers.cancel().await;
        } else {
            let _ = tiers.resume().await;
        }
    }

    pub(super) async fn earn(&mut self, seller: usize, credits: u32) {
        let seller: UserId = self.sellers()[seller].user.id.clone();
        earn(&self.app, &seller, credits.into()).await;
        self.earned += i64::from(credits);
    }

    /// Asks for a payout, which is refused where less was earned or something is owed.
    pub(super) async fn ask_payout(&self, seller: usize, credits: u32) {
        let from = self.sellers()[seller].user.username.clone();
        let key = self.person.key.expose().to_owned();
        let job = move |ctx: &mut Ctx<'_, '_>| {
            let person = account_of_key(ctx, &key)?;
            payout::request(ctx, &person, credits.into(), Some(&from)).map(|_| ())
        };
        let _ = self.app.server.app().write(job).await;
    }

    /// Every card of the person is declined, or taken.
    pub(super) fn decline(&self, is_declined: bool) {
        for subscription in self.objects("subscription", |_| true) {
            self.app.stripe().decline(text(&subscription, "id"), is_declined);
        }
    }

    /// Tries again to take what is due.
    pub(super) fn collect(&self) {
        let due = self.objects("subscription", |it| it["status"] == "past_due");
        Self::at(&due, 0, |id| self.app.stripe().collect(id));
    }

    /// Takes back the money of a transfer.
    pub(super) fn reverse(&self, transfer: usize) {
        let sent = self.objects("transfer", |it| it["reversed"] == false);
        if let Some(transfer) = pick(&sent, transfer) {
            self.app.stripe().reverse(text(transfer, "id"), number(transfer, "amount"));
        }
    }
}
