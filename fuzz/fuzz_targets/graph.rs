//! Graphs that the builder makes are sound, round-trip through text, and stay sound through every pass.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tests::gen_graph::judge(&mut arbitrary::Unstructured::new(bytes)));
