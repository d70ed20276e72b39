//! `adoubed manual`: manual pages and completions for shells, from the command line as it is read.
//! For whoever makes a package; hidden, since nobody else needs it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

use crate::exit::Failure;

/// The shells and what the file with the completions of each is called.
const SHELLS: [(Shell, &str); 3] =
    [(Shell::Bash, "adoubed.bash"), (Shell::Fish, "adoubed.fish"), (Shell::Zsh, "_adoubed")];

#[derive(Args)]
pub struct Arguments {
    /// The directory to write to; it is made if it is not there
    directory: PathBuf,
}

pub fn manual(arguments: &Arguments, program: Command) -> Result<(), Failure> {
    let directory = &arguments.directory;
    write(directory, program).map_err(|error| Failure::file(directory, &error))
}

fn write(directory: &Path, mut program: Command) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    // Pages for `adoubed help run` and the like would say nothing more.
    let pages = program.clone().disable_help_subcommand(true);
    for (shell, name) in SHELLS {
        let mut file = fs::File::create(directory.join(name))?;
        clap_complete::generate(shell, &mut program, "adoubed", &mut file);
    }
    clap_mangen::generate_to(pages, directory)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::Program;
    use super::*;

    #[test]
    fn every_verb_that_is_shown_has_a_page_and_completions() {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), Program::command()).unwrap();
        let read = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
        let program = Program::command();
        let shown = program.get_subcommands().filter(|it| !it.is_hide_set());
        let mut verbs = 0;
        for verb in shown {
            let name = verb.get_name();
            let page = read(&format!("adoubed-{name}.1"));
            assert!(page.contains(&format!(".TH adoubed-{name} ")), "{page}");
            for (_, file) in SHELLS {
                assert!(read(file).contains(name), "{name} is not in {file}");
            }
            verbs += 1;
        }
        assert!(verbs > 10, "{verbs}");
        assert!(read("adoubed.1").contains("adoubed\\-run(1)"));
        assert!(!directory.path().join("adoubed-help.1").exists());
    }
}
