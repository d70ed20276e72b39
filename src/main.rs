//! The program `adoubed`: one verb, one exit code.

use std::process::ExitCode;

use adoubed::verbs;

fn main() -> ExitCode {
    verbs::main()
}
