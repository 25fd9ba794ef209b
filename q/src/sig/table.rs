//! The documented result types, as tables of kind letters.

use crate::kind::Kind;

/// The order of the columns of every table below.
const COLUMNS: &str = "bgxhijefcspmdznuvt";

/// Result letters by the left kind (several kinds may share a row) and the right kind; `.` is `'type`.
pub(super) type Matrix = [(&'static str, &'static str)];

pub(super) const ADD: &Matrix = &[
    ("bxhi", "i.iiijef..pmdznuvt"),
    ("j", "j.jjjjef..pmdznuvt"),
    ("e", "e.eeeeef..pmdznuvt"),
    ("f", "f.fffffff.ffzzffff"),
    ("c", ".......f..pmdznuvt"),
    ("p", "p.pppppfp.n...pppp"),
    ("m", "m.mmmmmfm..i..pppp"),
    ("d", "d.dddddzd...i.pppp"),
    ("z", "z.zzzzzzz....fpzzz"),
    ("n", "n.nnnnnfn.ppppnnnn"),
    ("u", "u.uuuuufu.pppznuvt"),
    ("v", "v.vvvvvfv.pppznvvt"),
    ("t", "t.tttttft.pppznttt"),
];
/// Subtraction takes a char on the right of a number where addition does not.
pub(super) const SUB_CHAR: &Matrix = &[("bxhi", "........i"), ("j", "........j"), ("e", "........e")];
pub(super) const MUL: &Matrix = &[
    ("bxhi", "i.iiijef..pmdznuvt"),
    ("j", "j.jjjjef..pmdznuvt"),
    ("e", "e.eeeeef..pmdznuvt"),
    ("f", "f.fffffff.ffzzffff"),
    ("c", ".......f..pmdznuvt"),
    ("p", "p.pppppfp"),
    ("m", "m.mmmmmfm"),
    ("d", "d.dddddzd"),
    ("z", "z.zzzzzzz"),
    ("n", "n.nnnnnfn"),
    ("u", "u.uuuuufu"),
    ("v", "v.vvvvvfv"),
    ("t", "t.tttttft"),
];
pub(super) const MOD: &Matrix = &[
    ("bxhi", "i.iiijef..pmdznuvt"),
    ("j", "j.jjjjef..pmdznuvt"),
    ("ef", "f.fffffff.ffzzffff"),
    ("c", ".......f..pmdznuvt"),
    ("pn", "n.nnnnnfn"),
    ("m", "i.iiiiifi"),
    ("d", "i.iiiii.i"),
    ("z", "f.fffffff"),
    ("u", "u.uuuuufu"),
    ("v", "v.vvvvvfv"),
    ("t", "t.tttttft"),
];
pub(super) const XBAR: &Matrix = &[
    ("bxhi", "i.iiijffi.pmdznuvt"),
    ("jn", "j.jjjjffj.pmdznuvt"),
    ("e", "e.eeeeffe.pmdznuvt"),
    ("f", "f.fffffff.ffzzffff"),
    ("c", "......ff..pmdznuvt"),
    ("p", "p.ppppffp"),
    ("m", "m.mmmmffm"),
    ("d", "d.ddddzzd"),
    ("z", "z.zzzzzzz"),
    ("u", "u.uuuuffu"),
    ("v", "v.vvvvffv"),
    ("t", "t.ttttfft"),
];
/// `&`, `|` and `^`, and the common kind of two temporals that are compared.
pub(super) const WIDER: &Matrix = &[
    ("b", "b.xhijefc.pmdznuvt"),
    ("x", "x.xhijefc.pmdznuvt"),
    ("h", "h.hhijefc.pmdznuvt"),
    ("i", "i.iiijefc.pmdznuvt"),
    ("j", "j.jjjjefc.pmdznuvt"),
    ("e", "e.eeeeefc.pmdznuvt"),
    ("f", "f.ffffffc.pmdznuvt"),
    ("c", "c.ccccccc.pmdznuvt"),
    ("p", "p.ppppppp.ppppnuvt"),
    ("m", "m.mmmmmmm.pmd....."),
    ("d", "d.ddddddd.pddz...."),
    ("z", "z.zzzzzzz.p.zznuvt"),
    ("n", "n.nnnnnnn.n..nnnnn"),
    ("u", "u.uuuuuuu.u..unuvt"),
    ("v", "v.vvvvvvv.v..vnvvt"),
    ("t", "t.ttttttt.t..tnttt"),
];
/// `div` takes its result from the left, whatever (number, char or temporal) is on the right.
pub(super) const DIV: &str = "i.iiijffi.pmdznuvt";

pub(super) const NEG: &str = "i.ihijefi.pmdznuvt";
pub(super) const SIGNUM: &str = "i.iiiiiii.iiiiiiii";
pub(super) const FLOOR: &str = "...hijjjcs........";
pub(super) const CEILING: &str = "i.ihijjji.........";
/// `sqrt`, `exp`, `log` and the trigonometric functions.
pub(super) const MATH: &str = "f.fffffff.fffzffff";
/// Anything but guids and symbols to a float: `reciprocal`, `avg`, `dev` and their like.
pub(super) const FLOATS: &str = "f.fffffff.ffffffff";
/// As `FLOATS`, to a boolean.
pub(super) const BOOLS: &str = "b.bbbbbbb.bbbbbbbb";
/// `sum` and `prd`. The documented table admits chars; the printed console signals `'type`, and wins.
pub(super) const SUM: &str = "i.iiijef..pmdznuvt";
pub(super) const MIN: &str = "b.xhijefc.pmdznuvt";
pub(super) const AVGS: &str = "f.ffffff..ffffffff";
pub(super) const MSUM: &str = "i.iiijef..niifnuvt";

/// Where the kind stands in `COLUMNS`.
fn column(k: Kind) -> usize {
    match k {
        Kind::Bool => 0,
        Kind::Guid => 1,
        Kind::Byte => 2,
        Kind::Short => 3,
        Kind::Int => 4,
        Kind::Long => 5,
        Kind::Real => 6,
        Kind::Float => 7,
        Kind::Char => 8,
        Kind::Sym | Kind::Enum => 9,
        Kind::Timestamp => 10,
        Kind::Month => 11,
        Kind::Date => 12,
        Kind::Datetime => 13,
        Kind::Timespan => 14,
        Kind::Minute => 15,
        Kind::Second => 16,
        Kind::Time => 17,
    }
}

/// The kind that `row` has for `k`.
pub(super) fn cell(row: &str, k: Kind) -> Option<Kind> {
    Kind::from_letter(*row.as_bytes().get(column(k))? as char)
}

/// The kind that `table` has for `x` and `y`.
pub(super) fn look(table: &Matrix, x: Kind, y: Kind) -> Option<Kind> {
    let left = COLUMNS.as_bytes()[column(x)] as char;
    cell(table.iter().find(|(kinds, _)| kinds.contains(left))?.1, y)
}
