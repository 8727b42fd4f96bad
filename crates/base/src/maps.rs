//! Hash maps and sets whose hash is faster than that of the standard library. It is keyed with numbers that differ from run to run, so
//! that names which collide cannot be prepared for a run; it is no cryptographic hash. The order of the entries differs from run to
//! run, too, and nothing may depend on it.

pub use foldhash::fast::RandomState;

/// A map with a fast hash.
pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;

/// A set with a fast hash.
pub type HashSet<T> = std::collections::HashSet<T, RandomState>;
