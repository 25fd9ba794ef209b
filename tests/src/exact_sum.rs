//! The true sum of floats, rounded once: what compensated sums are judged by.

/// The float nearest to the sum of `items`, which are finite, and so are the sums of any of them.
pub fn exact_sum(items: &[f64]) -> f64 {
    // What was added is the sum of these parts, no two of which have bits in one place; the least comes first.
    let mut parts: Vec<f64> = vec![];
    for &item in items {
        let mut x = item;
        let mut kept = 0;
        for i in 0..parts.len() {
            let (sum, lost) = two_sum(x, parts[i]);
            x = sum;
            if lost != 0.0 {
                parts[kept] = lost;
                kept += 1;
            }
        }
        parts.truncate(kept);
        parts.push(x);
    }
    // From the greatest on, until one changes the sum no more; it and those that follow only decide a tie.
    let mut sum = parts.pop().unwrap_or(0.0);
    while let Some(part) = parts.pop() {
        let (next, lost) = two_sum(sum, part);
        sum = next;
        if lost != 0.0 {
            let beyond =
                parts.last().is_some_and(|below| below.is_sign_negative() == lost.is_sign_negative());
            let further = sum + 2.0 * lost;
            return if beyond && further - sum == 2.0 * lost { further } else { sum };
        }
    }
    sum
}

/// The rounded sum, and what was rounded away.
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let part = sum - x;
    (sum, (x - (sum - part)) + (y - part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(exact_sum(&[]), 0.0);
        assert_eq!(exact_sum(&[1e16, 1.0, -1e16]), 1.0);
        assert_eq!(exact_sum(&[1e300, 1.0, -1e300, 1e-300]), 1.0);
        assert_eq!(exact_sum(&[0.1; 10]), 1.0);
        // Halfway between two floats, and above it by the least there is.
        let half = f64::EPSILON / 2.0;
        assert_eq!(exact_sum(&[1.0, half]), 1.0);
        assert_eq!(exact_sum(&[1.0, half, 1e-300]), 1.0 + f64::EPSILON);
        assert_eq!(exact_sum(&[1.0, half, -1e-300]), 1.0);
    }
}
