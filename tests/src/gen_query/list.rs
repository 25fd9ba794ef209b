//! Random functions of lists: aggregates, scans, windows, orders, parts of lists, and fby of them.

use super::Gen;
use super::expr::ANY;
use super::time::{SYMS, TIMES};
use arbitrary::Result;

impl Gen<'_, '_> {
    /// An aggregate; where sums have no order, one whose bits need none.
    pub fn aggregate(&mut self) -> Result<String> {
        Ok(match self.below(23)? {
            20 => {
                let x = self.integer(1)?;
                self.one_of(
                    "({x+2*y}/)[0;X]  ({y-3*x}/)[7;X]  sum {x+2*y}\\[0;X]  ({$[y>x;y;x-1]}/)[vj;X]  \
                     ({x|y+1}/)[0N;X]  count {x-y}\\[1;X]  sum {(x+y)mod 7}\\[0;X]",
                )?
                .replace('X', &x)
            }
            21 => {
                self.one_of("({y+0.5*x}/)[1.5;f]  ({x+y*z}/)[0f;k;j]  ({x+y}/)[0e;e]  ({(x*0.25)-y}/)[0f;e]")?
            }
            16 => format!("avg {}", self.pick(&["d", "t", "u", "v", "m", "i", "sd", "(j>0)", "(k mod 7)"])?),
            17 => self.one_of(
                "sum i  last i  max i  all j  any k  all h  (sum count each l)  max count each l  \
                (+/)j  (|/)k  (&/)t  (*/)k  count g  count l  first l  last lc  first lc  \
                (sum b)%count b  avg count each lc  (last p)-first p  max p-prev p  sum n-prev n  \
                count distinct d.month  count distinct y  count distinct g  \
                count distinct (j mod 3)  sum distinct k  max distinct h  sum j where b  \
                (count k where k>0)  avg h where b  (max j where b)  (sum k where k>0)%count i  \
                min t where b  first s where b  last f where null f",
            )?,
            18 => {
                let x = self.fby()?;
                format!("{} {x}", self.summary(&x)?)
            }
            19 => format!("{} {}", self.pick(&["first", "last", "count"])?, self.plain()?),
            0 => self.pick(&[
                "count i",
                "count s",
                "count j",
                "count distinct s",
                "count distinct k",
                "count i where b",
            ])?,
            1..=2 => format!("sum {}", self.exact()?),
            3 if self.columns.is_none() => {
                format!("avg {}", self.pick(&["f", "e", "k", "h", "b", "z", "w"])?)
            }
            4 => format!("min {}", self.number(2)?),
            5 => format!("max {}", self.number(2)?),
            6 => format!("first {}", self.pick(&ANY)?),
            7 => format!("last {}", self.pick(&ANY)?),
            8 => format!("{} {}", self.pick(&["max", "min", "sum", "med"])?, self.pick(&TIMES)?),
            9 => format!("sum {}", self.truth(1)?),
            10 => format!("{} {}", self.pick(&["all", "any"])?, self.truth(1)?),
            11 => format!("med {}", self.number(1)?),
            12 => format!("prd {}", self.integer(1)?),
            13 if self.columns.is_none() => format!(
                "({} wavg {})",
                self.pick(&["h", "b", "w", "f"])?,
                self.pick(&["h", "w", "f", "e", "b"])?
            ),
            14 if self.columns.is_none() => {
                format!("({} wsum {})", self.pick(&["k", "h", "b"])?, self.pick(&["h", "w", "e"])?)
            }
            15 => format!("{} {}", self.pick(&["max", "min"])?, self.pick(&["c", "w", "b", "h", "z"])?),
            _ => {
                let (x, y) = (self.exact()?, self.exact()?);
                self.one_of(
                    "((max J)-min J)  (fn J)  (fn[h]+fn k)  ((last J)-first J)  ((sum J)%count i)  \
                (1+max prev J)  (max J)|min k  sum[J]+sum J",
                )?
                .replace("fn[h]", &format!("(fn {y})"))
                .replace('J', &x)
            }
        })
    }

    /// An aggregate of a list whose items are `x`. Quotients and roots take all bits of a float, so that their sums
    /// depend on the order.
    fn summary(&mut self, x: &str) -> Result<String> {
        let all_bits =
            ["avg", "ratios", "%", "sqrt", "reciprocal", "xexp", "log", "exp", "sin", "cos", "tan", "xbar"];
        match all_bits.iter().any(|f| x.contains(f)) {
            true => self.pick(&["max", "min", "first", "last", "count"]),
            false => self.pick(&["sum", "max", "min", "first", "last", "count"]),
        }
    }

    /// A function of lists that keeps their count.
    pub fn scan(&mut self) -> Result<String> {
        let any = self.pick(&ANY)?;
        let number = self.number(1)?;
        let exact = self.exact()?;
        let n = self.u.int_in_range(-2..=4)?;
        Ok(match self.below(35)? {
            32 => {
                let x = self.pick(&["j", "k", "h", "f", "e", "b", "(prev j)"])?;
                format!(
                    "({}\\)[{};{x}]",
                    self.pick(&["-", "%", "+", "*", "xbar", "div"])?,
                    self.pick(&["0", "1.5", "7i", "vf"])?
                )
            }
            33 => format!("({}\\){}", self.pick(&["-", "%", "mod"])?, self.pick(&["j", "k", "f", "e"])?),
            31 => format!("({n}) {} {}", self.pick(&["mmin", "mmax"])?, self.pick(&SYMS)?),
            25 => {
                let f = self.pick(&["(-)", "(+)", "(*)", "(%)", "(&)", "(|)", "(^)"])?;
                format!("({f}prior {})", self.pick(&["j", "k", "f", "h", "e", "t", "p"])?.as_str())
            }
            26 => format!(
                "({}){}",
                self.pick(&["+\\", "|\\", "&\\", "*\\", "^\\", "-':", "<':", "%':"])?,
                self.integer(1)?
            ),
            27 => {
                let seed = self.one_of("0  0x05  2i  0n  1.5  -0W  vf  1b  0D01  2000.01.01D0")?;
                let x = self.pick(&["h", "w", "b", "e", "n", "t", "u", "d", "p", "f", "k"])?;
                format!("({}\\)[{seed};{x}]", self.pick(&["+", "|", "&", "^"])?)
            }
            28 => format!(
                "({} {})",
                self.pick(&["sums", "mins", "maxs", "fills", "prev", "next", "2 xprev", "differ", "3 mmax"])?,
                self.pick(&["n", "t", "u", "v", "d.month", "(p-sp)", "(t-u)", "c", "w", "b", "z", "m"])?
            ),
            29 => format!(
                "({} {} {})",
                self.pick(&["sums", "mins", "maxs", "rank", "prev", "differ", "reverse", "deltas"])?,
                self.pick(&[
                    "deltas", "fills", "reverse", "prev", "rank", "asc", "3 mcount", "iasc", "2 xprev"
                ])?,
                self.pick(&["j", "k", "t", "qj", "sj", "h"])?
            ),
            30 => format!(
                "{} {}",
                self.pick(&["rank", "iasc", "idesc", "asc", "desc", "reverse"])?,
                self.number(1)?
            ),
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
                let n = if self.u.ratio(1, 4)? { *self.u.choose(&[31, 33, 100, 1030, 5000])? } else { n };
                format!("({n}) {} {x}", self.pick(&["msum", "mavg"])?)
            }
            10 => {
                let n = if self.u.ratio(1, 4)? { *self.u.choose(&[31, 33, 100, 1030, 5000])? } else { n };
                format!("({n}) {} {number}", self.pick(&["mmin", "mmax", "mcount"])?)
            }
            11 => {
                let f = if self.own { "mdev" } else { "mcount" };
                format!("({}) {f} {number}", self.u.int_in_range(1..=40)?)
            }
            12 => format!("rank {any}"),
            13..=14 => format!("{} {any}", self.pick(&["iasc", "idesc", "asc", "desc"])?),
            15 => format!("ratios {number}"),
            16 if self.own => {
                format!("{} ema {number}", self.pick(&["0.5", "0.3", "1", "0", "1.5", "0n", "1i"])?)
            }
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
        let f = match self.below(10)? {
            8 => self.one_of(
                "(3 mmax)  (1 xprev)  (2 msum)  ('[max;neg])  (max neg@)  {(first x)+last x}  \
                {x-prev x}  {x=max x}  {count x}  {neg max x}  (sum deltas@)  {sum x where x>0}  \
                {x}  ({x+y}[;1])  {rank neg x}",
            )?,
            9 => self.one_of("avg  all  any  differ  avgs  maxs  last  prd  (count where 0<)  (2 xrank)")?,
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
        let x = match self.below(4)? {
            0 => self.pick(&ANY)?,
            1 => self.integer(1)?,
            _ => self.pick(&["j", "k", "h", "i", "b", "t", "d"])?,
        };
        // Only numbers and times have differences, whatever empty lists have.
        let x = if f.contains("avg") {
            self.pick(&["k", "h", "b", "w", "d", "t"])?
        } else if ["prd", "prds"].contains(&&*f) {
            self.pick(&["j", "k", "h", "i", "b", "w"])?
        } else if ["sum", "sums", "deltas", "ratios", "prds", "{last deltas x}"].contains(&&*f) {
            self.pick(&["j", "k", "h", "i", "b", "w", "f", "e", "p", "d", "n", "t"])?
        } else {
            x
        };
        let by = match self.below(5)? {
            0..=1 => self.pick(&ANY)?,
            2 => self.pick(&["s", "ps", "gs", "y", "b"])?,
            3 => format!("([]{};{})", self.pick(&SYMS)?, self.pick(&["b", "d", "c", "h"])?),
            _ => self.one_of(
                "(10 xbar j)  d.month  ([]s;x:j>3)  ([]b;t.hh;y)  (not b)  i  ([]s)  ([]g;c)  \
                ([]ps;so;gs)  (sums b)  (dj s)  (i div 7)  (prev s)",
            )?,
        };
        Ok(format!("(({f};{x}) fby {by})"))
    }

    /// Some of the items of a list.
    pub fn part(&mut self) -> Result<String> {
        let any = if self.u.ratio(1, 5)? { self.number(1)? } else { self.pick(&ANY)? };
        let n = self.u.int_in_range(-3..=5)?;
        Ok(match self.below(12)? {
            9 => {
                let set =
                    self.one_of("j  h  s  y  ps  `a`b  g  c  d  vl  vsl  k  f  (3 sublist j)  (s where b)")?;
                format!("({any} {} {set})", self.pick(&["inter", "except"])?)
            }
            10 => format!("distinct ({n})#{any}"),
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
        Ok(match self.below(11)? {
            8 => format!("({}~{})", self.pick(&ANY)?, self.pick(&ANY)?),
            9 => format!("({} in {})", self.pick(&ANY)?, self.pick(&ANY)?),
            0 => self.plain()?,
            1..=2 => self.scan()?,
            3..=4 => self.part()?,
            5 => format!("count {}", self.part()?),
            6 => {
                let part = self.part()?;
                format!("{} {part}", self.summary(&part)?)
            }
            7 => "l".into(),
            _ => format!("{} {}", self.pick(&["max", "last", "first", "min"])?, self.scan()?),
        })
    }

    /// The keys of a by phrase, named or not.
    pub fn keys(&mut self) -> Result<String> {
        let count = *self.u.choose(&[1, 1, 1, 2, 2, 3, 4])?;
        let mut out = vec![];
        if self.u.ratio(1, 8)? {
            return self.pick(&[
                "s", "b,s", "s,y", "d.month", "ps,j", "so", "sd,b", "py", "sj", "gj", "a:0b", "i", "g,s",
                "sf",
            ]);
        }
        for k in 0..count {
            let key = match self.below(11)? {
                8 => self.one_of(
                    "so  sd  py  sf  sj  pd  gj  qj  (i div 10)  (i mod 3)  i  (prev s)  (7 xbar pd)  \
                (10 xbar sj)  sd.month  sp.date  (`date$p)  (`month$pd)  (differ s)  \
                (sums differ ps)  (rank j)  (count each l)",
                )?,
                9 => self.one_of(
                    "(j>(max;j) fby s)  ((count;i) fby s)  ((first;k) fby b)  0b  (s=`a)  (j in vl)  \
                (c in \"ab\")  (vl bin j)  (dd d)  (sd0 d)  (g=first g)  (`a^so)  (neg k)  (d-sd)  \
                (abs h)  (null f)  z.date",
                )?,
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
                6 => self.one_of("d.month  t.minute  (60 xbar t.minute)  p.date  t.hh  d.year  p.hh")?,
                7 => self.truth(1)?,
                _ => self.one_of(
                    "(dj s)  (st j)  (signum f)  ?[b;s;`none]  (`long$f)  (`x^s)  (3 xrank k)  (sums b)",
                )?,
            };
            out.push(format!("k{k}:{key}"));
        }
        Ok(out.join(","))
    }
}
