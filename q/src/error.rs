//! q signals: what went wrong, in q's own words, and where.

use crate::path::{Path, Span};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Results of everything that can signal.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A q signal. `name` is what prints after the quote: `type`, `length`, a user's own text.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Error {
    /// What prints after the quote.
    pub name: Cow<'static, str>,
    /// More for a person (what was wrong with which argument); printed after the name by tools, not by q.
    pub detail: Option<Box<str>>,
    /// Where it happened, innermost frame first; empty until evaluation knows a place.
    pub trace: Vec<Frame>,
    /// Where in the application that signals, where that is not the application itself: `1` is its first argument.
    pub path: Path,
}

/// One frame of a backtrace: a source text and the part of it that was being evaluated.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The text: one console line, or a whole script.
    pub source: Arc<Source>,
    /// The bytes of `source` that were being evaluated; the caret goes under `span.at`.
    pub span: Span,
}

/// A text that was parsed.
#[derive(Debug)]
pub struct Source {
    /// The bytes as given.
    pub text: Box<[u8]>,
    /// The script's name; none at the console.
    pub file: Option<Box<str>>,
    /// The line of the script where `text` begins, from 1.
    pub line: u32,
}

impl Error {
    /// A signal with a fixed name.
    pub fn new(name: impl Into<Cow<'static, str>>) -> Error {
        Error { name: name.into(), detail: None, trace: vec![], path: Path::default() }
    }

    /// True for what ends a session (`exit`) or was ended by a person: no trap catches these. A user's signal of
    /// the same name has no detail.
    pub fn ends(&self) -> bool {
        matches!(&*self.name, "exit" | "stop") && self.detail.is_some()
    }

    /// The same signal from a part of the application's tree.
    pub fn at(mut self, path: Path) -> Error {
        self.path = path;
        self
    }

    /// The same signal with more for a person.
    pub fn detail(mut self, text: impl Into<String>) -> Error {
        self.detail = Some(text.into().into_boxed_str());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.detail {
            Some(detail) => write!(f, "'{}: {detail}", self.name),
            None => write!(f, "'{}", self.name),
        }
    }
}

/// `'type`: wrong type for an operation.
pub fn type_error<T>() -> Result<T> {
    Err(Error::new("type"))
}

/// `'length`: arguments do not conform.
pub fn length_error<T>() -> Result<T> {
    Err(Error::new("length"))
}

/// `'rank`: wrong number of arguments.
pub fn rank_error<T>() -> Result<T> {
    Err(Error::new("rank"))
}

/// `'domain`: an argument out of an operation's domain.
pub fn domain_error<T>() -> Result<T> {
    Err(Error::new("domain"))
}

/// `'nyi`, with what is not built.
pub fn nyi<T>(what: &str) -> Result<T> {
    Err(Error::new("nyi").detail(what))
}
