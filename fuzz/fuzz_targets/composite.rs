#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| carom_fuzz::in_every_space!(input, composite));
