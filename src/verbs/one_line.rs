//! Keeps each event of the log on one line. A line break in quoted text would begin a line that we
//! never wrote.

use std::fmt::Write as _;
use std::io::{self, Write};

/// Escapes the control characters of each write. A write is one event.
pub(super) struct OneLine<W>(pub W);

impl<W: Write> Write for OneLine<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let (text, end) = text.strip_suffix('\n').map_or((&*text, ""), |text| (text, "\n"));
        let mut line = String::with_capacity(event.len());
        for letter in text.chars() {
            if letter.is_control() {
                let _ = write!(line, "{}", letter.escape_default());
            } else {
                line.push(letter);
            }
        }
        line.push_str(end);
        self.0.write_all(line.as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Book(Arc<Mutex<Vec<u8>>>);

    impl Write for Book {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(tell: impl FnOnce()) -> String {
        let book = Book::default();
        let to = book.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(move || OneLine(to.clone()))
            .with_ansi(false)
            .finish();
        tracing::subscriber::with_default(subscriber, tell);
        let bytes = book.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn whatever_is_quoted_an_event_is_one_line() {
        let id = "1\n2026-11-23T12:00:00Z  INFO adoubed: alert 1-1-1 upheld\r\u{1b}[2J\u{85}";
        let text = logged(|| {
            tracing::info!("Ann was refused to rule: no such alert: {id}");
            tracing::info!(%id, "again");
        });
        assert_eq!(text.matches('\n').count(), 2, "{text:?}");
        assert!(text.ends_with('\n'), "{text:?}");
        assert!(!text.contains(['\r', '\u{1b}', '\u{85}']), "{text:?}");
        assert!(text.contains("no such alert: 1\\n2026"), "{text:?}");
    }

    #[test]
    fn words_of_any_language_stay_as_they_are() {
        let text = logged(|| tracing::info!("Zoë – Žarko « levée »"));
        assert!(text.ends_with("Zoë – Žarko « levée »\n"), "{text:?}");
    }
}
