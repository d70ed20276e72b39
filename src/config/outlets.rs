//! What cannot be meant of the ways out of the hall.

use super::{Config, away};

/// What cannot be meant of any of them.
///
/// # Errors
/// Section and key, and what to write there.
pub(super) fn whole(config: &Config) -> Result<(), (&'static str, &'static str, String)> {
    livechess(config).map_err(|problem| ("livechess", "listen", problem))?;
    away::lichess(&config.lichess).map_err(|(key, problem)| ("lichess", key, problem))?;
    away::notify(&config.notify).map_err(|(key, problem)| ("notify", key, problem))
}

/// Where clients of LiveChess connect; in words when it is no address or another door's.
fn livechess(config: &Config) -> Result<(), String> {
    let listen = config.livechess.listen.as_str();
    if listen.is_empty() {
        return Ok(());
    }
    let Some(address) = config.livechess.address() else {
        let example = "write an address and a port, as \"127.0.0.1:1982\"";
        return Err(format!("\"{listen}\" is no address; {example}"));
    };
    let embedded = Some(config.mqtt.listen).filter(|_| config.mqtt.broker == "embedded");
    let others = embedded.into_iter().chain([config.web.listen]).chain(config.web.listen_tls);
    if others.into_iter().any(|it| it == address && it.port() != 0) {
        return Err(format!("{listen} is another door's already; write \"127.0.0.1:1982\""));
    }
    if !address.ip().is_loopback() && config.mqtt.hall.as_deref() != Some("open") {
        let remedy = "write [mqtt] hall = \"open\" too, or \"127.0.0.1:1982\" here";
        return Err(format!(
            "whoever reaches {listen} may read the tables without a name; {remedy}"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::read;

    fn refusal(text: &str) -> String {
        read(Path::new("adoubed.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn an_address_that_cannot_be_is_refused_where_it_stands() {
        let text = "[web]\nlisten = \"0.0.0.0:8380\"\n[livechess]\nlisten = \"1982\"\n";
        let told = refusal(text);
        let expected = "adoubed.toml:4: listen: \"1982\" is no address; write an address";
        assert!(told.starts_with(expected), "{told}");
        let told = refusal(&text.replace("1982", "0.0.0.0:8380"));
        let expected = "adoubed.toml:4: listen: 0.0.0.0:8380 is another door's already; write";
        assert!(told.starts_with(expected), "{told}");
    }

    #[test]
    fn tables_are_for_everybody_only_where_the_hall_is_open() {
        let door = "[livechess]\nlisten = \"0.0.0.0:1982\"\n";
        let expected = "adoubed.toml:2: listen: whoever reaches 0.0.0.0:1982 may read the tables";
        for hall in ["", "[mqtt]\nhall = \"users\"\n"] {
            let told = refusal(&format!("{door}{hall}"));
            assert!(told.starts_with(expected), "{told}");
        }
        let open = format!("{door}[mqtt]\nhall = \"open\"\n");
        assert!(read(Path::new("adoubed.toml"), &open).is_ok());
    }

    #[test]
    fn nothing_said_is_nothing_served() {
        for (text, address) in [
            ("", None),
            ("[livechess]\nlisten = \"\"\n", None),
            ("[livechess]\nlisten = \"127.0.0.1:1982\"\n", Some("127.0.0.1:1982")),
        ] {
            let config = read(Path::new("adoubed.toml"), text).unwrap();
            assert_eq!(config.livechess.address(), address.map(|it| it.parse().unwrap()));
        }
    }
}
