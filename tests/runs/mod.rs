//! Runs over many inputs: threads, the cache, reports, pages, shards and measured times.

mod batch;
mod dependencies;
mod input_lists;
mod page_models;
mod pages;
mod placing;
mod prune;
mod repeat;
mod shards;
mod timings;
