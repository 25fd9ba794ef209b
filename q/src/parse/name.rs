//! The names of columns that are given none: taken from their expressions, and told apart by numbers.

use super::expr::is_glyph;
use crate::fun::Prim;
use crate::sym::Sym;
use crate::value::{Func, Iter, Value};

/// The names given out so far in one list of columns.
#[derive(Default)]
pub struct Names(Vec<Sym>);

impl Names {
    /// The name of the next column: as given, else from its tree. One that is taken gets a number: `a`, `a1`.
    pub fn add(&mut self, given: Option<Sym>, tree: &Value) -> Sym {
        let name = given.unwrap_or_else(|| inferred(tree));
        let numbered = (1..).map(|n| Sym::new(&format!("{name}{n}")));
        let free = std::iter::once(name).chain(numbered).find(|n| !self.0.contains(n));
        let free = free.expect("numbers do not run out");
        self.0.push(free);
        free
    }
}

/// The name that q takes from a column's tree: that of a column, else of the left argument of an operator and
/// of the last argument of anything else; `x` where that is no name.
pub fn inferred(tree: &Value) -> Sym {
    let mut at = tree;
    loop {
        if let Some(name) = at.as_sym() {
            return match name.text().rsplit('.').next() {
                Some("i" | "") | None => Sym::new("x"),
                Some(last) => Sym::new(last),
            };
        }
        at = match at {
            Value::List(items) if items.len() > 1 => {
                // `` `p#sym `` is the column sym with an attribute, `` `d$sym `` it as another type.
                let attribute = matches!(items[0].as_prim(), Some(Prim::Take | Prim::Dollar))
                    && matches!(items[1], Value::Vec(_));
                let left = items.len() == 3 && takes_left(&items[0]) && !attribute;
                if left { &items[1] } else { &items[items.len() - 1] }
            }
            _ => return Sym::new("x"),
        };
    }
}

/// True for an operator, a negated comparison, and an operator with Each Left.
fn takes_left(head: &Value) -> bool {
    match head {
        Value::Fun(Func::Prim(p)) => is_glyph(*p),
        Value::List(items) => match items[..] {
            [Value::Fun(Func::Iter(Iter::Each)), ref not, _] => not.as_prim() == Some(Prim::Not),
            [Value::Fun(Func::Iter(Iter::Left)), ref f] => takes_left(f),
            _ => false,
        },
        _ => false,
    }
}
