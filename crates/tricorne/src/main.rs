//! The program; what it does is in the library.

fn main() -> std::process::ExitCode {
    tricorne_commands::run()
}
