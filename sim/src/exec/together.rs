//! What the member lanes of a warp do together: shuffles, votes, matches and reductions.

use super::lanes::{LANES, lanes};
use super::set;
use crate::machine::Warp;
use crate::ptx::{Op, Shuffle, Ty, Vote};
use crate::report::{Kind, Wrong};

/// Runs an operation of all lanes of `mask`, which have all arrived.
pub fn run(warp: &mut Warp, op: &Op, mask: u32) -> Result<(), Wrong> {
    match *op {
        Op::Shuffle { how, to, found, value, lane, clamp, .. } => {
            let (from, by, clamp) =
                (warp.regs[value as usize], warp.regs[lane as usize], warp.regs[clamp as usize]);
            let mut within = 0;
            for l in lanes(mask) {
                let (source, inside) = source(how, l, by[l] as usize & 31, clamp[l] as usize);
                let source = if inside { source } else { l };
                // A lane that takes no part holds what the hardware leaves undefined.
                if mask >> source & 1 == 0 {
                    let what = format!("a shuffle reads lane {source}, which takes no part");
                    return Err(Wrong { kind: Kind::Divergence, lane: Some(l), what });
                }
                warp.regs[to as usize][l] = Ty::Bits(4).narrow(from[source].into());
                within |= u32::from(inside) << l;
            }
            if let Some(found) = found {
                set(&mut warp.preds[found as usize], within, mask);
            }
        }
        Op::Vote { how, to, to_pred, by, not, .. } => {
            let by = (warp.preds[by as usize] ^ if not { u32::MAX } else { 0 }) & mask;
            let is = match how {
                Vote::All => by == mask,
                Vote::Any => by != 0,
                Vote::Uniform => by == mask || by == 0,
                Vote::Ballot => {
                    lanes(mask).for_each(|l| warp.regs[to as usize][l] = by.into());
                    return Ok(());
                }
            };
            if let Some(to) = to_pred {
                set(&mut warp.preds[to as usize], if is { u32::MAX } else { 0 }, mask);
            }
        }
        Op::Match { all, to, found, value, ty, .. } => {
            let values = warp.regs[value as usize].map(|x| ty.narrow(x.into()));
            let equal =
                |l: usize| lanes(mask).filter(|&o| values[o] == values[l]).fold(0u32, |m, o| m | 1 << o);
            let mut alike = 0;
            for l in lanes(mask) {
                let equal = equal(l);
                alike |= u32::from(equal == mask) << l;
                warp.regs[to as usize][l] = if all && equal != mask { 0 } else { equal.into() };
            }
            if let Some(found) = found {
                set(&mut warp.preds[found as usize], alike, mask);
            }
        }
        Op::Elect { to, elected, .. } => {
            let leader = mask.trailing_zeros();
            lanes(mask).for_each(|l| warp.regs[to as usize][l] = leader.into());
            set(&mut warp.preds[elected as usize], 1 << leader, mask);
        }
        Op::Reduce { f, ty, to, value, .. } => {
            let values = warp.regs[value as usize];
            let all = lanes(mask).map(|l| ty.widen(values[l])).reduce(f).unwrap_or(0);
            lanes(mask).for_each(|l| warp.regs[to as usize][l] = ty.narrow(all));
        }
        _ => {}
    }
    Ok(())
}

/// The lane that a shuffle reads, and whether it is within the segment.
fn source(how: Shuffle, lane: usize, by: usize, clamp: usize) -> (usize, bool) {
    let (segment, clamp) = (clamp >> 8 & 31, clamp & 31);
    let least = lane & segment;
    let most = least | (clamp & !segment);
    match how {
        Shuffle::Up => match lane.checked_sub(by) {
            Some(j) if j >= most => (j, true),
            _ => (lane, false),
        },
        Shuffle::Down => (lane + by, lane + by <= most),
        Shuffle::Butterfly => (lane ^ by, (lane ^ by) <= most),
        Shuffle::Index => {
            let j = least | (by & !segment & (LANES - 1));
            (j, j <= most)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffles_stay_in_their_segment() {
        // The clamp that `__shfl_down_sync` and `__shfl_up_sync` pass for a whole warp, and for segments of 16.
        assert_eq!(source(Shuffle::Down, 3, 4, 31), (7, true));
        assert!(!source(Shuffle::Down, 30, 4, 31).1);
        assert_eq!(source(Shuffle::Up, 3, 1, 0), (2, true));
        assert!(!source(Shuffle::Up, 0, 1, 0).1);
        assert!(!source(Shuffle::Down, 15, 1, 0x101f).1);
        assert_eq!(source(Shuffle::Index, 20, 3, 0x101f), (19, true));
        assert_eq!(source(Shuffle::Butterfly, 5, 16, 31), (21, true));
    }
}
