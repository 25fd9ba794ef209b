//! A file of the kernel cache is read as it was written, or not at all.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = tests::gen_entry::judge(&mut arbitrary::Unstructured::new(bytes));
});
