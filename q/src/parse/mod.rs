//! q text → parse trees.
//!
//! # Tree forms
//! A tree is a [`Value`] in the shape that q's `parse` gives. This list is the contract with the evaluator;
//! the parser makes no other form.
//!
//! | text | tree |
//! |---|---|
//! | `5` `1 2 3` `"abc"` `"a"` `0x01` `2024.01.01` `()` | the value itself: a non-symbol literal, never a one-item vector |
//! | `` `a `` | `` ,`a ``: one-item symbol vector |
//! | `` `a`b `` | `` ,`a`b ``: one-item general list that holds the symbol vector |
//! | `a` `.ns.a` `x` `time.minute` | `` `a ``: symbol atom, a name to look up |
//! | `+` `neg` `count` `in` `aj` | `Func::Prim`: operators and reserved words, see [`keyword`] |
//! | `-:` `#:` `0::` | the unary primitive: `Prim::Neg`, `Prim::Count`, `Prim::Read0` |
//! | `sums` `deltas` `raze` … | `Func::Derived`: `+\`, `-':`, `,/` |
//! | `>=` `<=` `<>` | list `(';~:;<)` `(';~:;>)` `(';~:;=)`: `Func::Iter(Each)`, `Prim::Not`, `Prim::Lt` … |
//! | `{[a;b] a+b}` | `Func::Lambda` |
//! | `::` | `Prim::Ident` |
//! | `'` `/` `\` `':` `/:` `\:` alone, as in `(')` | `Func::Iter` |
//! | `f x` `f[x]` | `` (`f;`x) `` |
//! | `f[x;y]` `x+y` `x in y` | `` (`f;`x;`y) `` `` (+;`x;`y) `` `` (in;`x;`y) `` |
//! | `f[]` | `(f;::)` with `Prim::Ident` |
//! | `f[;1]` `f[1;]` `f[;]` | `(f;hole;1)` …: an argument left out is `Prim::Elided`, which prints as `::` |
//! | `(1+)` `1+` | `(+;1)`: fewer arguments than the function wants make a projection |
//! | `f g@` `f 1+` | composition `(';f;(@;g))` `(';f;(+;1))`: an expression that ends in a verb is a function |
//! | `'[f;g]` | `(';f;g)`: `Func::Iter(Each)` with two or more arguments composes |
//! | `f'` `+/` `f\:` | `(';f)` `(/;+)` `(\:;f)`: an iterator with one argument derives a function |
//! | `+/x` `f'[x;y]` `x f\:y` | `((/;+);x)` `((';f);x;y)` `((\:;f);x;y)` |
//! | `(a;b)` `(;b)` | `(enlist;a;b)` `(enlist;hole;b)` with `Prim::Enlist` |
//! | `(x)` | the tree of `x` |
//! | `([]a:x;b:y)` | ``(+:;(!;,`a`b;(enlist;x;y)))`` |
//! | `([k:x]a:y)` | ``(!;(+:;(!;,,`k;(enlist;x)));(+:;(!;,,`a;(enlist;y))))`` |
//! | `([a:x;b:y])` `([])` | ``(!;,`a`b;(enlist;x;y))`` `(!;();())`: dictionaries |
//! | `[a;b]` and the statements `a;b` | `(";";a;b)`: the head is the char atom `";"`; the value is the last one's; an empty last statement is `::` |
//! | `a:x` | ``(:;`a;x)`` with `Prim::Assign`; likewise ``(:;`.ns.a;x)`` |
//! | `a[i;j]:x` `a[]:x` | ``(:;(`a;i;j);x)`` ``(:;(`a;::);x)``: the target is not evaluated, its indices are |
//! | `(a;b):x` | ``(:;(enlist;`a;`b);x)`` |
//! | `a+:x` `a[i],:x` | ``(+:;`a;x)`` ``(,:;(`a;i);x)``: a unary primitive `-:` … with two arguments amends by its binary twin |
//! | `a::x` | ``(::;`a;x)`` with `Prim::Ident`: assigns a global (or makes a view at top level) |
//! | `:x` | `(:;x)`: return |
//! | `'x` | `("'";x)`: signal; the head is the char atom `"'"` |
//! | `$[c;a;b]` `?[c;a;b]` | `($;c;a;b)` `(?;c;a;b)`: `$` with three or more arguments is conditional |
//! | `if[c;a;b]` `while[…]` `do[…]` | ``(`if;c;a;b)``: the head is the name, which cannot be a variable |
//! | `\t x` | `(system;"t x")` with `Prim::System` |
//!
//! ## qSQL
//! `select` and `exec` are `(?;t;c;b;a)`, with limits `(?;t;c;b;a;n)` or `(?;t;c;b;a;n;,(>:;col))` (`n` is `0W`
//! when only an order is given; `<col` is `(<:;col)`); `update` and `delete` are `(!;t;c;b;a)`. `t` is the tree
//! of the table expression and is evaluated; the others are:
//!
//! | part | value in the tree | as q's `eval` passes it to `?` |
//! |---|---|---|
//! | `c`, no where | `()` | the same |
//! | `c`, where `p,q` | one-item list of the list of trees: `,(p;q)`; `,,p` for one | `(p;q)` |
//! | `b`, no by | `0b`; `1b` for `select distinct`; `()` for exec | the same |
//! | `b`, by | dictionary of names to trees | the same, its trees are for `?` |
//! | `b`, exec by one unnamed | `` ,`s `` or `,tree` | `` `s `` or the tree |
//! | `a`, none | `()` | the same |
//! | `a` | dictionary of names to trees; its values are a symbol vector when all are bare columns | the same |
//! | `a`, exec of one unnamed | `` ,`c `` or `,tree` | `` `c `` or the tree |
//! | `a`, delete rows | `` `symbol$() `` | the same |
//! | `a`, delete columns | `` ,,`c `` `` ,`c`d `` | `` ,`c `` `` `c`d `` |
//!
//! So the evaluator's rule for a value in argument position is one rule: a one-item list or one-item symbol
//! vector is a constant and stands for its item, a symbol atom is a name, any other non-empty general list is
//! an application, and all else is itself.

use crate::fun::Prim;
use crate::kind::Kind;
use crate::value::{Func, Iter, Value};
use std::sync::Arc;

/// The value of a reserved word, as a tree holds it: a primitive, a derived function (`sums` is `+\`), or a
/// constant (`csv`). None if `word` is an ordinary name.
pub fn keyword(word: &str) -> Option<Value> {
    let derived = |i, p| Some(Value::Fun(Func::Derived(i, Arc::new(Value::prim(p)))));
    match word {
        "sums" => derived(Iter::Scan, Prim::Add),
        "prds" => derived(Iter::Scan, Prim::Mul),
        "mins" => derived(Iter::Scan, Prim::Lesser),
        "maxs" => derived(Iter::Scan, Prim::Greater),
        "fills" => derived(Iter::Scan, Prim::Fill),
        "deltas" => derived(Iter::Prior, Prim::Sub),
        "ratios" => derived(Iter::Prior, Prim::Divide),
        "prev" => derived(Iter::Prior, Prim::Assign),
        "raze" => derived(Iter::Over, Prim::Join),
        "csv" => Some(Value::atom(Kind::Char, b',')),
        "mmu" => Some(Value::prim(Prim::Dollar)),
        "lsq" => Some(Value::prim(Prim::Bang)),
        "inv" => Some(Value::prim(Prim::Key)),
        "ltime" => Some(Value::prim(Prim::Recip)),
        "hdel" => Some(Value::prim(Prim::Not)),
        "hclose" => Some(Value::prim(Prim::GradeDown)),
        "get" => Some(Value::prim(Prim::Get)),
        _ => Prim::from_keyword(word).map(Value::prim),
    }
}
