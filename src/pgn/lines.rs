//! Breaks words into lines of the length that the export format allows.

/// The longest line of an export-format PGN.
pub const WIDTH: usize = 79;

/// The lines that are written so far.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The text.
    pub text: String,
    /// The length of the last line in bytes.
    column: usize,
}

impl Lines {
    /// Goes on behind a text, in its last line.
    pub fn after(text: String) -> Self {
        let column = text.len() - text.rfind('\n').map_or(0, |at| at + 1);
        Self { text, column }
    }

    /// Writes a word, on the next line if this one has no room for it.
    pub fn word(&mut self, word: &str) {
        if self.column > 0 && self.column + 1 + word.len() > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += word.len();
    }

    /// Writes every word of a text.
    pub fn words(&mut self, text: &str) {
        text.split(' ').for_each(|word| self.word(word));
    }

    /// Ends the last line.
    pub fn end(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }

    /// Keeps the first bytes, and returns the rest.
    pub fn split_off(&mut self, bytes: usize) -> String {
        let rest = self.text.split_off(bytes);
        *self = Self::after(std::mem::take(&mut self.text));
        rest
    }
}
