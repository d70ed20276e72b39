//! The service file as systemd itself judges it. Starts no service.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The highest exposure `systemd-analyze security` may find: 0 is none, 10 is all.
const EXPOSURE_MAX: f64 = 1.5;

#[test]
fn systemd_finds_no_fault_in_the_unit() {
    finds_no_fault("adoubed.service", "=adoubed run", "systemd_finds_no_fault_in_the_unit");
}

#[test]
fn systemd_finds_no_fault_in_the_kiosk() {
    let cage = "/usr/bin/cage";
    finds_no_fault("adoubed-kiosk.service", cage, "systemd_finds_no_fault_in_the_kiosk");
}

/// What the unit starts is not installed on every machine that tests it: another program stands in.
fn finds_no_fault(unit: &str, starts: &str, test: &str) {
    let directory = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(path().with_file_name(unit)).unwrap();
    assert!(text.contains(starts), "{unit} does not start {starts}");
    let stand_in = if starts.starts_with('=') { "=/bin/true" } else { "/bin/true" };
    let copy = directory.path().join(unit);
    fs::write(&copy, text.replace(starts, stand_in)).unwrap();
    let Some(output) = analyze_unit(&["verify"], &copy, test) else { return };
    let text = self::text(&output);
    let ours: Vec<_> = text.lines().filter(|line| line.contains("adoubed")).collect();
    assert!(ours.is_empty() && output.status.success(), "{text}");
}

#[test]
fn the_service_is_exposed_to_little() {
    let arguments = ["security", "--offline=true"];
    let Some(output) = analyze(&arguments, "the_service_is_exposed_to_little") else { return };
    let text = text(&output);
    let exposure = exposure(&text).unwrap_or_else(|| panic!("no verdict in\n{text}"));
    assert!(exposure <= EXPOSURE_MAX, "{exposure}\n{text}");
}

#[test]
fn the_verdict_is_found() {
    let text = "✗ x 0.1\n\n→ Overall exposure level for adoubed.service: 1.6 OK 🙂\n";
    assert_eq!(exposure(text), Some(1.6));
    assert_eq!(exposure("nothing"), None);
}

#[test]
fn systemd_is_told_when_the_daemon_is_ready_and_that_it_lives() {
    let unit = unit();
    for wanted in ["Type=notify", "Restart=always", "LimitNOFILE=4096", "DynamicUser=yes"] {
        assert!(unit.lines().any(|line| line == wanted), "{wanted}");
    }
    let watchdog = unit.lines().find_map(|line| line.strip_prefix("WatchdogSec="));
    let watchdog: u32 = watchdog.unwrap().parse().unwrap();
    // The run loop beats every 5 s or faster: one beat may be lost.
    assert!(watchdog >= 10, "{watchdog} s");
}

/// What systemd-analyze says of the unit; nothing, said loudly, where there is no such program.
fn analyze(arguments: &[&str], test: &str) -> Option<Output> {
    analyze_unit(arguments, &path(), test)
}

fn analyze_unit(arguments: &[&str], unit: &Path, test: &str) -> Option<Output> {
    let outcome = Command::new("systemd-analyze").args(arguments).arg(unit).output();
    match outcome {
        Ok(output) => Some(output),
        Err(error) => {
            // Not eprintln: the test harness swallows that of tests that pass.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED {test}: systemd-analyze cannot be run here: {error}"
            );
            None
        }
    }
}

fn exposure(text: &str) -> Option<f64> {
    let verdict = text.lines().find(|line| line.contains("Overall exposure level"))?;
    verdict.rsplit_once(": ")?.1.split_whitespace().next()?.parse().ok()
}

fn text(output: &Output) -> String {
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("{out}{err}")
}

fn unit() -> String {
    fs::read_to_string(path()).unwrap()
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("systemd/adoubed.service")
}
