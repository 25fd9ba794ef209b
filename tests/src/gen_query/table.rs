//! Random tables with a column of each kind: nulls, infinities, NaN, -0.0, few and many distinct items, attributes,
//! an enumeration and a nested column.

use fastrand::Rng;
use q::value::{Attr, Data, Domain, Elem, Guid, Vector};
use q::{Buf, Kind, Sym, Value};
use std::cmp::Ordering;
use std::sync::Arc;

/// The columns by name. A name of one letter is the kind's, but for ints (`k`, since `i` is a row's number), bytes
/// (`w`) and the enumeration (`y`); a name of two is attribute and kind; `l` and `lc` are nested.
pub const NAMES: [&str; 32] = [
    "j", "k", "h", "w", "b", "f", "e", "c", "s", "p", "m", "d", "z", "n", "u", "v", "t", "g", "y", "l", "sj",
    "sp", "ps", "pd", "gs", "qj", "so", "sf", "sd", "py", "gj", "lc",
];

/// What queries find set besides the table: atoms, lists, dictionaries, step dictionaries, functions.
pub const VARIABLES: [&str; 27] = [
    "sym:`zz`a``b`A`c",
    "vj:5",
    "vf:2.5",
    "va:`b",
    "vd:2001.05.01",
    "vl:-20 -3 0 1 2 7 40",
    "vk:1 2 3i",
    "vsl:`a`zz`q",
    "dj:`a`b`zz!10 20 30",
    "df:-3 0 1 2 5!0.5 1.5 2 0n -1",
    "ds:`a`b`A!`x`a`b",
    "st:`s#-10 0 20!`lo`a`hi",
    "vp:2000.01.01D0 2000.01.01D03 2000.01.01D12",
    "vu:09:30 12:00 16:00",
    "ve:-1 0.5 2.5e",
    "vh:-5 0 7h",
    "vc:\"Abz\"",
    "ve0:0#0",
    "dc:\"abz \"!1 2 3 4h",
    "dd:2001.01.01 2021.12.05 2021.12.06 0Nd!10:00 11:30 0Nu 23:59",
    "dy:(0b;1b)!`no`yes",
    "dn:0N 1 2 -5!2000.01.01D0 0Np 2001.05.01D12 0Wp",
    "sd0:`s#2000.01.01 2010.01.01 2021.12.10!1.5 0n -0w",
    "su:`s#09:30 12:00 16:00!\"abc\"",
    "sf0:`s#-10 0 2.5!0x010203",
    "fu:{x+2*y}",
    "fn:{(max x)-min x}",
];

/// The symbols of the columns.
const SYMS: [&str; 6] = ["", "a", "b", "zz", "A", "c"];

/// The texts of the nested column of them.
const TEXTS: [&[u8]; 5] = [b"", b"a", b"ab", b"zz", b"b c"];

/// What `sym` of [`VARIABLES`] is.
const DOMAIN: [&str; 6] = ["zz", "a", "", "b", "A", "c"];

/// A whole number, with q's special ones among them.
fn whole(r: &mut Rng, min: i64, max: i64) -> i64 {
    match r.u8(0..24) {
        0 => min,
        1 => max,
        2 => -max,
        3..=12 => r.i64(-5..=9),
        _ => r.i64(-50..=50),
    }
}

/// A small multiple of 1/64; NaN, infinities and -0.0 among them.
fn float(r: &mut Rng) -> f64 {
    match r.u8(0..30) {
        0 => f64::NAN,
        1 => -0.0,
        2 => 0.0,
        3 => f64::INFINITY,
        4 if r.bool() => f64::NEG_INFINITY,
        _ => r.i32(-6400..=6400) as f64 / 64.0,
    }
}

/// `rows` items drawn from a pool of one, few or many.
fn items<T: Copy>(r: &mut Rng, rows: usize, item: impl Fn(&mut Rng) -> T) -> Vec<T> {
    let most = *r.choice(&[1, 3, 8, 40, rows]).expect("a choice");
    let pool: Vec<T> = (0..most.clamp(1, 400)).map(|_| item(r)).collect();
    (0..rows).map(|_| pool[r.usize(..pool.len())]).collect()
}

fn vector<T: Elem>(kind: Kind, items: Vec<T>) -> Value {
    Value::vector(kind, Buf::from(items))
}

fn with(kind: Kind, attr: Attr, data: Data) -> Value {
    Value::Vec(Vector { attr, ..raw(kind, data) })
}

fn raw(kind: Kind, data: Data) -> Vector {
    Vector { kind, attr: Attr::None, data, domain: None }
}

/// A table of `rows` rows.
pub fn table(r: &mut Rng, rows: usize) -> Value {
    let cols = NAMES.iter().map(|name| column(r, name, rows)).collect();
    Value::table(NAMES.map(Sym::new).to_vec(), cols)
}

fn column(r: &mut Rng, name: &str, rows: usize) -> Value {
    let (int, long) = ((i32::MIN as i64, i32::MAX as i64), (i64::MIN, i64::MAX));
    let ints = |r: &mut Rng, from: i32, to: i32| {
        items(r, rows, |r| if r.u8(0..14) == 0 { i32::MIN } else { r.i32(from..=to) })
    };
    let syms = |r: &mut Rng| items(r, rows, |r| Sym::new(r.choice(SYMS).expect("a choice")));
    match name {
        "j" => vector(Kind::Long, items(r, rows, |r| whole(r, long.0, long.1))),
        "k" => vector(Kind::Int, items(r, rows, |r| whole(r, int.0, int.1) as i32)),
        "h" => vector(Kind::Short, items(r, rows, |r| whole(r, i16::MIN as i64, i16::MAX as i64) as i16)),
        "w" => vector(Kind::Byte, items(r, rows, |r| r.u8(..))),
        "b" => vector(Kind::Bool, items(r, rows, |r| r.u8(0..2))),
        "f" => vector(Kind::Float, items(r, rows, float)),
        "e" => vector(Kind::Real, items(r, rows, |r| float(r) as f32)),
        "c" => vector(Kind::Char, items(r, rows, |r| *r.choice(b"ab zA").expect("a choice"))),
        "s" => vector(Kind::Sym, syms(r)),
        "p" => vector(Kind::Timestamp, items(r, rows, |r| nanos(r, 3_600_000_000_007))),
        "m" => vector(Kind::Month, ints(r, -20, 300)),
        "d" => vector(Kind::Date, ints(r, -400, 9000)),
        "z" => vector(Kind::Datetime, items(r, rows, float)),
        "n" => vector(Kind::Timespan, items(r, rows, |r| nanos(r, 60_000_000_011))),
        "u" => vector(Kind::Minute, ints(r, 0, 1439)),
        "v" => vector(Kind::Second, ints(r, 0, 86_399)),
        "t" => vector(Kind::Time, ints(r, 0, 86_399_999)),
        "g" => vector(
            Kind::Guid,
            items(r, rows, |r| Guid(std::array::from_fn(|i| r.u8(0..3) * u8::from(i % 5 == 0)))),
        ),
        "y" => enumeration(items(r, rows, |r| r.i64(0..SYMS.len() as i64))),
        "l" => nested(r, rows),
        "lc" => Value::list((0..rows).map(|_| Value::chars(r.choice(TEXTS).expect("a choice"))).collect()),
        "sj" => {
            let mut x = items(r, rows, |r| whole(r, long.0, long.1));
            x.sort_unstable();
            with(Kind::Long, Attr::Sorted, Data::J(x.into()))
        }
        "sp" => {
            let mut x = items(r, rows, |r| nanos(r, 3_600_000_000_007));
            x.sort_unstable();
            with(Kind::Timestamp, Attr::Sorted, Data::J(x.into()))
        }
        "ps" => {
            // Runs of equal symbols, in an order that is no symbol's.
            let mut order = SYMS;
            r.shuffle(&mut order);
            let mut x = syms(r);
            x.sort_by_key(|s| order.iter().position(|o| *o == s.text()));
            with(Kind::Sym, Attr::Parted, Data::S(x.into()))
        }
        "pd" => {
            let mut x = ints(r, 8000, 8040);
            x.sort_unstable_by_key(|&d| std::cmp::Reverse(d));
            with(Kind::Date, Attr::Parted, Data::I(x.into()))
        }
        "gs" => with(Kind::Sym, Attr::Grouped, Data::S(syms(r).into())),
        "so" => {
            let mut x = syms(r);
            x.sort_unstable_by_key(|s| s.text());
            with(Kind::Sym, Attr::Sorted, Data::S(x.into()))
        }
        "sf" => {
            // NaNs come first, as nulls do.
            let mut x = items(r, rows, float);
            x.sort_by(|x, y| (!x.is_nan(), x).partial_cmp(&(!y.is_nan(), y)).unwrap_or(Ordering::Equal));
            with(Kind::Float, Attr::Sorted, Data::F(x.into()))
        }
        "sd" => {
            let mut x = ints(r, 7990, 8020);
            x.sort_unstable();
            with(Kind::Date, Attr::Sorted, Data::I(x.into()))
        }
        "py" => {
            let mut x = items(r, rows, |r| r.i64(0..SYMS.len() as i64));
            x.sort_unstable();
            attributed(enumeration(x), Attr::Parted)
        }
        "gj" => with(Kind::Long, Attr::Grouped, Data::J(items(r, rows, |r| whole(r, long.0, long.1)).into())),
        "qj" => {
            let mut x: Vec<i64> = (0..rows as i64).map(|i| i * 3 - 20).collect();
            r.shuffle(&mut x);
            with(Kind::Long, Attr::Unique, Data::J(x.into()))
        }
        _ => unreachable!("every name has its column"),
    }
}

fn nanos(r: &mut Rng, step: i64) -> i64 {
    match r.i64(-3..=32) {
        32 => i64::MIN,
        31 if r.bool() => i64::MAX,
        x => x * step,
    }
}

fn enumeration(at: Vec<i64>) -> Value {
    let syms = DOMAIN.map(Sym::new).to_vec();
    let domain = Domain { name: Sym::new("sym"), syms: syms.into(), keys: None };
    Value::Vec(Vector { domain: Some(Arc::new(domain)), ..raw(Kind::Enum, Data::J(at.into())) })
}

fn attributed(x: Value, attr: Attr) -> Value {
    match x {
        Value::Vec(v) => Value::Vec(Vector { attr, ..v }),
        other => other,
    }
}

/// Lists of up to three longs.
fn nested(r: &mut Rng, rows: usize) -> Value {
    let list = |r: &mut Rng| {
        Value::longs((0..r.usize(0..=3)).map(|_| whole(r, i64::MIN, i64::MAX)).collect::<Vec<_>>())
    };
    Value::list((0..rows).map(|_| list(r)).collect())
}
