//! Random programs, token soup and raw bytes: parsing never panics, spans fit, and what a tree prints as
//! parses to the same tree.

use tests::gen_program::{check_parse, check_script, program, soup};
use tests::property::holds;

/// Cases that each property is tried on.
const CASES: u64 = 10_000;

#[test]
fn printed_programs_parse_to_the_same_tree() {
    holds(CASES, |u| {
        check_parse(program(u)?.as_bytes());
        Ok(())
    });
}

#[test]
fn token_soup_is_an_error_with_a_place_or_a_tree() {
    holds(CASES, |u| {
        check_parse(soup(u)?.as_bytes());
        Ok(())
    });
}

#[test]
fn scripts_of_any_bytes_do_not_panic() {
    holds(CASES, |u| {
        let text = if u.arbitrary()? { u.arbitrary::<Vec<u8>>()? } else { soup(u)?.into_bytes() };
        check_parse(&text);
        check_script(&text);
        Ok(())
    });
}

/// What fuzzing found.
#[test]
fn found_texts_stay_right() {
    for text in [
        "b;/`0:/225:Y/`0:/225:YAYAY",
        "x:/:`:p/f.csv_",
        "delete a.b from (where)",
        "update n:[a;b],c from t",
        "229999799.299997995m",
    ] {
        check_parse(text.as_bytes());
    }
}

/// Every program that is generated and rejected proves nothing, so most must parse.
#[test]
fn most_programs_parse() {
    use arbitrary::Unstructured;
    let mut parsed = 0;
    for seed in 0..500u64 {
        let mut rng = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let bytes: Vec<u8> = std::iter::repeat_with(|| {
            rng ^= rng << 13;
            rng ^= rng >> 7;
            rng ^= rng << 17;
            rng as u8
        })
        .take(400)
        .collect();
        let text = program(&mut Unstructured::new(&bytes)).expect("the generator does not fail");
        let source = q::error::Source { text: text.as_bytes().into(), file: None, line: 1 };
        parsed += q::parse::expression(&std::sync::Arc::new(source), q::Sym::NULL).is_ok() as u32;
    }
    assert!(parsed > 350, "{parsed} of 500 programs parse");
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let deep = 50_000;
    for text in [
        "(".repeat(1_000_000),
        "[".repeat(deep),
        "{".repeat(deep),
        "f[".repeat(deep),
        "1+".repeat(deep),
        "f ".repeat(deep),
        "'".repeat(deep),
        format!("f{}", "'".repeat(deep)),
        format!("f{}", "[1]".repeat(deep)),
        "a:".repeat(deep),
        "select from ".repeat(deep),
        "select a from t where ".repeat(deep),
        format!("{}1{}", "(".repeat(deep), ")".repeat(deep)),
    ] {
        check_parse(text.as_bytes());
    }
    check_parse(";".repeat(deep).as_bytes());
    check_parse("1 ".repeat(deep).as_bytes());
}
