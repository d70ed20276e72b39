//! The keys that are read once, at the start.

use super::Config;

impl Config {
    /// The keys that differ in another configuration and that need a restart.
    #[must_use]
    pub fn fixed_that_differ(&self, other: &Self) -> Vec<&'static str> {
        let compared = self.fixed(other).into_iter();
        compared.filter(|(_, differs)| *differs).map(|(key, _)| key).collect()
    }

    /// All keys that need a restart.
    pub fn fixed_keys() -> impl Iterator<Item = &'static str> {
        let config = Self::default();
        config.fixed(&config).into_iter().map(|(key, _)| key)
    }

    /// Whether a key needs a restart.
    #[must_use]
    pub fn is_fixed(key: &str) -> bool {
        Self::fixed_keys().any(|it| it == key)
    }

    fn fixed(&self, other: &Self) -> [(&'static str, bool); 22] {
        let (mqtt, web) = (&self.mqtt, &self.web);
        [
            ("mqtt.broker", mqtt.broker != other.mqtt.broker),
            ("mqtt.listen", mqtt.listen != other.mqtt.listen),
            ("mqtt.url", mqtt.url != other.mqtt.url),
            ("mqtt.version", mqtt.version != other.mqtt.version),
            ("mqtt.username", mqtt.username != other.mqtt.username),
            ("mqtt.password_file", mqtt.password_file != other.mqtt.password_file),
            ("mqtt.ca_file", mqtt.ca_file != other.mqtt.ca_file),
            ("mqtt.base", mqtt.base != other.mqtt.base),
            ("mqtt.machine", mqtt.machine != other.mqtt.machine),
            ("mqtt.spare", mqtt.spare != other.mqtt.spare),
            ("mqtt.hall", mqtt.hall != other.mqtt.hall),
            ("mqtt.guests_per_address", mqtt.guests_per_address != other.mqtt.guests_per_address),
            ("web.listen", web.listen != other.web.listen),
            ("web.listen_tls", web.listen_tls != other.web.listen_tls),
            ("pgn.feed", self.pgn.feed != other.pgn.feed),
            ("livechess.listen", self.livechess.listen != other.livechess.listen),
            ("livechess.feed", self.livechess.feed != other.livechess.feed),
            ("lichess.feed", self.lichess.feed != other.lichess.feed),
            ("public", self.public.is_some() != other.public.is_some()),
            ("journal.directory", self.journal.directory != other.journal.directory),
            ("journal.flush_ms", self.journal.flush_ms != other.journal.flush_ms),
            (
                "journal.checkpoint_records",
                self.journal.checkpoint_records != other.journal.checkpoint_records,
            ),
        ]
    }
}
