//! How much room threads have.

/// The stack of a thread that does the work, in bytes: the same everywhere, so
/// that what can be nested does not depend on the machine.
pub(super) const STACK_BYTES: usize = 256 << 20;
