//! A target under libFuzzer: `SVC_FUZZ_TARGET=NAME svc-fuzz [options of libFuzzer] [folder]`. `.ci/run guided`
//! builds it with what libFuzzer needs; without that it only says so.
#![cfg_attr(guided, no_main)]

#[cfg(guided)]
libfuzzer_sys::fuzz_target!(
    init: svc_fuzz::Target::of_environment().leave_seeds(),
    |input: &[u8]| svc_fuzz::Target::of_environment().judge(input)
);

#[cfg(not(guided))]
fn main() {
    eprintln!("this build watches no coverage: use .ci/run guided");
}
