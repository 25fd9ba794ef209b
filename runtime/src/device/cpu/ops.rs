//! Steps: what the engine does to a tile for each operation of the graph. A step is a loop with the element
//! rule of `q::scalar` inside, closed over the places of its arguments and its result.

use super::loops::{map1, map2, map3};
use super::tile::{At, Frame, LINE, Line};
use bytemuck::Pod;
use q::scalar::{Each1, Each2, Item, Key, with_cast, with1, with2, within};
use q::value::Guid;
use q::{Kind, Prim, Store};

/// An instruction: computes one slot of the frame from others.
pub type Step = Box<dyn Fn(&mut Frame) + Send + Sync>;

/// A step that writes the lines of the slot `out`.
pub fn step<R: Pod>(out: usize, run: impl Fn(&Frame, &mut [Line<R>]) + Send + Sync + 'static) -> Step {
    Box::new(move |t| {
        let mut slot = t.take(out);
        run(t, &mut slot.lines_mut()[..t.lines()]);
        t.put(out, slot);
    })
}

/// A step that applies `f` to each element.
pub fn unary<A: Pod, R: Pod>(f: impl Fn(A) -> R + Copy + Send + Sync + 'static, x: At, out: usize) -> Step {
    step(out, move |t, out| map1(f, t.src(x), out))
}

/// Makes the step of a unary element function.
struct Unary(At, usize);
impl Each1 for Unary {
    type Out = Step;
    fn run<A: Item, R: Item>(self, f: impl Fn(A) -> R + Copy + Send + Sync + 'static) -> Step {
        unary(f, self.0, self.1)
    }
}

/// Makes the step of a binary element function.
struct Binary(At, At, usize);
impl Each2 for Binary {
    type Out = Step;
    fn run<A: Item, R: Item>(self, f: impl Fn(A, A) -> R + Copy + Send + Sync + 'static) -> Step {
        let Binary(x, y, out) = self;
        step(out, move |t, out| map2(f, t.src(x), t.src(y), out))
    }
}

/// The elementwise primitive `p` over arguments that are stored as `kind` is.
pub fn map(p: Prim, kind: Kind, args: &[At], out: usize) -> Option<Step> {
    match *args {
        [x] => with1(p, kind, Unary(x, out)),
        [x, y] => with2(p, kind, Binary(x, y, out)),
        [x, low, high] if p == Prim::Within => match kind.store() {
            Store::B => Some(between::<u8>(x, low, high, out)),
            Store::H => Some(between::<i16>(x, low, high, out)),
            Store::I => Some(between::<i32>(x, low, high, out)),
            Store::J => Some(between::<i64>(x, low, high, out)),
            Store::E => Some(between::<f32>(x, low, high, out)),
            Store::F => Some(between::<f64>(x, low, high, out)),
            Store::G | Store::S => None,
        },
        _ => None,
    }
}

fn between<T: Item>(x: At, low: At, high: At, out: usize) -> Step {
    step(out, move |t, out| map3(within::<T>, t.src(x), t.src(low), t.src(high), out))
}

/// The cast from one kind to another; none where the bits stay, or where q has no such cast.
pub fn cast(from: Kind, to: Kind, x: At, out: usize) -> Option<Step> {
    with_cast(from, to, Unary(x, out))
}

/// `?[b;x;y]` over elements of type `T`.
pub fn cond<T: Pod>(b: At, x: At, y: At, out: usize) -> Step {
    step(out, move |t, out| {
        map3(|b: u8, x: T, y: T| if b != 0 { x } else { y }, t.src(b), t.src(x), t.src(y), out)
    })
}

/// The row number.
pub fn row(out: usize) -> Step {
    step(out, move |t, out: &mut [Line<i64>]| {
        for (i, line) in out.iter_mut().enumerate() {
            let first = (t.row + i * LINE) as i64;
            for (k, o) in line.iter_mut().enumerate() {
                *o = first + k as i64;
            }
        }
    })
}

/// An index into a domain.
pub trait Code: Pod {
    /// As an index; past every domain for the null of an enum and for a symbol that the domain lacks.
    fn index(self) -> usize;
}

impl Code for u8 {
    fn index(self) -> usize {
        self as usize
    }
}
impl Code for u16 {
    fn index(self) -> usize {
        self as usize
    }
}
impl Code for u32 {
    fn index(self) -> usize {
        self as usize
    }
}
impl Code for i64 {
    fn index(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

/// The item of `table` for each code; `none` where the code is past its end.
pub fn lookup<C: Code>(x: At, table: usize, none: u32, out: usize) -> Step {
    step(out, move |t, out| {
        let table: &[u32] = t.table(table);
        map1(|c: C| table.get(c.index()).copied().unwrap_or(none), t.src(x), out);
    })
}

/// The item of `table` at each position or for each code; `none` where that is outside.
pub fn item<C: Code, T: Pod + Send + Sync>(x: At, table: usize, none: T, out: usize) -> Step {
    step(out, move |t, out| {
        let table: &[T] = t.table(table);
        map1(|c: C| table.get(c.index()).copied().unwrap_or(none), t.src(x), out);
    })
}

/// The last position whose key is not above each element's, or from the right the first whose is not below.
pub fn search<T: Key>(x: At, keys: usize, right: bool, out: usize) -> Step {
    step(out, move |t, out| {
        let keys: &[u64] = t.table(keys);
        if right {
            map1(|x: T| keys.partition_point(|k| *k < x.key()) as i64, t.src(x), out);
        } else {
            map1(|x: T| keys.partition_point(|k| *k <= x.key()) as i64 - 1, t.src(x), out);
        }
    })
}

/// Whether each code's bit in the set is on.
pub fn member_code<C: Code>(x: At, set: usize, out: usize) -> Step {
    step(out, move |t, out| {
        let set: &[u8] = t.table(set);
        map1(|c: C| set.get(c.index()).copied().unwrap_or(0), t.src(x), out);
    })
}

/// Sets up to this many keys are compared one by one, which vectorises; larger ones are searched.
const FEW: usize = 16;

/// Whether each element's key is in the sorted set.
pub fn member<T: Key>(x: At, set: usize, out: usize) -> Step {
    step(out, move |t, out| {
        let set: &[u64] = t.table(set);
        if set.len() <= FEW {
            map1(|x: T| set.iter().fold(0, |hit, &k| hit | (x.key() == k) as u8), t.src(x), out);
        } else {
            map1(|x: T| set.binary_search(&x.key()).is_ok() as u8, t.src(x), out);
        }
    })
}

/// The groups' values at the rows that the group numbers `ids` name; `none` at rows of no group.
pub fn spread<T: Pod + Send + Sync>(values: usize, ids: At, none: T, out: usize) -> Step {
    step(out, move |t, out| {
        let values: &[T] = t.table(values);
        map1(
            |g: i32| usize::try_from(g).ok().and_then(|g| values.get(g)).copied().unwrap_or(none),
            t.src(ids),
            out,
        );
    })
}

/// `x & y` of masks; `out` may be the slot of `x`.
pub fn both(x: At, y: At, out: usize) -> Step {
    Box::new(move |t| {
        let mut slot = t.take(out);
        let n = t.lines();
        if x == At::Slot(out) {
            let lines = &mut slot.lines_mut::<u8>()[..n];
            let y = t.src::<u8>(y);
            lines
                .iter_mut()
                .enumerate()
                .for_each(|(i, line)| (0..LINE).for_each(|k| line[k] &= y.line(i)[k]));
        } else {
            map2(|x: u8, y: u8| x & y, t.src(x), t.src(y), &mut slot.lines_mut()[..n]);
        }
        t.put(out, slot);
    })
}

/// Whether each guid is in the sorted set.
pub fn member_guid(x: At, set: usize, out: usize) -> Step {
    step(out, move |t, out| {
        let set: &[Guid] = t.table(set);
        map1(|x: Guid| set.binary_search(&x).is_ok() as u8, t.src(x), out);
    })
}
