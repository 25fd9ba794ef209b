//! Any text is a graph or an error; a graph prints as itself, and a sound one goes through passes and plan.
#![no_main]
libfuzzer_sys::fuzz_target!(|text: &str| tests::judge_text(text));
