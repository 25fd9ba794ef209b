//! Arithmetic of floats. The `approx` functions give what the operation rounds to, of which hardware promises
//! some leading bits; those of doubles see and give the upper half of the bits only.

use super::lanes::Lanes;

/// The function of an opcode on doubles, and how many operands it takes.
pub fn double(stem: &str, modifiers: &[&str]) -> Option<(Lanes, usize)> {
    let has = |m: &str| modifiers.contains(&m);
    let approximate = has("approx") && has("ftz");
    let nearest = !["rz", "rm", "rp", "approx", "sat"].iter().any(|m| has(m));
    Some(match stem {
        "add" if has("rz") => (Lanes::doubles(add_towards_zero), 2),
        "sub" if has("rz") => (Lanes::doubles(|x, y, _| add_towards_zero(x, -y, 0.0)), 2),
        "rcp" if approximate => (Lanes::doubles(|x, _, _| upper(1.0 / upper(x))), 1),
        "rsqrt" if approximate => (Lanes::doubles(|x, _, _| upper(1.0 / upper(x).sqrt())), 1),
        _ if !nearest => return None,
        "mov" => (Lanes::doubles(|x, _, _| x), 1),
        "add" => (Lanes::doubles(|x, y, _| x + y), 2),
        "sub" => (Lanes::doubles(|x, y, _| x - y), 2),
        "mul" => (Lanes::doubles(|x, y, _| x * y), 2),
        "div" => (Lanes::doubles(|x, y, _| x / y), 2),
        "fma" | "mad" => (Lanes::doubles(f64::mul_add), 3),
        "neg" => (Lanes::doubles(|x, _, _| -x), 1),
        "abs" => (Lanes::doubles(|x, _, _| x.abs()), 1),
        "min" => (Lanes::doubles(|x, y, _| lesser(x, y)), 2),
        "max" => (Lanes::doubles(|x, y, _| -lesser(-x, -y)), 2),
        "sqrt" => (Lanes::doubles(|x, _, _| x.sqrt()), 1),
        "rcp" => (Lanes::doubles(|x, _, _| 1.0 / x), 1),
        "copysign" => (Lanes::doubles(|sign, x, _| x.copysign(sign)), 2),
        _ => return None,
    })
}

/// The function of an opcode on singles, and how many operands it takes.
pub fn single(stem: &str, modifiers: &[&str]) -> Option<(Lanes, usize)> {
    let has = |m: &str| modifiers.contains(&m);
    if ["rz", "rm", "rp", "sat"].iter().any(|m| has(m)) {
        return None;
    }
    Some(match stem {
        "mov" => (Lanes::singles(|x, _, _| x), 1),
        "add" => (Lanes::singles(|x, y, _| x + y), 2),
        "sub" => (Lanes::singles(|x, y, _| x - y), 2),
        "mul" => (Lanes::singles(|x, y, _| x * y), 2),
        "div" => (Lanes::singles(|x, y, _| x / y), 2),
        "fma" | "mad" => (Lanes::singles(f32::mul_add), 3),
        "neg" => (Lanes::singles(|x, _, _| -x), 1),
        "abs" => (Lanes::singles(|x, _, _| x.abs()), 1),
        "min" => (Lanes::singles(|x, y, _| lesser(x.into(), y.into()) as f32), 2),
        "max" => (Lanes::singles(|x, y, _| -lesser((-x).into(), (-y).into()) as f32), 2),
        "sqrt" => (Lanes::singles(|x, _, _| x.sqrt()), 1),
        "rcp" => (Lanes::singles(|x, _, _| 1.0 / x), 1),
        "rsqrt" => (Lanes::singles(|x, _, _| 1.0 / x.sqrt()), 1),
        "ex2" => (Lanes::singles(|x, _, _| x.exp2()), 1),
        "lg2" => (Lanes::singles(|x, _, _| x.log2()), 1),
        "sin" => (Lanes::singles(|x, _, _| x.sin()), 1),
        "cos" => (Lanes::singles(|x, _, _| x.cos()), 1),
        "tanh" => (Lanes::singles(|x, _, _| x.tanh()), 1),
        "copysign" => (Lanes::singles(|sign, x, _| x.copysign(sign)), 2),
        _ => return None,
    })
}

/// The upper 32 bits of a double.
fn upper(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}

/// The lesser; a NaN gives way, and -0.0 is less than 0.0.
fn lesser(x: f64, y: f64) -> f64 {
    match () {
        _ if x.is_nan() => y,
        _ if y.is_nan() => x,
        _ if x == y => f64::from_bits(if x.is_sign_negative() { x.to_bits() } else { y.to_bits() }),
        _ if x < y => x,
        _ => y,
    }
}

/// The sum rounded towards zero: the nearest sum, one step back where it is farther from zero than the exact one.
fn add_towards_zero(x: f64, y: f64, _: f64) -> f64 {
    let sum = x + y;
    if sum.is_infinite() && x.is_finite() && y.is_finite() {
        return f64::MAX.copysign(sum);
    }
    let part = sum - x;
    // What rounding took away, exactly.
    let rest = (x - (sum - part)) + (y - part);
    if sum.is_finite() && rest != 0.0 && (rest < 0.0) != (sum < 0.0) {
        return f64::from_bits(sum.to_bits() - 1);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_towards_zero_lose_their_last_bits() {
        let just_under_half = f64::from_bits(0.5f64.to_bits() - 1);
        assert_eq!(add_towards_zero(just_under_half, 0.5, 0.0), f64::from_bits(1f64.to_bits() - 1));
        assert_eq!(add_towards_zero(-just_under_half, -0.5, 0.0), -f64::from_bits(1f64.to_bits() - 1));
        assert_eq!(add_towards_zero(1.0, 2.0, 0.0), 3.0);
        assert_eq!(add_towards_zero(f64::MAX, f64::MAX, 0.0), f64::MAX);
        assert!(add_towards_zero(f64::INFINITY, f64::NEG_INFINITY, 0.0).is_nan());
    }

    #[test]
    fn the_lesser_is_no_nan_and_the_negative_zero() {
        assert_eq!(lesser(f64::NAN, 1.0), 1.0);
        assert!(lesser(0.0, -0.0).is_sign_negative() && lesser(-0.0, 0.0).is_sign_negative());
        let (max, _) = double("max", &[]).expect("it is there");
        assert_eq!(max.one(&[0, (-0.0f64).to_bits()]), 0, "the positive zero");
        assert!(double("add", &["rp"]).is_none() && double("fma", &["rm"]).is_none());
    }
}
