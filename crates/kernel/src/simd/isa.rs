//! The instruction sets that kernels exist for, and the tokens that prove that the processor has one.

use std::fmt;
use std::str::FromStr;

/// An instruction set that this machine has, so that a kernel can be run with it. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isa {
    /// One lane, no vectors.
    Scalar,
    /// Vectors that every processor of the platform has.
    Baseline,
    /// x86-64 with AVX2: four lanes.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// x86-64 with AVX-512F: eight lanes.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

/// The reason why a name gives no instruction set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnavailableIsa {
    /// No instruction set has this name.
    #[error("`{0}` is no instruction set; there are scalar, baseline, avx2 and avx512")]
    Unknown(String),
    /// The processor, or the platform of this build, lacks it.
    #[error("this machine does not have {0}")]
    Missing(&'static str),
}

impl Isa {
    /// The names of all instruction sets, narrowest first, as `--isa` and `RIGY_BATCH_ISA` take them.
    pub const NAMES: [&'static str; 4] = ["scalar", "baseline", "avx2", "avx512"];

    /// The name used by `--isa` and `RIGY_BATCH_ISA`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
        }
    }

    /// Every instruction set this machine has, narrowest first.
    pub fn available() -> Vec<Self> {
        [
            Some(Self::Scalar),
            Some(Self::Baseline),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Self::Avx512),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The widest instruction set this machine has.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::Scalar)
    }

    /// The named instruction set.
    ///
    /// # Errors
    /// If there is no such name, or this machine lacks it.
    pub fn named(name: &str) -> Result<Self, UnavailableIsa> {
        if let Some(isa) = Self::available().into_iter().find(|isa| isa.name() == name) {
            return Ok(isa);
        }
        match Self::NAMES.into_iter().find(|known| *known == name) {
            Some(known) => Err(UnavailableIsa::Missing(known)),
            None => Err(UnavailableIsa::Unknown(name.to_owned())),
        }
    }
}

impl FromStr for Isa {
    type Err = UnavailableIsa;

    /// As [`Isa::named`].
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::named(name)
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Proof that the processor has AVX2. Only [`Avx2::detect`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Avx2(());

/// Proof that the processor has AVX-512F. Only [`Avx512::detect`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    fn every_name_gives_its_instruction_set_or_an_error() {
        for name in Isa::NAMES {
            match Isa::named(name) {
                Ok(isa) => assert_eq!(isa.name(), name),
                Err(error) => assert_eq!(error, UnavailableIsa::Missing(name)),
            }
        }
        let message = Isa::named("mmx").unwrap_err().to_string();
        assert!(message.contains("mmx") && message.contains("avx512"));
    }

    #[test]
    fn available_instruction_sets_are_in_the_order_of_their_names_and_the_best_is_the_last() {
        let names: Vec<_> = Isa::available().into_iter().map(Isa::name).collect();
        assert!(names.len() >= 2 && names[..2] == Isa::NAMES[..2]);
        let positions = names
            .iter()
            .map(|name| Isa::NAMES.iter().position(|known| known == name));
        assert!(positions.is_sorted());
        assert_eq!(Some(&Isa::best().name()), names.last());
    }
}
