//! Lines and their far ends: finding devices, keeping a line open, emulated boards.

pub mod discovery;
pub mod far_end;
pub mod line;
pub mod udev;
pub mod virtual_line;
