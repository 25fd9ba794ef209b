//! Random tables and queries over the whole surface, and the judge that holds an engine to the interpreter on them:
//! for properties and fuzzing.
//!
//! Floats are small multiples of 1/64, so that their sums are exact in any order, and engines must agree to the bit;
//! what would not be exact (a sum of quotients, a deviation) is not asked here.

mod expr;
mod floats;
mod form;
mod judge;
mod list;
mod shrink;
mod source;
mod table;
mod tally;
mod time;
mod truth;

use arbitrary::{Result, Unstructured};
use fastrand::Rng;
use q::Value;

pub use floats::{FloatCase, float_case};
pub use judge::{Verdict, judge, judge_again, judge_on};
pub use tally::{Tally, tally};

/// A table and a query of it, as text.
#[derive(Clone)]
pub struct Case {
    /// The table.
    pub table: Value,
    /// The query; it names the table `T`.
    pub query: String,
    /// What is applied to the query's parse tree, if it is not asked in q's own words.
    pub by: Option<String>,
}

impl Case {
    /// The expression that asks the query.
    pub fn text(&self) -> String {
        match &self.by {
            Some(by) => format!("{by} parse {:?}", self.query),
            None => self.query.clone(),
        }
    }
}

/// How many rows tables have, by how often.
const ROWS: [usize; 16] = [0, 1, 2, 3, 7, 7, 20, 20, 40, 40, 40, 100, 100, 300, 1000, 2100];
/// More rows than one block or one thread takes at a time.
const MANY: usize = 70_000;

/// A table and a query, for an engine that has the interpreter's own elementwise functions.
pub fn case(u: &mut Unstructured) -> Result<Case> {
    let rows = if u.ratio(1, 150)? { MANY } else { *u.choose(&ROWS)? };
    case_of(u, rows, true)
}

/// A small table and a query, for an engine whose elementwise functions are a GPU's.
pub fn small_case(u: &mut Unstructured) -> Result<Case> {
    let rows = if u.ratio(1, 60)? { 1000 } else { *u.choose(&ROWS[..14])? };
    case_of(u, rows, false)
}

fn case_of(u: &mut Unstructured, rows: usize, own: bool) -> Result<Case> {
    let table = table::table(&mut Rng::with_seed(u.arbitrary()?), rows);
    let mut g = Gen { u, own, argument: None, taken: false, columns: None };
    let (query, by) = g.query()?;
    Ok(Case { table, query, by })
}

/// Writes q text. Every binary is in parentheses, so that reading needs no rules.
struct Gen<'a, 'b> {
    u: &'a mut Unstructured<'b>,
    /// What q leaves to the machine (the last bits of `log`) may be asked.
    own: bool,
    /// What the query may call an argument or a local of the lambda around it.
    argument: Option<&'static str>,
    /// It does.
    taken: bool,
    /// The only columns that there are, where they are not the table's own.
    columns: Option<Vec<String>>,
}

impl Gen<'_, '_> {
    /// One of `of` whose columns there are; if none has them, the row's number.
    fn pick(&mut self, of: &[&str]) -> Result<String> {
        let Some(columns) = &self.columns else { return Ok(self.u.choose(of)?.to_string()) };
        let seen: Vec<&str> = of.iter().copied().filter(|text| has_columns(text, columns)).collect();
        Ok(self.u.choose(if seen.is_empty() { &["i"] } else { &seen })?.to_string())
    }

    /// One of the texts that two blanks part.
    fn one_of(&mut self, texts: &str) -> Result<String> {
        self.pick(&texts.split("  ").collect::<Vec<_>>())
    }

    fn below(&mut self, n: usize) -> Result<usize> {
        self.u.int_in_range(0..=n - 1)
    }

    /// The name of the lambda's argument or local; empty without a lambda.
    fn argument(&mut self) -> String {
        self.taken |= self.argument.is_some();
        self.argument.unwrap_or_default().to_string()
    }
}

/// Are all columns of the table that an expression names among `columns`?
fn has_columns(text: &str, columns: &[String]) -> bool {
    let word = |c: char| !c.is_ascii_alphanumeric();
    text.split(word).all(|word| !table::NAMES.contains(&word) || columns.iter().any(|c| c == word))
}
