//! Amounts of credits: exact, in millionths.
//!
//! On the wire an amount is a JSON number with at most six decimals, so `25`, `25.0` and `2.5e1`
//! are equal. Internally it is an integer of micro-credits; nothing is ever rounded.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// Micro-credits of one credit.
pub const SCALE: i64 = 1_000_000;

/// Maximum amount of one request, in micro-credits: 1e9 credits.
pub const AMOUNT_MAX: i64 = 1_000_000_000 * SCALE;

/// Maximum of all credits together, in micro-credits: 9e9 credits, below 2^53. A reader whose
/// numbers are doubles keeps a balance up to [`EXACT_MAX`] exactly, and a larger one to within a
/// micro-credit.
pub const TOTAL_MAX: i64 = 9_000_000_000 * SCALE;

/// Doubles represent each amount up to this one distinctly, in micro-credits: 2^33 credits.
pub const EXACT_MAX: i64 = (1 << 33) * SCALE;

/// An amount that is offered, requested or paid: 0 to 1e9 credits.
pub type Credits = Amount<0, AMOUNT_MAX>;

/// An amount above 0: up to 1e9 credits.
pub type PositiveCredits = Amount<1, AMOUNT_MAX>;

/// A balance or a change of one: −9e9 to 9e9 credits.
pub type Balance = Amount<{ -TOTAL_MAX }, TOTAL_MAX>;

/// An amount of credits from `MIN` to `MAX` micro-credits.
///
/// Decoding checks the bounds. An amount built in a program is not checked; the server refuses what
/// is out of range.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount<const MIN: i64, const MAX: i64>(i64);

impl<const MIN: i64, const MAX: i64> Amount<MIN, MAX> {
    /// An amount in micro-credits.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// The amount in micro-credits.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whether the amount is 0.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The amount in words: `5 credits`, `1 credit`.
    pub fn in_words(self) -> String {
        let unit = if self.0 == SCALE { "credit" } else { "credits" };
        format!("{self} {unit}")
    }

    /// The sum; `None` if it overflows.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference; `None` if it is out of range.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).filter(|micros| *micros >= MIN).map(Self)
    }

    /// The same amount with other bounds, which are not checked.
    pub const fn bounded<const LOW: i64, const HIGH: i64>(self) -> Amount<LOW, HIGH> {
        Amount(self.0)
    }

    fn from_whole(credits: i64) -> Option<Self> {
        credits.checked_mul(SCALE).and_then(Self::in_range)
    }

    /// The only conversion from floating point. It accepts whole numbers of micro-credits only.
    #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
    #[expect(clippy::cast_precision_loss, reason = "amounts stay below 2^53")]
    #[expect(clippy::float_cmp, reason = "exactness is what is asked")]
    fn from_fraction(credits: f64) -> Option<Self> {
        let guess = (credits * SCALE as f64).round();
        if guess.abs() > TOTAL_MAX as f64 {
            return None;
        }
        // The product of a large amount may be rounded to a neighbour.
        let guess = guess as i64;
        let micros = [guess, guess - 1, guess + 1]
            .into_iter()
            .find(|micros| *micros as f64 / SCALE as f64 == credits);
        micros.and_then(Self::in_range)
    }

    fn in_range(micros: i64) -> Option<Self> {
        (MIN..=MAX).contains(&micros).then_some(Self(micros))
    }
}

impl<const MIN: i64, const MAX: i64> From<u32> for Amount<MIN, MAX> {
    /// An amount of whole credits.
    fn from(credits: u32) -> Self {
        Self(i64::from(credits) * SCALE)
    }
}

/// The text is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmountError;

impl fmt::Display for AmountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount of credits has at most 6 decimals, such as 25 or 0.5")
    }
}

impl std::error::Error for AmountError {}

impl<const MIN: i64, const MAX: i64> FromStr for Amount<MIN, MAX> {
    type Err = AmountError;

    /// Parses plain digits with at most six decimals.
    fn from_str(text: &str) -> Result<Self, AmountError> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) || fraction.len() > 6 {
            return Err(AmountError);
        }
        let whole: i64 = whole.parse().map_err(|_| AmountError)?;
        let fraction: i64 = format!("{fraction:0<6}").parse().map_err(|_| AmountError)?;
        let micros = whole.checked_mul(SCALE).and_then(|micros| micros.checked_add(fraction));
        micros.and_then(|micros| Self::in_range(sign * micros)).ok_or(AmountError)
    }
}

impl<const MIN: i64, const MAX: i64> fmt::Display for Amount<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let scale = SCALE.unsigned_abs();
        let (whole, fraction) = (self.0.unsigned_abs() / scale, self.0.unsigned_abs() % scale);
        if fraction == 0 {
            return write!(f, "{sign}{whole}");
        }
        let decimals = format!("{fraction:06}");
        write!(f, "{sign}{whole}.{}", decimals.trim_end_matches('0'))
    }
}

impl<const MIN: i64, const MAX: i64> fmt::Debug for Amount<MIN, MAX> {
    /// Prints credits, not micro-credits: `Credits(1.5)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credits({self})")
    }
}

impl<const MIN: i64, const MAX: i64> Serialize for Amount<MIN, MAX> {
    #[expect(clippy::cast_precision_loss, reason = "amounts stay below 2^53")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % SCALE == 0 {
            serializer.serialize_i64(self.0 / SCALE)
        } else {
            serializer.serialize_f64(self.0 as f64 / SCALE as f64)
        }
    }
}

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Amount<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(Number::<MIN, MAX>)
    }
}

struct Number<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> Number<MIN, MAX> {
    fn judge<E: serde::de::Error>(
        self,
        read: Option<Amount<MIN, MAX>>,
    ) -> Result<Amount<MIN, MAX>, E> {
        read.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Other("a number"), &self))
    }
}

impl<const MIN: i64, const MAX: i64> Visitor<'_> for Number<MIN, MAX> {
    type Value = Amount<MIN, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (Balance::from_micros(MIN), Balance::from_micros(MAX));
        write!(f, "a number of credits from {low} to {high} with at most 6 decimals")
    }

    fn visit_u64<E: serde::de::Error>(self, credits: u64) -> Result<Self::Value, E> {
        let read = i64::try_from(credits).ok().and_then(Amount::from_whole);
        self.judge(read)
    }

    fn visit_i64<E: serde::de::Error>(self, credits: i64) -> Result<Self::Value, E> {
        self.judge(Amount::from_whole(credits))
    }

    fn visit_f64<E: serde::de::Error>(self, credits: f64) -> Result<Self::Value, E> {
        self.judge(Amount::from_fraction(credits))
    }
}

impl<const MIN: i64, const MAX: i64> JsonSchema for Amount<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Credits{MIN}To{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    /// Omits `multipleOf`: validators that divide doubles refuse valid amounts.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let number = |micros: i64| Balance::from_micros(micros);
        json_schema!({
            "type": "number",
            "minimum": number(MIN),
            "maximum": number(MAX),
            "description": "Credits, with at most 6 decimals.",
            "examples": [25],
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(json: &str) -> Option<i64> {
        serde_json::from_str::<Credits>(json).ok().map(Credits::micros)
    }

    #[test]
    fn only_exactly_one_credit_is_singular() {
        let texts = [0, 1, SCALE, 2 * SCALE, 5 * SCALE / 2]
            .map(|micros| Credits::from_micros(micros).in_words());
        assert_eq!(
            texts,
            ["0 credits", "0.000001 credits", "1 credit", "2 credits", "2.5 credits"]
        );
    }

    #[test]
    fn an_amount_is_debugged_as_credits() {
        assert_eq!(format!("{:?}", Credits::from(100)), "Credits(100)");
        assert_eq!(format!("{:?}", Balance::from_micros(-3 * SCALE / 2)), "Credits(-1.5)");
        assert_eq!(format!("{:?}", Balance::from_micros(-SCALE / 2)), "Credits(-0.5)");
    }

    #[test]
    fn the_ways_to_write_a_number_are_one_amount() {
        for json in ["25", "25.0", "2.5e1", "250e-1"] {
            assert_eq!(read(json), Some(25 * SCALE), "{json}");
        }
        assert_eq!(read("0.000001"), Some(1));
        assert_eq!(read("1e-6"), Some(1));
        assert_eq!(read("-0"), Some(0));
        assert_eq!(read("-0.0"), Some(0));
        assert_eq!(read("1000000000"), Some(AMOUNT_MAX));
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        let refused = [
            "-1",
            "-0.5",
            "\"25\"",
            "null",
            "true",
            "[]",
            "{}",
            "NaN",
            "1e400",
            "1e21",
            "0.0000001",
            "1.0000001",
            "1000000000.000001",
            "1000000001",
            "9007199254740993",
            "18446744073709551615",
        ];
        for json in refused {
            assert_eq!(read(json), None, "{json}");
        }
        assert!(serde_json::from_str::<PositiveCredits>("0").is_err());
    }

    #[test]
    fn whole_amounts_are_written_without_a_point() {
        assert_eq!(serde_json::to_string(&Credits::from(25)).unwrap(), "25");
        assert_eq!(serde_json::to_string(&Credits::from_micros(1_500_000)).unwrap(), "1.5");
        assert_eq!(Balance::from_micros(-2_500_001).to_string(), "-2.500001");
    }

    proptest! {
        #[test]
        fn an_amount_is_read_back_as_it_was_written(micros in 0..=AMOUNT_MAX) {
            let json = serde_json::to_string(&Credits::from_micros(micros)).unwrap();
            prop_assert_eq!(read(&json), Some(micros));
            let text = Credits::from_micros(micros).to_string();
            prop_assert_eq!(text.parse().map(Credits::micros), Ok(micros));
        }

        #[test]
        fn a_seventh_decimal_is_refused(whole in 0..1_000_000_i64, last in 1..=9_u8, six in 0..1_000_000_i64) {
            let json = format!("{whole}.{six:06}{last}");
            prop_assert_eq!(read(&json), None);
        }

        #[test]
        fn balances_are_read_back(micros in -EXACT_MAX..=EXACT_MAX) {
            let json = serde_json::to_string(&Balance::from_micros(micros)).unwrap();
            let read: Balance = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(read.micros(), micros);
        }
    }
}
