//! Compiles the generated parser and its scanner.

use std::path::Path;

fn main() {
    let sources = Path::new("src");
    let mut compiler = cc::Build::new();
    compiler
        .std("c11")
        .include(sources)
        // The generated parser is what it is.
        .flag_if_supported("-Wno-unused-parameter")
        .flag_if_supported("-Wno-trigraphs");
    for name in ["parser.c", "scanner.c"] {
        let file = sources.join(name);
        println!("cargo:rerun-if-changed={}", file.display());
        compiler.file(file);
    }
    compiler.compile("tree-sitter-endstep");
}
