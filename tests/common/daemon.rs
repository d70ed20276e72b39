//! The daemon as a user runs it. Whoever lets go of one that has logged an error fails.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::program::{adoubed, ended};
use super::{Feed, House, PATIENCE, Watched, post};

#[derive(Default)]
struct Log {
    lines: Vec<String>,
    ended: bool,
}

pub struct Daemon {
    /// Where the pages are.
    pub pages: SocketAddr,
    /// Where the embedded broker is.
    feed: Option<SocketAddr>,
    child: Child,
    log: Arc<Watched<Log>>,
    reader: Option<JoinHandle<()>>,
}

impl Daemon {
    /// Writes the configuration of the house and starts a daemon in it.
    pub fn start(house: &House) -> Self {
        house.write();
        Self::again(house)
    }

    /// Starts a daemon with the configuration that is there.
    pub fn again(house: &House) -> Self {
        let config = house.config().display().to_string();
        Self::by(adoubed(["run", "--config", &config]).current_dir(house.path()))
    }

    /// Starts a daemon that may wait for its turn to speak.
    pub fn waiting(house: &House) -> Self {
        house.write();
        let config = house.config().display().to_string();
        Self::spawned(adoubed(["run", "--config", &config]).current_dir(house.path()))
    }

    /// Starts a daemon by a command that ends up in it.
    pub fn by(command: &mut Command) -> Self {
        let mut daemon = Self::spawned(command);
        daemon.speaks();
        daemon
    }

    /// Waits until it speaks for its hall.
    pub fn speaks(&mut self) {
        let line = self.logged("pages http://");
        let (pages, feed) = addresses(&line).unwrap_or_else(|| panic!("no addresses in {line}"));
        (self.pages, self.feed) = (pages, feed);
    }

    fn spawned(command: &mut Command) -> Self {
        let spawned = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child = spawned.expect("the daemon starts");
        let log = Arc::new(Watched::<Log>::default());
        let stderr = child.stderr.take().expect("a pipe");
        let kept = Arc::clone(&log);
        let reader = thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                kept.change(|log| log.lines.push(line));
            }
            kept.change(|log| log.ended = true);
        });
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        Self { pages: nowhere, feed: None, child, log, reader: Some(reader) }
    }

    /// Where the embedded broker is.
    pub fn feed(&self) -> SocketAddr {
        self.feed.expect("an embedded broker")
    }

    /// Where the pages are encrypted.
    pub fn encrypted(&self) -> SocketAddr {
        let line = self.logged("pages encrypted at https://");
        let address = line.rsplit_once("https://").expect("an address").1;
        address.parse().expect("an address")
    }

    /// A client of the feed with an arbiter's rights, as his page on this machine gets them.
    pub fn arbiter(&self) -> Feed {
        let granted = post(self.pages, "/arbiter/session", "{}");
        assert_eq!(granted.status, 200, "{}", granted.text());
        let word = |key: &str| granted.json()[key].as_str().expect("a word").to_owned();
        Feed::open(self.feed(), Some((word("username"), word("password"))))
    }

    /// The first line of the log that contains this, now or soon.
    pub fn logged(&self, text: &str) -> String {
        let find = |log: &Log| match log.lines.iter().find(|line| line.contains(text)) {
            Some(line) => Some(Some(line.clone())),
            None => log.ended.then_some(None),
        };
        let found = self.log.wait(PATIENCE, find).flatten();
        found.unwrap_or_else(|| panic!("never said: {text}\n{}", self.words()))
    }

    /// How often it has said this so far.
    pub fn said(&self, text: &str) -> usize {
        self.log.look(|log| log.lines.iter().filter(|line| line.contains(text)).count())
    }

    /// Everything it has said so far.
    pub fn words(&self) -> String {
        self.log.look(|log| log.lines.join("\n"))
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// SIGKILL: no leave is taken. Gives everything it has said.
    pub fn kill(mut self) -> String {
        self.child.kill().expect("a child");
        self.child.wait().expect("a child");
        self.log.wait(PATIENCE, |log| log.ended.then_some(()));
        self.words()
    }

    /// SIGTERM; gives the exit code.
    pub fn stop(mut self) -> Option<i32> {
        self.signal(Signal::SIGTERM);
        let code = ended(&mut self.child, Duration::from_secs(10));
        code.unwrap_or_else(|| panic!("it does not end\n{}", self.words()))
    }

    /// SIGHUP: read the configuration again.
    pub fn hang_up(&self) {
        self.signal(Signal::SIGHUP);
    }

    /// Processor time used so far, all threads together.
    pub fn processor(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap_or_default();
        let after = stat.rsplit(')').next().unwrap_or_default();
        let ticks = after.split_whitespace().skip(11).take(2).filter_map(|it| it.parse().ok());
        Duration::from_millis(ticks.map(|ticks: u64| ticks * 10).sum())
    }

    /// What it holds in memory, in bytes. How much of its own file is there too depends on what
    /// else the machine has read.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        kilobytes.expect("a process") * 1024
    }

    fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.id()).expect("a process number");
        kill(Pid::from_raw(id), signal).expect("a child");
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
        let words = self.words();
        if thread::panicking() {
            eprintln!("the daemon said:\n{words}");
        } else {
            let fault = |line: &&str| line.contains(" ERROR ") || line.contains("panicked at");
            assert_eq!(words.lines().find(fault), None, "{words}");
        }
    }
}

fn addresses(line: &str) -> Option<(SocketAddr, Option<SocketAddr>)> {
    let (_, rest) = line.split_once("pages http://")?;
    let (pages, feed) = rest.split_once(" feed ")?;
    Some((pages.parse().ok()?, feed.strip_prefix("mqtt://").and_then(|it| it.parse().ok())))
}
