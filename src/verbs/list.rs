//! `adoubed list`: the serial lines of this machine, and how to mend those that cannot be opened.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use eboard::{Identity, Moment, Output, Probe, Probed, Sighting};
use serde::Serialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_serial::SerialStream;

use super::{runtime, say};
use crate::discovery::{self, Present};
use crate::exit::{self, Failure};
use crate::line::{self, Trouble};
use crate::time::Clock;

/// Long enough for every language to have asked once and been answered.
const PATIENCE: Duration = Duration::from_secs(8);

#[derive(Args)]
pub struct Arguments {
    /// One JSON object per line
    #[arg(long)]
    json: bool,
    /// Only look, do not ask who is there
    #[arg(long)]
    quiet: bool,
    /// Look at every entry of this directory instead
    #[arg(long, value_name = "DIRECTORY", default_value = "")]
    directory: PathBuf,
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
    let present = discovery::scan(&arguments.directory);
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
    match line::open(&present.id.path, None) {
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
                Trouble::Other => "broken",
            };
            let remedy = line::remedy(trouble).trim().trim_matches(['(', ')']).to_owned();
            row.remedy = (!remedy.is_empty()).then_some(remedy);
        }
    }
    row
}

/// Who is there, by protocol; the last and fullest answer within the time allowed.
async fn ask(mut port: SerialStream) -> Option<(&'static str, Identity)> {
    let clock = Clock::starting_at(Moment::ZERO);
    let mut probe = Probe::new(clock.now(), catalog::DRIVERS.to_vec());
    let mut buffer = [0; 512];
    while clock.now() < Moment::ZERO + PATIENCE {
        let mut probed = Vec::new();
        let wait = probe.deadline().map_or(PATIENCE, |(at, _)| clock.until(at));
        match tokio::time::timeout(wait, port.read(&mut buffer)).await {
            Ok(Ok(0) | Err(_)) => return None,
            Ok(Ok(count)) => {
                probe.heard(clock.now(), buffer.get(..count).unwrap_or_default(), &mut probed);
            }
            Err(_) => probe.due(clock.now(), &mut probed),
        }
        for probed in probed {
            match probed {
                Probed::Set(settings) => line::set(&mut port, settings),
                Probed::Send(bytes) => port.write_all(&bytes).await.ok()?,
                Probed::Found { driver, answers, .. } => {
                    return Some((driver.name, identity(answers)));
                }
            }
        }
    }
    None
}

fn identity(answers: Vec<Output>) -> Identity {
    let mut identities = answers.into_iter().filter_map(|answer| match answer {
        Output::Saw(_, Sighting::Identified(identity)) => Some(identity),
        _ => None,
    });
    identities.next_back().unwrap_or_default()
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
