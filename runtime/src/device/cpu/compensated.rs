//! Float sums that carry along what each addition rounded away, so that cancelling loses nothing that matters. The
//! error of every addition is a float itself, and found exactly; `ir::Graph::compensated` states
//! the bound, which holds in any order.

use super::agg::Total;

/// A sum so far.
#[derive(Clone, Copy, Default)]
pub struct Compensated {
    sum: f64,
    /// What was rounded away.
    lost: f64,
}

impl Compensated {
    /// The sum in the first two words of a cell.
    pub fn from_words([sum, lost, _]: Total) -> Compensated {
        Compensated { sum: f64::from_bits(sum), lost: f64::from_bits(lost) }
    }

    /// Its words in a cell.
    pub fn words(self) -> Total {
        [self.sum.to_bits(), self.lost.to_bits(), 0]
    }

    /// Adds `x`, which is no NaN.
    #[inline(always)]
    pub fn add(&mut self, x: f64) {
        let sum = self.sum + x;
        let part = sum - self.sum;
        self.lost += (self.sum - (sum - part)) + (x - part);
        self.sum = sum;
    }

    /// The sum. What an infinite one lost is no number.
    pub fn value(self) -> f64 {
        if self.lost.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

/// The sum of both.
pub fn joined(a: Total, b: Total) -> Total {
    let (mut sum, other) = (Compensated::from_words(a), Compensated::from_words(b));
    sum.add(other.sum);
    sum.lost += other.lost;
    sum.words()
}
