//! What several halls cost that share a broker: processor time and resident memory of each daemon
//! and of Mosquitto, with one client that hears all halls, and with more that hear one.
//!
//! `cargo bench -p adoubed --bench halls`; `-- --halls N`, `-- --boards N` of each,
//! `-- --thinking MS` another tempo, `-- --screens N` clients that hear one hall. It needs the
//! package mosquitto.

#![allow(clippy::print_stdout, reason = "its table is its purpose")]

mod common;

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::{Daemon, Hall, Table, busy, in_earnest, memory, number_after, processor};

const HALLS: u64 = 4;
const BOARDS: u64 = 200;
/// Classical tempo: a move at every board each minute.
const THINKING_MS: u64 = 58_000;
const SCREENS: u64 = 50;
/// Boards are found and set up after this; the round has begun after it once more.
const SETTLING: Duration = Duration::from_secs(20);
const WATCHED: Duration = Duration::from_secs(60);
const COLUMNS: [&str; 4] = ["process", "% of a core", "memory, MiB", "messages/s heard"];

fn main() {
    let asked = |name: &str, usual: u64, short: u64| {
        let number = number_after(name).unwrap_or(usual);
        if in_earnest() { number } else { short }
    };
    let (halls, boards) = (asked("--halls", HALLS, 2), asked("--boards", BOARDS, 2));
    let thinking = asked("--thinking", THINKING_MS, 1000);
    let screens = asked("--screens", SCREENS, 1);
    let boards = u32::try_from(boards).expect("fewer boards than that");
    let (settling, watched) = match in_earnest() {
        true => (SETTLING, WATCHED),
        false => (Duration::from_secs(1), Duration::from_secs(1)),
    };
    let Some(broker) = Mosquitto::start() else {
        println!("mosquitto is not installed: nothing was measured");
        return;
    };
    println!("load of the machine before: {}", busy());
    let rooms: Vec<_> = (0..halls).map(|_| Hall::with(boards, thinking, |_| {})).collect();
    let base = |hall: usize| format!("hall-{hall}");
    let daemons = rooms.iter().enumerate();
    let daemons =
        daemons.map(|(number, it)| Daemon::on(broker.address, &base(number), &it.lines()));
    let daemons: Vec<_> = daemons.collect();
    let rounds: Vec<_> = rooms.into_iter().map(Hall::live).collect();
    thread::sleep(settling);
    rounds.iter().for_each(common::Round::begin);

    let heard = Arc::new(AtomicU64::new(0));
    let hears = |filter: &str| {
        let heard = Arc::clone(&heard);
        let nobody = (String::new(), String::new());
        common::listen(broker.address, &nobody, &[filter], move |_, _, _| {
            heard.fetch_add(1, Ordering::Relaxed);
        });
    };
    hears("#");
    let mut table = Table::new(&COLUMNS);
    let mut watch = |screens: &str| {
        thread::sleep(settling);
        let before = (Instant::now(), heard.load(Ordering::Relaxed));
        let used = |daemons: &[Daemon]| {
            let all = daemons.iter().map(Daemon::processor);
            all.chain([processor(broker.child.id())]).collect::<Vec<_>>()
        };
        let began = used(&daemons);
        thread::sleep(watched);
        let took = before.0.elapsed().as_secs_f64();
        let rate = (heard.load(Ordering::Relaxed) - before.1) as f64 / took;
        let names = (0..daemons.len()).map(base).chain(["Mosquitto".to_owned()]);
        let sizes = daemons.iter().map(Daemon::memory).chain([memory(broker.child.id())]);
        let shares = used(&daemons).into_iter().zip(began);
        for ((name, size), (now, then)) in names.zip(sizes).zip(shares) {
            let of_all = if name == "Mosquitto" { format!("{rate:.0}") } else { String::new() };
            table.row(vec![
                format!("{name}, {screens}"),
                format!("{:.2}", (now - then).as_secs_f64() / took * 100.0),
                format!("{:.1}", size as f64 / 1024.0),
                of_all,
            ]);
        }
    };
    watch("one hears all");
    (0..screens).for_each(|_| hears("hall-0/v1/table/#"));
    watch(&format!("and {screens} hear one hall"));
    println!("load of the machine after: {}", busy());
    table.print(&format!("{halls} halls of {boards} boards on one broker"));
}

/// A broker of somebody else's, with nothing in it.
struct Mosquitto {
    address: SocketAddr,
    child: Child,
    _home: tempfile::TempDir,
}

impl Mosquitto {
    fn start() -> Option<Self> {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
        let address = free.expect("a port");
        let home = tempfile::tempdir().expect("a directory");
        let file = home.path().join("mosquitto.conf");
        let text = format!(
            "listener {} 127.0.0.1\nallow_anonymous true\npersistence false\n\
             max_queued_messages 16384\n",
            address.port()
        );
        std::fs::write(&file, text).expect("a file");
        let mut command = Command::new("/usr/sbin/mosquitto");
        command.arg("-c").arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().ok()?;
        let answers = || TcpStream::connect(address).is_ok();
        let there = (0..100).any(|_| {
            answers() || {
                thread::sleep(Duration::from_millis(50));
                false
            }
        });
        assert!(there, "Mosquitto does not answer");
        Some(Self { address, child, _home: home })
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
