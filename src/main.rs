//! The `endstep` program: hands its arguments to the library.

fn main() -> std::process::ExitCode {
    endstep::cli::run(std::env::args_os())
}
