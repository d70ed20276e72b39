//! QR codes, drawn for a page.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};

/// The quiet zone around a QR code, in modules, as its standard asks.
const QUIET: i32 = 4;

/// A code as a path of SVG on a field of so many modules. Dark modules are drawn.
pub struct Drawn {
    /// The width and height of the field, with the quiet zone.
    pub size: i32,
    /// The path.
    pub path: String,
}

/// Draws the code of a text; none: it is too long for one.
pub fn draw(text: &str) -> Option<Drawn> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            let _ = write!(path, "M{},{}h1v1h-1z", x + QUIET, y + QUIET);
        }
    }
    Some(Drawn { size: code.size() + 2 * QUIET, path })
}
