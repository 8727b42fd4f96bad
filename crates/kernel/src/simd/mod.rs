//! Lanes of f64, one vertex to a lane.
//!
//! In: slices of numbers. Out: the same numbers after plain IEEE operations, lane by lane. An algorithm is
//! written once over [`F64Lanes`]; each instruction set supplies a type and one function that enters the
//! algorithm ([`dispatch`]). There are no operations across lanes and no fused ones, so every lane performs exactly
//! the scalar sequence and the width can never change a bit. Nothing here depends on what the numbers mean.
//!
//! `unsafe` is allowed here: the wide types call intrinsics whose only precondition is that the processor has the
//! instruction set, which a token proves (see [`isa`]).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod baseline;
mod dispatch;
mod isa;
mod lanes;
mod prefetch;
mod scalar;

pub use dispatch::{Kernel, dispatch};
#[cfg(target_arch = "x86_64")]
pub use isa::{Avx2, Avx512};
pub use isa::{Isa, UnavailableIsa};
pub use lanes::{F64Lanes, Row, Rows};
pub use prefetch::prefetch;
