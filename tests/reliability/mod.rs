//! Reliability: faults of the system around the program, kills, interruptions, and inputs that change under way.

#[cfg(target_os = "linux")]
mod around;
#[cfg(unix)]
mod confinement;
#[cfg(unix)]
mod disk;
#[cfg(unix)]
mod interrupt;
mod kills;
#[cfg(unix)]
mod races;
