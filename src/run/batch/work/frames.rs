//! Frames, as a command line asks for them.

use std::ops::RangeInclusive;

use crate::bake::time_margin;

/// Frames of an animation: those of a range of numbers, or all that lie within the animation. Frame i is at i / rate seconds.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Frames {
    /// The first and the last number; `None` for the whole animation.
    range: Option<RangeInclusive<u32>>,
    /// Frames a second.
    rate: f64,
}

impl TryFrom<String> for Frames {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

/// The largest number of frames of a file.
pub const MAX_FRAMES: u32 = 1_000_000;

impl Frames {
    /// All frames of an animation at 30 a second.
    pub(crate) const THIRTY: Self = Self {
        range: None,
        rate: 30.0,
    };

    /// Parses `A..B@FPS`, or `@FPS` for the whole animation.
    ///
    /// # Errors
    /// A message if the text has another form or is out of range.
    ///
    /// ```
    /// use rigy_batch::run::batch::Frames;
    ///
    /// let frames = Frames::parse("12..24@24").unwrap();
    /// assert_eq!((frames.time(12), frames.time(24)), (0.5, 1.0));
    /// let all = Frames::parse("@24").unwrap();
    /// assert_eq!(all.numbers([0.0, 1.2]).unwrap(), 0..=28); // frame 29 would be at 1.208 s
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "frames are written like 0..47@24, from, to and frames a second, or @24 for a whole animation";
        let (range, rate) = text
            .split_once('@')
            .ok_or_else(|| match text.parse::<f64>() {
                Ok(rate) => format!("{form}: {rate} frames a second are `@{rate}`"),
                Err(_) => form.to_owned(),
            })?;
        let rate: f64 = rate.parse().map_err(|_| form)?;
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(format!("{rate} is no number of frames a second"));
        }
        if range.is_empty() {
            return Ok(Self { range: None, rate });
        }
        let ends = range.split_once("..");
        let ends = ends.and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
        let (first, last): (u32, u32) = ends.ok_or(form)?;
        if last < first {
            return Err(format!("frame {last} comes before frame {first}"));
        }
        if last - first >= MAX_FRAMES {
            return Err(format!("more than {MAX_FRAMES} frames"));
        }
        let range = Some(first..=last);
        Ok(Self { range, rate })
    }

    /// Returns all frames of an animation.
    ///
    /// # Panics
    /// If `rate`, the number of frames a second, is not positive and finite.
    pub fn whole(rate: f64) -> Self {
        assert!(rate > 0.0 && rate.is_finite(), "{rate}");
        Self { range: None, rate }
    }

    /// Returns the number of frames a second.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Returns true if these are all frames of an animation.
    pub(crate) fn is_whole(&self) -> bool {
        self.range.is_none()
    }

    /// Returns true if there is one frame for every animation.
    pub(crate) fn is_one(&self) -> bool {
        let range = self.range.as_ref();
        range.is_some_and(|range| range.start() == range.end())
    }

    /// Returns the time of a frame in seconds.
    pub fn time(&self, number: u32) -> f64 {
        f64::from(number) / self.rate
    }

    /// Returns the time of the last key, if all frames of an animation are asked for and the last of them comes before it.
    pub(crate) fn rest_after(&self, last: u32, end: f64) -> Option<f64> {
        let has_rest = self.range.is_none() && end > self.time(last) + time_margin(end);
        has_rest.then_some(end)
    }

    /// Returns the numbers of the frames that an animation has whose first and last key are at these times in seconds: those that
    /// were asked for, inside the animation or not, or all inside it. There is always one at least, the nearest to
    /// the start of a short animation.
    ///
    /// # Errors
    /// A message if there are more than a million.
    pub fn numbers(&self, [start, end]: [f64; 2]) -> Result<RangeInclusive<u32>, String> {
        if let Some(range) = &self.range {
            return Ok(range.clone());
        }
        let first = ((start - time_margin(start)) * self.rate).ceil().max(0.0);
        let last = ((end + time_margin(end)) * self.rate).floor();
        let (first, last) = if first <= last {
            (first, last)
        } else {
            [(start * self.rate).round().max(0.0); 2].into()
        };
        let is_too_long = last - first >= f64::from(MAX_FRAMES) || last > f64::from(u32::MAX);
        if is_too_long {
            Err(format!(
                "{} frames a second make more than {MAX_FRAMES} frames",
                self.rate
            ))
        } else {
            Ok(first as u32..=last as u32)
        }
    }
}

/// Returns the number of a frame for file names: as many digits as `last` has, at least four.
pub fn frame_label(number: u32, last: u32) -> String {
    let width = last.to_string().len().max(4);
    format!("{number:0width$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_those_that_were_asked_for() {
        let frames = Frames::parse("7..9@29.97").unwrap();
        assert_eq!(frames.numbers([0.0, 0.1]), Ok(7..=9));
        assert_eq!(frames.time(7), 7.0 / 29.97);
        assert_eq!(
            (frame_label(7, 9), frame_label(9999, 10_000)),
            ("0007".into(), "09999".into())
        );
    }

    #[test]
    fn a_whole_animation_has_the_frames_between_its_first_and_last_key() {
        let numbers = |span| Frames::parse("@24").unwrap().numbers(span).unwrap();
        assert_eq!(numbers([0.0, 1.158]), 0..=27);
        assert_eq!(numbers([0.0, f64::from(82.0f32 / 24.0)]), 0..=82);
        assert_eq!(
            numbers([f64::from(1.0f32 / 24.0), f64::from(19.0f32 / 24.0)]),
            1..=19
        );
        assert_eq!(numbers([0.01, 0.02]), 0..=0);
        assert_eq!(numbers([0.03, 0.04]), 1..=1);
        assert_eq!(numbers([-1.0, 0.1]), 0..=2);
        assert!(Frames::parse("@1e9").unwrap().numbers([0.0, 1.0]).is_err());
        assert!(
            Frames::parse("@1e300")
                .unwrap()
                .numbers([0.0, 1e30])
                .is_err()
        );
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "3",
            "@",
            "@0",
            "@nan",
            "..@24",
            "0..2",
            "2..0@24",
            "0..2@0",
            "0..2@-1",
            "0..2@inf",
            "-1..2@24",
            "0..4294967295@1",
            "a..b@c",
        ] {
            assert!(Frames::parse(text).is_err(), "{text}");
        }
    }
}
