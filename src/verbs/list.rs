//! `adoubed list`: the boards of this machine and their tables, and how to mend what does not work.
//! A daemon that runs is asked about the lines it holds; the others are asked here who is there.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use eboard::{Conversation, Identity, Input, Moment, Output, Probe, Probed, Sighting, Station};
use http_body_util::{BodyExt as _, Empty};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use witness::TableNo;

use super::{runtime, say};
use crate::config::{self, Config};
use crate::exit::{self, Failure};
use crate::lines::discovery::{self, Present};
use crate::lines::line::{self, Port, Trouble};
use crate::plugged::{self, Access, Plugged};
use crate::time::Clock;

/// Long enough for a recognised board to report its serial number.
const INTRODUCTION: Duration = Duration::from_secs(2);
/// A daemon on this machine answers within milliseconds.
const DAEMON: Duration = Duration::from_secs(2);
/// The configuration of the daemon that the system starts.
const CONFIGURATION: &str = "/etc/adoubed/adoubed.toml";

#[derive(Args)]
pub struct Arguments {
    /// One JSON object per board
    #[arg(long)]
    json: bool,
    /// Only look, do not ask who is there
    #[arg(long)]
    quiet: bool,
    /// Look at every entry of this directory instead
    #[arg(long, value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
    /// The configuration of the daemon that may be running; without one, the system's
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

pub fn list(arguments: &Arguments) -> Result<(), Failure> {
    let config = configuration(arguments)?;
    let directory = arguments.directory.clone().unwrap_or_else(|| config.ports.directory.clone());
    let present = discovery::scan(&directory);
    let rows = runtime()?.block_on(async {
        let held = ask_daemon(config.web.listen).await;
        if held.is_some() && !arguments.json {
            say("a daemon is running: this is what it says of the lines it holds");
        }
        let quiet = |line: &Present| arguments.quiet || is_named(&config, line);
        rows(present, held.unwrap_or_default(), quiet).await
    });
    if rows.is_empty() && !arguments.json {
        say("nothing found: plug in a board (USB), or name its port in the configuration");
    }
    for row in &rows {
        if arguments.json {
            let json =
                serde_json::to_string(row).map_err(|error| Failure::new(exit::SOFTWARE, error))?;
            say(json);
        } else {
            show(row);
        }
    }
    if !arguments.json {
        offer(&rows);
    }
    Ok(())
}

fn configuration(arguments: &Arguments) -> Result<Config, Failure> {
    let path = arguments.config.clone().unwrap_or_else(|| PathBuf::from(CONFIGURATION));
    match config::load(&path) {
        Ok(config) => Ok(config),
        Err(error) if arguments.config.is_some() => Err(Failure::new(exit::CONFIG, error)),
        Err(_) => Ok(Config::default()),
    }
}

/// Whether the language of this line is configured and must be. A question in another language
/// would drop the boards of a bus, and a clock would not answer.
fn is_named(config: &Config, line: &Present) -> bool {
    config.plan().places().any(|place| {
        let here = place.port.is_some_and(|port| line.id.names.contains(&port));
        let driver = place.language.as_deref().and_then(catalog::find);
        here && driver.is_some_and(|driver| !driver.probed)
    })
}

/// The boards on the lines that a running daemon holds; none: no daemon answers.
async fn ask_daemon(listen: SocketAddr) -> Option<Vec<Plugged>> {
    let port = listen.port();
    let asked = async {
        let here = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let address = if listen.ip().is_unspecified() { here } else { listen };
        let stream = TokioIo::new(TcpStream::connect(address).await.ok()?);
        let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await.ok()?;
        tokio::spawn(connection);
        let request = hyper::Request::get("/plugged.json")
            .header(hyper::header::HOST, address.to_string())
            .body(Empty::<Bytes>::new())
            .ok()?;
        let response = sender.send_request(request).await.ok()?;
        let collected = response.into_body().collect().await.ok()?.to_bytes();
        serde_json::from_slice(&collected).ok()
    };
    tokio::time::timeout(DAEMON, asked).await.ok().flatten()
}

/// One row for each board, and for each line without an answer.
async fn rows(
    present: Vec<Present>,
    mut held: Vec<Plugged>,
    quiet: impl Fn(&Present) -> bool,
) -> Vec<Plugged> {
    let mut looks = Vec::new();
    let mut rows = Vec::new();
    for line in present {
        let of_it = |row: &Plugged| line.id.names.iter().any(|name| row.names.contains(name));
        let (own, others): (Vec<_>, Vec<_>) = held.into_iter().partition(of_it);
        held = others;
        match own.is_empty() {
            true => {
                let quiet = quiet(&line);
                looks.push(tokio::spawn(look_at(line, quiet)));
            }
            false => rows.extend(own.into_iter().map(|row| with_usb(row, &line))),
        }
    }
    for look in looks {
        rows.extend(look.await.unwrap_or_default());
    }
    rows.extend(held);
    rows.sort_by(|one, other| (&one.path, one.station).cmp(&(&other.path, other.station)));
    rows
}

fn with_usb(row: Plugged, present: &Present) -> Plugged {
    let usb = present.usb.as_ref();
    Plugged {
        usb: usb.map(|usb| format!("{:04x}:{:04x}", usb.vendor, usb.product)),
        product: usb.and_then(|usb| usb.name.clone()),
        ..row
    }
}

async fn look_at(present: Present, quiet: bool) -> Vec<Plugged> {
    let row = with_usb(Plugged::on(&present.id), &present);
    match Port::open(&present.id.path, None) {
        Ok(_) if quiet => vec![row],
        Ok(port) => {
            let id = crate::entry::LineId { carrier: port.carrier(), ..present.id };
            let found = ask(port).await;
            if found.is_empty() {
                let remedy = Some(plugged::silent(&id));
                return vec![Plugged { remedy, ..row }];
            }
            let boards = found.into_iter();
            boards.map(|(station, identity)| row.clone().with(station, &identity)).collect()
        }
        Err(error) => {
            let trouble = line::trouble(&error);
            let access = match trouble {
                Trouble::Denied => Access::Denied,
                Trouble::Busy => Access::InUse,
                Trouble::Absent => Access::Gone,
                Trouble::Foreign => Access::NoBoard,
                Trouble::Other => Access::Broken,
            };
            let remedy = line::remedy(trouble).trim().trim_matches(['(', ')']).to_owned();
            let remedy = (!remedy.is_empty()).then_some(remedy);
            vec![Plugged { access, remedy, ..row }]
        }
    }
}

/// The boards on a line, with all that they report of themselves.
async fn ask(mut port: Port) -> Vec<(Station, Identity)> {
    let clock = Clock::starting_at(Moment::ZERO);
    match probe(&mut port, clock).await {
        Some((conversation, answers)) => introduce(&mut port, clock, conversation, answers).await,
        None => Vec::new(),
    }
}

type Found = (Box<dyn Conversation>, Vec<Output>);

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
                Probed::Found { conversation, answers, .. } => {
                    return Some((conversation, answers));
                }
            }
        }
    }
    None
}

/// The most complete identities that boards report, while they are asked as the daemon asks.
async fn introduce(
    port: &mut Port,
    clock: Clock,
    mut conversation: Box<dyn Conversation>,
    mut answers: Vec<Output>,
) -> Vec<(Station, Identity)> {
    let until = clock.now() + INTRODUCTION;
    let mut known = std::collections::BTreeMap::new();
    let mut buffer = [0; 512];
    conversation.handle(clock.now(), Input::Opened, &mut answers);
    while clock.now() < until {
        for answer in answers.drain(..) {
            match answer {
                Output::Send(bytes) if port.write(&bytes).await.is_err() => break,
                Output::Saw(station, Sighting::Identified(identity)) => {
                    known.insert(station, identity);
                }
                _ => {}
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
    known.into_iter().collect()
}

fn show(row: &Plugged) {
    let who = match (&row.driver, &row.serial) {
        (Some(driver), Some(serial)) => format!("{driver} board {serial}"),
        (Some(driver), None) => format!("{driver} board"),
        (None, _) if row.access == Access::Accessible => "nobody answered".to_owned(),
        (None, _) => String::new(),
    };
    let usb = row.usb.as_deref().unwrap_or("-");
    let table = match (row.table, row.second) {
        (Some(table), false) => format!("  table {table}"),
        (Some(table), true) => format!("  table {table}, second board"),
        (None, _) => String::new(),
    };
    say(format_args!("{}  {usb}  {}  {who}{table}", row.path, row.access.name()));
    if let Some(remedy) = &row.remedy {
        say(format_args!("    {remedy}"));
    }
}

/// Prints what to configure so that each board keeps its table.
fn offer(rows: &[Plugged]) {
    let taken: Vec<_> = rows.iter().filter_map(|row| row.table).collect();
    let mut free = (1..).map(TableNo::new).filter(|number| !taken.contains(number));
    let entries: Vec<_> = rows
        .iter()
        .filter(|row| row.driver.is_some() && !row.second)
        .filter_map(|row| row.table_entry(row.table.or_else(|| free.next())?))
        .collect();
    if !entries.is_empty() {
        say("\nto keep each board at its table, whatever is plugged in first (adoubed.toml):\n");
        say(entries.join("\n").trim_end());
    }
}
