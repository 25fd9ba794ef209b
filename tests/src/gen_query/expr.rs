//! Random expressions over the rows: numbers, casts, choices, what the host has for a row, what its neighbours have.

use super::Gen;
use arbitrary::Result;

/// Whole numbers and floats, and what is nearly one of them.
pub const INTS: [&str; 8] = ["j", "k", "h", "w", "sj", "qj", "gj", "i"];
pub const FLOATS: [&str; 3] = ["f", "e", "sf"];
/// Every column of atoms.
pub const ANY: [&str; 30] = [
    "j", "k", "h", "w", "b", "f", "e", "c", "s", "p", "m", "d", "z", "n", "u", "v", "t", "g", "y", "sj",
    "sp", "ps", "pd", "gs", "qj", "so", "sf", "sd", "py", "gj",
];
const KINDS: [&str; 18] = [
    "boolean",
    "byte",
    "short",
    "int",
    "long",
    "real",
    "float",
    "char",
    "symbol",
    "timestamp",
    "month",
    "date",
    "datetime",
    "timespan",
    "minute",
    "second",
    "time",
    "guid",
];

impl Gen<'_, '_> {
    /// What any one row can have.
    pub fn plain(&mut self) -> Result<String> {
        match self.below(15)? {
            0..=2 => self.number(3),
            3..=4 => self.truth(2),
            5 => self.pick(&ANY),
            6..=7 => self.time(2),
            8 => self.symbol(),
            9 => self.cast(),
            10 => self.choice(),
            11 => self.lookup(),
            12 => Ok(format!("({}%{})", self.number(2)?, self.number(1)?)),
            13 => self.letter(),
            _ => self.near(),
        }
    }

    /// A number: integers that wrap, floats, or both.
    pub fn number(&mut self, depth: usize) -> Result<String> {
        self.number_of(&["f", "e", "j", "k", "h", "w", "b", "sj", "qj", "gj", "sf", "i"], depth)
    }

    /// A number whose sums are exact in any order: integers, or a float that takes few bits.
    pub fn exact(&mut self) -> Result<String> {
        if self.columns.is_some() {
            // What an answer has under a float's name may take all bits.
            return Ok(format!("(`long${})", self.number(1)?));
        }
        if self.u.arbitrary()? { self.integer(2) } else { self.number_of(&FLOATS, 1) }
    }

    /// A whole number.
    pub fn integer(&mut self, depth: usize) -> Result<String> {
        self.number_of(&INTS, depth)
    }

    fn number_of(&mut self, leaves: &[&str], depth: usize) -> Result<String> {
        let floats = leaves.contains(&"f");
        // Quotients and roots take all bits of a float: no sums are asked of numbers that have both kinds of leaves.
        let any = floats && leaves.contains(&"j");
        if depth == 0 || self.u.ratio(1, 4)? {
            return match self.below(14)? {
                0..=2 => Ok(format!("({})", self.u.int_in_range(-9..=99)?)),
                3 => self.pick(&["0N", "0W", "-0W", "3i", "0Ni", "2h", "0x03", "1b", "vj"]),
                4 if floats => self.pick(&["2.5", "0n", "0w", "-0w", "(1.5e)", "0Ne", "-0.0", "vf"]),
                5 if self.argument.is_some() => Ok(self.argument()),
                _ => self.pick(leaves),
            };
        }
        let x = self.number_of(leaves, depth - 1)?;
        let integer = !floats && leaves.len() > FLOATS.len();
        Ok(match self.below(30)? {
            0 => format!("(neg {x})"),
            1 => format!("(abs {x})"),
            2 => format!("({}^{x})", self.pick(&["0", "0N", "3i", "k", "h"])?),
            3 => format!("({x} div {})", self.pick(&["3", "7", "-4", "0"])?),
            4 => format!("({x} mod {})", self.pick(&["7", "3", "-5"])?),
            5 => format!("(signum {x})"),
            6 => format!("({} xbar {x})", self.pick(&["10", "3", "7i", "-4", "0", "0N", "2h", "1b"])?),
            7 if floats => format!("({} {x})", self.pick(&["floor", "ceiling"])?),
            8 if any => format!("({} {x})", self.pick(&["sqrt", "reciprocal"])?),
            9 => format!("({} {x})", self.pick(&["not", "null"])?),
            10 if any && self.own => {
                format!("({} {x})", self.pick(&["log", "exp", "sin", "cos", "tan", "asin", "acos", "atan"])?)
            }
            11 if any && self.own => {
                let y = if self.u.arbitrary()? {
                    self.number_of(leaves, 0)?
                } else {
                    self.pick(&["2", "0.5", "-1", "3"])?
                };
                format!("({x} xexp {y})")
            }
            12 => format!("fu[{x};{}]", self.number_of(leaves, 0)?),
            13 => format!("{{y-3*x}}[{x};{}]", self.number_of(leaves, 0)?),
            14 => format!("{{a:x+1;a*x}}[{x}]"),
            15 => format!("?[{};{x};{}]", self.truth(1)?, self.number_of(leaves, depth - 1)?),
            16 if floats || integer => {
                format!("({x} {} {})", self.pick(&["div", "mod"])?, self.number_of(leaves, 0)?)
            }
            17 => {
                let y = self.number_of(leaves, 0)?;
                self.one_of("(fu[;Y] X)  (fu[Y] X)  (fu[Y;] X)  +[X;Y]  (-)[X;Y]")?
                    .replace('X', &x)
                    .replace('Y', &format!("({y})"))
            }
            18 => self
                .pick(&[
                    "((neg abs@)X)",
                    "('[neg;abs]X)",
                    "(neg@X)",
                    "neg[X]",
                    "{[a;b]b-a}[X;2]",
                    "@[neg;X]",
                ])?
                .replace('X', &x),
            19 if any => format!("({} xbar {x})", self.pick(&["2.5", "0.25", "1.5e", "0n", "k", "h"])?),
            20 => "(X-Y xbar X)".replace('X', &x).replace('Y', &self.pick(&["5", "3i"])?),
            21 => format!("?[null {x};{};{x}]", self.pick(&["0", "0N", "1"])?),
            op => {
                let op = ["+", "-", "*", "&", "|", "^", "+", "-", "*"][op % 9];
                format!("({x}{op}{})", self.number_of(leaves, depth - 1)?)
            }
        })
    }

    /// A cast of any kind to any kind.
    fn cast(&mut self) -> Result<String> {
        let x = if self.u.ratio(1, 3)? { self.number(1)? } else { self.pick(&ANY)? };
        Ok(match self.below(4)? {
            0 => format!(
                "({:?}${x})",
                self.pick(&[
                    "b", "x", "h", "i", "j", "e", "f", "c", "p", "m", "d", "z", "n", "u", "v", "t", "g", "s"
                ])?
            ),
            1 => format!("({}h${x})", self.u.int_in_range(4..=19)?),
            _ => format!("(`{}${x})", self.pick(&KINDS)?),
        })
    }

    /// One of two, by a truth.
    fn choice(&mut self) -> Result<String> {
        let x = self.pick(&ANY)?;
        let y = match self.below(3)? {
            0 => x.clone(),
            1 => self.pick(&ANY)?,
            _ => self.pick(&["0", "1.5", "`lit", "0N", "vj", "\"x\"", "2001.01.01", "0D01", "0b"])?,
        };
        Ok(format!("?[{};{x};{y}]", self.truth(1)?))
    }

    /// What a dictionary or a list of the host has for a row.
    fn lookup(&mut self) -> Result<String> {
        self.one_of(
            "dj[s]  (dj ps)  (dj y)  (dj so)  (df j)  df[k]  df[gj]  (ds s)  (ds py)  (dc c)  \
                dd[d]  (dd pd)  (dd sd)  (dy b)  (dn j)  dn[h]  (dn qj)  (dy j>0)  (dj (`b^s))  \
                (df j mod 5)  (st j)  (st sj)  (st k)  (sd0 d)  (sd0 sd)  (su u)  su[t.minute]  \
                (sf0 f)  (sf0 sf)  (vl bin j)  (vl binr j)  (vl bin sj)  (vk bin k)  (vk binr k)  \
                (vh bin h)  (ve bin e)  (ve binr e)  (1 5 9f bin f)  (1 5 9f binr sf)  \
                (1 5 9 bin qj)  (vp bin p)  (vp binr sp)  (vu bin u)  (vu bin t.minute)  \
                (vc bin c)  (vsl bin s)  (ve0 bin j)  (ve0 binr j)  vl[k]  (vl j)  vl[i]  vp[k]  \
                vc[h]  (vl?j)  (vsl?s)  (vsl?y)  (vsl binr ps)  (vsl bin y)  (vk?k)  (vc?c)  (vp?p)  (vu?u)  (vl[vl bin j]-j)  \
                (vl 1+vl bin j)  (count each l)  (sum count each l)  (count each lc)",
        )
    }

    /// A neighbour's value, a row's number, an aggregate of all rows.
    fn near(&mut self) -> Result<String> {
        let x = self.number(1)?;
        Ok(match self.below(9)? {
            6 => format!("({x}*{})", self.fby()?),
            7 => format!("(({} {x})-{x})", self.pick(&["maxs", "prev", "next", "fills", "mins"])?),
            8 => format!(
                "({x}-({} k)+{})",
                self.pick(&["avg", "sum", "med", "count"])?,
                self.pick(&["i", "j", "first i"])?
            ),
            0 => "i".into(),
            1 => format!("({x}-prev {x})"),
            2 => format!("({x}-{} {x})", self.pick(&["min", "max", "first", "last"])?),
            3 => format!("({}+i)", self.pick(&["j", "0", "count i", "f"])?),
            4 => format!("({x}%max {x})"),
            _ => format!("(fills {x})"),
        })
    }
}
