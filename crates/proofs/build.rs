//! Adds the folder of libz3 to the run-time search path of everything that this
//! package links, so that an installed binary needs no `LD_LIBRARY_PATH`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=DEP_ENDSTEP_LIBZ3_LIB_DIR");
    // Absent when Z3 is built from source and linked statically.
    if let Ok(dir) = std::env::var("DEP_ENDSTEP_LIBZ3_LIB_DIR") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{dir}");
    }
}
