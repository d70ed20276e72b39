//! Emulated clocks against real ones, byte for byte: what a model clock shows goes through the
//! emulated DGT board, and the reports on its line are compared with recorded ones, or with bytes
//! worked out by hand from the wire sheet (`protocols/dgt/README.md`, section "Clock").

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use eboard::{Change, Colour, Emulator, Moment, Said, Stimulus};
use rehearsal::{Clock, TimeControl};

/// Changes of squares and of the clock are told by themselves; the clock is asked for.
const UPDATE_NICE: [u8; 1] = [0x4b];
const ASK: [u8; 1] = [0x41];

/// The data of the clock's reports among these bytes: right hours, minutes, seconds, the same of
/// the left side, status.
fn reports(bytes: &[u8]) -> Vec<String> {
    let mut rest = bytes;
    let mut reports = Vec::new();
    while let [kind, high, low, ..] = *rest {
        let (frame, after) = rest.split_at(usize::from(high) << 7 | usize::from(low));
        if kind == 0x8d {
            let data = frame[3..].iter().map(|byte| format!("{byte:02x}"));
            reports.push(data.collect::<Vec<_>>().join(" "));
        }
        rest = after;
    }
    reports
}

/// An emulated board that tells of its clock by itself.
struct Line(Box<dyn Emulator>);

impl Line {
    fn new() -> Self {
        let mut line = Self((catalog::find("dgt").unwrap().emulate)());
        assert_eq!(line.tell(Moment::ZERO, Stimulus::Host(&UPDATE_NICE)), [""; 0]);
        line
    }

    fn tell(&mut self, at: Moment, stimulus: Stimulus<'_>) -> Vec<String> {
        let mut bytes = Said::default();
        self.0.handle(at, stimulus, &mut bytes);
        let bytes = bytes.bytes();
        reports(&bytes)
    }

    fn ask(&mut self) -> Vec<String> {
        self.tell(Moment::ZERO, Stimulus::Host(&ASK))
    }
}

/// What a script tells of its clock: milliseconds since it was started, and the report.
fn reported(script: &str) -> Vec<(u64, String)> {
    let script = rehearsal::parse(script).unwrap();
    let mut line = Line::new();
    let mut all = Vec::new();
    for (at, happening) in script.play() {
        let ms = (at.as_micros() / 1000).saturating_sub(1000);
        all.extend(line.tell(at, happening.change().here()).into_iter().map(|report| (ms, report)));
    }
    all
}

fn is_told(script: &str, expected: &[(u64, &str)]) {
    let reports = reported(script);
    let reports: Vec<_> = reports.iter().map(|(at, report)| (*at, report.as_str())).collect();
    assert_eq!(reports, expected, "{script}");
}

#[test]
fn the_increment_comes_in_one_report_with_the_lever_and_seconds_are_rounded_up() {
    // 182 s; 2.4 s used: 179.6 s left, and 2 s more.
    is_told(
        "# time_control: 180+2\n+2.4 | +1.5 | +0.3",
        &[
            (0, "20 03 02 20 03 02 08"),
            (0, "20 03 02 20 03 02 09"),
            (1000, "20 03 02 20 03 01 09"),
            (2000, "20 03 02 20 03 00 09"),
            (2400, "20 03 02 20 03 02 13"),
            (3400, "20 03 01 20 03 02 13"),
            (3900, "20 03 03 20 03 02 09"),
        ],
    );
}

/// The recorded fall (wire sheet): 0:01 and then, in one report, zero, the sign for good, and no
/// time that counts. Nothing more is told, and a question is answered with the same.
#[test]
fn a_frozen_flag_is_the_recorded_one() {
    // White presses 0.3 s after the times were set: 15.9 s of 11.2 s and an increment of 5 s.
    let script = "# time_control: 300+5\n+0.1 set:w=11.2 +0 set:b=1.5 +0.3 | +4 | +1 ! +3";
    let reports = reported(script);
    let last: Vec<_> = reports.iter().rev().take(2).rev().collect();
    assert_eq!(
        last,
        [&(900, "20 00 01 20 00 16 13".to_owned()), &(1900, "30 00 00 20 00 16 12".to_owned())]
    );
    let script = rehearsal::parse(script).unwrap();
    let mut line = Line::new();
    for (at, happening) in script.play() {
        line.tell(at, happening.change().here());
    }
    assert_eq!(line.ask(), ["30 00 00 20 00 16 12"]);
}

#[test]
fn a_clock_that_runs_on_marks_the_first_flag_alone_and_goes_on() {
    is_told(
        "# time_control: 2\nclock:runs_on +2.1 | +2.5",
        &[
            (0, "00 00 02 00 00 02 08"),
            (0, "00 00 02 00 00 02 09"),
            (1000, "00 00 02 00 00 01 09"),
            (2000, "00 00 02 40 00 00 09"),
            (2500, "00 00 02 40 00 00 13"),
            (3500, "00 00 01 40 00 00 13"),
            (4500, "00 00 00 40 00 00 13"),
        ],
    );
}

#[test]
fn a_period_at_zero_is_credited_to_both_and_its_sign_goes_out() {
    let script = "# time_control: 2/3:1800\n+0.5 ~ set:w=1.5 +1 ! +302";
    let reports = reported(script);
    let begun = reports.iter().position(|(_, it)| it.starts_with("00 30 03")).unwrap();
    assert_eq!(reports[begun].1, "00 30 03 40 30 00 09", "both have half an hour more");
    let signs = reports[begun..].iter().map(|(at, it)| (at - reports[begun].0, it.as_str()));
    let (out, report) = signs.clone().find(|(_, it)| !it.starts_with("00 30 03 40")).unwrap();
    assert_eq!((out, report), (300_000, "00 30 03 00 25 00 09"));
    assert_eq!(signs.take(3).next_back(), Some((2000, "00 30 03 40 29 58 09")));
}

#[test]
fn a_period_by_count_is_credited_to_the_one_who_pressed() {
    // 15 s, 1.5 s used, 5 s and half an hour more: 30:18.5.
    is_told(
        "# time_control: 1/10+5:1800+5\n+1.5 | +0.4",
        &[
            (0, "20 00 15 20 00 15 08"),
            (0, "20 00 15 20 00 15 09"),
            (1000, "20 00 15 20 00 14 09"),
            (1500, "20 00 15 20 30 19 13"),
        ],
    );
}

/// A correction is seen as a clock that stands, and times that are others; a lever moved meanwhile
/// brings nothing.
#[test]
fn a_corrected_time_is_seen_on_a_clock_that_stands() {
    is_told(
        "# time_control: 300+5\n+0 clock:sound +0.5 ~ +1 set:w=270 +1 |w +1 ! +0.5",
        &[
            (0, "20 05 05 20 05 05 08"),
            (0, "20 05 05 20 05 05 09"),
            (500, "20 05 05 20 05 05 08"),
            (1500, "20 05 05 20 04 30 08"),
            (2500, "20 05 05 20 04 30 12"),
            (3500, "20 05 05 20 04 30 13"),
        ],
    );
}

#[test]
fn a_low_battery_a_missing_clock_and_what_is_no_face() {
    is_told(
        "# time_control: 60\n+0.1 clock:low +0.1 clock:null +0.1 clock:button +0.1 clock:out \
         +1 clock:in +0.1",
        &[
            (0, "00 01 00 00 01 00 08"),
            (0, "00 01 00 00 01 00 09"),
            (100, "00 01 00 00 01 00 0d"),
            (200, "00 00 00 00 00 00 00"),
            (300, "0a 10 08 2a 05 33 00"),
            (400, "00 00 00 00 00 00 20"),
            (1400, "00 01 00 00 00 59 0d"),
        ],
    );
}

#[test]
fn a_clock_can_be_told_to_drift_stick_jump_and_run_both_sides() {
    let begun = |rest: &[(u64, &'static str)]| {
        let start = [(0, "00 01 00 00 01 00 08"), (0, "00 01 00 00 01 00 09")];
        [&start[..], rest].concat()
    };
    let script = |troubles: &str| format!("# time_control: 60\n{troubles}");
    // A quarter faster than time.
    is_told(
        &script("+0 clock:drift=1.25 +2"),
        &begun(&[(800, "00 01 00 00 00 59 09"), (1600, "00 01 00 00 00 58 09")]),
    );
    is_told(&script("+0.5 clock:dead +9"), &begun(&[]));
    is_told(
        &script("+0.5 clock:dead=b +0.1 | +5 | +0.5"),
        &begun(&[(600, "00 01 00 00 01 00 13"), (5600, "00 01 00 00 01 00 09")])
            .into_iter()
            .chain([(6000, "00 01 00 00 00 59 09")])
            .collect::<Vec<_>>(),
    );
    is_told(&script("+0.5 set:w=30 +0.9"), &begun(&[(500, "00 01 00 00 00 30 09")]));
    is_told(
        &script("+0 clock:both +1.2 | +0.9"),
        &begun(&[
            (1000, "00 00 59 00 00 59 09"),
            (1200, "00 00 59 00 00 59 13"),
            (2000, "00 00 58 00 00 58 13"),
        ]),
    );
    is_told(
        &script("+0 clock:runs=w +1.2 | +0.9"),
        &begun(&[
            (1000, "00 01 00 00 00 59 09"),
            (1200, "00 01 00 00 00 59 13"),
            (2000, "00 01 00 00 00 58 13"),
        ]),
    );
}

#[test]
fn a_lost_report_is_never_repeated() {
    is_told(
        "# time_control: 60\n+0.5 clock:lost=2 +3",
        &[(0, "00 01 00 00 01 00 08"), (0, "00 01 00 00 01 00 09"), (3000, "00 01 00 00 00 57 09")],
    );
}

/// A recording of a game at 3 minutes and 2 seconds, in the collection of real ones.
fn recorded(name: &str) -> Option<Vec<String>> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let data = std::env::var_os("ADOUBED_DATA").map_or(beside, PathBuf::from);
    let path = data.join("captures/dgt").join(format!("{name}.cap"));
    let Ok(text) = std::fs::read_to_string(path) else {
        let _ = writeln!(std::io::stderr(), "SKIPPED {name}: ADOUBED_DATA has no such recording");
        return None;
    };
    let frames = text.lines().filter_map(|line| line.split_once(" < 8d 00 0a "));
    Some(frames.map(|(_, data)| data.trim().to_owned()).collect())
}

/// Which status of a report is which: the lever to the right, a time that counts.
fn status(report: &str) -> (bool, bool) {
    let status = u8::from_str_radix(report.rsplit(' ').next().unwrap(), 16).unwrap();
    (status & 0x02 != 0, status & 0x01 != 0)
}

/// Plays presses where the recorded clock was pressed, and lets the model count between them: it
/// must send the very bytes that the real one sent, report by report.
#[test]
fn an_emulated_clock_sends_what_real_ones_have_sent() {
    const SOON: Duration = Duration::from_millis(1);
    for name in ["blitz-1", "blitz-2"] {
        let Some(recorded) = recorded(name) else { continue };
        let mut line = Line::new();
        let clock = Clock::new(TimeControl::new(180, 2));
        // White's time counts first.
        let mut clock = if status(&recorded[0]).0 { clock.turned() } else { clock };
        let mut now = Moment::from_micros(1_000_000);
        let mut sent = line.tell(now, Change::Clock(Some(clock.face(now))).here());
        for (index, pair) in recorded.windows(2).enumerate() {
            let [(lever_before, counted), (lever, counts)] = [status(&pair[0]), status(&pair[1])];
            let second = clock.next_change(now);
            match (counted, counts) {
                (false, true) => clock.start(now, Colour::White),
                (true, false) => {
                    now = now + SOON;
                    clock.stop(now);
                }
                _ if lever != lever_before => {
                    // A press brings 2 s, or one less where a second was over at that moment.
                    let mut pressed = clock;
                    pressed.press(now + SOON);
                    let soon = line_of(&pressed, now + SOON);
                    now = if soon == pair[1] { now + SOON } else { second.unwrap() };
                    clock.press(now);
                }
                _ => now = second.unwrap(),
            }
            sent.extend(line.tell(now, Change::Clock(Some(clock.face(now))).here()));
            assert_eq!(sent.last(), Some(&pair[1]), "{name}, report {}", index + 2);
        }
        assert_eq!(sent, recorded, "{name}");
    }
}

/// What a board of its own would say of this clock.
fn line_of(clock: &Clock, now: Moment) -> String {
    Line::new().tell(now, Change::Clock(Some(clock.face(now))).here()).remove(0)
}
