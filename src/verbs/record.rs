//! `adoubed record`: what a device says, as a capture. Only listens: nothing is written to the
//! line unless the board is one that must be asked.

use std::fs::File;
use std::path::PathBuf;

use clap::Args;
use eboard::{Carrier, Driver, Input, Moment, Output};

use super::{runtime, say};
use crate::exit::{self, Failure};
use crate::lines::line::{self, Port};
use crate::record::capture::{self, Event};
use crate::time::{self, Clock};

#[derive(Args)]
pub struct Arguments {
    /// The line, as /dev/ttyUSB0
    port: String,
    /// The capture to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Ask the board to speak, in this language; without it the line is only listened to
    #[arg(long, value_name = "DRIVER")]
    driver: Option<String>,
}

pub fn record(arguments: &Arguments) -> Result<(), Failure> {
    let file = File::options().write(true).create_new(true).open(&arguments.output);
    let mut file = file.map_err(|error| Failure::file(&arguments.output, &error))?;
    runtime()?.block_on(listen(arguments, &mut file))
}

async fn listen(arguments: &Arguments, file: &mut File) -> Result<(), Failure> {
    let driver = match &arguments.driver {
        Some(name) => Some(
            catalog::find(name)
                .ok_or_else(|| Failure::new(exit::USAGE, format!("no such driver: {name}")))?,
        ),
        None => None,
    };
    let mut port =
        Port::open(&arguments.port, driver.and_then(Driver::settings)).map_err(|error| {
            let text = format!(
                "failed to open {}: {error}{}",
                arguments.port,
                line::remedy(line::trouble(&error))
            );
            Failure::new(exit::NO_INPUT, text)
        })?;
    write(file, arguments, &header(port.carrier()))?;
    let clock = Clock::starting_at(Moment::ZERO);
    let mut conversation = driver.map(|driver| (driver.converse)());
    let mut answers = Vec::new();
    if let Some(conversation) = &mut conversation {
        conversation.handle(clock.now(), Input::Opened, &mut answers);
    }
    say("recording; end with Ctrl-C");
    let mut buffer = [0; 2048];
    loop {
        for answer in std::mem::take(&mut answers) {
            if let Output::Send(bytes) = answer {
                port.write(&bytes).await.map_err(|error| Failure::new(exit::IO, error))?;
                keep(file, arguments, &Event::Written(clock.now(), bytes))?;
            }
        }
        let due = conversation.as_ref().and_then(|it| it.deadline());
        let wait = due.map_or(std::time::Duration::from_secs(3600), |(at, _)| clock.until(at));
        tokio::select! {
            read = port.read(&mut buffer) => {
                let count = read.unwrap_or(0);
                if count == 0 {
                    return Err(Failure::new(exit::IO, format!("{} is gone", arguments.port)));
                }
                let bytes = buffer.get(..count).unwrap_or_default().to_vec();
                if let Some(conversation) = &mut conversation {
                    conversation.handle(clock.now(), Input::Bytes(&bytes), &mut answers);
                }
                keep(file, arguments, &Event::Read(clock.now(), bytes))?;
            }
            () = tokio::time::sleep(wait) => {
                if let Some(conversation) = &mut conversation {
                    conversation.handle(clock.now(), Input::Due, &mut answers);
                }
            }
            _ = tokio::signal::ctrl_c() => return Ok(()),
        }
    }
}

/// A header with the carrier. The other facts are for the person who records.
fn header(carrier: Carrier) -> String {
    let (date, carrier) = (time::wall_now().pgn_date(), capture::carrier(carrier));
    let empty = "# Licence: \n# Notes: \n";
    format!("# Device: \n# Firmware: \n# Carrier: {carrier}\n# Date: {date}\n{empty}")
}

fn keep(file: &mut File, arguments: &Arguments, event: &Event) -> Result<(), Failure> {
    write(file, arguments, &capture::line(event))
}

fn write(file: &mut File, arguments: &Arguments, text: &str) -> Result<(), Failure> {
    std::io::Write::write_all(file, text.as_bytes())
        .map_err(|error| Failure::file(&arguments.output, &error))
}
