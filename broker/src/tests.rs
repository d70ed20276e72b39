//! What strangers send, nearly right: the first packet of a connection and all that follow it.

#[path = "../../tests/common/mutation.rs"]
mod mutation;

use crate::admission::read_connect;
use crate::codec::{Version, decode, lengths};

/// Packets of both versions as clients send them.
fn packets() -> Vec<Vec<u8>> {
    let packets: [&[u8]; 14] = [
        b"\x10\x0f\x00\x04MQTT\x04\x02\x00\x3c\x00\x03abc",
        b"\x10\x1e\x00\x04MQTT\x04\xc6\x00\x3c\x00\x01a\x00\x01w\x00\x01p\x00\x03ann\x00\x04word",
        b"\x10\x13\x00\x04MQTT\x05\x02\x00\x3c\x03\x21\x00\x14\x00\x03abc",
        b"\x10\x20\x00\x04MQTT\x05\xc6\x00\x3c\x00\x00\x01a\
          \x05\x18\x00\x00\x00\x05\x00\x01w\x00\x01p\x00\x01u\x00\x01q",
        b"\x82\x06\x00\x01\x00\x01#\x01",
        b"\x82\x0f\x00\x01\x02\x0b\x07\x00\x07table/+\x2d",
        b"\xa2\x05\x00\x02\x00\x01#",
        b"\x30\x07\x00\x03a/bhi",
        b"\x33\x11\x00\x01a\x00\x07\x0a\x02\x00\x00\x00\x09\x01\x01\x23\x00\x03x",
        b"\x40\x02\x00\x07",
        b"\x50\x03\x00\x07\x10",
        b"\x62\x02\x00\x07",
        b"\xc0\x00",
        b"\xe0\x07\x04\x05\x11\x00\x00\x00\x09",
    ];
    packets.map(<[u8]>::to_vec).into()
}

/// Everything in these bytes, packet by packet, until one is refused or not whole.
fn read(version: Version, mut bytes: &[u8]) -> usize {
    let mut packets = 0;
    while let Ok(Some((header, whole))) = lengths(bytes)
        && let Some(packet) = bytes.get(..whole)
        && decode(version, packet[0], &packet[header..]).is_ok()
    {
        packets += 1;
        bytes = &bytes[whole..];
    }
    packets
}

#[test]
fn packets_of_strangers() {
    let mut corpus = packets();
    let whole: Vec<_> =
        corpus.iter().map(|it| read(Version::V3, it) | read(Version::V5, it)).collect();
    assert_eq!(whole[4..], [1; 10]);
    for connect in 0..4 {
        let following = corpus[4..].concat();
        corpus.push([corpus[connect].clone(), following].concat());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for connect in &corpus[..4] {
        assert!(runtime.block_on(read_connect(&mut &connect[..])).is_ok(), "{connect:02x?}");
    }
    mutation::fuzz("broker's door", &corpus, |input| {
        let connected = runtime.block_on(read_connect(&mut &input[..]));
        let rest = connected.ok().map(|connect| (connect.version, connect.rest));
        for version in [Version::V3, Version::V5] {
            read(version, input);
        }
        if let Some((version, rest)) = rest {
            read(version, &rest);
        }
    });
}
