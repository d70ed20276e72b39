//! Guests who mean ill: they read nothing, acknowledge nothing, ask without end. Bounded in number
//! and time by whoever starts them.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

/// How a guest means ill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Subscribes to everything and reads nothing.
    Deaf,
    /// Subscribes to everything at QoS 1, reads all of it, acknowledges nothing.
    Mute,
    /// The same with 127 filters.
    Greedy,
    /// Reads a hundred bytes a second.
    Trickling,
    /// Subscribes to everything again and again.
    Asking,
    /// Comes and goes.
    Restless,
    /// Connects and says nothing.
    HalfOpen,
    /// Begins a CONNECT and never ends it.
    Unfinished,
}

impl Manner {
    pub const ALL: [Self; 8] = [
        Self::Deaf,
        Self::Mute,
        Self::Greedy,
        Self::Trickling,
        Self::Asking,
        Self::Restless,
        Self::HalfOpen,
        Self::Unfinished,
    ];
}

/// What became of them.
#[derive(Debug, Default)]
pub struct Tally {
    pub connected: AtomicUsize,
    pub refused: AtomicUsize,
    pub cut: AtomicUsize,
    pub over: AtomicBool,
}

/// Begins with so many of them, each from one of some addresses of this machine, in these manners.
pub fn begin(broker: SocketAddr, count: usize, addresses: u8, manners: &[Manner]) -> Arc<Tally> {
    let tally = Arc::new(Tally::default());
    for number in 0..count {
        let manner = manners[number % manners.len()];
        // 127.0.0.1 is this machine's own, and has no share to keep to.
        let last = 2 + u8::try_from(number % usize::from(addresses)).expect("a byte");
        tokio::spawn(go_on(broker, last, (number, manner), Arc::clone(&tally)));
    }
    tally
}

async fn go_on(broker: SocketAddr, last: u8, (number, manner): (usize, Manner), tally: Arc<Tally>) {
    while !tally.over.load(Ordering::Relaxed) {
        let id = format!("ill {number}");
        match connect(broker, last).await {
            Some(socket) => {
                tally.connected.fetch_add(1, Ordering::Relaxed);
                // However it ends, it comes back.
                let _ = misbehave(socket, &id, manner, &tally).await;
                tally.cut.fetch_add(1, Ordering::Relaxed);
            }
            None => drop(tally.refused.fetch_add(1, Ordering::Relaxed)),
        }
        sleep(Duration::from_millis(200 + 7 * (number as u64 % 100))).await;
    }
}

async fn connect(broker: SocketAddr, last: u8) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().ok()?;
    // Theirs are small too: what they do not read stays with the broker.
    socket.set_recv_buffer_size(4096).ok()?;
    socket.bind(SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), 0))).ok()?;
    timeout(Duration::from_secs(5), socket.connect(broker)).await.ok()?.ok()
}

async fn misbehave(
    mut socket: TcpStream,
    id: &str,
    manner: Manner,
    tally: &Tally,
) -> std::io::Result<()> {
    if manner == Manner::HalfOpen {
        return read_all(socket, tally).await;
    }
    let hello = hello(id);
    if manner == Manner::Unfinished {
        socket.write_all(&hello[..hello.len() - 1]).await?;
        return read_all(socket, tally).await;
    }
    socket.write_all(&hello).await?;
    match manner {
        Manner::Greedy => {
            for number in 0..127u8 {
                let filter = format!("+/v1/table/{}/#", 1 + number);
                socket.write_all(&subscribe(u16::from(number) + 1, &filter, 1)).await?;
            }
        }
        Manner::Deaf | Manner::Trickling => socket.write_all(&subscribe(1, "#", 0)).await?,
        _ => socket.write_all(&subscribe(1, "#", 1)).await?,
    }
    match manner {
        Manner::Restless => Ok(()),
        Manner::Asking => {
            let (mut reader, mut writer) = socket.split();
            let ask = async {
                while !tally.over.load(Ordering::Relaxed) {
                    writer.write_all(&subscribe(2, "#", 0)).await?;
                }
                Ok(())
            };
            let mut sink = tokio::io::sink();
            tokio::select! {
                asked = ask => asked,
                read = tokio::io::copy(&mut reader, &mut sink) => read.map(drop),
            }
        }
        Manner::Trickling => {
            let mut space = [0; 100];
            while !tally.over.load(Ordering::Relaxed) {
                sleep(Duration::from_secs(1)).await;
                if socket.read(&mut space).await? == 0 {
                    break;
                }
            }
            Ok(())
        }
        Manner::Deaf => {
            while !tally.over.load(Ordering::Relaxed) {
                sleep(Duration::from_secs(1)).await;
                // A ping says that it is there.
                socket.write_all(&[0xc0, 0]).await?;
            }
            Ok(())
        }
        _ => read_all(socket, tally).await,
    }
}

async fn read_all(mut socket: TcpStream, tally: &Tally) -> std::io::Result<()> {
    let mut space = vec![0; 4096];
    while !tally.over.load(Ordering::Relaxed) {
        if let Ok(read) = timeout(Duration::from_secs(1), socket.read(&mut space)).await
            && read? == 0
        {
            break;
        }
    }
    Ok(())
}

/// A CONNECT of 3.1.1, clean, with a keep-alive of a minute.
fn hello(id: &str) -> Vec<u8> {
    let mut packet = vec![0x10, 12 + length(id), 0, 4, b'M', b'Q', b'T', b'T', 4, 2, 0, 60, 0];
    packet.push(length(id));
    packet.extend(id.as_bytes());
    packet
}

fn subscribe(packet_id: u16, filter: &str, qos: u8) -> Vec<u8> {
    let mut packet = vec![0x82, 5 + length(filter)];
    packet.extend(packet_id.to_be_bytes());
    packet.extend([0, length(filter)]);
    packet.extend(filter.as_bytes());
    packet.push(qos);
    packet
}

fn length(text: &str) -> u8 {
    u8::try_from(text.len()).expect("a short text")
}
