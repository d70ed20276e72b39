//! `adoubed salvage`: everything of damaged journals that can be read again, in a new one.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{say, verify};
use crate::exit::{self, Failure};
use crate::record::journal;

#[derive(Args)]
pub struct Arguments {
    /// Journals, the oldest first, or directories with journals
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    /// The new journal; it must not exist, and its name begins with `journal-`
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub fn salvage(arguments: &Arguments) -> Result<(), Failure> {
    let output = &arguments.output;
    let name = output.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if !name.starts_with("journal-") {
        let text =
            format!("{}: a journal is known by its name: call it journal-{name}", output.display());
        return Err(Failure::new(exit::USAGE, text));
    }
    let segments = verify::segments(&arguments.journals)?;
    let fail = |error| Failure::file(output, &error);
    let mut file = std::fs::File::create_new(output).map_err(fail)?;
    let (mut records, mut missing) = (0, Vec::new());
    for segment in &segments {
        let content = verify::read(segment)?;
        missing.extend(content.missing().iter().map(|it| format!("{}: {it}", segment.display())));
        for bytes in content.records.iter().filter_map(journal::encode) {
            file.write_all(&bytes).map_err(fail)?;
            records += 1;
        }
    }
    file.sync_all().map_err(fail)?;
    say(format!("{}: {records} records", output.display()));
    for missing in missing {
        say(format!("  lost: {missing}"));
    }
    Ok(())
}
