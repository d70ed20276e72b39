//! Stands before a broker and makes it less than it is.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;

/// What the broker behind the gate cannot do.
#[derive(Clone, Copy)]
pub enum Lacks {
    /// It speaks 3.1.1 only.
    Five,
    /// It keeps nothing that is retained.
    Retained,
}

const CONNECT: u8 = 0x10;
const PUBLISH: u8 = 0x30;
const RETAINED: u8 = 0x01;
/// CONNACK of 3.1.1: unacceptable protocol version.
const REFUSAL: [u8; 4] = [0x20, 2, 0, 1];

/// Opens the gate before this broker; it is there until the test ends.
pub fn open(broker: SocketAddr, lacks: Lacks) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || pass(client, broker, lacks));
        }
    });
    address
}

fn pass(mut client: TcpStream, broker: SocketAddr, lacks: Lacks) -> io::Result<()> {
    let connect = packet(&mut client)?;
    let version = connect.iter().position(|it| *it == b'Q').map(|at| connect[at + 3]);
    if matches!(lacks, Lacks::Five) && connect[0] == CONNECT && version == Some(5) {
        return client.write_all(&REFUSAL);
    }
    let mut server = TcpStream::connect(broker)?;
    server.write_all(&connect)?;
    let (mut from, mut to) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || {
        let _ = io::copy(&mut from, &mut to);
        to.shutdown(Shutdown::Both)
    });
    while let Ok(packet) = packet(&mut server) {
        let retained = packet[0] & 0xf0 == PUBLISH && packet[0] & RETAINED != 0;
        if !(retained && matches!(lacks, Lacks::Retained)) {
            client.write_all(&packet)?;
        }
    }
    client.shutdown(Shutdown::Both)
}

/// One packet of MQTT.
fn packet(from: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut packet = vec![0; 2];
    from.read_exact(&mut packet)?;
    let mut length = usize::from(packet[1] & 0x7f);
    for shift in [7, 14, 21] {
        if packet.last().is_none_or(|it| it & 0x80 == 0) {
            break;
        }
        let mut more = [0];
        from.read_exact(&mut more)?;
        packet.push(more[0]);
        length |= usize::from(more[0] & 0x7f) << shift;
    }
    let head = packet.len();
    packet.resize(head + length, 0);
    from.read_exact(&mut packet[head..])?;
    Ok(packet)
}
