//! Whatever the query, the CPU engine answers as the interpreter does.
#![no_main]
use tests::gen_query::{case, judge};
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(case) = case(&mut arbitrary::Unstructured::new(bytes)) {
        judge(&case);
    }
});
