//! The program `adoubed`: one verb, one exit code.

use std::process::ExitCode;

use adoubed::verbs;
use tikv_jemallocator::Jemalloc;

/// The system's allocator keeps memory at its peak for as long as the daemon lives.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

fn main() -> ExitCode {
    verbs::main()
}
