//! Random functions of lists: aggregates, scans, windows, orders, parts of lists, and fby of them.

use super::Gen;
use super::expr::{ANY, SYMS, TIMES};
use arbitrary::Result;

impl Gen<'_, '_> {
    /// An aggregate; where sums have no order, one whose bits need none.
    pub fn aggregate(&mut self) -> Result<String> {
        Ok(match self.below(17)? {
            0 => self.pick(&[
                "count i",
                "count s",
                "count j",
                "count distinct s",
                "count distinct k",
                "count i where b",
            ])?,
            1..=2 => format!("sum {}", self.exact()?),
            3 => format!("avg {}", self.pick(&["f", "e", "k", "h", "b", "z", "w"])?),
            4 => format!("min {}", self.number(2)?),
            5 => format!("max {}", self.number(2)?),
            6 => format!("first {}", self.pick(&ANY)?),
            7 => format!("last {}", self.pick(&ANY)?),
            8 => format!("{} {}", self.pick(&["max", "min", "sum", "med"])?, self.pick(&TIMES)?),
            9 => format!("sum {}", self.truth(1)?),
            10 => format!("{} {}", self.pick(&["all", "any"])?, self.truth(1)?),
            11 => format!("med {}", self.number(1)?),
            12 => format!("prd {}", self.integer(1)?),
            13 => format!(
                "({} wavg {})",
                self.pick(&["h", "b", "w", "f"])?,
                self.pick(&["h", "w", "f", "e", "b"])?
            ),
            14 => format!("({} wsum {})", self.pick(&["k", "h", "b"])?, self.pick(&["h", "w", "e"])?),
            15 => format!("{} {}", self.pick(&["max", "min"])?, self.pick(&["c", "w", "b", "h", "z"])?),
            _ => {
                let (x, y) = (self.exact()?, self.exact()?);
                self.pick(&[
                    "((max J)-min J)",
                    "(fn J)",
                    "(fn[h]+fn k)",
                    "((last J)-first J)",
                    "((sum J)%count i)",
                    "(1+max prev J)",
                    "(max J)|min k",
                    "sum[J]+sum J",
                ])?
                .replace("fn[h]", &format!("(fn {y})"))
                .replace('J', &x)
            }
        })
    }

    /// A function of lists that keeps their count.
    pub fn scan(&mut self) -> Result<String> {
        let any = self.pick(&ANY)?;
        let number = self.number(1)?;
        let exact = self.exact()?;
        let n = self.u.int_in_range(-2..=4)?;
        Ok(match self.below(26)? {
            0..=1 => format!("sums {exact}"),
            2 => format!("{} {number}", self.pick(&["mins", "maxs"])?),
            3 => format!("prds {}", if self.own { number } else { self.integer(1)? }),
            4 => format!("fills {any}"),
            5 => format!("{} {any}", self.pick(&["prev", "next", "reverse"])?),
            6 => format!("({n}) xprev {any}"),
            7 => format!(
                "deltas {}",
                self.pick(&["j", "k", "h", "f", "e", "b", "p", "d", "t", "n", "m", "u", "v", "z"])?
            ),
            8 => format!("differ {any}"),
            9 => {
                let x = if self.own { exact } else { self.pick(&["f", "e", "k", "h", "b"])? };
                format!("({n}) {} {x}", self.pick(&["msum", "mavg"])?)
            }
            10 => format!("({n}) {} {number}", self.pick(&["mmin", "mmax", "mcount"])?),
            11 => {
                let f = if self.own { "mdev" } else { "mcount" };
                format!("({}) {f} {number}", self.u.int_in_range(1..=40)?)
            }
            12 => format!("rank {any}"),
            13..=14 => format!("{} {any}", self.pick(&["iasc", "idesc", "asc", "desc"])?),
            15 => format!("ratios {number}"),
            16 => format!("0.5 ema {}", self.pick(&["f", "e", "k"])?),
            17 => format!("{} xrank {any}", self.pick(&["3", "10", "1", "0"])?),
            18 => format!("sums differ {any}"),
            19 => format!("({op})prior {any}", op = self.pick(&["<", ">", "=", "<>"])?),
            20 => format!("({number}-prev {number})"),
            21 => self.fby()?,
            22 => {
                let seed = self.pick(&["0", "5", "vj", "0N"])?;
                format!("({}\\)[{seed};{}]", self.pick(&["+", "|", "&", "*", "^"])?, self.integer(1)?)
            }
            23 => format!("maxs sums {exact}"),
            24 => format!("avgs {}", if self.own { number } else { self.pick(&["f", "k", "b"])? }),
            _ => format!("{any}[{} {}]", self.pick(&["iasc", "idesc"])?, self.pick(&ANY)?),
        })
    }

    /// An aggregate or a scan within groups that the expression names, beside each row.
    pub fn fby(&mut self) -> Result<String> {
        let f = match self.below(8)? {
            0..=3 => self.pick(&["max", "min", "first", "last", "sum", "count", "med"])?,
            4 => self.pick(&["sums", "prev", "fills", "next", "deltas", "mins", "maxs", "ratios", "prds"])?,
            5 => self.pick(&["rank", "iasc", "idesc", "asc", "reverse", "desc"])?,
            6 => self.pick(&[
                "(sums differ@)",
                "{(max x)-min x}",
                "fn",
                "{x-first x}",
                "('[sum;abs])",
                "{count distinct x}",
            ])?,
            _ => self.pick(&[
                "(count distinct@)",
                "{sum x>0}",
                "(2 mavg)",
                "(3 xrank)",
                "{last deltas x}",
                "(neg max@)",
            ])?,
        };
        let x = match self.below(3)? {
            0 => self.pick(&ANY)?,
            _ => self.pick(&["j", "k", "h", "i", "b", "t", "d"])?,
        };
        // Only numbers and times have differences, whatever empty lists have.
        let x = if ["sum", "sums", "deltas", "ratios", "prds", "{last deltas x}"].contains(&&*f) {
            self.pick(&["j", "k", "h", "i", "b", "w", "f", "e", "p", "d", "n", "t"])?
        } else {
            x
        };
        let by = match self.below(5)? {
            0..=1 => self.pick(&ANY)?,
            2 => self.pick(&["s", "ps", "gs", "y", "b"])?,
            3 => format!("([]{};{})", self.pick(&SYMS)?, self.pick(&["b", "d", "c", "h"])?),
            _ => self.pick(&["(10 xbar j)", "d.month", "([]s;x:j>3)", "([]b;t.hh;y)", "(not b)", "i"])?,
        };
        Ok(format!("(({f};{x}) fby {by})"))
    }

    /// Some of the items of a list.
    pub fn part(&mut self) -> Result<String> {
        let any = if self.u.ratio(1, 5)? { self.number(1)? } else { self.pick(&ANY)? };
        let n = self.u.int_in_range(-3..=5)?;
        Ok(match self.below(10)? {
            0 => format!("distinct {any}"),
            1..=2 => format!("({n}) sublist {any}"),
            3 => format!(
                "{} sublist {} {any}",
                self.pick(&["2", "3", "10"])?,
                self.pick(&["desc", "asc", "iasc", "idesc"])?
            ),
            4..=5 => format!("{any} where {}", self.truth(1)?),
            6 => format!("{} distinct {any}", self.pick(&["asc", "desc"])?),
            7 => format!("(1 2) sublist {any}"),
            8 => format!("({n})#{any}"),
            _ => format!("{any} where differ {any}"),
        })
    }

    /// What has a list, or part of one, for each group.
    pub fn lists(&mut self) -> Result<String> {
        Ok(match self.below(9)? {
            0 => self.plain()?,
            1..=2 => self.scan()?,
            3..=4 => self.part()?,
            5 => format!("count {}", self.part()?),
            6 => format!("{} {}", self.pick(&["first", "last", "max", "sum"])?, self.part()?),
            7 => "l".into(),
            _ => format!("{} {}", self.pick(&["max", "last", "first", "min"])?, self.scan()?),
        })
    }

    /// The keys of a by phrase, named or not.
    pub fn keys(&mut self) -> Result<String> {
        let count = *self.u.choose(&[1, 1, 1, 2, 2, 3])?;
        let mut out = vec![];
        for k in 0..count {
            let key = match self.below(9)? {
                0..=2 => self.pick(&["s", "b", "c", "y", "ps", "gs"])?,
                3..=4 => self.pick(&ANY)?,
                5 => self.pick(&[
                    "(10 xbar j)",
                    "(0D01 xbar p)",
                    "(5 xbar u)",
                    "(7 xbar d)",
                    "(j mod 3)",
                    "(k div 10)",
                ])?,
                6 => self.pick(&[
                    "d.month",
                    "t.minute",
                    "(60 xbar t.minute)",
                    "p.date",
                    "t.hh",
                    "d.year",
                    "p.hh",
                ])?,
                7 => self.truth(1)?,
                _ => self.pick(&[
                    "(dj s)",
                    "(st j)",
                    "(signum f)",
                    "?[b;s;`none]",
                    "(`long$f)",
                    "(`x^s)",
                    "(3 xrank k)",
                    "(sums b)",
                ])?,
            };
            out.push(format!("k{k}:{key}"));
        }
        Ok(out.join(","))
    }
}
