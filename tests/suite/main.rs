//! What the verbs of the program do, what files of the repository must be, and whole
//! halls in virtual time. One program, so that it is linked once.

mod checkpoints;
mod emulated_clocks;
mod export;
mod generated;
mod old_records;
mod replay;
mod results;
mod systemd;
mod tournament;
mod unwinnable;
