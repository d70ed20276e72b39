//! The point system of a report: `162` of TRF26, `BB…` of bbpPairings, `XXS` of JaVaFo. Without one
//! a win is a point and a draw half a point.

use crate::pairings::lines;

/// Points in tenths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointSystem {
    /// For White and for Black.
    win: [i32; 2],
    draw: [i32; 2],
    loss: [i32; 2],
    forfeit_win: i32,
    forfeit_loss: i32,
    half_bye: i32,
    full_bye: i32,
    allocated_bye: i32,
    zero_bye: i32,
}

impl Default for PointSystem {
    fn default() -> Self {
        let (win, draw, loss) = ([10; 2], [5; 2], [0; 2]);
        let byes = (5, 10, 10, 0);
        let (half_bye, full_bye, allocated_bye, zero_bye) = byes;
        let (forfeit_win, forfeit_loss) = (10, 0);
        Self {
            win,
            draw,
            loss,
            forfeit_win,
            forfeit_loss,
            half_bye,
            full_bye,
            allocated_bye,
            zero_bye,
        }
    }
}

impl PointSystem {
    /// Reads the point system of a report.
    pub fn read(text: &str) -> Self {
        let mut system = Self::default();
        for (_, line) in lines(text) {
            let (tag, rest) = line.split_at_checked(3).unwrap_or((line, ""));
            match tag {
                "162" | "XXS" => pairs(rest).for_each(|(code, worth)| system.set(&code, worth)),
                "BBW" | "BBD" | "BBL" | "BBU" | "BBZ" | "BBF" => {
                    let code = match tag {
                        "BBU" => "P",
                        "BBF" => "FL",
                        "BBZ" => "ZPB",
                        _ => tag.get(2..).unwrap_or_default(),
                    };
                    if let Some(worth) = tenths(rest) {
                        system.set(code, worth);
                    }
                }
                _ => {}
            }
        }
        system
    }

    fn set(&mut self, code: &str, worth: i32) {
        match code {
            "W" => {
                (self.win, self.forfeit_win) = ([worth; 2], worth);
                (self.full_bye, self.allocated_bye) = (worth, worth);
            }
            "D" => (self.draw, self.half_bye) = ([worth; 2], worth),
            "L" => self.loss = [worth; 2],
            "WW" => self.win[0] = worth,
            "BW" => self.win[1] = worth,
            "WD" => self.draw[0] = worth,
            "BD" => self.draw[1] = worth,
            "WL" => self.loss[0] = worth,
            "BL" => self.loss[1] = worth,
            // In TRF26 an absent player gets these points, with or without an opponent.
            "Z" => (self.zero_bye, self.forfeit_loss) = (worth, worth),
            "ZPB" => self.zero_bye = worth,
            "HPB" => self.half_bye = worth,
            "FPB" => self.full_bye = worth,
            "PAB" | "P" => self.allocated_bye = worth,
            "FW" => self.forfeit_win = worth,
            "FL" => self.forfeit_loss = worth,
            _ => {}
        }
    }

    /// The points for a mark in a report, in tenths.
    pub fn worth(&self, mark: char, white: bool) -> i32 {
        let side = usize::from(!white);
        match mark.to_ascii_uppercase() {
            '1' | 'W' => self.win[side],
            '=' | 'D' => self.draw[side],
            '0' | 'L' => self.loss[side],
            '+' => self.forfeit_win,
            '-' => self.forfeit_loss,
            'H' => self.half_bye,
            'F' => self.full_bye,
            'U' => self.allocated_bye,
            'Z' => self.zero_bye,
            _ => 0,
        }
    }
}

/// Every code with its points, from `W 3.0    D 1.0` or `W=3`.
fn pairs(text: &str) -> impl Iterator<Item = (String, i32)> {
    let mut codes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|it: char| it.is_ascii_alphabetic()) {
        let from = &rest[at..];
        let end = from.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(from.len());
        let (code, after) = from.split_at(end);
        let next = after.find(|it: char| it.is_ascii_alphabetic()).unwrap_or(after.len());
        codes.extend(tenths(&after[..next]).map(|worth| (code.to_owned(), worth)));
        rest = &after[next..];
    }
    codes.into_iter()
}

/// Reads points into tenths: `1.5`, `1,5` or `2`, with blanks or `=` around them.
pub fn tenths(text: &str) -> Option<i32> {
    let text = text.trim_matches(|it: char| it.is_whitespace() || it == '=');
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || whole.len() > 4 {
        return None;
    }
    let tenth: i32 = part.get(..1)?.parse().ok()?;
    Some(whole.parse::<i32>().ok()? * 10 + tenth)
}

/// Writes tenths as points: `1.5`.
pub fn in_points(tenths: i32) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_worth_what_the_report_says() {
        let football = PointSystem::read("012 X\r\n162  W 3.0    D 1.0    L 0.0\r\n");
        assert_eq!([football.worth('1', true), football.worth('=', false)], [30, 10]);
        assert_eq!([football.worth('+', true), football.worth('-', true)], [30, 0]);
        let javafo = PointSystem::read("XXS W=3 BD=1.5\nBBF  0.5");
        assert_eq!([javafo.worth('W', false), javafo.worth('=', true)], [30, 5]);
        assert_eq!([javafo.worth('=', false), javafo.worth('-', false)], [15, 5]);
        assert_eq!(PointSystem::read("001    1 W 3.0\n"), PointSystem::default());
    }

    #[test]
    fn points_are_read_with_a_point_or_a_comma() {
        assert_eq!(["1.5", " 10,0", "2"].map(tenths), [Some(15), Some(100), Some(20)]);
        assert_eq!(["", "x", "1.", "-1"].map(tenths), [None; 4]);
        assert_eq!([0, 5, 105].map(in_points), ["0.0", "0.5", "10.5"]);
    }
}
