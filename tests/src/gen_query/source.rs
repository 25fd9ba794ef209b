//! What random queries are of: the table, or an answer from it, which may have other columns.

use super::Gen;
use super::expr::ANY;
use super::table::NAMES;
use arbitrary::Result;

impl Gen<'_, '_> {
    /// The table, or an answer from it. What is written after this names only columns that it has.
    pub fn source(&mut self) -> Result<String> {
        Ok(match self.below(34)? {
            0 => format!("(select from {} where {})", self.inner()?, self.truth(1)?),
            1 => format!("(select[{}] from T)", self.u.int_in_range(-5..=9)?),
            2 => format!("(update j:{},s:{} from {})", self.integer(1)?, self.symbol()?, self.inner()?),
            3 => {
                let f = self.pick(&["max", "min", "sum", "first", "last", "count"])?;
                format!("(update j:{f} {} by {} from T)", self.integer(1)?, self.keys()?)
            }
            4 => format!("(delete from T where {})", self.truth(1)?),
            5 => format!("(`{} {} T)", self.pick(&["j", "s`j", "t", "d`c"])?, self.pick(&["xasc", "xdesc"])?),
            6 => format!("(select[{}{}] from T)", self.pick(&["<", ">", "3;>"])?, self.pick(&ANY)?),
            7 => "(delete z,u from T)".into(),
            8 => {
                let keys = self.pick(&["`s", "`so", "`j`b", "`s`d`c", "`qj", "`sp", "`ps", "`y"])?;
                format!("({keys} xkey {})", self.inner()?)
            }
            9 => format!("(select by {} from T)", self.pick(&["s", "b,c", "d.month", "qj"])?),
            10..=11 => self.projected(false)?,
            12..=14 => self.projected(true)?,
            _ => "T".into(),
        })
    }

    /// The table, or one more answer from it.
    fn inner(&mut self) -> Result<String> {
        Ok(match self.below(6)? {
            0 => format!("(select from T where {})", self.truth(1)?),
            1 => format!("(update k:{} from T where {})", self.integer(1)?, self.truth(1)?),
            2 => format!("({} sublist T)", self.u.int_in_range(-9..=30)?),
            _ => "T".into(),
        })
    }

    /// A select of some columns under names of the table's, by keys or not.
    fn projected(&mut self, by: bool) -> Result<String> {
        let mut columns = vec![];
        let mut text = vec![];
        let keys = if by { self.below(2)? + 1 } else { 0 };
        let count = keys + 1 + self.below(4)?;
        while columns.len() < count {
            let name = self.u.choose(&NAMES)?.to_string();
            if columns.contains(&name) {
                // The next that is free: choices may all be the same.
                let free =
                    NAMES.iter().find(|n| !columns.iter().any(|c| c == *n)).expect("there are more names");
                columns.push(free.to_string());
            } else {
                columns.push(name);
            }
            let name = columns.last().expect("one was pushed").clone();
            let value = match text.len() {
                n if n < keys => {
                    self.pick(&["s", "b", "(j mod 3)", "ps", "d.month", "so", "y", "c", "(k>0)"])?
                }
                _ if by => self.aggregate()?,
                _ if self.u.ratio(1, 3)? => self.pick(&[&name])?,
                _ => self.plain()?,
            };
            text.push(format!("{name}:{value}"));
        }
        let values = text.split_off(keys).join(",");
        let keys = if by { format!(" by {}", text.join(",")) } else { String::new() };
        let filter = if self.u.ratio(1, 3)? { format!(" where {}", self.truth(1)?) } else { String::new() };
        columns.push("i".into());
        self.columns = Some(columns);
        Ok(format!("(select {values}{keys} from T{filter})"))
    }
}
