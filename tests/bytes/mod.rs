//! Exact bytes of outputs: the conformance suites, generated documents against the oracle, and numbers in JSON.

mod conformance;
mod expanded;
mod extended;
mod generated;
mod matrices;
mod numbers;
mod seam;
