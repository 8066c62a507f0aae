//! How an order is paid.

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use svc_client::types::Span;

/// How long a provider has to deliver into an escrow by default: 7 days.
const DELIVERY: Span = Span::from_secs(7 * 86_400);

/// How the builder of an order asks to pay.
#[derive(Clone, Copy, Debug)]
pub(super) enum PaymentChoice {
    /// With an escrow from the buyer's threshold on, directly below it.
    ByPrice,
    /// With an escrow; the provider has this long to deliver.
    Escrow(Span),
    /// Without an escrow.
    Direct,
}

/// How an order is paid. It is decided once: resuming an order must not pay it a second way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PaymentMethod {
    /// The platform holds the credits until the answer.
    Direct,
    /// An escrow holds the credits; the provider has this long to deliver.
    Escrow(Span),
}

impl PaymentMethod {
    /// An escrow with the default time to deliver.
    pub(super) const ESCROW: Self = Self::Escrow(DELIVERY);

    /// The time to deliver into the escrow; `None` without an escrow.
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
