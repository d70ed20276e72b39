//! The daemon as it is shipped, in a directory of its own, and what it takes of the machine.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

const CHECKPOINTS: &str = "checkpoint_records";

/// A name and a password for the feed.
pub type Login = (String, String);

/// Where a daemon lives: its configuration and its journal.
pub struct Home(TempDir);

impl Home {
    /// For a daemon that reads these lines, table 1 at the first of them, and no other line.
    pub fn new(lines: &[&Path]) -> Self {
        let directory = TempDir::with_prefix("adoubed-bench-").expect("a temporary directory");
        let home = Self(directory);
        std::fs::write(home.config(), configuration(&home, lines)).expect("a file");
        home
    }

    /// After so many records its daemon keeps everything, or it never does and never looks.
    pub fn keep(&self, records: u64) {
        let text = std::fs::read_to_string(self.config()).expect("a file");
        let lines = text.lines().filter(|line| !line.starts_with(CHECKPOINTS));
        let mut lines: Vec<_> = lines.map(str::to_owned).collect();
        let journal = lines.iter().position(|line| line == "[journal]").expect("a section");
        lines.insert(journal + 1, format!("{CHECKPOINTS} = {records}"));
        std::fs::write(self.config(), lines.join("\n")).expect("a file");
    }

    /// Its daemon does this too.
    pub fn add(&self, sections: &str) {
        let text = std::fs::read_to_string(self.config()).expect("a file");
        std::fs::write(self.config(), format!("{sections}{text}")).expect("a file");
    }

    /// A place for files of whoever measures.
    pub fn place(&self) -> &Path {
        self.0.path()
    }

    /// Its journal's directory.
    pub fn journal(&self) -> PathBuf {
        self.0.path().join("journal")
    }

    /// Its daemon is told this too.
    pub fn also(&self, text: &str) {
        let before = std::fs::read_to_string(self.config()).expect("a file");
        std::fs::write(self.config(), format!("{text}{before}")).expect("a file");
    }

    fn config(&self) -> PathBuf {
        self.0.path().join("adoubed.toml")
    }
}

/// A running daemon.
pub struct Daemon {
    /// Where the pages are.
    pub pages: SocketAddr,
    /// Where its own broker is, or the one it was told of.
    pub feed: SocketAddr,
    /// Where clients of LiveChess are served, if anywhere.
    pub livechess: Option<SocketAddr>,
    child: Child,
    home: Option<Home>,
}

impl Daemon {
    /// Starts one that reads these lines, table 1 at the first of them, and no other line.
    pub fn start(lines: &[&Path]) -> Self {
        Self::at(Home::new(lines))
    }

    /// Starts one that publishes on this broker, under this base.
    pub fn on(broker: SocketAddr, base: &str, lines: &[&Path]) -> Self {
        let home = Home::new(lines);
        let text = std::fs::read_to_string(home.config()).expect("a file");
        let external =
            format!("broker = \"external\"\nurl = \"mqtt://{broker}\"\nbase = \"{base}\"");
        let text = text.replacen("listen = \"127.0.0.1:0\"", &external, 1);
        std::fs::write(home.config(), text).expect("a file");
        Self::started(home, Some(broker))
    }

    /// Starts one, again perhaps, and comes back when it says where it is.
    pub fn at(home: Home) -> Self {
        Self::started(home, None)
    }

    fn started(home: Home, broker: Option<SocketAddr>) -> Self {
        let program = std::env::var_os("ADOUBED_BEFORE");
        let program = program.unwrap_or_else(|| env!("CARGO_BIN_EXE_adoubed").into());
        let mut child = Command::new(program)
            .args(["run", "--config"])
            .arg(home.config())
            .env_remove("NOTIFY_SOCKET")
            .env_remove("STATE_DIRECTORY")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the daemon starts");
        let mut words = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let (mut said, mut livechess) = (words.by_ref().map_while(Result::ok), None);
        let found = said.find_map(|line| {
            let door = line.split_once("LiveChess clients at ws://");
            livechess = door.and_then(|(_, it)| it.split('/').next()?.parse().ok()).or(livechess);
            addresses(&line)
        });
        let (pages, feed) = found.expect("it says where it is");
        let feed = feed.or(broker).expect("a broker");
        std::thread::spawn(move || complaints(words));
        Self { pages, feed, livechess, child, home: Some(home) }
    }

    /// Kills it as a power cut would, and leaves its home.
    pub fn kill(mut self) -> Home {
        self.child.kill().and_then(|()| self.child.wait()).expect("a process of ours");
        self.home.take().expect("it has one until it is killed")
    }

    /// The rights of an arbiter's page on this machine.
    pub fn arbiter(&self) -> Login {
        let answer = self.ask("POST /arbiter/session");
        let body = answer.find('{').map_or("", |from| &answer[from..]);
        let granted: serde_json::Value = serde_json::from_str(body).expect("a login");
        let word = |key: &str| granted[key].as_str().expect("a login").to_owned();
        (word("username"), word("password"))
    }

    /// Messages that its broker retains.
    pub fn retained(&self) -> u64 {
        let figures = self.ask("GET /metrics");
        let line = figures.lines().find_map(|line| line.strip_prefix("adoubed_broker_retained "));
        line.and_then(|number| number.trim().parse().ok()).unwrap_or_default()
    }

    /// What its pages answer on this machine.
    fn ask(&self, what: &str) -> String {
        let request = format!(
            "{what} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        let mut stream = TcpStream::connect(self.pages).expect("the pages are there");
        let mut answer = String::new();
        stream.write_all(request.as_bytes()).expect("a request");
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// Bytes of the newest checkpoint: all that the machines know.
    pub fn checkpoint(&self) -> u64 {
        let journal = self.home.as_ref().map(Home::journal);
        let files = journal.and_then(|it| std::fs::read_dir(it).ok()).into_iter().flatten();
        let files =
            files.flatten().filter(|it| it.path().extension().is_some_and(|it| it == "bin"));
        let newest = files.max_by_key(std::fs::DirEntry::file_name);
        newest.and_then(|it| it.metadata().ok()).map_or(0, |it| it.len())
    }

    /// Processor time used so far, by all its threads.
    pub fn processor(&self) -> Duration {
        processor(self.child.id())
    }

    /// Resident memory, in KiB.
    pub fn memory(&self) -> u64 {
        memory(self.child.id())
    }

    /// How many files and sockets it has open.
    pub fn descriptors(&self) -> u64 {
        let open = std::fs::read_dir(format!("/proc/{}/fd", self.child.id()));
        open.map_or(0, |open| open.count() as u64)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait()
            && let Ok(number) = i32::try_from(self.child.id())
        {
            let _ = kill(Pid::from_raw(number), Signal::SIGTERM);
        }
        let _ = self.child.wait();
    }
}

fn configuration(home: &Home, lines: &[&Path]) -> String {
    let (journal, ports) = (home.journal(), home.0.path().join("lines"));
    std::fs::create_dir(&ports).expect("a directory");
    let mut text = format!(
        "[mqtt]\nlisten = \"127.0.0.1:0\"\n[web]\nlisten = \"127.0.0.1:0\"\n\
         [journal]\ndirectory = \"{}\"\n[ports]\ndirectory = \"{}\"\n",
        journal.display(),
        ports.display(),
    );
    for (number, line) in (1..).zip(lines) {
        let port = line.display();
        let _ = write!(text, "[[table]]\nnumber = {number}\nport = \"{port}\"\n");
    }
    text
}

/// Those of the pages and of the broker, where it is the daemon's own.
fn addresses(line: &str) -> Option<(SocketAddr, Option<SocketAddr>)> {
    let (_, rest) = line.split_once("pages http://")?;
    let (pages, feed) = rest.split_once(" feed ")?;
    let feed = feed.strip_prefix("mqtt://").and_then(|it| it.parse().ok());
    Some((pages.parse().ok()?, feed))
}

/// Processor time that a process has used so far, by all its threads.
pub fn processor(id: u32) -> Duration {
    let stat = proc_file(id, "stat");
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    // User and system time, in ticks of which there are 100 a second on every Linux.
    let ticks = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok());
    Duration::from_millis(ticks.sum::<u64>() * 10)
}

/// The resident memory of a process, in KiB.
pub fn memory(id: u32) -> u64 {
    let status = proc_file(id, "status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or_default()
}

fn proc_file(id: u32, file: &str) -> String {
    std::fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default()
}

/// A daemon that complains measures something else than its work.
fn complaints(words: impl Iterator<Item = std::io::Result<String>>) {
    for line in words.map_while(Result::ok) {
        if line.contains(" WARN ") || line.contains(" ERROR ") {
            println!("the daemon complains: {line}");
        }
    }
}
