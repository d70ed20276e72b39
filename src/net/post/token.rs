//! A secret that lets us in at a server. It stands in its file and nowhere else: not in a log, not
//! in an error, not on a page.

use std::fmt;
use std::path::Path;

use axum::http::HeaderValue;

/// The longest token, in bytes. No service gives out longer ones.
const LONGEST: usize = 1024;
/// The most letters of a server's words that are shown.
const SAID_MAX: usize = 200;

/// The secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// Reads the token from its file.
    ///
    /// # Errors
    /// If the file cannot be read or holds no token. The text says what to do.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{shown} cannot be read: {error}"))?;
        let token = text.trim();
        let good = !token.is_empty()
            && token.len() <= LONGEST
            && token.bytes().all(|byte| byte.is_ascii_graphic());
        match good {
            true => Ok(Self(token.to_owned())),
            false => Err(format!("{shown} holds no token; write it there, alone, on one line")),
        }
    }

    /// The same from within a task, which a disk that does not answer must not stop. The token is
    /// read each time it is used, so that a mended file counts without a reload.
    ///
    /// # Errors
    /// If the file cannot be read or holds no token. The text says what to do.
    pub async fn read_aside(path: &Path) -> Result<Self, String> {
        let path = path.to_owned();
        let read = tokio::task::spawn_blocking(move || Self::read(&path)).await;
        read.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// The token itself, for the body of a request that asks what it may do.
    #[must_use]
    pub fn plain(&self) -> &str {
        &self.0
    }

    /// The header that shows the token to a server.
    #[must_use]
    pub fn header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

/// A server's words, fit to be shown: on one line, not long, and without our own secret, which a
/// server might repeat.
#[must_use]
pub fn shown(said: &str, token: Option<&Token>) -> String {
    let hidden = match token {
        Some(Token(secret)) => said.replace(secret.as_str(), "…"),
        None => said.to_owned(),
    };
    let plain = hidden.chars().map(|it| if it.is_control() { ' ' } else { it });
    let plain: String = plain.collect();
    let mut words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(SAID_MAX) {
        words.truncate(end);
        words.push('…');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> Result<Token, String> {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("token");
        std::fs::write(&path, text).unwrap();
        Token::read(&path)
    }

    #[test]
    fn a_token_is_one_word_in_a_file() {
        let read = token(" lip_abc\n").unwrap();
        let header = read.header().unwrap();
        assert_eq!((header.as_bytes(), header.is_sensitive()), (&b"Bearer lip_abc"[..], true));
        assert!(!format!("{read:?} {header:?}").contains("lip_abc"));
        for bad in ["", "\n", "two words", "one\ntwo", "é", &"x".repeat(2000)] {
            assert!(token(bad).unwrap_err().ends_with("alone, on one line"), "{bad}");
        }
        let missing = Token::read(Path::new("/nowhere/token")).unwrap_err();
        assert!(missing.starts_with("/nowhere/token cannot be read: No such file"), "{missing}");
    }

    #[test]
    fn what_a_server_says_is_shown_on_one_line_without_our_secret() {
        let secret = token("lip_abc").unwrap();
        let said = shown("bad\r\n\u{1b}[31m token \"lip_abc\"  here", Some(&secret));
        assert_eq!(said, "bad [31m token \"…\" here");
        assert_eq!(shown(&"é".repeat(300), None).chars().count(), SAID_MAX + 1);
    }
}
