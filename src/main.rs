//! The `endstep` program: hands its arguments to the library.

/// Exploring makes and drops very many small lists.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    endstep::cli::run(std::env::args_os())
}
