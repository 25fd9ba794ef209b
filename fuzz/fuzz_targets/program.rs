//! Generated q programs, most of which parse: what their trees print as parses to the same trees, and running them
//! ends in a value or a signal.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = tests::gen_program::program(&mut arbitrary::Unstructured::new(bytes)) {
        tests::gen_program::check_parse(text.as_bytes());
        tests::gen_nest::evaluate(&text);
    }
});
