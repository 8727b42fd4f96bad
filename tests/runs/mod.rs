//! Runs over many inputs: threads, the cache, reports, shards and measured times.

mod batch;
mod repeat;
mod reports;
mod shards;
mod timings;
