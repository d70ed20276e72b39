//! Lines and what is at their far ends: devices found, one line kept open, emulated boards.

pub mod discovery;
pub mod far_end;
pub mod line;
pub mod udev;
pub mod virtual_line;
