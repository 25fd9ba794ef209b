//! The `qfuse` program; all of it is in the library, where tests reach it.

fn main() -> std::process::ExitCode {
    runtime::cli::main()
}
