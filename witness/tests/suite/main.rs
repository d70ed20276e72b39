//! What the witness must understand, one file per subject.
//! One program, so that it is linked once.

mod adjournment;
mod alerts;
mod blind;
mod boards;
mod clock;
mod clock_mode;
mod common;
mod completed;
mod disorder;
mod fallen_flags;
mod flags;
mod levers;
mod lost_records;
mod lost_reports;
mod memory;
mod orders;
mod outages;
mod penalties;
mod questions;
mod quick_moves;
mod recognition;
mod rematches;
mod results;
mod starts;
mod times_of_moves;
mod undo;
mod unwinnable;
