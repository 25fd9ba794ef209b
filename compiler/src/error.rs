//! Why a query has no plan: a stable code, the place in the tree, and a sentence.

use q::path::Path;
use std::fmt;

/// Results of the compiler.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Whose fault it is, and which signal a user sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Code {
    /// q itself refuses: its own signal (`type`, `length`, an unknown name).
    Signal(Box<str>),
    /// The query is no legal q query (`GPU_INVALID_STATEMENT`).
    Invalid,
    /// Legal q that has no plan yet (`GPU_NOT_IMPLEMENTED` on a named engine; `auto` hands it on).
    NotYet,
    /// A broken invariant of ours.
    Internal,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Code::Signal(name) => name,
            Code::Invalid => "GPU_INVALID_STATEMENT",
            Code::NotYet => "GPU_NOT_IMPLEMENTED",
            Code::Internal => "internal",
        })
    }
}

/// A query that has no plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{code}: {message} (at {path})")]
pub struct Error {
    /// The stable code.
    pub code: Code,
    /// Where: indices into the functional query `(?;t;c;b;a)`.
    pub path: Path,
    /// What is wrong and what to do, as a sentence.
    pub message: String,
}

impl Error {
    /// An error at `path`.
    pub fn new(code: Code, path: &Path, message: impl Into<String>) -> Error {
        Error { code, path: path.clone(), message: message.into() }
    }

    /// One of q's own signals at `path`.
    pub fn signal(name: &str, path: &Path, message: impl Into<String>) -> Error {
        Error::new(Code::Signal(name.into()), path, message)
    }

    /// A construct that has no plan yet.
    pub fn not_yet(path: &Path, message: impl Into<String>) -> Error {
        Error::new(Code::NotYet, path, message)
    }
}
