//! The messages in `captures/vectors.txt`, read and written. Not how they are found in a stream.

use chesslink::frame::{Answer, Command, Request, Version};
use chesslink::{ChessLink, Decoder};
use eboard::{Conversation, Input, Moment, Output, Placement, Sighting};

struct Vector {
    from_host: bool,
    text: String,
    wire: Vec<u8>,
}

fn vectors() -> Vec<Vector> {
    let lines = include_str!("../../captures/vectors.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(vector).collect()
}

fn vector(line: &str) -> Vector {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [_, who, text, hex] = fields[..] else { panic!("four fields are wanted: {line}") };
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
    Vector {
        from_host: who == "host",
        text: text.to_owned(),
        wire: (0..hex.len()).step_by(2).map(byte).collect(),
    }
}

fn request(text: &str) -> Request {
    Request::Command(match &text[..text.len() - 2] {
        "V" => Command::Version,
        "S" => Command::Board,
        "X" => Command::LightsOut,
        "I00" => Command::Name,
        "R02" => Command::Read { address: 2 },
        "R06" => Command::Read { address: 6 },
        "W0000" => Command::Write { address: 0, value: 0 },
        "W0203" => Command::Write { address: 2, value: 3 },
        "W0204" => Command::Write { address: 2, value: 4 },
        "W011E" => Command::Write { address: 1, value: 30 },
        "W0114" => Command::Write { address: 1, value: 20 },
        "W030A" => Command::Write { address: 3, value: 10 },
        "W04FF" => Command::Write { address: 4, value: 255 },
        "T" => return Request::Reset,
        lights if lights.starts_with('L') => return Request::Lights,
        other => panic!("no vector begins {other}"),
    })
}

fn answer(text: &str) -> Answer {
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    match text.get(..5).unwrap_or(text) {
        "v0103" => Answer::Version(Version { high: 1, low: 3 }),
        "x78" => Answer::LightsOut,
        "l6C" => Answer::Lights,
        first => {
            let turned = first == "sRNBK";
            assert!(turned || first == "srnbq", "no vector begins {first}");
            let moved =
                text.chars().filter(|it| *it == '.').count() == 32 && !text.contains("PPPPPPPP");
            let placement = match moved {
                true => Placement::from_fen(after_e4).expect("a placement"),
                false => Placement::starting(),
            };
            Answer::Board(if turned { placement.turned() } else { placement })
        }
    }
}

#[test]
fn every_vector_reads_and_writes_as_it_is() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 23);
    for Vector { from_host, text, wire } in vectors {
        let seven_bits: Vec<u8> = wire.iter().map(|byte| byte & 0x7f).collect();
        assert_eq!(seven_bits, text.as_bytes(), "the two columns agree");
        if from_host {
            let wanted = request(&text);
            assert_eq!(Decoder::default().feed(&wire), [Ok(wanted)], "{text}");
            if let Request::Command(command) = wanted {
                assert_eq!(command.encode(), wire, "{text}");
            }
        } else {
            let wanted = answer(&text);
            assert_eq!(wanted.encode(), wire, "{text}");
            assert_eq!(Decoder::default().feed(&wire), [Ok(wanted)], "{text}");
        }
    }
}

#[test]
fn the_one_real_exchange_names_the_firmware() {
    let mut device = ChessLink::default();
    let mut out = Vec::new();
    device.handle(Moment::ZERO, Input::Opened, &mut out);
    assert_eq!(out, [Output::Send(vec![0xd6, 0xb5, 0xb6])]);
    out.clear();
    let answer = [0x76, 0xb0, 0x31, 0xb0, 0xb3, 0x37, 0x34];
    device.handle(Moment::from_micros(20_000), Input::Bytes(&answer), &mut out);
    let [Output::Saw(_, Sighting::Identified(identity))] = &out[..] else { panic!("{out:?}") };
    assert_eq!(identity.driver, "chesslink");
    assert_eq!(identity.firmware.as_deref(), Some("1.03"));
    assert_eq!((&identity.model, &identity.serial), (&None, &None));
}
