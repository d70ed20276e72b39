//! The squares a sliding piece passes. No rule of chess beyond rank, file and diagonal.

use eboard::Square;

/// The squares from the one after `from` up to and including `to`; `None` if no straight line
/// joins them.
pub(crate) fn straight(from: Square, to: Square) -> Option<Vec<Square>> {
    let files = i16::from(to.file()) - i16::from(from.file());
    let ranks = i16::from(to.rank()) - i16::from(from.rank());
    let joined = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    let steps = files.abs().max(ranks.abs());
    if !joined || steps == 0 {
        return None;
    }
    (1..=steps)
        .map(|step| {
            let file = i16::from(from.file()) + files.signum() * step;
            let rank = i16::from(from.rank()) + ranks.signum() * step;
            Square::at(u8::try_from(file).ok()?, u8::try_from(rank).ok()?)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(file: u8, rank: u8) -> Square {
        Square::at(file, rank).unwrap()
    }

    fn names(from: Square, to: Square) -> Option<Vec<String>> {
        Some(straight(from, to)?.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn straight_lines_name_every_square_they_pass() {
        let (a1, c3, a4, b3) = (named(0, 0), named(2, 2), named(0, 3), named(1, 2));
        assert_eq!(names(a1, a4), Some(vec!["a2".into(), "a3".into(), "a4".into()]));
        assert_eq!(names(c3, a1), Some(vec!["b2".into(), "a1".into()]));
        assert_eq!(names(a1, b3), None);
        assert_eq!(names(a1, a1), None);
    }
}
