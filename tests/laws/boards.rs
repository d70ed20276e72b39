//! What the boards of each family can witness, as `docs/boards.md` tells it: every kind's own
//! scenarios are played on a board of each family, and what is raised there is what can be seen.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use adoubed::record::recording::Wanted;
use adoubed::verbs::replay;
use eboard::{Driver, Maturity, Senses, Transport};
use rayon::prelude::*;
use serde_json::Value;
use witness::{Edition, Kind};

use crate::scenario::{Scenario, scenarios};

const PAGE: &str = "docs/boards.md";
const BEGIN: &str = "<!-- generated: UPDATE_GENERATED=1 cargo test --test laws boards -->\n";
const END: &str = "<!-- end of what is generated -->\n";

/// Scripts about a clock that was told in a special way, about cables and second boards belong to
/// the board they were written for.
const OWN: [&str; 4] = ["# sensing:", "# second_board:", "# readings:", "line:"];
/// What none of so many of its scenarios raises on a board is called not seen there.
const TRIED: usize = 3;

#[test]
fn what_boards_can_witness_is_what_the_page_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("where it begins");
    let (_, after) = rest.split_once(END).expect("where it ends");
    let wanted = format!("{before}{BEGIN}{}{END}{after}", tables());
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(&path, &wanted).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap();
    assert_eq!(written, wanted, "UPDATE_GENERATED=1 cargo test --test laws boards");
}

fn tables() -> String {
    let families = catalog::DRIVERS;
    let mut page = String::from(
        "| driver | boards | by | senses | clock | keeps its table by | rests on |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for driver in families {
        let _ = writeln!(page, "{}", facts(driver));
    }
    // A board that has to learn its pieces has no time for it in a script.
    let families: Vec<_> = families.iter().filter(|driver| !driver.learns).collect();
    let names: Vec<_> = families.iter().map(|driver| driver.name).collect();
    let _ =
        write!(page, "\n| alert | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    let all = scenarios();
    let rows: Vec<_> = Kind::ALL.par_iter().map(|kind| row(&all, *kind, &families)).collect();
    page + &rows.concat()
}

/// On which boards this kind is seen; nothing if no scenario of its own can say.
fn row(all: &[Scenario], kind: Kind, families: &[&&Driver]) -> String {
    let own = raising(all, kind);
    if own.is_empty() {
        return String::new();
    }
    let seen = families.iter().map(|driver| {
        let raised = own.iter().any(|it| is_raised(it, kind, driver));
        if raised { "yes" } else { "–" }
    });
    format!("| `{}` | {} |\n", kind.name(), seen.collect::<Vec<_>>().join(" | "))
}

fn facts(driver: &Driver) -> String {
    let by = match driver.transport {
        Transport::Serial { .. } if driver.is_bus() => "a serial bus, to be configured",
        Transport::Serial { .. } => "USB or serial",
        Transport::Hid { .. } => "USB (HID)",
    };
    let senses = match driver.senses {
        Senses::Identity => "which piece stands where",
        Senses::Occupancy => "that something stands there",
        Senses::Nothing => unreachable!("{driver:?} is no board"),
    };
    let kept = if driver.numbered { "its own number" } else { "its socket" };
    let rests = match driver.maturity {
        Maturity::Captured => "recordings of real boards",
        Maturity::OnPaper => "documents; not yet tried on a real board",
    };
    let clock = if driver.clock { "yes" } else { "no" };
    let (name, title) = (driver.name, driver.title);
    format!("| `{name}` | {title} | {by} | {senses} | {clock} | {kept} | {rests} |")
}

/// The scenarios that raise this kind in the edition of today, on any board.
fn raising(all: &[Scenario], kind: Kind) -> Vec<&Scenario> {
    let raises = |it: &&Scenario| {
        it.editions().contains(&Edition::Y2023)
            && it.expected().iter().any(|wanted| wanted.kind == kind.name())
            && !OWN.iter().any(|own| it.text.contains(own))
    };
    all.iter().filter(raises).take(TRIED).collect()
}

/// Whether it is raised when the script is played on a board of this family.
fn is_raised(scenario: &Scenario, kind: Kind, driver: &Driver) -> bool {
    let wanted = Wanted::under(Edition::Y2023).on(driver);
    // A board without a clock has none to be granted time on: such a script cannot be played there.
    let Ok(lines) = replay::json_lines(scenario.path.clone(), &wanted) else { return false };
    let lines = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.into_iter().any(|it| it["type"] == "incident" && it["kind"] == kind.name())
}
