//! The program itself as a child process: started with nothing of our surroundings, ended by its
//! own number, its words kept.

use std::io::{Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::PATIENCE;

/// What a program that has ended said.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Closes everything but the three streams: a child that kept the far end of a pseudo-terminal open
/// would never see it unplugged, and the serial library does not mark it as ours alone.
const ALONE: &str = "for fd in /proc/$BASHPID/fd/*; do fd=${fd##*/}; \
                     if ((fd > 2)); then eval \"exec $fd>&-\"; fi; done; exec \"$@\"";

/// A program that inherits none of our files.
pub fn alone(program: &str) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", ALONE, "alone", program]).stdin(Stdio::null());
    command
}

/// The real program.
pub fn adoubed<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = alone(env!("CARGO_BIN_EXE_adoubed"));
    command.args(arguments);
    for name in ["STATE_DIRECTORY", "NOTIFY_SOCKET", "WATCHDOG_USEC", "ADOUBED_LOG", "RUST_LOG"] {
        command.env_remove(name);
    }
    command
}

/// Runs a program that ends by itself.
pub fn finish(command: &mut Command) -> Outcome {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let stdout = gather(child.stdout.take());
    let stderr = gather(child.stderr.take());
    let code = ended(&mut child, PATIENCE);
    let text = |gathered: thread::JoinHandle<String>| gathered.join().expect("its words");
    let outcome = Outcome { code: code.flatten(), stdout: text(stdout), stderr: text(stderr) };
    assert!(code.is_some(), "{command:?} did not end: {outcome:?}");
    outcome
}

/// The exit code (none after a signal) of a child that ends in time; kills it if it does not.
pub fn ended(child: &mut Child, within: Duration) -> Option<Option<i32>> {
    let deadline = Instant::now() + within;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().expect("a child") {
            return Some(status.code());
        }
        thread::sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Whether a program of this name can be started here.
pub fn here(name: &str) -> bool {
    let command = Command::new("sh").args(["-c", &format!("command -v {name}")]).output();
    command.is_ok_and(|output| output.status.success())
}

fn gather(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.expect("a pipe").read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The line of the configuration that `adoubed passwd` prints, without its name.
pub fn password_hash(name: &str, password: &str) -> String {
    let mut command = adoubed(["passwd", name]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(format!("{password}\n").as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("a child");
    assert!(output.status.success());
    let line = String::from_utf8(output.stdout).expect("UTF-8");
    let hash = line.trim().strip_prefix(&format!("\"{name}\" = ")).expect("its line").to_owned();
    assert!(hash.starts_with("\"$argon2id$"), "{hash}");
    hash
}
