//! Every test of this crate in one program: compiled and linked once.

mod advice;
mod away;
#[cfg(unix)]
mod bots;
mod club;
mod draws;
mod killed;
mod lists;
#[cfg(feature = "postgres")]
mod many;
mod people;
mod playing;
#[cfg(feature = "postgres")]
#[path = "../../store/tests/support/postgres.rs"]
mod postgres;
mod replaying;
mod safety;
mod season;
mod secrets;
mod support;
mod thinking;
mod typescript;
mod upgrade;
mod workshop;
