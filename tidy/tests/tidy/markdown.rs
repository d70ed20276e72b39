//! The rules about Markdown: one first heading, and links that lead somewhere. Judges no prose.

use std::path::{Component, Path, PathBuf};

use crate::house::Text;

pub fn one_first_heading(file: &Text) -> Vec<String> {
    let headings = prose(&file.text).filter(|(_, line)| line.starts_with("# ")).count();
    match headings {
        1 => Vec::new(),
        count => vec![format!("{}: {count} headings of the first order", file.path)],
    }
}

/// `read` gives the text of a file of the repository; `None`: there is no such file or folder.
pub fn links_lead_somewhere(file: &Text, read: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let links = prose(&file.text).flat_map(|(line, text)| {
        links(text).into_iter().map(move |link| (line, link)).collect::<Vec<_>>()
    });
    let broken = links.filter(|(_, link)| !leads(file, link, &read));
    broken.map(|(line, link)| format!("{}:{line}: {link} leads nowhere", file.path)).collect()
}

fn leads(file: &Text, link: &str, read: &impl Fn(&Path) -> Option<String>) -> bool {
    if link.contains("://") || link.starts_with("mailto:") {
        return true;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(a, b)| (a, Some(b)));
    let text = match path {
        "" => Some(file.text.clone()),
        path => read(&from(&file.path, path)),
    };
    let Some(text) = text else { return false };
    anchor.is_none_or(|anchor| anchors(&text).iter().any(|it| it == anchor))
}

/// A path seen from a file, with `.` and `..` resolved.
fn from(file: &str, path: &str) -> PathBuf {
    let mut whole = Path::new(file).parent().unwrap_or(Path::new("")).to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::Normal(name) => whole.push(name),
            _ => {}
        }
    }
    whole
}

/// The names under which headings can be linked to.
fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|(_, line)| line.starts_with('#'));
    let titles = headings.map(|(_, line)| line.trim_start_matches('#').trim().to_lowercase());
    let kept = |it: char| it.is_alphanumeric() || " -_".contains(it);
    titles.map(|title| title.replace(|it| !kept(it), "").replace(' ', "-")).collect()
}

/// The lines, counted from 1, that are not in a block of code.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().map(|(index, line)| (index + 1, line)).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence && !line.starts_with("    ")
    })
}

/// What `[text](target)` and `![text](target)` point to, outside of inline code.
fn links(line: &str) -> Vec<String> {
    let words: Vec<_> = line.split('`').step_by(2).collect();
    let words = words.join("code");
    let targets = words.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let targets = targets.filter_map(|(target, _)| target.split_whitespace().next());
    targets.map(|target| target.trim_matches(['<', '>']).to_owned()).collect()
}

#[test]
fn headings_in_code_do_not_count() {
    let found = |text: &str| one_first_heading(&Text::new("x.md", text)).len();
    assert_eq!(found("# One\n\n## More\n\n```sh\n# a remark\n```\n\n    # another\n"), 0);
    assert_eq!(found("## None\n"), 1);
    assert_eq!(found("# One\n# Two\n"), 1);
}

#[test]
fn links_are_followed() {
    let read = |path: &Path| match path.to_str() {
        Some("docs/a.md") => Some("# A\n## `x`: Who, and why?\n".to_owned()),
        Some("docs") => Some(String::new()),
        _ => None,
    };
    let found = |link: &str| {
        let text = format!("# T\n\nSee [`it`]({link}), `[not](this)`.\n");
        links_lead_somewhere(&Text::new("docs/b.md", &text), read).len()
    };
    for good in ["a.md", "./a.md", "../docs/a.md#x-who-and-why", "../docs", "#t", "https://a/b"] {
        assert_eq!(found(good), 0, "{good}");
    }
    for bad in ["c.md", "a.md#y", "#u", "../a.md"] {
        assert_eq!(found(bad), 1, "{bad}");
    }
}
