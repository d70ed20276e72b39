//! Papers that are printed or read beside the pages.

pub mod adjournment_sheet;
pub mod cases;
pub mod decisions;
pub mod laws_page;
