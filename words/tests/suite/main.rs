//! What is said in the languages of the folders.

mod sentences;
mod time_control;
