//! Which instruction sets there are, and the tokens that prove one is present.

use std::fmt;
use std::str::FromStr;

/// An instruction set a kernel can be run with. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isa {
    /// One lane, no vectors.
    Scalar,
    /// Vectors that every processor of the platform has.
    Baseline,
    /// x86-64 with AVX2: four lanes.
    Avx2,
    /// x86-64 with AVX-512F: eight lanes.
    Avx512,
}

/// An instruction set that was asked for and is not there, or does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnavailableIsa {
    /// The name stands for nothing.
    #[error("`{0}` is no instruction set; there are scalar, baseline, avx2 and avx512")]
    Unknown(String),
    /// The processor, or this build's platform, lacks it.
    #[error("this machine does not have {0}")]
    Missing(Isa),
}

impl Isa {
    /// Every instruction set, narrowest first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Baseline, Self::Avx2, Self::Avx512];

    /// The name used by `--isa` and `RIGY_BATCH_ISA`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar | Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// Every instruction set this machine has, narrowest first.
    pub fn available() -> Vec<Self> {
        Self::ALL
            .into_iter()
            .filter(|isa| isa.is_available())
            .collect()
    }

    /// The widest instruction set this machine has.
    pub fn best() -> Self {
        Self::ALL
            .into_iter()
            .rfind(|isa| isa.is_available())
            .unwrap_or(Self::Scalar)
    }

    /// The named instruction set.
    ///
    /// # Errors
    /// If there is no such name, or this machine lacks it.
    pub fn named(name: &str) -> Result<Self, UnavailableIsa> {
        let isa: Self = name.parse()?;
        if isa.is_available() {
            Ok(isa)
        } else {
            Err(UnavailableIsa::Missing(isa))
        }
    }
}

impl FromStr for Isa {
    type Err = UnavailableIsa;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|isa| isa.name() == name);
        known.ok_or_else(|| UnavailableIsa::Unknown(name.to_owned()))
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Proof that the processor has AVX2. Only [`Avx2::detect`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Proof that the processor has AVX-512F. Only [`Avx512::detect`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// A token, if the processor has it.
    pub fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// A token, if the processor has it.
    pub fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx512f").then_some(Self(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_unknown_ones_say_what_exists() {
        for isa in Isa::ALL {
            assert_eq!(isa.name().parse(), Ok(isa));
        }
        let message = Isa::named("mmx").unwrap_err().to_string();
        assert!(message.contains("mmx") && message.contains("avx512"));
        assert!(Isa::best().is_available());
    }
}
