//! Programs that wrap and double a value end in a value or a signal.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = tests::gen_nest::program(&mut arbitrary::Unstructured::new(bytes)) {
        tests::gen_nest::judge(&text);
    }
});
