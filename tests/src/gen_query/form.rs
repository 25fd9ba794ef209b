//! Random queries: select, exec, update and delete in all their forms, and the functional ones.

use super::Gen;
use super::expr::ANY;
use arbitrary::Result;

/// What an item of a select phrase is made by.
type Item<'a, 'b> = fn(&mut Gen<'a, 'b>) -> Result<String>;

impl<'a, 'b> Gen<'a, 'b> {
    /// A query, and what is applied to its parse tree if it is not asked as it stands.
    pub fn query(&mut self) -> Result<(String, Option<String>)> {
        self.argument = match self.below(12)? {
            0 => Some("x0"),
            1 => Some("local"),
            _ => None,
        };
        let functional = self.u.ratio(1, 5)?;
        let kind = self.below(21)?;
        let (text, by) = match kind {
            20 if !functional => (self.in_place()?, String::new()),
            0..=3 => self.update(functional)?,
            4 => self.delete(functional)?,
            5..=8 => (self.exec()?, "{?[T;first x 2;x 3;$[0h=type x 4;first x 4;x 4]]}".into()),
            _ if functional => (self.select("T".into(), "")?, self.selector()?),
            _ => {
                let (from, limit) = (self.source()?, self.limit()?);
                (self.select(from, &limit)?, String::new())
            }
        };
        let wrapped = match self.argument {
            Some("x0") if self.taken => {
                format!("{{[x0] {text}}}[{}]", self.pick(&["3", "-1", "0N", "2i", "40"])?)
            }
            Some(_) if self.taken => {
                format!("{{local:{}; {text}}}[]", self.pick(&["3", "-1", "neg 2"])?)
            }
            _ => return Ok((text, Some(by).filter(|by| functional && !by.is_empty()))),
        };
        Ok((wrapped, None))
    }

    /// What is applied to a select's tree: `?` with four to six arguments, or the card's function.
    fn selector(&mut self) -> Result<String> {
        let n = self.u.int_in_range(-3..=5)?;
        let order = format!("({};`{})", self.pick(&["iasc", "idesc"])?, self.pick(&ANY)?);
        Ok(match self.below(10)? {
            8 => format!(
                "{{?[T;{};{}]}}",
                self.pick(&["0 2", "til 3", "0", "-1 1 0N", "`long$()"])?,
                self.pick(&["`j", "`s", "(sum;`k)", "(+;`j;`k)", "`s`j!`s`j"])?
            ),
            9 => {
                let by = self.pick(&["`s`b!`s`b", "enlist[`k]!enlist`k", "`s", "()"])?;
                format!(
                    "{{?[T;first x 2;{by};{};{n};{order}]}}",
                    self.pick(&["x 4", "`j`c!((max;`j);(first;`c))", "()"])?
                )
            }
            0 => "{?[T;first x 2;x 3;x 4]}".into(),
            1 => {
                let some = self.pick(&["x 4", "`j", "`s`k!`s`k", "(max;`j)"])?;
                format!("{{?[T;first x 2;1b;{some};{n}]}}")
            }
            2 => "{.gpu.select[T;first x 2;x 3;x 4]}".into(),
            3 => format!("{{?[T;first x 2;x 3;x 4;{n}]}}"),
            4 => format!("{{?[T;first x 2;x 3;x 4;{n};{order}]}}"),
            5 => {
                format!("{{?[T;first x 2;();{}]}}", self.pick(&["x 4", "`j", "(sum;`k)", "()", "`s`j!`s`j"])?)
            }
            6 => {
                let by =
                    self.one_of("`s`b  enlist`s  `s  `ps`gs  ()!()  1b  enlist[`q]!enlist`s  enlist`k")?;
                format!(
                    "{{?[T;first x 2;{by};{}]}}",
                    self.pick(&["x 4", "`j", "(sum;`k)", "()", "`j`c!`j`c"])?
                )
            }
            _ => format!("{{?[T;first x 2;x 3;x 4;{}]}}", self.pick(&["0W", "0", "1 2", "0N"])?),
        })
    }

    fn limit(&mut self) -> Result<String> {
        let order = format!("{}{}", self.pick(&["<", ">"])?, self.pick(&ANY)?);
        let n = self.u.int_in_range(-4..=6)?;
        Ok(match self.below(20)? {
            18 => format!("[{};{order}]", self.pick(&["vj", "2+1", "1 2", "0W"])?),
            19 => format!("[{}{}]", self.pick(&["<", ">", "2;<", "vj;>"])?, self.plain()?),
            0 => format!("[{n}]"),
            1 => format!("[{} {}]", self.below(4)?, self.below(5)?),
            2 => format!("[{order}]"),
            3 => format!("[{n};{order}]"),
            _ => String::new(),
        })
    }

    fn select(&mut self, from: String, limit: &str) -> Result<String> {
        let form = self.below(16)?;
        let by = if matches!(form, 5..=10) { format!(" by {}", self.keys()?) } else { String::new() };
        let columns = match form {
            0..=2 => self.columns(2, Self::plain)?,
            3 => self.columns(3, Self::aggregate)?,
            4 => self.columns(2, Self::scan)?,
            5..=7 => self.columns(3, Self::aggregate)?,
            8..=9 => self.columns(2, Self::lists)?,
            10 | 11 => String::new(),
            12 => self.distinct()?,
            15 => format!("{},{}", self.columns(1, Self::fby)?, self.pick(&ANY)?),
            13 => format!("{},{}", self.pick(&ANY)?, self.columns(1, Self::aggregate)?),
            _ => self.unnamed()?,
        };
        Ok(format!("select{limit} {columns}{by} from {from}{}", self.filters()?))
    }

    fn distinct(&mut self) -> Result<String> {
        Ok(match self.below(4)? {
            0 => format!("distinct {},{}", self.pick(&ANY)?, self.pick(&ANY)?),
            1 if self.columns.is_some() => "distinct".into(),
            2 => format!("distinct {}", self.columns(1, Self::aggregate)?),
            _ => format!("distinct {}", self.columns(1, Self::plain)?),
        })
    }

    /// Columns that get their names from q.
    fn unnamed(&mut self) -> Result<String> {
        let one = |g: &mut Self| match g.below(4)? {
            0 => g.pick(&["s", "j", "l", "i", "k"]),
            1 => g.plain(),
            2 => g.scan(),
            _ => g.number(1),
        };
        Ok(format!("{},{}", one(self)?, one(self)?))
    }

    fn exec(&mut self) -> Result<String> {
        let from = self.source()?;
        let what = match self.below(12)? {
            0 => self.plain()?,
            1..=2 => self.aggregate()?,
            3 => self.part()?,
            4 => self.scan()?,
            5 => self.columns(2, Self::aggregate)?,
            6 => self.columns(1, Self::part)?,
            7 => format!("{}!{}", self.pick(&["s", "qj", "i", "k", "so", "py", "(prev j)"])?, self.plain()?),
            8 => String::new(),
            9 => format!("{},{}", self.pick(&ANY)?, self.pick(&ANY)?),
            _ => {
                let vals = match self.below(6)? {
                    3 => format!("r:{}", self.aggregate()?),
                    0 => self.pick(&["j", "c,s,f", "l"])?,
                    1 => format!("{},{}", self.aggregate()?, self.aggregate()?),
                    2 => self.lists()?,
                    _ => self.aggregate()?,
                };
                let key = self.one_of(
                    "s  b  d.month  (10 xbar j)  ps  gs  y  s,b  s:s  j  a:c,b  so  sd  py  i  a:0b  \
                (j>0)  (dj s)",
                )?;
                format!("{vals} by {key}")
            }
        };
        Ok(format!("exec {what} from {from}{}", self.filters()?))
    }

    fn update(&mut self, functional: bool) -> Result<(String, String)> {
        let from = if functional { "T".into() } else { self.source()? };
        let by = if self.u.arbitrary()? { format!(" by {}", self.keys()?) } else { String::new() };
        let item = *self.u.choose(&[Self::aggregate, Self::plain, Self::scan, Self::scan])?;
        // New columns, or others for old ones.
        let columns = match self.below(5)? {
            0 => format!(
                "{}:{}",
                self.pick(&["j", "f", "k", "b", "p", "h", "w", "e", "sj", "qj", "t"])?,
                item(self)?
            ),
            1 => match self.below(4)? {
                0 => format!("{}:{}", self.pick(&["s", "y", "ps", "gs", "so"])?, self.symbol()?),
                1 => format!(
                    "c:{},g:{}",
                    self.pick(&["c", "\"x\"", "prev c", "first c"])?,
                    self.pick(&["g", "first g", "next g"])?
                ),
                2 => format!("{x}:{x},r:{}", item(self)?, x = self.pick(&ANY)?),
                _ => format!("d:d+{},t:t-{}", self.pick(&["k", "1", "b"])?, self.pick(&["h", "t", "00:01"])?),
            },
            _ => self.columns(1, item)?,
        };
        let text = format!("update {columns}{by} from {from}{}", self.filters()?);
        Ok((text, self.pick(&["{![T;first x 2;x 3;x 4]}", "{.gpu.update[T;first x 2;x 3;x 4]}"])?))
    }

    fn delete(&mut self, functional: bool) -> Result<(String, String)> {
        let from = if functional { "T".into() } else { self.source()? };
        let text = match self.below(3)? {
            0 => format!("delete {} from {from}", self.pick(&["j", "s,f", "l,t,h", "sj"])?),
            _ => format!("delete from {from} where {}", self.truth(2)?),
        };
        Ok((text, "{![T;first x 2;x 3;x 4]}".into()))
    }

    /// In place, by the table's name.
    fn in_place(&mut self) -> Result<String> {
        let text = match self.below(3)? {
            0 => format!("delete from`T where {}", self.truth(1)?),
            1 => format!("delete {} from`T", self.pick(&["j", "s,f", "l,t,h"])?),
            _ => {
                let item = *self.u.choose(&[Self::aggregate, Self::plain, Self::scan])?;
                let by = if self.u.arbitrary()? { format!(" by {}", self.keys()?) } else { String::new() };
                format!("update {}{by} from`T{}", self.columns(1, item)?, self.filters()?)
            }
        };
        Ok(format!("{{T}}[{text}]"))
    }

    fn filters(&mut self) -> Result<String> {
        let count = *self.u.choose(&[0, 0, 1, 1, 2, 3])?;
        let mut text = String::new();
        for i in 0..count {
            text += if i == 0 { " where " } else { "," };
            text += &self.truth(2)?;
        }
        Ok(text)
    }

    fn columns(&mut self, more: usize, item: Item<'a, 'b>) -> Result<String> {
        let count = self.u.int_in_range(1..=more + 1)?;
        let cols: Result<Vec<String>> = (0..count).map(|k| Ok(format!("r{k}:{}", item(self)?))).collect();
        Ok(cols?.join(","))
    }
}
