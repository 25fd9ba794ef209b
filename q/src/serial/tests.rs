//! Bytes that q itself would write, written out, and everything there and back.

use super::{from_bytes, to_bytes};
use crate::error::Source;
use crate::value::{Attr, Value};
use crate::{Kind, Prim, Sym};
use std::sync::Arc;

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .flat_map(|w| (0..w.len() / 2).map(|i| u8::from_str_radix(&w[2 * i..2 * i + 2], 16)))
        .map(|b| b.expect("hex"))
        .collect()
}

fn parsed(text: &str) -> Value {
    let source = Arc::new(Source { text: text.as_bytes().into(), file: None, line: 1 });
    crate::parse::expression(&source, Sym::NULL).expect("a test's text parses").0
}

/// Same bytes when written again: values compare by what they serialise to.
fn there_and_back(x: &Value) {
    let bytes = to_bytes(x).expect("serialises");
    let back = from_bytes(&bytes).expect("reads back");
    assert_eq!(to_bytes(&back).expect("serialises again"), bytes);
}

#[test]
fn the_documented_bytes() {
    let cases = [
        (Value::int(1), "01000000 0d000000 fa 01000000"),
        (Value::vector(Kind::Int, vec![1i32]), "01000000 12000000 06 00 01000000 01000000"),
        (Value::vector(Kind::Byte, vec![0u8, 1, 2, 3, 4]), "01000000 13000000 04 00 05000000 0001020304"),
        (
            Value::dict(Value::syms([Sym::new("a"), Sym::new("b")]), Value::vector(Kind::Int, vec![2i32, 3])),
            "01000000 21000000 63 0b 00 02000000 6100 6200 06 00 02000000 02000000 03000000",
        ),
        (
            Value::table(vec![Sym::new("a")], vec![Value::vector(Kind::Int, vec![2i32])]),
            "01000000 23000000 62 00 63 0b 00 01000000 6100 00 00 01000000 06 00 01000000 02000000",
        ),
        (parsed("{x+y}"), "01000000 15000000 64 00 0a 00 05000000 7b782b797d"),
        (Value::prim(Prim::Add), "01000000 0a000000 66 01"),
    ];
    for (value, bytes) in cases {
        let bytes = hex(bytes);
        assert_eq!(to_bytes(&value).expect("serialises"), bytes, "{value:?}");
        there_and_back(&value);
    }
}

#[test]
fn functions_and_attributes_come_back() {
    for text in [
        "sums",
        "mavg",
        "(+;`a;`b)",
        "{[a;b] a-b}",
        "'",
        "(enlist;`a;::)",
        "2024.01.01D0",
        "0Ng",
        "1 0n 2.5e",
    ] {
        there_and_back(&parsed(text));
    }
    let Value::Vec(mut v) = Value::longs([1, 2, 3]) else { panic!("a vector") };
    v.attr = Attr::Sorted;
    let back = from_bytes(&to_bytes(&Value::Vec(v)).expect("serialises")).expect("reads");
    assert!(matches!(back, Value::Vec(v) if v.attr == Attr::Sorted));
}

#[test]
fn broken_messages_signal() {
    let good = to_bytes(&parsed("(1 2 3;`a`b;\"text\";2.5;(+;`a;`b))")).expect("serialises");
    for cut in 0..good.len() {
        assert!(from_bytes(&good[..cut]).is_err(), "cut at {cut}");
    }
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            // Any answer will do, as long as there is one: a flipped bit in a number is a number.
            let _answer = from_bytes(&bad);
        }
    }
    let deep: Vec<u8> = [0u8, 0, 1, 0, 0, 0].repeat(100_000);
    assert!(super::object(&deep).is_err(), "nesting is limited");
}
