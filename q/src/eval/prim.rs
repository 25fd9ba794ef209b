//! One primitive applied to its arguments: which file's function each of them is.

use super::{
    Interp, apply, binary, csv, cycle, dict, dollar, enums, files, find, iterate, join, list, matrix,
    modules, native, same, sets, sort, splay, string, system, take, text, value, view, vssv, zvar,
};
use crate::error::{Error, Result, nyi, rank_error, type_error};
use crate::fun::{Class, Prim};
use crate::kind::Kind;
use crate::value::{Attr, Func, Iter, Value, Vector};
use crate::{qsql, table};

/// Applies `p` to as many arguments as its row allows.
pub fn call(q: &mut Interp, p: Prim, mut args: Vec<Value>) -> Result<Value> {
    if let Some(v) = virtual_call(p, &args)? {
        q.touch();
        return Ok(v);
    }
    let of_file =
        matches!(p, Prim::Key | Prim::Get | Prim::Not | Prim::GradeDown | Prim::Query | Prim::Upsert);
    if cycle::worldly(p) || (of_file && is_file(&args[0])) {
        q.touch();
    }
    match (p, args.len()) {
        (Prim::Enlist | Prim::Enlist1, _) => Ok(list::enlist(args)),
        (Prim::Query, 3) => match &args[0] {
            Value::Table(_) | Value::Dict(_) => qsql::pick(q, &args[0], &args[1], &args[2]),
            Value::Atom(a) if a.kind == Kind::Bool => {
                Ok(args.swap_remove(if super::index::truth(&args[0])? { 1 } else { 2 }))
            }
            _ => super::map::cond(&args[0], &args[1], &args[2]),
        },
        (Prim::Query, n) if n > 3 => qsql::query(q, args),
        (Prim::Bang, 3 | 4) => qsql::change(q, args),
        (Prim::At, _) => apply::at(q, args),
        (Prim::Dot, _) => apply::dot(q, args),
        (_, 1) => {
            let x = args.pop().expect("one argument was counted");
            call1(q, p, x)
        }
        (_, 2) => {
            let y = args.pop().expect("two arguments were counted");
            let x = args.pop().expect("two arguments were counted");
            call2(q, p, x, y)
        }
        (Prim::Ssr, 3) => string::ssr(q, &args[0], &args[1], &args[2]),
        _ => table::call(q, p, args),
    }
}

fn call1(q: &mut Interp, p: Prim, x: Value) -> Result<Value> {
    match p {
        Prim::Ident => Ok(x),
        Prim::Flip => list::flip(&x),
        Prim::First => Ok(take::edge(&x, false)),
        Prim::Last => Ok(take::edge(&x, true)),
        Prim::Where => list::positions(&x),
        Prim::Reverse => take::reverse(&x),
        Prim::Group => find::group(&x),
        Prim::GradeDown if x.is_atom() => files::close(q, &x),
        Prim::GradeUp | Prim::Iasc => sort::grade_value(&x, false),
        Prim::GradeDown | Prim::Idesc => sort::grade_value(&x, true),
        Prim::Asc => sort::sort(&x, false),
        Prim::Desc => sort::sort(&x, true),
        Prim::Rank => sort::rank(&x),
        Prim::String => string::string(&x, &q.settings),
        Prim::Count => Ok(list::count(&x)),
        Prim::Not if is_file(&x) => files::delete(&x),
        Prim::Key if is_matrix(&x) => matrix::inverse(&x),
        Prim::Key => dict::key(q, &x),
        Prim::Distinct => find::distinct(&x),
        Prim::Type => Ok(Value::atom(Kind::Short, x.type_code() as i16)),
        Prim::Get => value::value(q, &x),
        Prim::Read0 => files::read0(&x),
        Prim::Read1 => files::read1(&x),
        Prim::Exit => Err(Error::new("exit").detail(x.as_long().unwrap_or(0).to_string())),
        Prim::Getenv => system::getenv(q, &x),
        Prim::Hopen => files::open(q, &x),
        Prim::Hsym => files::hsym(&x),
        Prim::System => system::system(q, &x),
        Prim::Attr => Ok(attr(&x)),
        Prim::Md5 => native::md5(&x),
        Prim::Hcount => files::hcount(&x),
        Prim::Eval => value::eval(q, &x),
        Prim::Reval => value::reval(q, &x),
        Prim::Rand => super::random::roll(q, &Value::long(1), &x).map(|v| take::edge(&v, false)),
        Prim::Til => list::til(&x),
        Prim::Next => take::shift(-1, &x),
        Prim::Trim => string::trim(&x, true, true),
        Prim::Ltrim => string::trim(&x, true, false),
        Prim::Rtrim => string::trim(&x, false, true),
        Prim::Lower => string::recase(&x, false),
        Prim::Upper => string::recase(&x, true),
        Prim::Show => {
            let shown = crate::show::console(&x, &q.settings);
            q.print(shown.as_bytes());
            Ok(Value::null())
        }
        Prim::Ltime => zvar::shifted(q, &x, true),
        Prim::Gtime => zvar::shifted(q, &x, false),
        Prim::Parse => value::parse(q, &x),
        Prim::Use => modules::use_module(q, &x),
        Prim::View => view::text(q, &x),
        Prim::Views => Ok(view::views(q)),
        Prim::Tables => system::tables(q, &x),
        Prim::Save => files::save(q, &x),
        Prim::Load | Prim::Rload => splay::load(q, &files::path(&files::hsym(&x)?)?.0),
        Prim::Rsave => splay::rsave(q, &files::path(&files::hsym(&x)?)?.0),
        _ => match p.row().class {
            Class::Map => super::map::map1(p, &x),
            Class::Agg => super::agg::agg1(p, &x),
            Class::Scan => super::scan::scan1(p, &x),
            Class::Other => table::call(q, p, vec![x]),
        },
    }
}

fn call2(q: &mut Interp, p: Prim, x: Value, y: Value) -> Result<Value> {
    match p {
        Prim::Assign => Ok(y),
        Prim::Dollar => dollar::dollar(q, &x, &y),
        Prim::Join => join::join(x, &y),
        Prim::Take => take::take(&x, &y),
        Prim::Drop => take::drop(&x, &y),
        Prim::Cut => take::cut(&x, &y),
        Prim::Match => Ok(Value::bool(same::matches(&x, &y))),
        Prim::Bang => bang(q, &x, &y),
        Prim::Query => query2(q, &x, &y),
        Prim::In => sets::member(&x, &y),
        Prim::Like => text::like(&x, &y),
        Prim::Ss => text::ss(&x, &y),
        Prim::Bin => sort::bin(&x, &y, false),
        Prim::Binr => sort::bin(&x, &y, true),
        Prim::Union => sets::union(&x, &y),
        Prim::Inter => sets::inter(&x, &y),
        Prim::Except => sets::except(&x, &y),
        Prim::Cross => sets::cross(&x, &y),
        Prim::Sublist => take::sublist(&x, &y),
        Prim::Rotate => take::rotate(&x, &y),
        Prim::Xrank => sort::xrank(&x, &y),
        Prim::Xprev => match x.as_long() {
            Some(n) => take::shift(n, &y),
            None => type_error(),
        },
        Prim::Sv => vssv::sv(&x, &y),
        Prim::Vs => vssv::vs(q, &x, &y),
        Prim::Set => value::set(q, &x, y),
        Prim::Setenv => system::setenv(q, &x, &y),
        Prim::EachKw => iterate::derived(q, &x, Iter::Each, &x, vec![y]),
        Prim::Upsert if is_file(&x) => splay::upsert(q, x.as_sym().unwrap_or_default(), &y),
        Prim::Peach => iterate::peach(q, &x, y),
        Prim::ScanKw => iterate::derived(q, &x, Iter::Scan, &x, vec![y]),
        Prim::OverKw => iterate::derived(q, &x, Iter::Over, &x, vec![y]),
        Prim::PriorKw => iterate::derived(q, &x, Iter::Prior, &x, vec![y]),
        Prim::Text0 => csv::text0(q, &x, &y),
        Prim::Bytes1 => binary::bytes1(&x, &y),
        Prim::Dynload => nyi("2:"),
        Prim::Dsave => nyi("dsave"),
        Prim::Insert | Prim::Upsert => table::call(q, p, vec![x, y]),
        _ => match p.row().class {
            Class::Map => super::map::map2(p, &x, &y),
            Class::Agg => super::agg::agg2(p, &x, &y),
            Class::Scan => super::scan::scan2(p, &x, &y),
            Class::Other => table::call(q, p, vec![x, y]),
        },
    }
}

/// The binary primitive that a unary one's symbol also is: `-:` in `a-:1` is `-`.
pub fn binary_twin(p: Prim) -> Option<Prim> {
    let text = p.row().text.strip_suffix(':').filter(|_| p.row().qtype == 101)?;
    Prim::from_text(text).filter(|t| t.row().qtype == 102)
}

/// The value of a reserved word.
pub fn keyword(word: &str) -> Option<Value> {
    crate::parse::keyword(word)
}

/// Virtual objects answer every primitive but those that see the wrapper. A dictionary or keyed table may answer what
/// takes it apart, and a view answers `value`.
fn virtual_call(p: Prim, args: &[Value]) -> Result<Option<Value>> {
    let parts = match args {
        [Value::Fun(Func::Virtual(v))] => {
            matches!((p, v.q_type()), (Prim::Key | Prim::Get, 99) | (Prim::Get, 100))
        }
        _ => false,
    };
    let wrapper = matches!(
        p,
        Prim::Take
            | Prim::Drop
            | Prim::At
            | Prim::Type
            | Prim::Eq
            | Prim::Match
            | Prim::Enlist
            | Prim::Enlist1
            | Prim::Ident
            | Prim::Join
            | Prim::Assign
            | Prim::Key
            | Prim::Get
            | Prim::Show
            | Prim::Set
    );
    // A query is handed on by `qsql`, which knows the table by value and by name.
    let queried = matches!(p, Prim::Query | Prim::Bang) && args.len() > 3;
    if wrapper && !parts || queried || !args.iter().any(|a| matches!(a, Value::Fun(Func::Virtual(_)))) {
        return Ok(None);
    }
    system::virtual_verb(p.row().text, args)
}

/// `x!y`: a dictionary, keys of a table, an enumeration by index, or one of q's internal functions.
fn bang(q: &mut Interp, x: &Value, y: &Value) -> Result<Value> {
    if is_matrix(x) && is_matrix(y) {
        return matrix::solve(x, y);
    }
    match (x, y) {
        (Value::Atom(a), _) if x.as_long().is_some() && a.kind != Kind::Bool => {
            match x.as_long().unwrap_or(0) {
                n if n < 0 => value::internal(q, n, y),
                n => match y {
                    Value::Table(_) | Value::Dict(_) => table::key_by(n as usize, y.clone()),
                    Value::Atom(_) if y.as_sym().is_some() => {
                        let name = y.as_sym().unwrap_or_default();
                        let t = q.take_global(name)?.ok_or(Error::new(name.text()))?;
                        let keyed = table::key_by(n as usize, t.clone());
                        q.set_global(name, keyed.clone().unwrap_or(t))?;
                        keyed.map(|_| y.clone())
                    }
                    _ => dict::make(x, y),
                },
            }
        }
        (Value::Atom(_), Value::Vec(_) | Value::Atom(_)) if enums::is_domain(x, y) => {
            enums::from_index(q, x.as_sym().unwrap_or_default(), y)
        }
        (Value::Vec(names), Value::Atom(_)) if names.kind == Kind::Sym && y.as_sym().is_some() => {
            let names = dict::sym_keys(x).unwrap_or_default();
            table::named::columns(q, names, y.as_sym().unwrap_or_default())
        }
        _ => dict::make(x, y),
    }
}

/// `x?y`: find in a list, roll and deal for a number, enum-extend for a name.
fn query2(q: &mut Interp, x: &Value, y: &Value) -> Result<Value> {
    match x {
        Value::Atom(_) if x.as_sym().is_some() => match x.as_sym() {
            Some(name) if name.text().starts_with(':') => splay::enum_extend(q, name, y),
            Some(name) => enums::extend(q, name, y),
            None => type_error(),
        },
        Value::Atom(_) => super::random::roll(q, x, y),
        Value::Fun(_) => rank_error(),
        _ => find::find(x, y),
    }
}

/// `attr x`: the attribute's letter.
fn attr(x: &Value) -> Value {
    let of = |v: &Value| match v {
        Value::Vec(v) => v.attr,
        _ => Attr::None,
    };
    let attr = match x {
        Value::Dict(d) if d.step => Attr::Sorted,
        Value::Dict(d) => of(&d.keys),
        Value::Table(t) => of(&t.cols[0]),
        _ => of(x),
    };
    Value::sym(attr.letter())
}

fn is_file(x: &Value) -> bool {
    x.as_sym().is_some_and(|s| s.text().starts_with(':'))
}

/// A list of float vectors.
fn is_matrix(x: &Value) -> bool {
    let floats = |v: &Value| matches!(v, Value::Vec(v) if v.kind == Kind::Float);
    matches!(x, Value::List(l) if !l.is_empty() && l.iter().all(floats))
}

/// What an enumeration stands for; any other vector as it is.
pub fn unenum_vector(v: &Vector) -> Vector {
    match (v.kind, &v.domain, v.elems::<i64>()) {
        (Kind::Enum, Some(domain), Some(at)) => Vector { attr: v.attr, ..domain.values(at) },
        _ => v.clone(),
    }
}

/// `x` as it fits the enumeration `v`: a symbol becomes its index. `'cast` if the domain lacks it.
pub fn reenum(v: &Vector, x: &Value) -> Result<Value> {
    match (&v.domain, x) {
        (Some(domain), Value::Atom(a)) if a.kind == domain.kind() => enums::enumerate(domain, x),
        _ => Ok(x.clone()),
    }
}
