//! Any bytes parse to what prints as itself, or signal at a place.
#![no_main]
use tests::gen_program::{check_parse, check_script};
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check_parse(bytes);
    check_script(bytes);
});
