//! Random expressions over the rows: numbers, times, symbols and truths.

use super::Gen;
use arbitrary::Result;

/// Whole numbers and floats, and what is nearly one of them.
pub const INTS: [&str; 7] = ["j", "k", "h", "w", "sj", "qj", "i"];
pub const FLOATS: [&str; 2] = ["f", "e"];
/// Times of all kinds but datetimes, whose arithmetic is a float's.
pub const TIMES: [&str; 10] = ["p", "m", "d", "n", "u", "v", "t", "sp", "pd", "z"];
pub const SYMS: [&str; 4] = ["s", "y", "ps", "gs"];
/// Every column of atoms.
pub const ANY: [&str; 25] = [
    "j", "k", "h", "w", "b", "f", "e", "c", "s", "p", "m", "d", "z", "n", "u", "v", "t", "g", "y", "sj",
    "sp", "ps", "pd", "gs", "qj",
];
const COMPARE: [&str; 6] = ["=", "<>", "<", ">", "<=", ">="];
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
        match self.below(14)? {
            0..=2 => self.number(3),
            3..=4 => self.truth(2),
            5 => self.pick(&ANY),
            6..=7 => self.time(2),
            8 => self.symbol(),
            9 => self.cast(),
            10 => self.choice(),
            11 => self.lookup(),
            12 => Ok(format!("({}%{})", self.number(2)?, self.number(1)?)),
            _ => self.near(),
        }
    }

    /// A number: integers that wrap, floats, or both.
    pub fn number(&mut self, depth: usize) -> Result<String> {
        self.number_of(&["f", "e", "j", "k", "h", "w", "b", "sj", "qj", "i"], depth)
    }

    /// A number whose sums are exact in any order: integers, or a float that takes few bits.
    pub fn exact(&mut self) -> Result<String> {
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
                4 if floats => self.pick(&["2.5", "0n", "0w", "-0w", "1.5e", "0Ne", "-0.0", "vf"]),
                5 if self.argument.is_some() => Ok(self.argument()),
                _ => self.pick(leaves),
            };
        }
        let x = self.number_of(leaves, depth - 1)?;
        let integer = !floats && leaves.len() > FLOATS.len();
        Ok(match self.below(24)? {
            0 => format!("(neg {x})"),
            1 => format!("(abs {x})"),
            2 => format!("({}^{x})", self.pick(&["0", "0N", "3i", "k", "h"])?),
            3 => format!("({x} div {})", self.pick(&["3", "7", "-4", "0"])?),
            4 => format!("({x} mod {})", self.pick(&["7", "3", "-5"])?),
            5 => format!("(signum {x})"),
            6 => format!("({} xbar {x})", self.pick(&["10", "3", "7i"])?),
            7 if floats => format!("({} {x})", self.pick(&["floor", "ceiling"])?),
            8 if any => format!("({} {x})", self.pick(&["sqrt", "reciprocal"])?),
            9 => format!("({} {x})", self.pick(&["not", "null"])?),
            10 if any && self.own => {
                format!("({} {x})", self.pick(&["log", "exp", "sin", "cos", "tan", "asin", "acos", "atan"])?)
            }
            11 if any && self.own => format!("({x} xexp {})", self.pick(&["2", "0.5", "-1", "3"])?),
            12 => format!("fu[{x};{}]", self.number_of(leaves, 0)?),
            13 => format!("{{y-3*x}}[{x};{}]", self.number_of(leaves, 0)?),
            14 => format!("{{a:x+1;a*x}}[{x}]"),
            15 => format!("?[{};{x};{}]", self.truth(1)?, self.number_of(leaves, depth - 1)?),
            16 if floats || integer => {
                format!("({x} {} {})", self.pick(&["div", "mod"])?, self.number_of(leaves, 0)?)
            }
            op => {
                let op = ["+", "-", "*", "&", "|", "^", "+", "-", "*"][op % 9];
                format!("({x}{op}{})", self.number_of(leaves, depth - 1)?)
            }
        })
    }

    /// A time, or what differences and parts of times are.
    pub fn time(&mut self, depth: usize) -> Result<String> {
        let x = if depth > 1 && self.u.ratio(1, 3)? { self.time(depth - 1)? } else { self.pick(&TIMES)? };
        Ok(match self.below(11)? {
            0 => x,
            1 => format!("({x}{}{})", self.pick(&["+", "-"])?, self.pick(&TIMES)?),
            2 => format!("({x}{}{})", self.pick(&["+", "-", "*"])?, self.integer(0)?),
            3 => format!("({} xbar {x})", self.pick(&["5", "0D01", "0D00:05", "7", "2i", "60"])?),
            4..=5 => {
                let part = self.pick(&[
                    "date", "time", "minute", "second", "hh", "mm", "ss", "uu", "dd", "year", "month",
                    "week", "timespan",
                ])?;
                format!("{}.{part}", self.pick(&TIMES)?)
            }
            6 => format!("({x}{}{})", self.pick(&["&", "|", "^"])?, self.pick(&TIMES)?),
            7 => format!(
                "({x}-{})",
                self.pick(&["2000.01.02D0", "2001.01.01", "0D01", "10:00", "00:00:01", "12:00:00.000"])?
            ),
            8 => format!("({} {x})", self.pick(&["neg", "abs", "null", "signum"])?),
            9 => {
                format!("({x}{}{})", self.pick(&["%", " div ", " mod "])?, self.pick(&["2", "7", "n", "3i"])?)
            }
            _ => format!("?[{};{x};{x}]", self.truth(1)?),
        })
    }

    /// A symbol, or an item of an enumeration.
    pub fn symbol(&mut self) -> Result<String> {
        let x = self.pick(&SYMS)?;
        let y = self.pick(&["s", "y", "`b", "va", "`new", "gs", "`"])?;
        Ok(match self.below(5)? {
            0..=1 => x,
            2 => format!("({y}^{x})"),
            3 => format!("?[{};{x};{y}]", self.truth(1)?),
            _ => format!("(ds {x})"),
        })
    }

    /// A cast of any kind to any kind.
    fn cast(&mut self) -> Result<String> {
        let x = if self.u.ratio(1, 3)? { self.number(1)? } else { self.pick(&ANY)? };
        Ok(match self.below(4)? {
            0 => format!(
                "({:?}${x})",
                self.pick(&["b", "x", "h", "i", "j", "e", "f", "p", "m", "d", "n", "u", "v", "t"])?
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
        self.pick(&[
            "dj[s]",
            "(dj ps)",
            "(df j)",
            "df[k]",
            "(st j)",
            "(st sj)",
            "(ds s)",
            "(vl bin j)",
            "(vl binr j)",
            "vl[k]",
            "(vl j)",
            "(vl?j)",
            "(vsl?s)",
            "(1 5 9f bin f)",
            "(1 5 9 bin qj)",
            "(dj y)",
            "(st k)",
            "(vsl bin s)",
        ])
    }

    /// A neighbour's value, a row's number, an aggregate of all rows.
    fn near(&mut self) -> Result<String> {
        let x = self.number(1)?;
        Ok(match self.below(6)? {
            0 => "i".into(),
            1 => format!("({x}-prev {x})"),
            2 => format!("({x}-{} {x})", self.pick(&["min", "max", "first", "last"])?),
            3 => format!("({}+i)", self.pick(&["j", "0", "count i", "f"])?),
            4 => format!("({x}%max {x})"),
            _ => format!("(fills {x})"),
        })
    }

    /// A truth for each row.
    pub fn truth(&mut self, depth: usize) -> Result<String> {
        if depth > 0 && self.u.ratio(1, 4)? {
            let (x, y) = (self.truth(depth - 1)?, self.truth(depth - 1)?);
            return Ok(match self.below(6)? {
                0 => format!("({x}&{y})"),
                1 => format!("({x}|{y})"),
                2 => format!("({x} and {y})"),
                3 => format!("({x} or {y})"),
                4 => format!("({x}{}{y})", self.pick(&["=", "<>", "<", ">"])?),
                _ => format!("(not {x})"),
            });
        }
        let op = self.pick(&COMPARE)?;
        Ok(match self.below(22)? {
            0..=2 => format!("({}{op}{})", self.number(1)?, self.number(1)?),
            3 => format!(
                "({}{op}{})",
                self.pick(&SYMS)?,
                self.pick(&["`b", "s", "va", "y", "`", "`nosuch", "ps"])?
            ),
            4 => self.member()?,
            5 => format!("(null {})", self.pick(&ANY)?),
            6 => self.member()?,
            7 => self.range()?,
            8 => {
                let y = self.pick(&[
                    "2001.05.01",
                    "vd",
                    "2001.05.01D12",
                    "10:00",
                    "0D10",
                    "2001.01m",
                    "12:00:00",
                    "d",
                ])?;
                format!("({}{op}{y})", self.pick(&TIMES)?)
            }
            9 => format!("({}{op}{})", self.pick(&TIMES)?, self.pick(&TIMES)?),
            10..=11 => format!("({}{op}{})", self.number(1)?, self.fby()?),
            12 => format!(
                "({} like {:?})",
                self.pick(&SYMS)?,
                self.pick(&["a*", "?", "[az]*", "", "*z", "[^a]*"])?
            ),
            13 => format!("(c{op}{})", self.pick(&["\"b\"", "c", "\" \""])?),
            14 => format!("(i{op}{})", self.pick(&["2", "(5)", "max i", "j", "(last;i)fby s"])?),
            15 => format!("(differ {})", self.pick(&ANY)?),
            16 => format!("(g{op}{})", self.pick(&["g", "0Ng", "first g"])?),
            17 => format!(
                "({x}{op}{y} {x})",
                x = self.number(1)?,
                y = self.pick(&["max", "min", "first", "prev", "last"])?
            ),
            18 => format!(
                "({x}={y} {x})",
                x = self.pick(&TIMES)?,
                y = self.pick(&["max", "min", "first", "prev"])?
            ),
            _ => self.pick(&["b", "b", "(not b)", "1b", "(j>0)"])?,
        })
    }

    /// Membership in a set: literal, of the host, or computed; of the same type or another.
    fn member(&mut self) -> Result<String> {
        let (x, set) = match self.below(9)? {
            0 => (
                self.pick(&["j", "sj", "qj", "k", "i"])?,
                self.pick(&["1 2 3 40", "vl", "5", "enlist 7", "1 0N", "0#0", "vj"])?,
            ),
            1 => (
                self.pick(&["k", "j", "h", "w"])?,
                self.pick(&["1 2 3i", "vk", "4i", "1 2h", "0x0102", "0N 0W"])?,
            ),
            2 => (
                self.pick(&SYMS)?,
                self.pick(&["`a`zz`q", "vsl", "`b", "enlist`zz", "`", "0#`", "s", "y", "va"])?,
            ),
            3 => (self.pick(&FLOATS)?, self.pick(&["1 2 2.5", "0n", "vf", "f", "0^f", "1.5 2.5e", "3"])?),
            4 => (
                self.pick(&TIMES)?,
                self.pick(&[
                    "2001.05.01",
                    "10:00 11:00",
                    "2000.01.01D0 2000.01.01D01",
                    "d",
                    "p",
                    "vd",
                    "0D01",
                ])?,
            ),
            5 => ("c".into(), self.pick(&["\"ab\"", "\"b\"", "c", "\"\"", "enlist\"z\""])?),
            6 => (self.pick(&ANY)?, self.pick(&ANY)?),
            7 => (self.integer(1)?, self.pick(&["vl", "j", "1 2 3", "(j+1)", "(j where b)", "distinct qj"])?),
            _ => {
                (self.pick(&["j", "k"])?, self.pick(&["1+til 3", "exec j from T where b", "til 5", "(k;3)"])?)
            }
        };
        Ok(format!("({x} in {set})"))
    }

    /// Both ends of a range, from the host or from the rows.
    fn range(&mut self) -> Result<String> {
        let (x, ends) = match self.below(8)? {
            0 => (
                self.pick(&["j", "k", "h", "f", "e", "sj", "qj"])?,
                self.pick(&["-10 20", "0 0W", "0N 5", "-2.5 7.5", "20 -10", "(vj;40)"])?,
            ),
            1 => (
                self.pick(&["j", "k", "h", "f"])?,
                self.pick(&["(-10;max j)", "(k;h)", "(h;50)", "(min k;f)"])?,
            ),
            2 => (
                self.pick(&["p", "sp"])?,
                self.pick(&[
                    "2000.01.01D00 2000.01.01D12",
                    "(2000.01.01D03;max p)",
                    "2000.01.01 2000.01.02",
                ])?,
            ),
            3 => (
                self.pick(&["d", "pd"])?,
                self.pick(&["2001.01.01 2021.12.31", "(vd;2022.01.01)", "2021.12m 2022.01m"])?,
            ),
            4 => (
                self.pick(&["u", "v", "t", "n", "p"])?,
                self.pick(&["09:30 16:00", "09:30:00 16:00:00", "10:00:00.000 12:00:00.000", "0D09 0D17"])?,
            ),
            5 => (self.pick(&SYMS)?, self.pick(&["`a`b", "`A`zz"])?),
            6 => ("c".into(), "\"ab\"".into()),
            _ => (self.integer(1)?, "-3 30".into()),
        };
        Ok(format!("({x} within {ends})"))
    }
}
