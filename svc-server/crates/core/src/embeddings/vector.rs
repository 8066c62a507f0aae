//! A direction in the space of meanings.

/// Numbers of a vector, at least and at most.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=4096;

/// A vector whose numbers are whole, from -127 to 127: a byte each. Similarities differ from those of
/// the original by about a hundredth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector(Vec<u8>);

impl Vector {
    /// Rounds a vector, or says what is wrong with it.
    pub fn of(numbers: &[f32]) -> Result<Self, String> {
        if !LENGTH.contains(&numbers.len()) {
            return Err(format!("a vector of {} numbers; expected 8 to 4096", numbers.len()));
        }
        let largest = numbers.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
        if !numbers.iter().all(|number| number.is_finite()) || largest == 0.0 {
            return Err("a vector without a direction".to_owned());
        }
        #[expect(clippy::cast_possible_truncation, reason = "between -127 and 127")]
        let round = |number: &f32| (number / largest * 127.0).round() as i8;
        Ok(Self(numbers.iter().map(|number| round(number).cast_unsigned()).collect()))
    }

    /// Its bytes, to be stored.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// How similar a stored vector is: the cosine of the angle between them. None if they have different
    /// lengths.
    pub fn similarity(&self, stored: &[u8]) -> Option<f64> {
        if stored.len() != self.0.len() {
            return None;
        }
        let (mut product, mut own, mut other) = (0_i64, 0_i64, 0_i64);
        for (one, two) in self.0.iter().zip(stored) {
            let (one, two) = (i64::from(one.cast_signed()), i64::from(two.cast_signed()));
            product += one * two;
            own += one * one;
            other += two * two;
        }
        #[expect(clippy::cast_precision_loss, reason = "at most 4096 × 127²")]
        let cosine = product as f64 / ((own as f64) * (other as f64)).sqrt();
        Some(cosine).filter(|cosine| cosine.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(first: f32, second: f32) -> Vector {
        Vector::of(&[first, second, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap()
    }

    #[test]
    fn the_same_direction_is_most_similar() {
        let one = vector(0.3, 0.4);
        let similarity = |other: Vector| one.similarity(other.bytes()).unwrap();
        assert!(similarity(vector(3.0, 4.0)) > 0.999);
        assert!(similarity(vector(-0.3, -0.4)) < -0.999);
        assert!(similarity(vector(-0.4, 0.3)).abs() < 0.01);
        assert!((similarity(vector(1.0, 0.0)) - 0.6).abs() < 0.01);
        assert_eq!(one.similarity(&[1; 9]), None);
        assert_eq!(one.similarity(&[0; 8]), None, "no direction");
    }

    #[test]
    fn vectors_without_a_direction_are_refused() {
        let long = vec![1.0; 4097];
        for wrong in [&[0.0; 8][..], &[1.0; 7], &[f32::NAN; 8], &[f32::INFINITY; 8], &long] {
            assert!(Vector::of(wrong).is_err(), "{} numbers", wrong.len());
        }
    }
}
