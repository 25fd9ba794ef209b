//! Result types: which kinds a primitive takes, what its arguments are converted to, and what comes out.
//!
//! An elementwise function works on one storage: [`sig2`] says what to cast each argument to, the function is
//! `stem_LETTER` of the arguments' storage (`add_i`), its result has the kind `via`, and a cast from `via` to
//! `out` ends it (nearly always there is nothing to cast). So `1b + 2i` is `add_i(cast_b_i(1b), 2i)`, and
//! `2000.01.03 + 0D01` is `add_j(cast_d_p(2000.01.03), 0D01)`, called a timestamp.
//!
//! Derived functions need no table of their own: `+\` types as `sum`, `*\` as `prd`, `&\` as `min`, `|\` as
//! `max`, `^\` keeps its kind, and `f':` types as `f` on two items of the list's kind.

mod table;

use crate::fun::Prim;
use crate::kind::{Kind, Store};
use std::sync::OnceLock;
use table::*;

/// How a unary primitive types: convert the argument to `arg`, apply the function over `arg.store()`, and
/// call the result `out`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sig1 {
    /// The kind the argument is cast to first.
    pub arg: Kind,
    /// The result's kind.
    pub out: Kind,
}

/// How a binary primitive types: convert the arguments to `x` and `y`, which are of one storage but for
/// `like` and the moving functions, apply the function, and cast its result from `via` to `out`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sig2 {
    /// The kind the left argument is cast to first.
    pub x: Kind,
    /// The kind the right argument is cast to first.
    pub y: Kind,
    /// The kind of the function's own result.
    pub via: Kind,
    /// The result's kind.
    pub out: Kind,
}

/// The number that is stored as `k` is: what a temporal counts in.
pub fn number(k: Kind) -> Kind {
    match k.store() {
        Store::B => k,
        Store::H => Kind::Short,
        Store::I => Kind::Int,
        Store::J => Kind::Long,
        Store::E => Kind::Real,
        Store::F => Kind::Float,
        Store::G | Store::S => k,
    }
}

/// An enumeration is typed as the symbols that it stands for.
fn plain(k: Kind) -> Kind {
    if k == Kind::Enum { Kind::Sym } else { k }
}

/// The signature of the unary `p` on items of kind `x`; none is q's `'type`, or that `p` has no such rule.
pub fn sig1(p: Prim, x: Kind) -> Option<Sig1> {
    use Prim::*;
    let keep = Sig1 { arg: x, out: x };
    let to = |out: Kind| Sig1 { arg: out, out };
    let floats = |row| cell(row, x).map(|out| Sig1 { arg: if out.is_float() { out } else { x }, out });
    match p {
        Neg | Abs | Sum | Prd | Min | Max => {
            let row = match p {
                Neg | Abs => NEG,
                Sum | Prd => SUM,
                _ => MIN,
            };
            cell(row, x).map(to)
        }
        Sqrt | Log | Exp | Sin | Asin | Cos | Acos | Tan | Atan => floats(MATH),
        // The documented table calls the reciprocal of a timestamp a timestamp; we keep to 1%x.
        Recip | Avg | Med | Var | Dev | Svar | Sdev => floats(FLOATS),
        Signum => {
            let out = cell(SIGNUM, x)?;
            Some(Sig1 { arg: if matches!(x.store(), Store::B | Store::H) { Kind::Int } else { x }, out })
        }
        Floor => Some(Sig1 { arg: plain(x), out: cell(FLOOR, x)? }),
        Ceiling => {
            let out = cell(CEILING, x)?;
            Some(Sig1 { arg: if x.is_float() { x } else { out }, out })
        }
        Not | All | Any => cell(BOOLS, x).map(|out| Sig1 { arg: x, out }),
        Null | Differ => Some(Sig1 { arg: x, out: Kind::Bool }),
        Count => Some(Sig1 { arg: x, out: Kind::Long }),
        First | Last | Next | Reverse | Asc | Desc => Some(keep),
        GradeUp | GradeDown | Iasc | Idesc | Rank => Some(Sig1 { arg: x, out: Kind::Long }),
        Avgs => floats(AVGS),
        _ => None,
    }
}

/// The signature of the binary `p` on items of kinds `x` and `y`; none is q's `'type`, or that `p` has no
/// such rule. For `in` and `within` it holds the kind that the left side is compared with the right side's
/// items in. For `wsum` it is that of two lists; an atom on one side multiplies first, as `*` does.
pub fn sig2(p: Prim, x: Kind, y: Kind) -> Option<Sig2> {
    const KINDS: usize = Kind::Enum as usize + 1;
    type Rules = [[Option<Sig2>; KINDS]; KINDS];
    // Scripts ask for every operator on every atom, so each primitive's answers are kept.
    static KNOWN: [OnceLock<Box<Rules>>; 256] = [const { OnceLock::new() }; 256];
    let rules = KNOWN[p as usize].get_or_init(|| {
        let mut rules = Box::new([[None; KINDS]; KINDS]);
        for (x, y) in Kind::ALL.into_iter().flat_map(|x| Kind::ALL.map(|y| (x, y))) {
            rules[x as usize][y as usize] = rule2(p, x, y);
        }
        rules
    });
    rules[x as usize][y as usize]
}

fn rule2(p: Prim, x: Kind, y: Kind) -> Option<Sig2> {
    use Prim::*;
    let same = |k: Kind, out| Sig2 { x: k, y: k, via: out, out };
    match p {
        Add | Sub => {
            let out = look(ADD, x, y);
            let out = if p == Sub { out.or_else(|| look(SUB_CHAR, x, y)) } else { out }?;
            Some(arithmetic(x, y, out))
        }
        Mul => look(MUL, x, y).map(|out| multiply(x, y, out)),
        Divide | Xexp | Xlog => {
            let ok = |k| match p {
                Divide => cell(FLOATS, k).is_some(),
                Xexp => !k.is_temporal() && cell(AVGS, k).is_some(),
                _ => cell(FLOATS, k).is_some(),
            };
            (ok(x) && ok(y)).then_some(same(Kind::Float, Kind::Float))
        }
        Div => {
            let (out, _) = (cell(DIV, x)?, cell(DIV, y)?);
            Some(match number(out) {
                // The divisor's fraction counts, so the division is one of floats whatever comes out.
                _ if y.is_float() || out.is_float() => {
                    Sig2 { x: Kind::Float, y: Kind::Float, via: Kind::Float, out }
                }
                n => Sig2 { x: n, y: n, via: out, out },
            })
        }
        Mod => look(MOD, x, y).map(|out| in_units(x, y, out)),
        Xbar => look(XBAR, x, y).map(|out| in_units(x, y, out)),
        Lesser | Greater => look(WIDER, x, y).map(|out| same(out, out)),
        Fill => match (plain(x), plain(y)) {
            (Kind::Guid, Kind::Guid) | (Kind::Sym, Kind::Sym) => Some(same(plain(x), plain(x))),
            _ => look(WIDER, x, y).map(|out| same(out, out)),
        },
        Eq | Ne | Lt | Gt | Le | Ge | In | Within => common(x, y).map(|k| same(k, Kind::Bool)),
        Like => {
            let text = plain(x);
            (matches!(text, Kind::Sym | Kind::Char) && y == Kind::Char).then_some(Sig2 {
                x: text,
                y: Kind::Char,
                via: Kind::Bool,
                out: Kind::Bool,
            })
        }
        Wsum => {
            let product = multiply(x, y, look(MUL, x, y)?);
            let integers = !product.out.is_float() && !product.out.is_temporal();
            Some(if integers { same(Kind::Float, Kind::Float) } else { product })
        }
        Wavg | Cov | Scov | Cor => {
            cell(FLOATS, x).and(cell(FLOATS, y)).map(|_| same(Kind::Float, Kind::Float))
        }
        Msum | Mcount | Mavg | Mdev | Mmin | Mmax | Xprev | Rotate | Xrank => {
            if !matches!(x, Kind::Bool | Kind::Byte | Kind::Short | Kind::Int | Kind::Long) {
                return None;
            }
            let (arg, out) = match p {
                Msum => (cell(MSUM, y)?, cell(MSUM, y)?),
                Mcount => (y, Kind::Int),
                Mavg => (Kind::Float, cell(AVGS, y)?),
                Mdev => (Kind::Float, cell(FLOATS, y)?),
                Xrank => (y, Kind::Long),
                _ => (y, y),
            };
            Some(Sig2 { x: Kind::Long, y: arg, via: out, out })
        }
        Ema => cell(AVGS, x).and(cell(AVGS, y)).map(|_| same(Kind::Float, Kind::Float)),
        _ => None,
    }
}

/// The result kind of `?[b;x;y]`; none is q's `'type`. An enumeration keeps its kind only where both sides
/// share a domain, which the caller knows.
pub fn sig_cond(x: Kind, y: Kind) -> Option<Kind> {
    if x == y { Some(x) } else { (plain(x) == plain(y)).then_some(plain(x)) }
}

/// The kind that items of kinds `x` and `y` are compared in: by value, so no number is narrowed, but between
/// temporals the coarser unit, as q has it. A real meets an int, a long or a temporal as a float does.
pub fn common(x: Kind, y: Kind) -> Option<Kind> {
    let (x, y) = (plain(x), plain(y));
    if x == y {
        return Some(x);
    }
    if x.is_temporal() && y.is_temporal() {
        return look(WIDER, x, y);
    }
    let number = |k| match number(k) {
        Kind::Char => Kind::Byte,
        n => n,
    };
    match (look(WIDER, number(x), number(y))?, number(x).min(number(y))) {
        (Kind::Real, Kind::Int | Kind::Long) => Some(Kind::Float),
        (wide, _) => Some(wide),
    }
}

/// `+` and `-`: numbers take the storage of the result, temporals its unit; a span added to a point in time
/// stays a span. An int or a long beside a real is rounded to a real, which q's documentation leaves open.
fn arithmetic(x: Kind, y: Kind, out: Kind) -> Sig2 {
    let span = |k| matches!(k, Kind::Timespan | Kind::Minute | Kind::Second | Kind::Time);
    let to = |k: Kind| match out {
        // Two of a kind that differ (dates to days, timestamps to a timespan) stay as they are.
        _ if x == y && k.is_temporal() => k,
        _ if !k.is_temporal() || !out.is_temporal() => number(out),
        Kind::Timestamp if span(k) => Kind::Timespan,
        _ => out,
    };
    Sig2 { x: to(x), y: to(y), via: out, out }
}

/// `*`: as [`arithmetic`], but that a temporal times a real is taken as floats, for the fraction counts.
fn multiply(x: Kind, y: Kind, out: Kind) -> Sig2 {
    if out.is_temporal() && (x == Kind::Real || y == Kind::Real) {
        return Sig2 { x: Kind::Float, y: Kind::Float, via: Kind::Float, out };
    }
    in_units(x, y, out)
}

/// Numbers and temporals both take the storage of the result; the number beside a temporal counts its units.
/// So a timespan on the left of `xbar` is the number of its nanoseconds.
fn in_units(x: Kind, y: Kind, out: Kind) -> Sig2 {
    let to = |k: Kind| match out {
        Kind::Datetime if k == Kind::Date => out,
        _ if k.is_temporal() && k.store() == out.store() => k,
        _ => number(out),
    };
    Sig2 { x: to(x), y: to(y), via: out, out }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fun::{Class, FUNS};

    fn k(letter: &str) -> Kind {
        Kind::from_letter(letter.chars().next().expect("a letter")).expect("a kind")
    }

    /// Lines `stem x y: x' y' via out` by kind letters; `-` is `'type`.
    #[test]
    fn written_out_signatures() {
        let text = "
            add b i: i i i i      add b b: i i i i      add i j: j j j j     add j e: e e e e
            add d n: p n p p      add n m: n p p p      add p p: p p n n     add d d: d d i i
            add d f: z f z z      add p f: f f f f      add z n: p n p p     add z u: z z z z
            add u v: v v v v      add p d: -            add s s: -           add t j: t i t t
            sub p p: p p n n      sub i c: i i i i      add i c: -           sub z z: z z f f
            sub d u: p n p p      sub p v: p n p p      mul d j: d i d d     mul n e: f f f n
            mul n f: f f f f      mul d f: z f z z      mul n n: -           mul f z: f z z z
            divide p p: f f f f   divide e e: f f f f   divide s i: -        xexp p j: -
            div i j: i i i i      div e j: f f f f      div j f: f f f j     div d j: i i d d
            div p n: j j p p      div z j: f f f z      mod p j: p j n n     mod d j: d i i i
            mod d f: -            mod e j: f f f f      xbar n p: n p p p    xbar j n: j n n n
            xbar i j: j j j j     xbar e e: f f f f     xbar f p: f f f f    xbar f d: f z z z
            xbar n j: n j j j     xbar j u: i u u u     xbar p p: -          xbar d f: z f z z
            lesser p u: u u u u   lesser j c: c c c c   lesser d j: d d d d  lesser s s: -
            fill s s: s s s s     fill g g: g g g g     fill j f: f f f f
            eq p u: u u b b       eq p d: p p b b       eq n u: n n b b      eq d n: -
            eq d j: j j b b       eq e j: f f b b       eq e h: e e b b      eq c j: j j b b
            eq s s: s s b b       eq s c: -             in j f: f f b b      within p v: v v b b
            like s c: s c b b     like j c: -           wsum i j: f f f f    wsum i n: j n n n
            wavg p j: f f f f     cor s j: -            msum j p: j n n n    mavg i c: -
            mdev i c: j f f f     mcount j s: j s i i   mmin j c: j c c c    msum f j: -
            ema f j: f f f f
        ";
        let mut lines = 0;
        for line in text.split('\n').flat_map(|l| l.split("  ")).map(str::trim).filter(|l| !l.is_empty()) {
            let (head, want) = line.split_once(": ").expect("a colon");
            let head: Vec<_> = head.split(' ').collect();
            let p = Prim::from_stem(head[0]).expect("a stem");
            let got = sig2(p, k(head[1]), k(head[2])).map_or("-".into(), |s| {
                format!("{} {} {} {}", s.x.letter(), s.y.letter(), s.via.letter(), s.out.letter())
            });
            assert_eq!(got, want.trim(), "{line}");
            lines += 1;
        }
        assert!(lines > 70);
        assert_eq!(sig1(Prim::Neg, Kind::Bool), Some(Sig1 { arg: Kind::Int, out: Kind::Int }));
        assert_eq!(sig1(Prim::Floor, Kind::Float), Some(Sig1 { arg: Kind::Float, out: Kind::Long }));
        assert_eq!(sig1(Prim::Signum, Kind::Date), Some(Sig1 { arg: Kind::Date, out: Kind::Int }));
        assert_eq!(sig1(Prim::Sqrt, Kind::Datetime), Some(Sig1 { arg: Kind::Datetime, out: Kind::Datetime }));
        assert_eq!(sig1(Prim::Sum, Kind::Char), None);
        assert_eq!(sig2(Prim::Eq, Kind::Enum, Kind::Sym).map(|s| s.x), Some(Kind::Sym));
        assert_eq!(sig_cond(Kind::Enum, Kind::Sym), Some(Kind::Sym));
        assert_eq!(sig_cond(Kind::Int, Kind::Long), None);
    }

    /// The promise that elementwise functions rest on, for every primitive and all kinds.
    #[test]
    fn arguments_share_a_storage() {
        let mut typed = 0;
        for f in FUNS.iter().filter(|f| f.class == Class::Map && f.max == 2 && f.prim != Prim::Like) {
            for (x, y) in Kind::ALL.into_iter().flat_map(|x| Kind::ALL.map(|y| (x, y))) {
                if let Some(s) = sig2(f.prim, x, y) {
                    assert_eq!(s.x.store(), s.y.store(), "{} {x:?} {y:?}", f.stem);
                    typed += 1;
                }
            }
        }
        assert!(typed > 3000, "{typed}");
    }
}
