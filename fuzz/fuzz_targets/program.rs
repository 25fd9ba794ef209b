//! Generated q programs, most of which parse: what their trees print as parses to the same trees.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = tests::gen_program::program(&mut arbitrary::Unstructured::new(bytes)) {
        tests::gen_program::check_parse(text.as_bytes());
    }
});
