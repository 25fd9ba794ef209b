//! Every case of `parse.txt`: a text, and the tree or the error that it parses to.

use q::error::Source;
use q::literal::{chars_text, element_text};
use q::value::{Data, Func};
use q::{Kind, Sym, Value, each_data, value::Elem};
use std::fmt::Write;
use std::sync::Arc;

/// A tree as an s-expression that shows every distinction: kinds by their letter, vectors in brackets, names
/// bare, symbols with a backtick, primitives by their text in a tree.
fn show(x: &Value) -> String {
    let list = |open: &str, items: Vec<String>, close: &str| format!("{open}{}{close}", items.join(" "));
    match x {
        Value::Atom(a) => match (a.kind, a.raw) {
            (Kind::Sym, _) => x.as_sym().expect("a symbol").to_string(),
            (Kind::Char, q::value::Raw::B(c)) => format!("'{}'", chars_text(&[c]).trim_matches('"')),
            (kind, raw) => element_text(kind, raw) + &kind.letter().to_string(),
        },
        Value::Vec(v) if v.kind == Kind::Char => chars_text(x.as_chars().expect("a string")),
        Value::Vec(v) => {
            let tick = if v.kind == Kind::Sym { "`" } else { "" };
            list("[", items(&v.data, v.kind).into_iter().map(|i| tick.to_string() + &i).collect(), "]")
                + &v.kind.letter().to_string()
        }
        Value::List(l) => list("(", l.iter().map(show).collect(), ")"),
        Value::Dict(d) => format!("<{} ! {}>", show(&d.keys), show(&d.vals)),
        Value::Table(_) => "a table".into(),
        Value::Fun(Func::Prim(q::Prim::Elided)) => "_".into(),
        Value::Fun(Func::Prim(p)) => p.row().text.into(),
        Value::Fun(Func::Iter(i)) => i.text().into(),
        Value::Fun(Func::Derived(i, f)) => format!("{}{}", show(f), i.text()),
        Value::Fun(Func::Lambda(l)) => {
            let names = |n: &[Sym]| n.iter().map(|s| s.to_string()).collect::<Vec<_>>().join(" ");
            let body = l.body.iter().map(show).collect::<Vec<_>>().join("; ");
            format!("{{{}|{}|{body}}}", names(&l.params), names(&l.locals))
        }
        Value::Fun(f) => format!("{f:?}"),
    }
}

fn items(data: &Data, kind: Kind) -> Vec<String> {
    each_data!(data, v => v.iter().map(|x| element_text(kind, x.raw())).collect())
}

/// What the case's text gives: one line a statement, `;` after one that prints nothing; or the error with
/// the text that its caret points to.
fn run(text: &str) -> String {
    let source = Arc::new(Source { text: text.as_bytes().into(), file: None, line: 1 });
    match q::parse::parse(&source, Sym::NULL) {
        Ok(stmts) => stmts
            .iter()
            .map(|s| show(&s.tree) + if s.silent { " ;" } else { "" })
            .collect::<Vec<_>>()
            .join("\n"),
        Err(e) => {
            let span = e.trace[0].span;
            format!("'{} at {}", e.name, span.at)
        }
    }
}

#[test]
fn texts_parse_to_their_trees() {
    let file = include_str!("parse.txt");
    let (mut failed, mut cases) = (String::new(), 0);
    for case in file.split("\n\n").map(str::trim_end) {
        let lines: Vec<&str> = case.lines().filter(|l| !l.starts_with("# ")).collect();
        let Some(split) = lines.iter().position(|l| l.starts_with("=> ")) else { continue };
        let text = lines[..split].join("\n");
        let want = lines[split..].iter().map(|l| l.trim_start_matches("=> ")).collect::<Vec<_>>().join("\n");
        let got = run(&text);
        cases += 1;
        if got != want {
            writeln!(failed, "{text}\n   want {want}\n   got  {got}").unwrap();
        }
    }
    assert!(failed.is_empty(), "\n{failed}");
    assert!(cases > 100, "{cases} cases were found");
}

/// Each row: a text, a path into its tree, the text that the part covers, and the byte of its caret.
#[test]
fn parts_of_trees_know_their_places() {
    let rows: &[(&str, &[u16], &str, u32)] = &[
        ("a+sum b", &[], "a+sum b", 1),
        ("a+sum b", &[0], "+", 1),
        ("a+sum b", &[2], "sum b", 2),
        ("a+sum b", &[2, 1], "b", 6),
        ("f[x;(y+1)]", &[], "f[x;(y+1)]", 0),
        ("f[x;(y+1)]", &[2], "(y+1)", 6),
        ("f[x;(y+1)]", &[2, 2], "1", 7),
        ("+/[0;x]", &[0], "+/", 0),
        ("a[i]:b", &[1], "a[i]", 0),
        ("a[i]:b", &[], "a[i]:b", 4),
        ("1;`a+b", &[2], "`a+b", 4),
        ("select m:max p by s from t where p>1", &[], "select m:max p by s from t where p>1", 0),
        ("select m:max p by s from t where p>1", &[1], "t", 25),
        ("select m:max p by s from t where p>1", &[2, 0, 0], "p>1", 34),
        ("select m:max p by s from t where p>1", &[4, 0], "max p", 9),
        ("([]a:1;b:x)", &[1, 2, 2], "x", 9),
    ];
    for (text, path, covered, at) in rows {
        let source = Arc::new(Source { text: text.as_bytes().into(), file: None, line: 1 });
        let (_, spans) = q::parse::expression(&source, Sym::NULL).expect(text);
        let span = spans.find(&q::path::Path(path.to_vec()));
        assert_eq!(
            (&text[span.from as usize..span.to as usize], span.at),
            (*covered, *at),
            "{text} at {path:?}"
        );
    }
}
