//! Every test of this crate in one program: compiled and linked once.

mod copying;
#[cfg(target_os = "linux")]
mod failing;
mod keeping;
mod soak;
mod support;
