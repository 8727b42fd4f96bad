//! Exact bytes of outputs: the conformance suites, generated documents against the oracle, the worked numbers of the
//! contract, by which the oracle is judged, and numbers in JSON.

mod conformance;
mod expanded;
mod extended;
mod generated;
mod numbers;
mod seam;
mod worked;
mod worked_extensions;
mod worked_skinning;
