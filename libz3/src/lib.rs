//! Provides the Z3 shared library to a build; contains no code of its own.
//!
//! Everything happens in `build.rs`, the only place that knows where libz3
//! comes from. A package that depends on this one directly finds the library's
//! folder in `DEP_ENDSTEP_LIBZ3_LIB_DIR` in its own build script, and adds it to
//! the run-time search path of what it links.
