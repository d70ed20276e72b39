//! The filters of one client, as a tree of levels: what a topic costs does not grow with their
//! number.

use std::collections::BTreeMap;

use mqtt_protocol_core::mqtt::packet::Qos;

use crate::limits;
use crate::log::Place;

/// How a client wants what a filter matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub qos: Qos,
    pub no_local: bool,
    pub retain_as_published: bool,
    pub identifier: Option<u32>,
    /// What stood in the log before is not meant.
    pub since: Place,
}

/// What all matching filters of a client say together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub qos: Qos,
    pub retain_as_published: bool,
    pub identifiers: Vec<u32>,
}

/// Why a filter is not taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It has more levels than any topic.
    TooDeep,
    /// The client has enough.
    TooMany,
}

#[derive(Default)]
pub(crate) struct Subscriptions {
    root: Node,
    count: usize,
    bytes: usize,
}

#[derive(Default)]
struct Node {
    levels: BTreeMap<Box<str>, Node>,
    options: Option<Options>,
}

impl Subscriptions {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What the filters hold of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes a filter, in place of the same one from before. Gives whether there was one.
    pub(crate) fn insert(&mut self, filter: &str, mut options: Options) -> Result<bool, Refused> {
        if filter.split('/').count() > limits::FILTER_LEVELS {
            return Err(Refused::TooDeep);
        }
        let bytes = cost(filter);
        let full =
            self.count >= limits::SUBSCRIPTIONS || self.bytes + bytes > limits::FILTERS_BYTES;
        if full && self.find(filter).is_none() {
            return Err(Refused::TooMany);
        }
        let mut node = &mut self.root;
        for level in filter.split('/') {
            node = node.levels.entry(level.into()).or_default();
        }
        let earlier = node.options.take();
        if let Some(earlier) = &earlier {
            // What the earlier one still owes, this one owes.
            options.since = earlier.since;
        } else {
            self.count += 1;
            self.bytes += bytes;
        }
        node.options = Some(options);
        Ok(earlier.is_some())
    }

    /// Gives up a filter. Gives whether it was there.
    pub(crate) fn remove(&mut self, filter: &str) -> bool {
        let mut levels = filter.split('/');
        let removed = remove(&mut self.root, &mut levels);
        if removed {
            self.count -= 1;
            self.bytes -= cost(filter);
        }
        removed
    }

    /// What the filters say of a message on this topic; `local`: it came from this client.
    pub(crate) fn matching(&self, topic: &str, place: Place, local: bool) -> Option<Match> {
        let mut found: Option<Match> = None;
        let mut take = |options: &Options| {
            if place <= options.since || (local && options.no_local) {
                return;
            }
            let found = found.get_or_insert(Match {
                qos: options.qos,
                retain_as_published: false,
                identifiers: Vec::new(),
            });
            found.qos = found.qos.max(options.qos);
            found.retain_as_published |= options.retain_as_published;
            found.identifiers.extend(options.identifier);
        };
        // A wildcard at the first level is not meant for what begins with a dollar.
        let wild = !topic.starts_with('$');
        visit(&self.root, topic.split('/'), wild, &mut take);
        found
    }

    fn find(&self, filter: &str) -> Option<&Options> {
        let mut node = &self.root;
        for level in filter.split('/') {
            node = node.levels.get(level)?;
        }
        node.options.as_ref()
    }
}

fn cost(filter: &str) -> usize {
    filter.len() + filter.split('/').count() * limits::FILTER_LEVEL_BYTES
}

/// No deeper than [`limits::FILTER_LEVELS`], as every filter.
fn visit<'a>(
    node: &Node,
    mut levels: impl Iterator<Item = &'a str> + Clone,
    wild: bool,
    take: &mut impl FnMut(&Options),
) {
    if wild && let Some(options) = node.levels.get("#").and_then(|node| node.options.as_ref()) {
        take(options);
    }
    let Some(level) = levels.next() else {
        node.options.iter().for_each(take);
        return;
    };
    if let Some(node) = node.levels.get(level) {
        visit(node, levels.clone(), true, take);
    }
    if wild && let Some(node) = node.levels.get("+") {
        visit(node, levels, true, take);
    }
}

fn remove<'a>(node: &mut Node, levels: &mut impl Iterator<Item = &'a str>) -> bool {
    let Some(level) = levels.next() else { return node.options.take().is_some() };
    let Some(next) = node.levels.get_mut(level) else { return false };
    let removed = remove(next, levels);
    if next.options.is_none() && next.levels.is_empty() {
        node.levels.remove(level);
    }
    removed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::filter;

    fn options(qos: Qos) -> Options {
        let (no_local, retain_as_published) = (false, false);
        Options { qos, no_local, retain_as_published, identifier: None, since: 0 }
    }

    fn with(filters: &[&str]) -> Subscriptions {
        let mut all = Subscriptions::default();
        for filter in filters {
            all.insert(filter, options(Qos::AtMostOnce)).unwrap();
        }
        all
    }

    #[test]
    fn the_highest_qos_and_every_identifier_of_matching_filters_count() {
        let mut all = Subscriptions::default();
        let once = Options { identifier: Some(7), ..options(Qos::AtLeastOnce) };
        let kept =
            Options { retain_as_published: true, identifier: Some(8), ..options(Qos::AtMostOnce) };
        all.insert("a/#", once).unwrap();
        all.insert("a/+", kept).unwrap();
        all.insert("b", options(Qos::ExactlyOnce)).unwrap();
        let found = all.matching("a/b", 1, false).unwrap();
        assert_eq!((found.qos, found.retain_as_published), (Qos::AtLeastOnce, true));
        assert_eq!(found.identifiers, [7, 8]);
        assert_eq!(all.matching("c", 1, false), None);
    }

    #[test]
    fn one_s_own_messages_may_be_unwanted_and_those_from_before_are() {
        let mut all = Subscriptions::default();
        let mine = Options { no_local: true, since: 5, ..options(Qos::AtMostOnce) };
        all.insert("a", mine).unwrap();
        assert_eq!(all.matching("a", 6, true), None);
        assert_eq!(all.matching("a", 5, false), None);
        assert!(all.matching("a", 6, false).is_some());
    }

    #[test]
    fn filters_come_and_go_and_are_counted() {
        let mut all = with(&["a/b", "a/+"]);
        assert!(all.insert("a/b", options(Qos::AtLeastOnce)).unwrap());
        assert_eq!(all.count, 2);
        assert!(all.remove("a/b") && !all.remove("a/b") && !all.remove("a"));
        assert!(all.matching("a/b", 1, false).is_some(), "of the other one");
        assert!(all.remove("a/+"));
        assert!(all.is_empty() && all.bytes() == 0 && all.root.levels.is_empty());
    }

    #[test]
    fn filters_have_bounds() {
        let mut all = Subscriptions::default();
        let deep = vec!["a"; limits::FILTER_LEVELS + 1].join("/");
        assert_eq!(all.insert(&deep, options(Qos::AtMostOnce)), Err(Refused::TooDeep));
        for number in 0..limits::SUBSCRIPTIONS {
            all.insert(&number.to_string(), options(Qos::AtMostOnce)).unwrap();
        }
        assert_eq!(all.insert("x", options(Qos::AtMostOnce)), Err(Refused::TooMany));
        assert!(all.insert("0", options(Qos::AtMostOnce)).unwrap(), "there is room for this one");
        let long = "x".repeat(60_000);
        let mut all = with(&[&long]);
        assert_eq!(
            all.insert(&format!("y{long}"), options(Qos::AtMostOnce)),
            Err(Refused::TooMany)
        );
    }

    proptest! {
        /// The tree says what the plain reading of the standard says.
        #[test]
        fn the_tree_matches_as_the_filters_do(
            filters in proptest::collection::vec("(\\$?[ab+]?(/[ab+]?){0,3}(/#)?|#)", 0..8),
            topic in "\\$?[ab]?(/[ab]?){0,3}",
        ) {
            let filters: Vec<&str> = filters.iter().map(String::as_str).collect();
            let good: Vec<&str> = filters.into_iter().filter(|it| filter::is_filter(it)).collect();
            let expected = good.iter().any(|filter| filter::matches(filter, &topic));
            prop_assert_eq!(with(&good).matching(&topic, 1, false).is_some(), expected);
        }
    }
}
