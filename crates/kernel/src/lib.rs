//! Systems: typed programs without sugar, what their parts read and write, and a machine that runs them fast.

pub mod footprint;
pub mod instance;
pub mod ir;
pub mod lower;
