//! Text → tokens.
