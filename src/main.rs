//! The program `adoubed`: one verb, one exit code.

use std::process::ExitCode;

use adoubed::verbs;
use tikv_jemallocator::Jemalloc;

/// The system's own keeps what was once needed: its most, for as long as the daemon lives.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

fn main() -> ExitCode {
    verbs::main()
}
