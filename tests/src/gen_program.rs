//! Random q programs, and what must hold of parsing them. Properties and fuzz targets share both.

use arbitrary::{Result, Unstructured};
use q::error::Source;
use q::path::Spans;
use q::same::identical;
use q::unparse::unparse;
use q::value::Value;
use q::{Sym, parse};
use std::sync::Arc;

/// Parses `text`, which may be anything. If it parses, its spans must have the tree's shape and lie in the
/// text, and the tree's own text must parse to an identical tree. If not, the error must have a place.
pub fn check_parse(text: &[u8]) {
    let source = Arc::new(Source { text: text.into(), file: None, line: 1 });
    let (tree, spans) = match parse::expression(&source, Sym::NULL) {
        Ok(parsed) => parsed,
        Err(error) => {
            let place = error.trace.first().expect("a parse error has a place");
            assert!(place.span.to as usize <= text.len(), "{error} lies outside the text");
            return;
        }
    };
    check_spans(&tree, &spans, text.len() as u32);
    let printed = unparse(&tree);
    let again = Arc::new(Source { text: printed.as_slice().into(), file: None, line: 1 });
    match parse::expression(&again, Sym::NULL) {
        Ok((twin, _)) if identical(&tree, &twin) => {}
        // The parentheses that the text adds may nest deeper than the parser allows.
        Err(error) if error.name == "limit" => {}
        result => panic!(
            "{}\nprints as\n{}\n{tree:#?}\nwhich parses to\n{result:#?}",
            String::from_utf8_lossy(text),
            String::from_utf8_lossy(&printed),
        ),
    }
}

/// Splits `text` as a script and parses each statement, which must not panic and must lie in the text.
pub fn check_script(text: &[u8]) {
    let source = Arc::new(Source { text: text.into(), file: None, line: 1 });
    let mut end = 0;
    for range in parse::units(&source) {
        assert!(end <= range.start && range.start < range.end && range.end <= text.len(), "{range:?}");
        end = range.end;
        if let Ok(Some(stmt)) = parse::unit(&source, range, Sym::NULL) {
            check_spans(&stmt.tree, &stmt.spans, text.len() as u32);
        }
    }
}

fn check_spans(tree: &Value, spans: &Spans, len: u32) {
    let span = spans.span;
    assert!(span.from <= span.to && span.to <= len && span.at <= len, "{span:?} of {len} bytes");
    let (items, known): (&[Value], bool) = match tree {
        Value::List(items) => (items, true),
        Value::Dict(d) => match &d.vals {
            Value::List(items) => (items, true),
            _ => (&[], false),
        },
        _ => (&[], false),
    };
    if known && !spans.kids.is_empty() {
        assert_eq!(items.len(), spans.kids.len(), "spans have the tree's shape: {tree:?}");
    }
    for (item, kid) in items.iter().zip(&spans.kids) {
        check_spans(item, kid, len);
    }
}

/// A program: one to three statements of every construct that the grammar has.
pub fn program(u: &mut Unstructured) -> Result<String> {
    let mut out = String::new();
    for _ in 0..u.int_in_range(1..=3)? {
        if !out.is_empty() {
            out.push(';');
        }
        expr(u, &mut out, 4)?;
    }
    Ok(out)
}

/// Tokens in any order, most of them no program.
pub fn soup(u: &mut Unstructured) -> Result<String> {
    let mut out = String::new();
    for _ in 0..u.int_in_range(1..=24)? {
        match u.int_in_range(0..=9)? {
            0..=2 => out.push_str(u.choose(SIGNS)?),
            3 => out.push_str(u.choose(VERBS)?),
            4 => out.push_str(u.choose(NAMES)?),
            5 => out.push_str(u.choose(NOUNS)?),
            6 => out.push_str(u.choose(ITERATORS)?),
            7 => out.push_str(
                u.choose(&["select ", " from ", " by ", " where ", "exec ", "update ", "delete "])?,
            ),
            _ => out
                .push_str(u.choose(&["(", ")", "[", "]", "{", "}", ";", ":", "::", " ", "\n", "([", "{["])?),
        }
    }
    Ok(out)
}

const SIGNS: &[&str] = &[
    "+", "-", "*", "%", "&", "|", "^", "=", "<", ">", "$", ",", "#", "_", "~", "!", "?", "@", " . ", "<>",
    "<=", ">=", " 0: ", " 1: ",
];
const MONADS: &[&str] = &["-:", "#:", "?:", "+:", "<:", ">:", ",:", ".:", "_:", "$:", "0::"];
const VERBS: &[&str] = &[
    " in ", " mavg ", " each ", " xbar ", " and ", " lj ", " cross ", " like ", " insert ", " peach ",
    " fby ", " wavg ", " sv ", " vs ", " bin ", " over ", " prior ", " set ", " xkey ", " except ", " mod ",
    " div ", " within ",
];
const WORDS: &[&str] = &[
    "neg", "count", "sums", "prev", "deltas", "raze", "first", "where", "distinct", "enlist", "flip", "max",
    "value", "string", "til", "iasc", "aj", "ssr", "system", "not", "get", "wj", "med", "avgs", "ratios",
    "fills", "mins", "upper", "use", "xasc", "key", "meta", "use", "null", "prds", "type", "group",
    "reverse", "show",
];
const ITERATORS: &[&str] = &["'", "/", "\\", "':", "/:", "\\:"];
const NAMES: &[&str] = &[
    "a",
    "b",
    "x",
    "y",
    "z",
    "i",
    "t",
    "ab_1",
    ".n.a",
    "time.minute",
    "T0",
    "n.from",
    ".z.p",
    ".Q.s1",
    ".a",
    "d.k.j",
];
const NOUNS: &[&str] = &[
    "0",
    "1",
    "-1",
    "1 2 3",
    "1 -2",
    "0N",
    "0W",
    "-0W",
    "0N 0W",
    "1b",
    "0b",
    "1011b",
    "0x",
    "0x01",
    "0xfa01",
    "1h",
    "2 3i",
    "0Ni",
    "1.5",
    "2f",
    "0n",
    "-0w",
    "1e",
    "1.5 0Ne",
    "1e-10",
    "1e100",
    "-.5",
    "0n 1",
    "-0f",
    "0.1 3",
    "\"\"",
    "\"a\"",
    "\"abc\"",
    "\"\\n\\\"\\\\\\001\\377\"",
    "`",
    "`a",
    "`a`b",
    "``",
    "`:p/f.csv",
    "`a.b",
    "0Ng",
    "0Ng 0Ng",
    "2024.01m",
    "2024.01 0Nm",
    "2000.01.01",
    "1999.12.31 0Nd",
    "0Nd 2000.01.01",
    "12:30",
    "-12:30",
    "12:30 0Nu",
    "12:30:15",
    "0Wv",
    "12:30:15.123",
    "-0Wt 00:00",
    "0D",
    "1D12:00:00.000000001",
    "-1D",
    "0Nn 0D",
    "2024.01.01D12:00",
    "0Wp",
    "2024.01.01D 0Np",
    "2024.01.01T12:00:00.123",
    "0Nz 0Wz",
    "()",
    "csv",
    "::",
    "0Nh 0Wh",
    "-0Wh",
    "0Wi -0Wi",
    "0We -0We",
    "1e5 2e",
    "0W 1 0N",
    "-0Wm 2001.01m",
    "0Wn -0Wn",
    "0Wu 00:00",
    "0Nt 00:00:00.001",
    "23:59:59 0Nv",
    "-0Wz",
    "0Np 0Wp",
    "0001.01.01",
    "\"\\t\\r\\\\\"",
    "\"a\\200\"",
    "`a.b`:c`",
    "`sym$`a`b",
    "`s#1 2 3",
    "([]a:1 2)",
    "([k:`a`b]v:1 2)",
    "([a:1;b:`x])",
    "([])",
    "(1;`a;\"b\")",
    "enlist`a",
    "(::)",
    "{x+y}[;1]",
    "+[1]",
    "('[neg;+])",
    "0x00ff",
    "00000000b",
];

/// An expression; leaves only, once `depth` is used up or the bytes are.
fn expr(u: &mut Unstructured, out: &mut String, depth: u32) -> Result<()> {
    if depth == 0 || u.is_empty() {
        return noun(u, out, 0);
    }
    match u.int_in_range(0..=19)? {
        0..=2 => noun(u, out, depth),
        3..=6 => {
            noun(u, out, depth)?;
            verb(u, out, depth)?;
            expr(u, out, depth - 1)
        }
        7..=8 => {
            out.push_str(u.choose(WORDS)?);
            out.push(' ');
            expr(u, out, depth - 1)
        }
        9..=10 => {
            noun(u, out, depth)?;
            out.push(' ');
            expr(u, out, depth - 1)
        }
        11..=12 => {
            let pattern = target(u, out, depth)?;
            let signs = [":", ":", "::", "+:", "-:", ",:", "#:", "_:", ".:"];
            out.push_str(if pattern { ":" } else { u.choose(&signs)? });
            expr(u, out, depth - 1)
        }
        13 => {
            noun(u, out, depth)?;
            verb(u, out, depth)
        }
        14..=16 => query(u, out, depth - 1),
        17 => {
            let inner = !(out.is_empty() || out.ends_with([';', '(', '[', '{']));
            out.push_str(if inner { "(" } else { "" });
            out.push_str(u.choose(&[": ", "' "])?);
            expr(u, out, depth - 1)?;
            out.push_str(if inner { ")" } else { "" });
            Ok(())
        }
        18 => {
            out.push_str(u.choose(&["[", "if[", "do[", "while["])?);
            list(u, out, depth - 1)?;
            out.push(']');
            Ok(())
        }
        _ => {
            verb(u, out, depth)?;
            Ok(())
        }
    }
}

/// An infix verb.
fn verb(u: &mut Unstructured, out: &mut String, depth: u32) -> Result<()> {
    match u.int_in_range(0..=9)? {
        0..=5 => out.push_str(u.choose(SIGNS)?),
        6..=7 => out.push_str(u.choose(VERBS)?),
        8 => {
            out.push_str(u.choose(SIGNS)?);
            out.push_str(u.choose(ITERATORS)?);
        }
        _ => {
            out.push(' ');
            noun(u, out, depth.saturating_sub(2))?;
            out.push_str(u.choose(ITERATORS)?);
        }
    }
    Ok(())
}

/// A noun with brackets and iterators after it.
fn noun(u: &mut Unstructured, out: &mut String, depth: u32) -> Result<()> {
    let kinds = if depth == 0 { 3 } else { 14 };
    match u.int_in_range(0..=kinds)? {
        0..=1 => out.push_str(u.choose(NOUNS)?),
        2..=3 => out.push_str(u.choose(NAMES)?),
        4 => out.push_str(u.choose(WORDS)?),
        5..=6 => between(u, out, "(", depth, ")")?,
        7 => {
            out.push_str(u.choose(&[
                "{",
                "{",
                "{[]",
                "{[a;b]",
                "{\n ",
                "{[a;b;c;d]",
                "{[(a;b);c]",
                "{[([a;b]);c]",
            ])?);
            list(u, out, depth - 1)?;
            out.push('}');
        }
        8 => {
            let (open, close) =
                *u.choose(&[("([]", ")"), ("([k:1 2;", "]v:1)"), ("([k:1 2]", ")"), ("([", "])")])?;
            out.push_str(open);
            fields(u, out, depth - 1, ';', &["n:", "m:", "max:"])?;
            out.push_str(close);
        }
        9 => {
            out.push('(');
            let signs = *u.choose(&[SIGNS, MONADS])?;
            out.push_str(u.choose(signs)?);
            out.push(')');
        }
        10 => {
            out.push_str(u.choose(SIGNS)?);
            between(u, out, "[", depth, "]")?;
        }
        11 => {
            let open = *u.choose(&[
                "'[", "$[", "$[a;b;", "?[", "![", "@[", ".[", "?[t;c;b;", "@[a;b;", ".[a;();", "+/[",
                "f\\:[", "ssr[", "aj[`a;",
            ])?;
            between(u, out, open, depth, "]")?;
        }
        _ => {
            noun(u, out, depth - 1)?;
            if u.ratio(1, 5)? {
                out.push_str(u.choose(ITERATORS)?);
            }
            between(u, out, "[", depth, "]")?;
        }
    }
    Ok(())
}

fn between(u: &mut Unstructured, out: &mut String, open: &str, depth: u32, close: &str) -> Result<()> {
    out.push_str(open);
    list(u, out, depth - 1)?;
    out.push_str(close);
    Ok(())
}

/// Expressions between semicolons, some left out.
fn list(u: &mut Unstructured, out: &mut String, depth: u32) -> Result<()> {
    for i in 0..u.int_in_range(0..=3)? {
        if i > 0 {
            out.push(';');
        }
        if u.ratio(5, 6)? {
            expr(u, out, depth)?;
        }
    }
    Ok(())
}

/// What stands left of a colon; true if it is a pattern, which no operator goes with.
fn target(u: &mut Unstructured, out: &mut String, depth: u32) -> Result<bool> {
    const PATTERNS: [&str; 8] =
        ["(a;b)", "(a;;b)", "(a;(b;x))", "([a;b])", "([]a;b)", "(`a;b)", "(a:`j;b)", "(a;1 2)"];
    let kind = u.int_in_range(0..=7)?;
    match kind {
        0 => out.push_str(u.choose(&PATTERNS)?),
        1..=2 => {
            out.push_str(u.choose(NAMES)?);
            between(u, out, "[", depth, "]")?;
        }
        3 => out.push_str(u.choose(&["a[]", "a[;1]", "a[1;]", "a[`x;0]", ".n.a[0]", "d.k[1]"])?),
        _ => out.push_str(u.choose(NAMES)?),
    }
    Ok(kind == 0)
}

/// Expressions, most of them with one of `names`.
fn fields(u: &mut Unstructured, out: &mut String, depth: u32, between: char, names: &[&str]) -> Result<()> {
    for i in 0..u.int_in_range(1..=3)? {
        if i > 0 {
            out.push(between);
        }
        let named = u.ratio(3, 4)?;
        out.push_str(if named { u.choose(names)? } else { "" });
        // Of a table's or dictionary's named columns, some are left out.
        if !(named && between == ';' && u.ratio(1, 8)?) {
            expr(u, out, depth)?;
        }
    }
    Ok(())
}

fn query(u: &mut Unstructured, out: &mut String, depth: u32) -> Result<()> {
    let verb = *u.choose(&["select", "select", "exec", "update", "delete"])?;
    out.push_str(verb);
    if matches!(verb, "select" | "exec") {
        let limits =
            ["", "", "", "[5]", "[-2;<a]", "[>b]", "[1 2]", "[a]", "[2*a;>b]", "[<a+b]", "[0W]", "[2 3;<a]"];
        out.push_str(u.choose(&limits)?);
    }
    let distinct = verb == "select" && u.ratio(1, 4)?;
    out.push_str(if distinct { " distinct " } else { " " });
    let cols = verb == "update" || u.ratio(3, 4)?;
    match verb {
        "delete" if cols => out.push_str(u.choose(&["a", "a,b"])?),
        _ if cols => fields(u, out, depth, ',', &["n:", "m:", "max:", "where:"])?,
        _ => {}
    }
    if verb != "delete" && !distinct && u.ratio(1, 3)? {
        out.push_str(" by ");
        fields(u, out, depth, ',', &["g:", "h:", "by:", "from:"])?;
    }
    out.push_str(" from ");
    noun(u, out, depth)?;
    if (verb != "delete" || !cols) && u.arbitrary()? {
        out.push_str(" where ");
        for i in 0..u.int_in_range(1..=3)? {
            out.push_str(if i > 0 { "," } else { "" });
            expr(u, out, depth)?;
        }
    }
    Ok(())
}
