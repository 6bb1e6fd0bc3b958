#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| carom_fuzz::pair_in_every_space!(input, check_manifold));
