//! x: to do, a placeholder.
