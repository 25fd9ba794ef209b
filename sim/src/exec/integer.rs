//! Integer arithmetic, bits and shifts.

use super::lanes::Lanes;
use crate::ptx::Ty;

/// The function of an opcode, and how many operands it takes.
pub fn find(stem: &str, modifiers: &[&str], ty: Ty) -> Option<(Lanes, usize)> {
    let bytes = ty.bytes();
    if matches!(ty, Ty::Float(_)) {
        return (stem == "mov").then(|| (Lanes::bits(Ty::Bits(bytes), |[x, ..]| x), 1));
    }
    // Only these change an operation's meaning; none of our kernels saturates.
    let known = ["lo", "hi", "wide", "b4e", "wrap", "clamp", "l", "r", "shiftamt"];
    if modifiers.iter().any(|m| !known.contains(m)) {
        return None;
    }
    let has = |m: &str| modifiers.contains(&m);
    let word = Ty::Bits(4);
    let field = [ty, word, word, word];
    Some(match (stem, bytes) {
        ("mov", _) => (Lanes::bits(ty, |[x, ..]| x), 1),
        ("add", _) => (Lanes::bits(ty, |[x, y, ..]| x.wrapping_add(y)), 2),
        ("sub", _) => (Lanes::bits(ty, |[x, y, ..]| x.wrapping_sub(y)), 2),
        ("mul", _) if has("wide") => (product(ty)?, 2),
        ("mul", _) if has("hi") => (high(ty), 2),
        ("mul", _) => (Lanes::bits(ty, |[x, y, ..]| x.wrapping_mul(y)), 2),
        ("mad", _) if has("wide") => (product(ty)?, 3),
        ("mad", _) if has("hi") => (high(ty), 3),
        ("mad", _) => (Lanes::bits(ty, |[x, y, z, _]| x.wrapping_mul(y).wrapping_add(z)), 3),
        // The hardware's answers to a zero: all bits, and the dividend.
        ("div", _) => {
            let signed = |[x, y, ..]: [i64; 4]| if y == 0 { -1 } else { x.wrapping_div(y) };
            (Lanes::typed(ty, signed, |[x, y, ..]| x.checked_div(y).unwrap_or(u64::MAX)), 2)
        }
        ("rem", _) => {
            let signed = |[x, y, ..]: [i64; 4]| if y == 0 { x } else { x.wrapping_rem(y) };
            (Lanes::typed(ty, signed, |[x, y, ..]| x.checked_rem(y).unwrap_or(x)), 2)
        }
        ("neg", _) => (Lanes::bits(ty, |[x, ..]| x.wrapping_neg()), 1),
        ("abs", _) => (Lanes::typed(ty, |[x, ..]| x.wrapping_abs(), |[x, ..]| x), 1),
        ("min", _) => (Lanes::typed(ty, |[x, y, ..]| x.min(y), |[x, y, ..]| x.min(y)), 2),
        ("max", _) => (Lanes::typed(ty, |[x, y, ..]| x.max(y), |[x, y, ..]| x.max(y)), 2),
        ("and", _) => (Lanes::bits(ty, |[x, y, ..]| x & y), 2),
        ("or", _) => (Lanes::bits(ty, |[x, y, ..]| x | y), 2),
        ("xor", _) => (Lanes::bits(ty, |[x, y, ..]| x ^ y), 2),
        ("not", _) => (Lanes::bits(ty, |[x, ..]| !x), 1),
        ("cnot", _) => (Lanes::typed(ty, |[x, ..]| i64::from(x == 0), |[x, ..]| u64::from(x == 0)), 1),
        // A shift by as many bits as there are, or more, leaves none; the sign fills from above.
        ("shl", _) => (Lanes::bits(ty, |[x, by, ..]| x.checked_shl(by as u32).unwrap_or(0)), 2),
        ("shr", _) => (shift_right(ty), 2),
        ("shf", 4) if has("l") && has("wrap") => (rare(3, [ty; 4], ty, |a| funnel_left(a, a[2] & 31)), 3),
        ("shf", 4) if has("l") => (rare(3, [ty; 4], ty, |a| funnel_left(a, a[2].min(32))), 3),
        ("shf", 4) if has("r") && has("wrap") => (rare(3, [ty; 4], ty, |a| funnel_right(a, a[2] & 31)), 3),
        ("shf", 4) if has("r") => (rare(3, [ty; 4], ty, |a| funnel_right(a, a[2].min(32))), 3),
        ("popc", 8) => (Lanes::of(|[x, ..]| x.count_ones().into()), 1),
        ("popc", 4) => (Lanes::of(|[x, ..]| (x as u32).count_ones().into()), 1),
        ("clz", 8) => (Lanes::of(|[x, ..]| x.leading_zeros().into()), 1),
        ("clz", 4) => (Lanes::of(|[x, ..]| (x as u32).leading_zeros().into()), 1),
        ("brev", 8) => (Lanes::of(|[x, ..]| x.reverse_bits()), 1),
        ("brev", 4) => (Lanes::of(|[x, ..]| (x as u32).reverse_bits().into()), 1),
        ("bfind", 8) if has("shiftamt") => {
            (rare(1, [ty; 4], word, |a| leading(a[0]).map_or(-1, |p| 63 - p)), 1)
        }
        ("bfind", _) if has("shiftamt") => {
            (rare(1, [ty; 4], word, |a| leading(a[0]).map_or(-1, |p| 31 - p)), 1)
        }
        ("bfind", _) => (rare(1, [ty; 4], word, |a| leading(a[0]).unwrap_or(-1)), 1),
        ("bfe", _) => (rare(3, field, ty, extract), 3),
        ("bfi", _) => (rare(4, [ty, ty, word, word], ty, insert), 4),
        ("prmt", 4) if modifiers.is_empty() => (rare(3, [word; 4], word, permute), 3),
        ("lop3", 4) => (rare(4, [word; 4], word, table), 4),
        _ => return None,
    })
}

/// A function whose operands are too seldom worth a loop of their own.
fn rare(count: usize, types: [Ty; 4], result: Ty, f: fn(&[i128; 4]) -> i128) -> Lanes {
    Lanes::of(move |a| {
        let wide = std::array::from_fn(|i| if i < count { types[i].widen(a[i]) } else { 0 });
        result.narrow(f(&wide))
    })
}

/// A product of twice the width, and a sum with it.
fn product(ty: Ty) -> Option<Lanes> {
    Some(match ty {
        Ty::Signed(4) => Lanes::of(|[x, y, z, _]| {
            (i64::from(x as i32) * i64::from(y as i32)).wrapping_add(z as i64) as u64
        }),
        Ty::Bits(4) => Lanes::of(|[x, y, z, _]| (u64::from(x as u32) * u64::from(y as u32)).wrapping_add(z)),
        Ty::Signed(2) => Lanes::of(|[x, y, z, _]| {
            u64::from((i32::from(x as i16) * i32::from(y as i16)).wrapping_add(z as i32) as u32)
        }),
        Ty::Bits(2) => Lanes::of(|[x, y, z, _]| {
            u64::from((u32::from(x as u16) * u32::from(y as u16)).wrapping_add(z as u32))
        }),
        _ => return None,
    })
}

/// The upper half of a product, and a sum with it.
fn high(ty: Ty) -> Lanes {
    match ty {
        Ty::Signed(8) => Lanes::of(|[x, y, z, _]| {
            (((i128::from(x as i64) * i128::from(y as i64)) >> 64) as u64).wrapping_add(z)
        }),
        Ty::Bits(8) => {
            Lanes::of(|[x, y, z, _]| (((u128::from(x) * u128::from(y)) >> 64) as u64).wrapping_add(z))
        }
        _ => {
            let bits = 8 * u32::from(ty.bytes());
            let signed = move |[x, y, z, _]: [i64; 4]| ((x * y) >> bits) + z;
            Lanes::typed(ty, signed, move |[x, y, z, _]| ((x * y) >> bits) + z)
        }
    }
}

/// A shift right, whose count is an unsigned word whatever the type.
fn shift_right(ty: Ty) -> Lanes {
    let left = 64 - 8 * u32::from(ty.bytes());
    match ty {
        Ty::Signed(_) => {
            Lanes::bits(ty, move |[x, by, ..]| ((x << left) as i64 >> left >> (by as u32).min(63)) as u64)
        }
        _ => Lanes::of(move |[x, by, ..]| (x << left >> left).checked_shr(by as u32).unwrap_or(0)),
    }
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
        let (f, n) = find(stem, &modifiers, ty).expect(opcode);
        assert_eq!(n, args.len(), "{opcode}");
        f.one(args)
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
