//! MQTT topic filters: what they match and whether two of them can meet. No subscriptions here.

/// Whether `filter` matches `topic`, by section 4.7 of MQTT 3.1.1 and 5.
///
/// A wildcard at the first level does not match topics that begin with `$`.
#[must_use]
pub fn matches(filter: &str, topic: &str) -> bool {
    if shuns(filter, topic) {
        return false;
    }
    let mut levels = topic.split('/');
    for wanted in filter.split('/') {
        match (wanted, levels.next()) {
            ("#", _) => return true,
            ("+", Some(_)) => {}
            (wanted, Some(level)) if wanted == level => {}
            _ => return false,
        }
    }
    levels.next().is_none()
}

/// Whether some topic is matched by both filters.
#[must_use]
pub fn overlaps(one: &str, other: &str) -> bool {
    if shuns(one, other) || shuns(other, one) {
        return false;
    }
    let (mut ones, mut others) = (one.split('/'), other.split('/'));
    loop {
        match (ones.next(), others.next()) {
            (Some("#"), _) | (_, Some("#")) | (None, None) => return true,
            (Some(a), Some(b)) if a == b || a == "+" || b == "+" => {}
            _ => return false,
        }
    }
}

/// Whether this may be subscribed to: `#` ends it, and wildcards fill their levels.
pub(crate) fn is_filter(text: &str) -> bool {
    let mut levels = text.split('/').rev();
    let last = levels.next().unwrap_or_default();
    let plain = |level: &str| level == "+" || !level.contains(['+', '#']);
    !text.is_empty() && (last == "#" || plain(last)) && levels.all(plain)
}

/// Whether this may be published on.
pub(crate) fn is_topic(text: &str) -> bool {
    !text.is_empty() && !text.contains(['+', '#'])
}

/// What every topic matched by a filter begins with.
pub(crate) fn prefix(filter: &str) -> &str {
    let end = filter.find(['+', '#']).unwrap_or(filter.len());
    let fixed = filter.get(..end).unwrap_or_default();
    // "a/#" matches "a" too.
    if filter.get(end..) == Some("#") { fixed.strip_suffix('/').unwrap_or(fixed) } else { fixed }
}

fn shuns(filter: &str, other: &str) -> bool {
    other.starts_with('$') && (filter.starts_with('+') || filter.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard() {
        for (filter, topic, expected) in [
            ("sport/tennis/player1/#", "sport/tennis/player1", true),
            ("sport/tennis/player1/#", "sport/tennis/player1/ranking", true),
            ("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", true),
            ("sport/#", "sport", true),
            ("#", "sport", true),
            ("sport/tennis/+", "sport/tennis/player1", true),
            ("sport/tennis/+", "sport/tennis/player1/ranking", false),
            ("sport/+", "sport", false),
            ("sport/+", "sport/", true),
            ("+/+", "/finance", true),
            ("/+", "/finance", true),
            ("+", "/finance", false),
            ("#", "$SYS/monitor", false),
            ("+/monitor/Clients", "$SYS/monitor/Clients", false),
            ("$SYS/#", "$SYS/monitor", true),
            ("état/+", "état/1", true),
            ("a", "A", false),
        ] {
            assert_eq!(matches(filter, topic), expected, "{filter} on {topic}");
        }
    }

    #[test]
    fn wildcards_fill_their_levels() {
        for good in ["#", "+", "a/#", "+/a/+", "/", "a//b", "$SYS/#", "/+", " "] {
            assert!(is_filter(good), "{good}");
        }
        for bad in ["", "a#", "a/#/b", "#/", "a+", "+a/b", "##", "a/b+/c"] {
            assert!(!is_filter(bad), "{bad}");
        }
        assert!(is_topic("a/b") && !is_topic("") && !is_topic("a/+") && !is_topic("#"));
    }

    #[test]
    fn matched_topics_begin_as_the_filter_does() {
        for (filter, expected) in
            [("a/b", "a/b"), ("a/#", "a"), ("a/+/c", "a/"), ("#", ""), ("+/a", ""), ("/#", "")]
        {
            assert_eq!(prefix(filter), expected, "{filter}");
        }
    }

    #[test]
    fn filters_meet_when_a_topic_fits_both() {
        for (one, other, expected) in [
            ("a/v1/table/#", "#", true),
            ("a/v1/table/#", "a/v1/#", true),
            ("a/v1/table/#", "+/v1/table/7/board", true),
            ("a/v1/table/#", "a/v1/table", true),
            ("a/v1/table/#", "a/v1/alert/#", false),
            ("a/v1/table/#", "a/v1", false),
            ("a/+/x", "a/b/+", true),
            ("a/+/x", "a/b/y", false),
            ("a", "a/b", false),
            ("#", "$SYS/#", false),
        ] {
            assert_eq!(overlaps(one, other), expected, "{one} and {other}");
            assert_eq!(overlaps(other, one), expected, "{other} and {one}");
        }
    }
}
