//! Debian's mosquitto: its clients as judges of what is published, its broker as somebody else's.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::program::{alone, finish, here};
use super::{PATIENCE, Watched, skipped};

/// One message as `mosquitto_sub` shows it.
#[derive(Clone, Debug)]
pub struct Message {
    pub topic: String,
    pub retain: bool,
    pub qos: u8,
    pub payload: Vec<u8>,
}

/// One `mosquitto_sub`.
pub struct Judge {
    /// `311` or `5`.
    pub version: &'static str,
    pub qos: u8,
    child: Child,
    heard: Arc<Watched<Vec<Message>>>,
}

/// A judge for each version at each quality, or none where mosquitto is not installed.
pub fn judges(test: &str, address: SocketAddr, filter: &str) -> Vec<Judge> {
    if !here("mosquitto_sub") {
        skipped(test, "mosquitto_sub is not installed (package mosquitto-clients)");
        return Vec::new();
    }
    let kinds = [("311", 0), ("311", 1), ("5", 0), ("5", 1)];
    kinds.map(|(version, qos)| Judge::call(address, filter, version, qos, &[])).into()
}

impl Judge {
    /// One with whatever else is to be said to it.
    pub fn call(
        address: SocketAddr,
        filter: &str,
        version: &'static str,
        qos: u8,
        more: &[&str],
    ) -> Self {
        let mut command = alone("mosquitto_sub");
        command.args(more);
        command.args(["-h", &address.ip().to_string(), "-p", &address.port().to_string()]);
        command.args(["-V", version, "-q", &qos.to_string(), "-t", filter]);
        command.args(["-F", "%t %r %q %x"]).stdout(Stdio::piped());
        let mut child = command.spawn().expect("mosquitto_sub starts");
        let heard = Arc::new(Watched::<Vec<Message>>::default());
        let stdout = child.stdout.take().expect("a pipe");
        let kept = Arc::clone(&heard);
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let message = parse(&line).unwrap_or_else(|| panic!("{line}"));
                kept.change(|heard| heard.push(message));
            }
        });
        Self { version, qos, child, heard }
    }

    /// Everything told so far.
    pub fn heard(&self) -> Vec<Message> {
        self.heard.look(Vec::clone)
    }

    /// What `find` finds in everything told, now or soon.
    pub fn wait<R>(&self, what: &str, find: impl FnMut(&Vec<Message>) -> Option<R>) -> R {
        self.within(PATIENCE, what, find)
    }

    /// The same where that may take longer.
    pub fn within<R>(
        &self,
        patience: Duration,
        what: &str,
        find: impl FnMut(&Vec<Message>) -> Option<R>,
    ) -> R {
        self.heard.wait(patience, find).unwrap_or_else(|| {
            let heard = self.heard();
            let topics: Vec<_> = heard.iter().map(|heard| heard.topic.as_str()).take(20).collect();
            let count = heard.len();
            panic!("-V {} -q {} never told: {what}; {count}: {topics:?}", self.version, self.qos)
        })
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn parse(line: &str) -> Option<Message> {
    let mut words = line.split(' ');
    let (topic, retain) = (words.next()?.to_owned(), words.next()? == "1");
    let qos = words.next()?.parse().ok()?;
    let hex = words.next()?;
    let byte = |index: usize| u8::from_str_radix(hex.get(index..index + 2)?, 16).ok();
    let payload: Option<Vec<_>> = (0..hex.len()).step_by(2).map(byte).collect();
    Some(Message { topic, retain, qos, payload: payload? })
}

/// A broker of somebody else's.
pub struct Mosquitto {
    pub address: SocketAddr,
    child: Child,
}

impl Mosquitto {
    /// Anybody may do anything, nothing outlives it; none where it is not installed.
    pub fn open(test: &str, directory: &Path) -> Option<Self> {
        Self::with(test, directory, "")
    }

    /// The same with a second door, encrypted with this certificate and its key.
    pub fn encrypted(
        test: &str,
        directory: &Path,
        (certificate, key): &(PathBuf, PathBuf),
    ) -> Option<(Self, SocketAddr)> {
        let door = free_address();
        let more = format!(
            "listener {} 127.0.0.1\ncertfile {}\nkeyfile {}\n",
            door.port(),
            certificate.display(),
            key.display()
        );
        Some((Self::with(test, directory, &more)?, door))
    }

    /// The same with more lines of configuration.
    pub fn with(test: &str, directory: &Path, more: &str) -> Option<Self> {
        if !here("/usr/sbin/mosquitto") {
            skipped(test, "mosquitto is not installed (package mosquitto)");
            return None;
        }
        let address = free_address();
        let text = format!(
            "listener {} 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type none\n\
             {more}",
            address.port()
        );
        fs::write(directory.join("mosquitto.conf"), text).expect("its configuration");
        Some(Self { address, child: begin(directory, address) })
    }

    /// Ends and begins anew with nothing in it.
    pub fn forget(&mut self, directory: &Path) {
        self.close();
        self.child = begin(directory, self.address);
    }

    /// Ends; nobody is there any more.
    pub fn close(&mut self) {
        self.child.kill().expect("a child");
        self.child.wait().expect("a child");
    }

    /// Publishes with `mosquitto_pub`.
    pub fn publish(&self, version: &str, topic: &str, payload: &str) {
        self.publish_with(&["-V", version, "-t", topic, "-m", payload]);
    }

    /// Publishes something that stays.
    pub fn retain(&self, topic: &str, payload: &str) {
        self.publish_with(&["-r", "-t", topic, "-m", payload]);
    }

    fn publish_with(&self, arguments: &[&str]) {
        let mut command = alone("mosquitto_pub");
        command.args(["-h", "127.0.0.1", "-p", &self.address.port().to_string(), "-q", "1"]);
        let outcome = finish(command.args(arguments));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An address that was free a moment ago.
fn free_address() -> SocketAddr {
    let reserved = TcpListener::bind("127.0.0.1:0").expect("a port");
    reserved.local_addr().expect("an address")
}

fn begin(directory: &Path, address: SocketAddr) -> Child {
    let mut command = alone("/usr/sbin/mosquitto");
    let command = command.arg("-c").arg(directory.join("mosquitto.conf"));
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let deadline = Instant::now() + PATIENCE;
    while TcpStream::connect(address).is_err() {
        assert!(Instant::now() < deadline, "mosquitto does not listen on {address}");
        thread::sleep(Duration::from_millis(5));
    }
    child
}
