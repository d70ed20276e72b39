//! `adoubed emulate --script`: the words of a gesture script trouble an emulated clock just as they
//! do in a scenario. Whoever writes driver software can try it on a clock that jumps, loses reports
//! and runs low.

use std::fs;
use std::process::{Child, Stdio};

use crate::common::{Daemon, House, adoubed};

/// White's time jumps while it counts; then reports get lost, and the battery is low.
const SCRIPT: &str = "# time_control: 5400+30\n\
     e2^ e4v +0.5 | e7^ e5v +0.5 | +1 set:w=3000 +2.5 clock:lost=2 clock:low g1^ f3v +0.5 | +30\n";

/// A board of its own, ended by its own number.
struct Emulated(Child);

impl Drop for Emulated {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_a_script_does_to_the_clock_is_told_by_the_daemon() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"\ntime_control = \"5400+30\"");
    let script = house.path().join("troubled.gestures");
    fs::write(&script, SCRIPT).expect("a script");
    let line = house.line("1");
    let arguments = ["emulate", "dgt", "--script"];
    let mut command = adoubed(arguments);
    command.arg(&script).arg("--link").arg(&line).stdout(Stdio::null());
    let _emulated = Emulated(command.spawn().expect("an emulated board"));
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    let alert = |kind: &'static str| {
        arbiter.wait(kind, |heard| {
            let alerts = heard.messages.iter().filter(|it| it.topic.contains("/alert/"));
            let mut told = alerts.filter(|it| !it.text().is_empty()).map(|it| it.json());
            told.find(|alert| alert["kind"] == kind)
        })
    };
    let fault = alert("clock_fault");
    assert_eq!((&fault["side"], &fault["article"]), (&"white".into(), &"6.10.1".into()));
    assert_eq!(alert("low_battery")["article"], "C.02");
    let game = arbiter.topic("table/1/game", "three moves", |it| it["moves"][2]["san"] == "Nf3");
    assert_eq!(game["rev"], 0);
}
