//! Random truths: comparisons, memberships, ranges, patterns.

use super::Gen;
use super::expr::{ANY, FLOATS};
use super::time::{SYMS, TIMES};
use arbitrary::Result;

const COMPARE: [&str; 6] = ["=", "<>", "<", ">", "<=", ">="];

impl Gen<'_, '_> {
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
        Ok(match self.below(26)? {
            22 => format!(
                "({}{op}{})",
                self.letter()?,
                self.pick(&["c", "\"b\"", "w", "0x10", "g", "0Ng", "5", "k"])?
            ),
            23 => format!("({}{op}{})", self.time(1)?, self.time(1)?),
            24 => {
                let x = self.number(1)?;
                let f = self.pick(&["avg", "med", "sum", "first", "prd"])?;
                format!("({x}{op}{f} {})", self.pick(&["k", "h", "w"])?)
            }
            25 => format!(
                "({} {})",
                self.pick(&["all", "any"])?,
                self.pick(&["b", "(j>0)", "(k<h)", "1b", "(null s)"])?
            ),
            0..=2 => format!("({}{op}{})", self.number(1)?, self.number(1)?),
            3 => format!(
                "({}{op}{})",
                self.pick(&SYMS)?,
                self.pick(&["`b", "s", "va", "y", "`", "`nosuch", "ps", "py", "so", "last s", "prev s"])?
            ),
            4 => self.member()?,
            5 => format!("(null {})", self.pick(&ANY)?),
            6 => self.member()?,
            7 => self.range()?,
            8 => {
                let y = self.one_of("2001.05.01  vd  2001.05.01D12  10:00  0D10  2001.01m  12:00:00  d")?;
                format!("({}{op}{y})", self.pick(&TIMES)?)
            }
            9 => format!("({}{op}{})", self.pick(&TIMES)?, self.pick(&TIMES)?),
            10..=11 => format!("({}{op}{})", self.number(1)?, self.fby()?),
            12 if self.columns.is_none() => format!(
                "({} like {:?})",
                self.pick(&SYMS)?,
                self.pick(&["a*", "?", "[az]*", "", "*z", "[^a]*", "*", "a", "zz", "[A-Z]", "?z", "*[b]*"])?
            ),
            13 => format!("({}{op}{})", self.pick(&["c"])?, self.pick(&["\"b\"", "c", "\" \""])?),
            14 => format!("(i{op}{})", self.pick(&["2", "(5)", "max i", "j", "(last;i)fby s"])?),
            15 => format!("(differ {})", self.pick(&ANY)?),
            16 => format!("({}{op}{})", self.pick(&["g"])?, self.pick(&["g", "0Ng", "first g"])?),
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
        let (x, set) = match self.below(11)? {
            8 => (
                self.pick(&SYMS)?,
                self.pick(&["key dj", "exec s from T where b", "(`a;va)", "distinct ps", "(`b^s)"])?,
            ),
            9 => (self.pick(&["g"])?, self.pick(&["g", "0Ng", "enlist first g", "first g", "(1#0Ng)"])?),
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
                self.one_of("2001.05.01  10:00 11:00  2000.01.01D0 2000.01.01D01  d  p  vd  0D01")?,
            ),
            5 => (self.pick(&["c"])?, self.pick(&["\"ab\"", "\"b\"", "c", "\"\"", "enlist\"z\""])?),
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
        let (x, ends) = match self.below(10)? {
            8 => (
                self.pick(&["w", "b", "g", "z", "m", "sf", "sd"])?,
                self.pick(&["0x0580", "01b", "-10 10", "2000.01 2010.01m"])?,
            ),
            9 => (
                self.time(1)?,
                self.pick(&["(d;pd)", "0D00 0D12", "2000.01.01 2010.01.01", "(min p;max p)", "0Nt 12:00"])?,
            ),
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
            6 => (self.pick(&["c"])?, "\"ab\"".into()),
            _ => (self.integer(1)?, "-3 30".into()),
        };
        Ok(format!("({x} within {ends})"))
    }
}
