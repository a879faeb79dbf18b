//! The integration tests, as one program so that they link once.

mod z3;
