//! `adoubed list`: the serial lines of this machine, and how to mend those that cannot be opened.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use eboard::{Conversation, Driver, Identity, Input, Moment, Output, Probe, Probed, Sighting};
use serde::Serialize;

use super::{runtime, say};
use crate::discovery::{self, Present};
use crate::exit::{self, Failure};
use crate::line::{self, Port, Trouble};
use crate::time::Clock;

/// Long enough for a recognised board to tell its numbers.
const INTRODUCTION: Duration = Duration::from_secs(2);

#[derive(Args)]
pub struct Arguments {
    /// One JSON object per line
    #[arg(long)]
    json: bool,
    /// Only look, do not ask who is there
    #[arg(long)]
    quiet: bool,
    /// Look at every entry of this directory instead
    #[arg(long, value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
}

/// One line as it is shown.
#[derive(Debug, Serialize)]
struct Row {
    path: String,
    names: Vec<String>,
    usb: Option<String>,
    product: Option<String>,
    access: &'static str,
    remedy: Option<String>,
    driver: Option<&'static str>,
    serial: Option<String>,
    firmware: Option<String>,
}

pub fn list(arguments: &Arguments) -> Result<(), Failure> {
    let present = discovery::scan(&arguments.directory.clone().unwrap_or_default());
    if present.is_empty() && !arguments.json {
        say("no serial line found: plug in a board (USB), or name its port in the configuration");
    }
    let rows = runtime()?.block_on(look(present, arguments.quiet));
    for row in rows {
        if arguments.json {
            let json =
                serde_json::to_string(&row).map_err(|error| Failure::new(exit::SOFTWARE, error))?;
            say(json);
        } else {
            show(&row);
        }
    }
    Ok(())
}

async fn look(present: Vec<Present>, quiet: bool) -> Vec<Row> {
    let looks: Vec<_> =
        present.into_iter().map(|line| tokio::spawn(look_at(line, quiet))).collect();
    let mut rows = Vec::new();
    for look in looks {
        rows.extend(look.await);
    }
    rows
}

async fn look_at(present: Present, quiet: bool) -> Row {
    let usb = present.usb.as_ref();
    let mut row = Row {
        path: present.id.path.clone(),
        names: present.id.names.clone(),
        usb: usb.map(|usb| format!("{:04x}:{:04x}", usb.vendor, usb.product)),
        product: usb.and_then(|usb| usb.name.clone()),
        access: "accessible",
        remedy: None,
        driver: None,
        serial: None,
        firmware: None,
    };
    match Port::open(&present.id.path, None) {
        Ok(_) if quiet => {}
        Ok(port) => {
            if let Some((driver, identity)) = ask(port).await {
                row.driver = Some(driver);
                row.serial = identity.serial;
                row.firmware = identity.firmware;
            }
        }
        Err(error) => {
            let trouble = line::trouble(&error);
            row.access = match trouble {
                Trouble::Denied => "permission denied",
                Trouble::Busy => "in use",
                Trouble::Absent => "gone",
                Trouble::Foreign => "no board",
                Trouble::Other => "broken",
            };
            let remedy = line::remedy(trouble).trim().trim_matches(['(', ')']).to_owned();
            row.remedy = (!remedy.is_empty()).then_some(remedy);
        }
    }
    row
}

/// Who is there, by protocol, with all it tells of itself.
async fn ask(mut port: Port) -> Option<(&'static str, Identity)> {
    let clock = Clock::starting_at(Moment::ZERO);
    let (driver, conversation, answers) = probe(&mut port, clock).await?;
    let first = identity(&answers).unwrap_or_default();
    Some((driver.name, introduce(&mut port, clock, conversation).await.unwrap_or(first)))
}

type Found = (&'static Driver, Box<dyn Conversation>, Vec<Output>);

async fn probe(port: &mut Port, clock: Clock) -> Option<Found> {
    let carrier = port.carrier();
    let mut probe = Probe::new(clock.now(), catalog::DRIVERS, carrier);
    let end = clock.now() + Probe::round(catalog::DRIVERS, carrier);
    let mut buffer = [0; 512];
    while clock.now() < end {
        let mut probed = Vec::new();
        let wait = clock.until(probe.deadline().map_or(end, |(at, _)| at.min(end)));
        match tokio::time::timeout(wait, port.read(&mut buffer)).await {
            Ok(Ok(0) | Err(_)) => return None,
            Ok(Ok(count)) => {
                probe.heard(clock.now(), buffer.get(..count).unwrap_or_default(), &mut probed);
            }
            Err(_) => probe.due(clock.now(), &mut probed),
        }
        for probed in probed {
            match probed {
                Probed::Set(settings) => port.set(settings),
                Probed::Send(bytes) => port.write(&bytes).await.ok()?,
                Probed::Found { driver, conversation, answers } => {
                    return Some((driver, conversation, answers));
                }
            }
        }
    }
    None
}

/// The fullest the board says of itself while it is asked as the daemon would ask.
async fn introduce(
    port: &mut Port,
    clock: Clock,
    mut conversation: Box<dyn Conversation>,
) -> Option<Identity> {
    let until = clock.now() + INTRODUCTION;
    let (mut answers, mut known, mut buffer) = (Vec::new(), None, [0; 512]);
    conversation.handle(clock.now(), Input::Opened, &mut answers);
    while clock.now() < until {
        known = identity(&answers).or(known);
        for answer in answers.drain(..) {
            if let Output::Send(bytes) = answer {
                port.write(&bytes).await.ok()?;
            }
        }
        let wake = conversation.deadline().map_or(until, |(at, _)| at.min(until));
        match tokio::time::timeout(clock.until(wake), port.read(&mut buffer)).await {
            Ok(Ok(0) | Err(_)) => break,
            Ok(Ok(count)) => {
                let bytes = buffer.get(..count).unwrap_or_default();
                conversation.handle(clock.now(), Input::Bytes(bytes), &mut answers);
            }
            Err(_) => conversation.handle(clock.now(), Input::Due, &mut answers),
        }
    }
    identity(&answers).or(known)
}

fn identity(answers: &[Output]) -> Option<Identity> {
    answers.iter().rev().find_map(|answer| match answer {
        Output::Saw(_, Sighting::Identified(identity)) => Some(identity.clone()),
        _ => None,
    })
}

fn show(row: &Row) {
    let who = match (row.driver, &row.serial) {
        (Some(driver), Some(serial)) => format!("{driver} board {serial}"),
        (Some(driver), None) => format!("{driver} board"),
        (None, _) if row.access == "accessible" => "nobody answered".to_owned(),
        (None, _) => String::new(),
    };
    let usb = row.usb.as_deref().unwrap_or("-");
    say(format_args!("{}  {usb}  {}  {who}", row.path, row.access));
    if let Some(remedy) = &row.remedy {
        say(format_args!("    {remedy}"));
    }
}
