//! Ranges of frames, as a command line gives them.

/// The frames from `first` to `last`, both included, with `rate` frames per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    first: u32,
    last: u32,
    rate: f64,
}

/// The largest number of frames.
const MAX_FRAMES: u32 = 1_000_000;

impl Frames {
    /// Parses `A..B@FPS`.
    ///
    /// # Errors
    /// A message if the text has another form or is out of range.
    ///
    /// ```
    /// use rigy_batch::run::batch::Frames;
    ///
    /// let frames = Frames::parse("12..24@24").unwrap();
    /// assert_eq!((frames.time(0), frames.time(12)), (0.5, 1.0));
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split_once('@').and_then(|(range, rate)| {
            let (first, last) = range.split_once("..")?;
            Some((first.parse().ok()?, last.parse().ok()?, rate.parse().ok()?))
        });
        let (first, last, rate): (u32, u32, f64) =
            parts.ok_or("frames are written like 0..47@24: from, to, frames a second")?;
        if last < first {
            return Err(format!("frame {last} comes before frame {first}"));
        }
        if last - first >= MAX_FRAMES {
            return Err(format!("more than {MAX_FRAMES} frames"));
        }
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(format!("{rate} is no number of frames a second"));
        }
        Ok(Self { first, last, rate })
    }

    /// Returns the time in seconds of the frame that is `index` frames after the first one.
    pub fn time(&self, index: usize) -> f64 {
        (f64::from(self.first) + index as f64) / self.rate
    }

    /// Returns the numbers of the frames for file names, all with the same number of digits, at least four.
    pub(crate) fn labels(&self) -> impl Iterator<Item = String> {
        (0..=(self.last - self.first) as usize).map(|index| self.label(index))
    }

    /// Returns the number of the frame that is `index` frames after the first one, as [`labels`](Self::labels) has it.
    pub(crate) fn label(&self, index: usize) -> String {
        let width = self.last.to_string().len().max(4);
        let number = self.first as usize + index;
        format!("{number:0width$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_numbered_as_they_were_asked_for() {
        let labels = |text| Frames::parse(text).unwrap().labels().collect::<Vec<_>>();
        assert_eq!(labels("0..2@30"), ["0000", "0001", "0002"]);
        assert_eq!(labels("9999..10000@1"), ["09999", "10000"]);
        assert_eq!(Frames::parse("7..7@29.97").unwrap().time(0), 7.0 / 29.97);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "3",
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
