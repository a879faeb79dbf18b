//! From what an engine says of the runs from each board to answers and findings.
//!
//! Nothing here visits runs: that is asked of an [`analysis::Engine`].

pub mod analysis;
pub mod order;
pub mod verdict;
