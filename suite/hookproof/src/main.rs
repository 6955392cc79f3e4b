//! The command; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    hookproof::cli::main()
}
