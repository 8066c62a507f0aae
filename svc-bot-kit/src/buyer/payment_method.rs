//! Which way an order is paid.

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use svc_client::types::Span;

/// How long a provider has to deliver into an escrow, unless the order says otherwise.
const DELIVERY: Span = Span::from_secs(7 * 86_400);

/// Which way an order is asked to be paid.
#[derive(Clone, Copy, Debug)]
pub(super) enum PaymentChoice {
    /// By an escrow from a price of the buyer's on.
    ByPrice,
    /// By an escrow that gives the provider so long to deliver.
    Escrow(Span),
    /// Without an escrow.
    Direct,
}

/// Which way an order is paid once that was decided. It stays so: an order that is gone on with
/// must not be paid another way too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PaymentMethod {
    /// The credits are held until the answer.
    Direct,
    /// An escrow holds them, and gives the provider so long to deliver.
    Escrow(Span),
}

impl PaymentMethod {
    /// By an escrow with the usual time.
    pub(super) const ESCROW: Self = Self::Escrow(DELIVERY);

    /// How long an escrow gives the provider; none without an escrow.
    pub(super) fn delivery(self) -> Option<Span> {
        match self {
            Self::Direct => None,
            Self::Escrow(delivery) => Some(delivery),
        }
    }
}

impl ToSql for PaymentMethod {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let seconds = self.delivery().map_or(0, |delivery| delivery.duration().as_secs());
        Ok(i64::try_from(seconds).unwrap_or(i64::MAX).into())
    }
}

impl FromSql for PaymentMethod {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let seconds = u64::try_from(value.as_i64()?).unwrap_or_default();
        Ok(if seconds == 0 { Self::Direct } else { Self::Escrow(Span::from_secs(seconds)) })
    }
}
