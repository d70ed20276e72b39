//! Harm counted against the rates asked for.

use super::*;

/// A frame of ten bytes every 100 ms, each byte its frame's number.
fn frames(count: u64) -> Vec<(Moment, Vec<u8>)> {
    (0..count).map(|it| (ms(it * 100), vec![it as u8; 10])).collect()
}

fn ms(ms: u64) -> Moment {
    Moment::from_micros(ms * 1000)
}

fn span(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn frame_rates(frames: Rates) -> Faults {
    Faults { frames, ..Faults::default() }
}

#[test]
fn a_sound_line_changes_nothing() {
    let through = Faults::default().inject(&frames(500), 1);
    assert_eq!(through.chunks, frames(500));
    assert_eq!((through.windows.len(), through.harmed), (0, 0));
}

#[test]
fn frames_are_lost_doubled_and_spoilt_as_often_as_asked() {
    let tenth = Permille(100);
    let none = Rates::default();
    let lost = frame_rates(Rates { drop: tenth, ..none }).inject(&frames(5000), 2);
    assert_eq!(lost.harmed, 5000 - lost.chunks.len());
    assert!((400..600).contains(&lost.harmed), "{}", lost.harmed);
    let doubled = frame_rates(Rates { double: tenth, ..none }).inject(&frames(5000), 2);
    let twice = doubled.chunks.iter().filter(|it| it.1.len() == 20).count();
    assert_eq!((twice, doubled.chunks.len()), (doubled.harmed, 5000));
    assert!((400..600).contains(&twice), "{twice}");
    let spoilt = frame_rates(Rates { corrupt: tenth, ..none }).inject(&frames(5000), 2);
    let mut wrong = 0;
    for (came, sent) in spoilt.chunks.iter().zip(frames(5000)) {
        let bytes = came.1.iter().zip(&sent.1).filter(|(came, sent)| came != sent).count();
        assert!(bytes <= 1 && came.1.len() == 10);
        wrong += bytes;
    }
    assert_eq!(wrong, spoilt.harmed);
    assert!((400..600).contains(&wrong), "{wrong}");
}

#[test]
fn single_bytes_are_harmed_too() {
    let rates = Rates { drop: Permille(10), double: Permille(30), corrupt: Permille(0) };
    let faults = Faults { bytes: rates, ..Faults::default() };
    let through = faults.inject(&frames(2000), 3);
    let bytes: usize = through.chunks.iter().map(|it| it.1.len()).sum();
    // 20 000 bytes, 1 % lost and 3 % doubled.
    assert!((20_250..20_550).contains(&bytes), "{bytes}");
    assert!(through.harmed > 500 && through.harmed < 900, "{}", through.harmed);
    let spoils = Rates { corrupt: Permille(1000), ..Rates::default() };
    let through = Faults { bytes: spoils, ..Faults::default() }.inject(&frames(200), 3);
    for (came, sent) in through.chunks.iter().zip(frames(200)) {
        assert!(came.1.iter().zip(&sent.1).all(|(came, sent)| came != sent));
    }
}

#[test]
fn a_stall_holds_up_and_loses_nothing() {
    let faults =
        Faults { stalls: Permille(20), stall: (span(500), span(2000)), ..Faults::default() };
    let through = faults.inject(&frames(2000), 4);
    let sent = frames(2000);
    assert_eq!(through.chunks.len(), sent.len());
    assert_eq!(through.harmed, 0);
    assert!(through.chunks.is_sorted_by_key(|it| it.0));
    let late = through.chunks.iter().zip(&sent).filter(|(came, sent)| came.0 > sent.0).count();
    assert!(late > 200, "{late}");
    for (came, sent) in through.chunks.iter().zip(&sent) {
        assert_eq!(came.1, sent.1);
        assert!(came.0.since(sent.0) <= span(2000));
    }
}

#[test]
fn nothing_passes_while_the_line_is_out() {
    let unplugs = vec![
        Unplug { at: ms(50_000), lasts: span(10_000) },
        Unplug { at: ms(10_000), lasts: span(3000) },
        Unplug { at: ms(12_000), lasts: span(4000) },
    ];
    let faults = Faults { unplugs, ..Faults::default() };
    let through = faults.inject(&frames(1000), 5);
    let windows = [
        Unplug { at: ms(10_000), lasts: span(6000) },
        Unplug { at: ms(50_000), lasts: span(10_000) },
    ];
    assert_eq!(through.windows, windows);
    assert_eq!(through.harmed, 160);
    assert_eq!(through.chunks.len(), 840);
    for (at, _) in through.chunks {
        assert!(windows.iter().all(|it| at < it.at || at >= it.end()), "{at:?}");
    }
}

#[test]
fn what_is_held_up_when_the_line_goes_is_lost() {
    let unplugs = vec![Unplug { at: ms(1500), lasts: span(500) }];
    let stall = (span(1000), span(1000));
    let faults = Faults { unplugs, stalls: Permille(1000), stall, ..Faults::default() };
    let through = faults.inject(&frames(30), 6);
    // All stand still from the beginning: until 1.0 s those of the first second, then the next.
    let came: Vec<_> = through.chunks.iter().map(|it| it.0.as_micros() / 1000).collect();
    assert_eq!(came.iter().filter(|&&at| at == 1000).count(), 10);
    assert_eq!(came.iter().filter(|&&at| (1500..3000).contains(&at)).count(), 0);
    assert_eq!(through.harmed, 10);
}

#[test]
fn harm_depends_on_the_seed_alone() {
    let rates = Rates { drop: Permille(50), double: Permille(50), corrupt: Permille(50) };
    let faults = Faults { frames: rates, bytes: rates, ..Faults::default() };
    assert_eq!(faults.inject(&frames(300), 7), faults.inject(&frames(300), 7));
    assert_ne!(faults.inject(&frames(300), 7), faults.inject(&frames(300), 8));
}

#[test]
fn an_unplug_is_drawn_within_its_bounds() {
    let drawn = |seed| Unplug::drawn(seed, (ms(5000), ms(9000)), (span(100), span(700)));
    for seed in 0..200 {
        let Unplug { at, lasts } = drawn(seed);
        assert!(at >= ms(5000) && at <= ms(9000));
        assert!(lasts >= span(100) && lasts <= span(700));
        assert_eq!(drawn(seed), drawn(seed));
    }
    assert_ne!(drawn(1), drawn(2));
}
