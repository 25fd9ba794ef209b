//! Recurrences: a list's results one after another, by the step of its graph. A step's values are words; each of its
//! functions is one of `q::scalar` over two of them.

use super::super::env::Env;
use super::super::program::bug;
use super::super::repr::{Repr, with_width};
use super::super::scatter::Sink;
use super::scan::cast_mut;
use super::walk::Lists;
use bytemuck::Pod;
use compiler::ir::{Dim, Graph, Node, Op};
use q::Result;
use q::scalar::cast::{Cast, cast};
use q::scalar::{Each1, Each2, Item, with_cast, with1, with2};

/// Computes one of a step's values from others.
type Rule = Box<dyn Fn(&mut [u64]) + Send + Sync>;

fn get<T: Pod>(words: &[u64], i: usize) -> T {
    bytemuck::pod_read_unaligned(&bytemuck::bytes_of(&words[i])[..size_of::<T>()])
}

fn set<T: Pod>(words: &mut [u64], i: usize, x: T) {
    bytemuck::bytes_of_mut(&mut words[i])[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&x));
}

/// Where an argument of a function is, and its result.
struct Unary(usize, usize);

impl Each1 for Unary {
    type Out = Rule;
    fn run<A: Item, R: Item>(self, f: impl Fn(A) -> R + Copy + Send + Sync + 'static) -> Rule {
        Box::new(move |w| set(w, self.1, f(get(w, self.0))))
    }
}

/// Where two arguments are, and the result.
struct Binary([usize; 2], usize);

impl Each2 for Binary {
    type Out = Rule;
    fn run<A: Item, R: Item>(self, f: impl Fn(A, A) -> R + Copy + Send + Sync + 'static) -> Rule {
        Box::new(move |w| set(w, self.1, f(get(w, self.0[0]), get(w, self.0[1]))))
    }
}

/// What makes the value of a node of a step; none of what is given.
fn rule(step: &Graph, n: Node) -> Result<Option<Rule>> {
    let def = &step.nodes[n];
    let at: Vec<usize> = def.args.iter().map(|a| a.as_u32() as usize).collect();
    let out = n.as_u32() as usize;
    let kind = def.args.first().map_or(def.ty.kind, |&a| step.ty(a).kind);
    let made = match (def.op, &at[..]) {
        (Op::Null | Op::Argument(_), _) => return Ok(None),
        (Op::Map(p), &[x]) => with1(p, kind, Unary(x, out)),
        (Op::Map(p), &[x, y]) => with2(p, kind, Binary([x, y], out)),
        (Op::Cast, &[x]) if cast(kind, def.ty.kind) == Some(Cast::Keep) => {
            Some(Box::new(move |w: &mut [u64]| w[out] = w[x]) as Rule)
        }
        (Op::Cast, &[x]) => with_cast(kind, def.ty.kind, Unary(x, out)),
        (Op::Cond, &[b, x, y]) => {
            Some(Box::new(move |w: &mut [u64]| w[out] = if get::<u8>(w, b) != 0 { w[x] } else { w[y] })
                as Rule)
        }
        _ => None,
    };
    made.map(Some).ok_or_else(|| bug(format!("no element function for {n} of a step")))
}

/// The list at hand: whether it has begun, and its last result.
type State = (bool, u64);

/// Writes the recurrence `node` by `step` at the rows of `lists`.
pub fn steps(env: &Env, node: Node, step: &Graph, lists: &Lists, out: &mut [u8]) -> Result<()> {
    let args = &env.graph.nodes[node].args;
    let width = Repr::of(env.graph, node).width();
    let mut words = vec![0u64; step.nodes.len()];
    let (mut rules, mut loads, mut before) = (vec![], vec![], vec![]);
    for (n, def) in &step.nodes {
        let at = n.as_u32() as usize;
        match def.op {
            Op::Null => words[at] = super::super::fold::word(crate::device::bytes::null(def.ty.kind))[0],
            Op::Argument(0) => before.push(at),
            Op::Argument(i) if env.graph.ty(args[i as usize]).dim == Dim::ONE => {
                words[at] = env.atom(args[i as usize])?[0];
            }
            Op::Argument(i) => {
                loads.push((at, env.elements(args[i as usize])?.0, def.ty.kind.width()));
            }
            _ => rules.extend(rule(step, n)?),
        }
    }
    let (first, _) = env.elements(args[0])?;
    let result = step.outputs.first().ok_or_else(|| bug("a step has an output"))?.node.as_u32() as usize;
    let read = |bytes: &[u8], row: usize, width: usize| {
        let mut word = [0; 8];
        word[..width].copy_from_slice(&bytes[row * width..][..width]);
        u64::from_le_bytes(word)
    };
    let next = |words: &mut Vec<u64>, (begun, last): &mut State, row: usize| {
        if !*begun {
            (*begun, *last) = (true, read(first, row, width));
            return *last;
        }
        before.iter().for_each(|&at| words[at] = *last);
        loads.iter().for_each(|&(at, bytes, width)| words[at] = read(bytes, row, width));
        rules.iter().for_each(|rule| rule(words));
        *last = words[result];
        *last
    };
    with_width!(width, T => {
        let out = Sink::new(cast_mut::<T>(out));
        lists.walk(
            false,
            |range| (words.clone(), vec![State::default(); range.len()]),
            |(words, states), list, row| {
                let word = next(words, &mut states[list], row);
                out.put(row, get::<T>(&[word], 0));
            },
        );
    });
    Ok(())
}
