//! Holds the instructions of a message, as callgrind counts them, against those counted last, so
//! that no change makes the daemon slower unseen. The counts depend on the compiler, not on how
//! busy the machine is. What is played is simulated, so it is the same wherever the repository
//! lies.

use std::collections::BTreeMap;
use std::process::Command;

use serde::Deserialize;

use crate::depth::Depth;
use crate::number;
use crate::samples::{Kind, Sample};

/// Argument: play only the short samples that the test counts.
pub const HELD: &str = "held";
/// How far a count may be from the last one: a tenth more or less.
const ROOM: f64 = 1.1;

/// What was counted last.
#[derive(Deserialize)]
struct Counted {
    /// How `rustc --version` begins for the compiler of these counts.
    compiler: String,
    /// By the name of the kind, then of the depth.
    #[serde(flatten)]
    each: BTreeMap<String, BTreeMap<String, f64>>,
}

/// All that callgrind counts: it finds this function by its name.
#[inline(never)]
pub fn counted_part(depth: Depth, samples: &[Sample], times: u64) -> u64 {
    let mut done = 0;
    for _ in 0..times {
        for sample in samples {
            done += depth.play(std::hint::black_box(sample));
        }
    }
    done
}

/// Fails where a message costs a tenth more or a tenth less than was counted. After a gain the
/// lower figure is written down, or the next change could use it up.
pub fn hold() {
    let counted: Counted = toml::from_str(include_str!("counts.toml")).expect("what was counted");
    let compiler = compiler();
    if !compiler.starts_with(&counted.compiler) {
        let (compiler, by) = (compiler.trim(), counted.compiler);
        let why = format!("they were counted with {by}, this is {compiler}");
        return println!("=== NOT TESTED: instructions of a message; {why} ===");
    }
    let mut wrong = Vec::new();
    for (kind, depths) in counted.each {
        for (depth, was) in depths {
            let known = Kind::ALL.iter().any(|it| it.name() == kind)
                && Depth::ALL.iter().any(|it| it.name() == depth);
            assert!(known, "counts.toml: nothing is played as {kind}.{depth}");
            let Some(is) = collected(&[&depth, "1", &kind, HELD]) else {
                println!("=== NOT TESTED: instructions of a message; valgrind is missing ===");
                return;
            };
            println!("{kind}, {depth}: {is:.0} instructions a message, {was:.0} were counted");
            if is > was * ROOM || is * ROOM < was {
                wrong.push(format!("{kind}.{depth} = {is:.0}, and {was:.0} were counted"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "Messages cost other than they did (benches/replay/counts.toml); find out why \
         (docs/benchmarks.md), and write down what is right:\n{}",
        wrong.join("\n")
    );
}

/// Instructions a message of this program when it is started with these arguments; none without
/// valgrind.
pub fn collected(arguments: &[&str]) -> Option<f64> {
    let itself = std::env::current_exe().expect("a program knows where it lies");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*counted_part*")
        .arg(itself)
        .args(arguments)
        .output()
        .ok()?;
    let words = String::from_utf8_lossy(&output.stderr);
    let counted = words.lines().find_map(|line| line.split_once("Collected : "));
    let counted = counted.and_then(|(_, count)| count.trim().parse::<u64>().ok());
    let counted = counted.filter(|it| *it > 0);
    let counted = counted.unwrap_or_else(|| panic!("callgrind counted nothing:\n{words}"));
    let messages = String::from_utf8_lossy(&output.stdout).trim().parse().expect("messages");
    Some(number(counted) / number(messages))
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output();
    output.map_or_else(|_| "no rustc".to_owned(), |it| String::from_utf8_lossy(&it.stdout).into())
}
