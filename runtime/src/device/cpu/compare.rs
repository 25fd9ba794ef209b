//! Comparisons of floats with one atom. What is tolerantly equal to an atom is an interval, so its two ends are
//! found once a tile and each row takes plain comparisons.

use super::loops::map1;
use super::ops::{Step, map, step};
use super::repr::of_key;
use super::tile::{At, Line};
use q::scalar::{Key, item::close};
use q::{Kind, Prim, Store};

/// The step of the comparison `p` of floats with an atom on one side; none if it is anything else.
pub fn by_atom(p: Prim, kind: Kind, args: &[At], out: usize) -> Option<Step> {
    let (turned, x, atom) = match *args {
        [x, atom @ At::Atom(_)] => (p, x, atom),
        [atom @ At::Atom(_), x] => (turn(p), x, atom),
        _ => return None,
    };
    if kind.store() != Store::F || matches!(x, At::Atom(_)) {
        return None;
    }
    let slow = map(p, kind, args, out)?;
    // A null is less than every atom that is none.
    let fast = match turned {
        Prim::Gt => with(x, atom, out, |x, (_, high)| x > high),
        Prim::Le => with(x, atom, out, |x, (_, high)| x.is_nan() | (x <= high)),
        Prim::Ge => with(x, atom, out, |x, (low, _)| x >= low),
        Prim::Lt => with(x, atom, out, |x, (low, _)| x.is_nan() | (x < low)),
        Prim::Eq => with(x, atom, out, |x, (low, high)| (x >= low) & (x <= high)),
        Prim::Ne => with(x, atom, out, |x, (low, high)| !((x >= low) & (x <= high))),
        _ => return None,
    };
    Some(Box::new(move |t| if t.src::<f64>(atom).at(0).is_nan() { slow(t) } else { fast(t) }))
}

/// A comparison with its sides exchanged.
pub fn turn(p: Prim) -> Prim {
    match p {
        Prim::Gt => Prim::Lt,
        Prim::Lt => Prim::Gt,
        Prim::Ge => Prim::Le,
        Prim::Le => Prim::Ge,
        other => other,
    }
}

fn with(
    x: At,
    atom: At,
    out: usize,
    f: impl Fn(f64, (f64, f64)) -> bool + Copy + Send + Sync + 'static,
) -> Step {
    step(out, move |t, out: &mut [Line<u8>]| {
        let ends = ends(*t.src::<f64>(atom).at(0));
        map1(move |x: f64| f(x, ends) as u8, t.src(x), out);
    })
}

/// The least and greatest float that are tolerantly equal to `a`, which is no null: at most some thousand floats
/// away, as the tolerance is 2^-43 of the larger.
fn ends(a: f64) -> (f64, f64) {
    let end = |sign: i64| {
        let (mut near, mut far) = (0, 1 << 12);
        while far - near > 1 {
            let middle = (near + far) / 2;
            if close(neighbour(a, sign * middle), a) { near = middle } else { far = middle }
        }
        neighbour(a, sign * near)
    };
    (end(-1), end(1))
}

/// The float `steps` after `a` in their order; a NaN past the infinities.
fn neighbour(a: f64, steps: i64) -> f64 {
    f64::from_bits(of_key(Store::F, a.key().wrapping_add_signed(steps)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::tile::{Frame, Load, Slot, TILE};
    use q::scalar::Item;

    #[test]
    fn intervals_are_what_is_tolerantly_equal() {
        let inf = f64::INFINITY;
        for a in [
            0.0,
            -0.0,
            1.0,
            -1.0,
            50.0,
            0.1,
            -96.1,
            1e300,
            5e-324,
            -3e-310,
            1e-300,
            f64::MAX,
            -f64::MAX,
            inf,
            -inf,
        ] {
            let (low, high) = ends(a);
            assert!(close(low, a) && close(high, a), "{a}");
            assert!(
                !close(neighbour(low, -1), a) && !close(neighbour(high, 1), a) || a == 0.0,
                "{a} {low} {high}"
            );
            assert!(
                (-3000..3000)
                    .map(|i| neighbour(a, i))
                    .all(|x| x.is_nan() || close(x, a) == (x >= low && x <= high))
            );
        }
    }

    #[test]
    fn steps_agree_with_the_rules() {
        let special = [0.0, -0.0, f64::NAN, 50.0, -50.0, f64::INFINITY, f64::NEG_INFINITY, 1e-310];
        let items: Vec<f64> = (0..TILE)
            .map(|i| match i % 3 {
                0 => special[i / 3 % 8],
                _ => neighbour(special[i / 7 % 2 + 3], i as i64 - 1000),
            })
            .collect();
        for a in special {
            let mut atom = Slot::new(64, 8);
            atom.lines_mut::<f64>()[0].fill(a);
            let (atoms, loads) = ([atom], [Load { bytes: bytemuck::cast_slice(&items), width: 8 }]);
            let mut frame = Frame::new(&[1], &atoms, &loads, &[], &[]);
            frame.seek(0, TILE);
            type Rule = fn(f64, f64) -> bool;
            let rules: [(Prim, Rule); 6] = [
                (Prim::Eq, |x, y| x.equal(y)),
                (Prim::Ne, |x, y| !x.equal(y)),
                (Prim::Lt, |x, y| x.less(y)),
                (Prim::Gt, |x, y| y.less(x)),
                (Prim::Le, |x, y| !y.less(x)),
                (Prim::Ge, |x, y| !x.less(y)),
            ];
            for (p, rule) in rules {
                for turned in [false, true] {
                    let args = if turned { [At::Atom(0), At::Load(0)] } else { [At::Load(0), At::Atom(0)] };
                    by_atom(p, Kind::Float, &args, 0).expect("a comparison with an atom")(&mut frame);
                    for (i, &x) in items.iter().enumerate() {
                        let want = if turned { rule(a, x) } else { rule(x, a) };
                        assert_eq!(*frame.src::<u8>(At::Slot(0)).at(i) == 1, want, "{x} {p:?} {a} {turned}");
                    }
                }
            }
        }
    }
}
