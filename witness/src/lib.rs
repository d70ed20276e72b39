//! What happened at a table: from sightings to moves, results and incidents.
//!
//! Pieces, hands, legal moves, clocks and the Laws live here, for one table and then for many.
//! No serial line, no MQTT, no JSON, no maker's name, no clock of its own: sightings, orders and
//! moments go into a [`Hall`], effects come out.

mod adjournment;
mod agenda;
mod array;
mod blind;
mod candidates;
mod clock;
mod convert;
mod detail;
mod ending;
mod evidence;
mod game_position;
mod hall;
mod hand;
mod incident;
mod keep;
pub mod laws;
mod ledger;
mod message;
mod notation;
mod number;
mod orders;
mod picture;
mod recogniser;
pub mod say;
mod score;
mod seating;
mod settings;
mod signal;
mod surface;
mod table;
mod time_control;
mod tolerances;
mod topic;
mod tracker;
mod turn;
pub mod unwinnable;
mod watch_list;

pub use adjournment::{Absent, Adjournment, Differences, Sealing, WrongSquare, WrongTime};
pub use agenda::Agenda;
pub use array::Array;
pub use clock::{ClockState, Clocks, Fault, Finding, FlagFall, Manner};
pub use convert::{placement, to_shakmaty};
pub use detail::Detail;
pub use ending::{Award, EndedBy, Ending, Withdrawn};
pub use evidence::{Evidence, Trace};
pub use game_position::GamePosition;
pub use hall::{FrozenHall, Hall, HallEffect, Seat};
pub use hand::Touched;
pub use incident::{Advice, Between, Facts, Gravity, Incident, IncidentId, Kind, Ruling, State};
pub use ledger::{Account, Fault as LedgerFault, Given, Reason, Withdrawal};
pub use message::{Form, Join, List, Message, Sort, Span, Speaks, Value, Written};
pub use number::{GameNo, LineNo, TableNo};
pub use orders::{
    Grant, NotGiven, NotUndone, Order, PenaltyGiven, PenaltyWithdrawn, PerMove, Refusal,
};
pub use score::{Break, Confidence, Gap, Passage, Ply, Score, Status, Unplayable};
pub use seating::{Memory, NotSeated, Part, Place, Present, Said, Seating, Unseated, Which};
pub use settings::{Edition, Settings};
pub use table::{
    Act, DeviceState, Effect, Event, Facet, Input, NextRound, Paired, Phase, Play, Question, Round,
    Table,
};
pub use time_control::{ControlError, Extra, PERIODS_MAX, Period, Periods, TimeControl};
pub use watch_list::{ShortOfTime, watch_list};
