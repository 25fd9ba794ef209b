//! Random expressions of times, symbols, characters and guids.

use super::Gen;
use arbitrary::Result;

/// Times of all kinds.
pub const TIMES: [&str; 11] = ["p", "m", "d", "n", "u", "v", "t", "sp", "pd", "z", "sd"];
pub const SYMS: [&str; 6] = ["s", "y", "ps", "gs", "so", "py"];
/// What `x.part` may ask.
const PARTS: [&str; 14] = [
    "date",
    "time",
    "minute",
    "second",
    "hh",
    "mm",
    "ss",
    "uu",
    "dd",
    "year",
    "month",
    "week",
    "timespan",
    "timestamp",
];

impl Gen<'_, '_> {
    /// A time, or what differences and parts of times are.
    pub fn time(&mut self, depth: usize) -> Result<String> {
        let x = if depth > 1 && self.u.ratio(1, 3)? { self.time(depth - 1)? } else { self.pick(&TIMES)? };
        Ok(match self.below(15)? {
            0 => x,
            1 => format!("({x}{}{})", self.pick(&["+", "-"])?, self.pick(&TIMES)?),
            2 => format!("({x}{}{})", self.pick(&["+", "-", "*"])?, self.integer(0)?),
            3 => {
                let bar = "5  0D01  0D00:05  7  2i  60  0  -3  2.5  00:05  1b  0N  00:00:30";
                format!("({} xbar {x})", self.one_of(bar)?)
            }
            4..=5 => format!("{}.{}", self.pick(&TIMES)?, self.pick(&PARTS)?),
            6 => format!("({x}{}{})", self.pick(&["&", "|", "^"])?, self.pick(&TIMES)?),
            7 => format!(
                "({x}{}{})",
                self.pick(&["-", "-", "+"])?,
                self.one_of(
                    "2000.01.02D0  2001.01.01  0D01  10:00  00:00:01  12:00:00.000  2001.01m  vd  0Nd  \
                0Wt  -0Wp"
                )?
            ),
            8 => format!("({} {x})", self.pick(&["neg", "abs", "null", "signum", "not"])?),
            9 => format!(
                "({x}{}{})",
                self.pick(&["%", " div ", " mod "])?,
                self.pick(&["2", "7", "n", "3i", "0", "t"])?
            ),
            10 => format!(
                "({x}{}{})",
                self.pick(&["+", "-", "*", "%"])?,
                self.pick(&["f", "e", "2.5", "0n", "(1.5e)"])?
            ),
            11 => format!("(`{}${x})", self.pick(&PARTS)?),
            12 => {
                let y = self.pick(&["0D01", "2001.05.01", "10:00", "0Nd", "0Wp", "vd", "00:00:01.5"])?;
                format!("({y}{}{x})", self.pick(&["&", "|", "^", "+", "-"])?)
            }
            13 => format!("({x}{}{x})", self.pick(&["&prev ", "|next ", "-prev ", "^prev "])?),
            _ => format!("?[{};{x};{x}]", self.truth(1)?),
        })
    }

    /// A symbol, or an item of an enumeration.
    pub fn symbol(&mut self) -> Result<String> {
        let x = self.pick(&SYMS)?;
        let y = self.pick(&["s", "y", "`b", "va", "`new", "gs", "`", "so", "py"])?;
        Ok(match self.below(7)? {
            0..=1 => x,
            2 => format!("({y}^{x})"),
            3 => format!("?[{};{x};{y}]", self.truth(1)?),
            4 => format!(
                "?[{};`{};`{}]",
                self.truth(1)?,
                self.pick(&["a", "new", ""])?,
                self.pick(&["b", "zz", "a"])?
            ),
            5 => {
                return self
                    .one_of("(st j)  (st k)  (dy b)  vsl[k]  (vsl h)  (`symbol$y)  (`$s)  (`symbol$py)");
            }
            _ => format!("(ds {x})"),
        })
    }

    /// A character, a byte or a guid.
    pub fn letter(&mut self) -> Result<String> {
        self.one_of(
            "c  w  g  (c&\"b\")  (c|\"b\")  (\"x\"^c)  (0x05^w)  (g^prev g)  (0x10&w)  (w|0x10)  \
                ?[b;c;\"q\"]  ?[b;g;first g]  ?[b;w;0x00]  (su u)  (sf0 f)  (dc c)  (\"i\"$c)  \
                (`long$w)  (c=\"a\")  (not w)  (null c)  (null g)  (c+w)  (neg w)  (w-1)  (1+c)  \
                (prev g)",
        )
    }
}
