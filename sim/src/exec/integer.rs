//! Integer arithmetic, bits and shifts. Operands arrive widened as their types say and results are cut to theirs,
//! so one function serves all widths but where the width itself counts.

use crate::ptx::Ty;

/// A function, how many operands it takes, their types, and its result's type.
pub type Found = (fn(&[i128; 4]) -> i128, usize, [Ty; 4], Ty);

/// The function of an opcode.
pub fn find(stem: &str, modifiers: &[&str], ty: Ty) -> Option<Found> {
    let bytes = ty.bytes();
    let (all, word) = ([ty; 4], Ty::Bits(4));
    let wide = match ty {
        Ty::Signed(n) if n < 8 => Ty::Signed(2 * n),
        Ty::Bits(n) if n < 8 => Ty::Bits(2 * n),
        other => other,
    };
    let shift = [ty, word, ty, ty];
    let field = [ty, word, word, word];
    if matches!(ty, Ty::Float(_)) {
        return (stem == "mov").then_some((
            first as fn(&[i128; 4]) -> i128,
            1,
            [Ty::Bits(bytes); 4],
            Ty::Bits(bytes),
        ));
    }
    // Only these change an operation's meaning; none of our kernels saturates.
    let known = ["lo", "hi", "wide", "b4e", "wrap", "clamp", "l", "r", "shiftamt"];
    if modifiers.iter().any(|m| !known.contains(m)) {
        return None;
    }
    let has = |m: &str| modifiers.contains(&m);
    let high: fn(&[i128; 4]) -> i128 = match bytes {
        8 => |a| ((a[0].wrapping_mul(a[1])) >> 64) + a[2],
        4 => |a| ((a[0] * a[1]) >> 32) + a[2],
        _ => |a| ((a[0] * a[1]) >> 16) + a[2],
    };
    // An unsigned product of 128 bits is one bit too long for a signed word, but its upper half is not.
    let high = if ty == Ty::Bits(8) { high_unsigned } else { high };
    Some(match (stem, bytes) {
        ("mov", _) => (first, 1, all, ty),
        ("add", _) => (|a| a[0] + a[1], 2, all, ty),
        ("sub", _) => (|a| a[0] - a[1], 2, all, ty),
        ("mul", _) if has("wide") => (|a| a[0].wrapping_mul(a[1]), 2, all, wide),
        ("mul", _) if has("hi") => (high, 2, all, ty),
        ("mul", _) => (|a| a[0].wrapping_mul(a[1]), 2, all, ty),
        ("mad", _) if has("wide") => {
            (|a| a[0].wrapping_mul(a[1]).wrapping_add(a[2]), 3, [ty, ty, wide, ty], wide)
        }
        ("mad", _) if has("hi") => (high, 3, all, ty),
        ("mad", _) => (|a| a[0].wrapping_mul(a[1]).wrapping_add(a[2]), 3, all, ty),
        ("div", _) => (|a| a[0].checked_div(a[1]).unwrap_or(-1), 2, all, ty),
        ("rem", _) => (|a| a[0].checked_rem(a[1]).unwrap_or(a[0]), 2, all, ty),
        ("neg", _) => (|a| -a[0], 1, all, ty),
        ("abs", _) => (|a| a[0].abs(), 1, all, ty),
        ("min", _) => (|a| a[0].min(a[1]), 2, all, ty),
        ("max", _) => (|a| a[0].max(a[1]), 2, all, ty),
        ("and", _) => (|a| a[0] & a[1], 2, all, ty),
        ("or", _) => (|a| a[0] | a[1], 2, all, ty),
        ("xor", _) => (|a| a[0] ^ a[1], 2, all, ty),
        ("not", _) => (|a| !a[0], 1, all, ty),
        ("cnot", _) => (|a| i128::from(a[0] == 0), 1, all, ty),
        // Amounts beyond the width shift everything out; the sign fills from above.
        ("shl", _) => (|a| if a[1] > 63 { 0 } else { a[0] << a[1] }, 2, shift, ty),
        ("shr", _) => (|a| a[0] >> a[1].min(127), 2, shift, ty),
        ("shf", 4) if has("l") => (
            if has("wrap") { |a| funnel_left(a, a[2] & 31) } else { |a| funnel_left(a, a[2].min(32)) },
            3,
            all,
            ty,
        ),
        ("shf", 4) if has("r") => (
            if has("wrap") { |a| funnel_right(a, a[2] & 31) } else { |a| funnel_right(a, a[2].min(32)) },
            3,
            all,
            ty,
        ),
        ("popc", _) => (|a| i128::from(a[0].count_ones()), 1, all, word),
        ("clz", 8) => (|a| i128::from((a[0] as u64).leading_zeros()), 1, all, word),
        ("clz", _) => (|a| i128::from((a[0] as u32).leading_zeros()), 1, all, word),
        ("brev", 8) => (|a| i128::from((a[0] as u64).reverse_bits()), 1, all, ty),
        ("brev", _) => (|a| i128::from((a[0] as u32).reverse_bits()), 1, all, ty),
        ("bfind", 8) if has("shiftamt") => (|a| leading(a[0]).map_or(-1, |p| 63 - p), 1, all, word),
        ("bfind", _) if has("shiftamt") => (|a| leading(a[0]).map_or(-1, |p| 31 - p), 1, all, word),
        ("bfind", _) => (|a| leading(a[0]).unwrap_or(-1), 1, all, word),
        ("bfe", _) => (extract, 3, field, ty),
        ("bfi", _) => (insert, 4, [ty, ty, word, word], ty),
        ("prmt", 4) if modifiers.is_empty() => (permute, 3, [word; 4], word),
        ("lop3", 4) => (table, 4, [word; 4], word),
        _ => return None,
    })
}

/// The associative function of a reduction over a warp.
pub fn fold(name: &str) -> Option<fn(i128, i128) -> i128> {
    Some(match name {
        "add" => |x, y| x + y,
        "min" => |x, y| x.min(y),
        "max" => |x, y| x.max(y),
        "and" => |x, y| x & y,
        "or" => |x, y| x | y,
        "xor" => |x, y| x ^ y,
        _ => return None,
    })
}

fn first(a: &[i128; 4]) -> i128 {
    a[0]
}

fn high_unsigned(a: &[i128; 4]) -> i128 {
    ((a[0] as u128 * a[1] as u128) >> 64) as i128 + a[2]
}

/// The position of the highest bit that differs from the sign.
fn leading(x: i128) -> Option<i128> {
    let bits = if x < 0 { !x } else { x };
    (bits != 0).then(|| 127 - i128::from(bits.leading_zeros()))
}

fn funnel_left(a: &[i128; 4], by: i128) -> i128 {
    ((a[1] << 32 | a[0]) << by) >> 32
}

fn funnel_right(a: &[i128; 4], by: i128) -> i128 {
    (a[1] << 32 | a[0]) >> by
}

/// `a[2]` bits of `a[0]` from bit `a[1]`; the field's own sign fills a signed result.
fn extract(a: &[i128; 4]) -> i128 {
    let (from, count) = ((a[1] & 255).min(127), (a[2] & 255).min(64));
    if count == 0 {
        return 0;
    }
    let field = (a[0] >> from) & ((1i128 << count) - 1);
    let negative = a[0] < 0 && field >> (count - 1) & 1 == 1;
    if negative { field - (1i128 << count) } else { field }
}

/// The low `a[3]` bits of `a[0]` put over `a[1]` from bit `a[2]`.
fn insert(a: &[i128; 4]) -> i128 {
    let (at, count) = ((a[2] & 255).min(64), (a[3] & 255).min(64));
    let mask = ((1i128 << count) - 1) << at;
    (a[1] & !mask) | ((a[0] << at) & mask)
}

/// Four bytes of the eight of `a[1]:a[0]`, chosen by the nibbles of `a[2]`, whose top bit spreads the byte's sign.
fn permute(a: &[i128; 4]) -> i128 {
    let bytes = (a[0] | a[1] << 32) as u64;
    let byte = |i: u32| {
        let chosen = (a[2] >> (4 * i)) as u32 & 15;
        let byte = (bytes >> (8 * (chosen & 7))) as u8;
        if chosen & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 }
    };
    i128::from(u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]))
}

/// Any function of three bits, as the table `a[3]`.
fn table(a: &[i128; 4]) -> i128 {
    (0..8).filter(|i| a[3] >> i & 1 == 1).fold(0, |out, i| {
        let pick = |x: i128, bit: i32| if i >> bit & 1 == 1 { x } else { !x };
        out | (pick(a[0], 2) & pick(a[1], 1) & pick(a[2], 0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(opcode: &str, ty: Ty, args: &[u64]) -> u64 {
        let (stem, rest) = opcode.split_once('.').unwrap_or((opcode, ""));
        let modifiers: Vec<&str> = rest.split('.').filter(|m| !m.is_empty()).collect();
        let (f, n, types, result) = find(stem, &modifiers, ty).expect(opcode);
        assert_eq!(n, args.len(), "{opcode}");
        let mut wide = [0; 4];
        (0..n).for_each(|i| wide[i] = types[i].widen(args[i]));
        result.narrow(f(&wide))
    }

    #[test]
    fn widths_and_signs_are_kept_apart() {
        const MIN: u64 = i64::MIN as u64;
        assert_eq!(run("add", Ty::Bits(4), &[0xffff_ffff, 2]), 1);
        assert_eq!(run("sub", Ty::Signed(8), &[0, 1]), u64::MAX);
        assert_eq!(run("mul.lo", Ty::Signed(8), &[MIN, 3]), MIN);
        assert_eq!(run("mul.hi", Ty::Bits(8), &[u64::MAX, u64::MAX]), u64::MAX - 1);
        assert_eq!(run("mul.hi", Ty::Signed(8), &[u64::MAX, u64::MAX]), 0);
        assert_eq!(run("mul.wide", Ty::Signed(4), &[0xffff_ffff, 8]), (-8i64) as u64);
        assert_eq!(run("mad.wide", Ty::Bits(4), &[0xffff_ffff, 2, u64::MAX]), 0x1_ffff_fffd);
        assert_eq!(run("div", Ty::Signed(8), &[MIN, u64::MAX]), MIN);
        assert_eq!(run("div", Ty::Bits(4), &[7, 0]), 0xffff_ffff);
        assert_eq!(run("rem", Ty::Signed(4), &[-7i32 as u32 as u64, 2]), 0xffff_ffff);
        assert_eq!(run("shr", Ty::Signed(4), &[0x8000_0000, 40]), 0xffff_ffff);
        assert_eq!(run("shr", Ty::Bits(8), &[u64::MAX, 64]), 0);
        assert_eq!(run("shl", Ty::Bits(4), &[1, 32]), 0);
        assert_eq!(run("shl", Ty::Bits(8), &[1, 64]), 0);
        assert_eq!(run("abs", Ty::Signed(2), &[0xffff]), 1);
    }

    #[test]
    fn bits_move_as_told() {
        assert_eq!(run("prmt", Ty::Bits(4), &[0x0403_0201, 0, 0x0123]), 0x0102_0304);
        assert_eq!(run("prmt", Ty::Bits(4), &[0x80, 0x7f, 0x4c80]), 0x7f00_ff80);
        assert_eq!(run("bfi", Ty::Bits(8), &[0x1ff, 0, 8, 8]), 0xff00);
        assert_eq!(run("bfe", Ty::Bits(4), &[0xab00, 8, 4]), 0xb);
        assert_eq!(run("bfind", Ty::Bits(4), &[0]), 0xffff_ffff);
        assert_eq!(run("bfind.shiftamt", Ty::Bits(4), &[1]), 31);
        assert_eq!(run("clz", Ty::Bits(8), &[0]), 64);
        assert_eq!(run("popc", Ty::Bits(4), &[0xf0f0_f0f0_f0f0_f0f0]), 16);
        assert_eq!(run("lop3", Ty::Bits(4), &[0b1100, 0b1010, 0b1001, 0x80]), 0b1000);
        assert_eq!(run("shf.l.wrap", Ty::Bits(4), &[0x8000_0000, 1, 1]), 3);
        assert!(find("add", &["sat"], Ty::Signed(4)).is_none());
    }
}
