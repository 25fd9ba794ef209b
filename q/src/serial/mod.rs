//! q's serialised form (`-8!` and `-9!`, IPC messages, files): a header and one object, little endian.
//!
//! | bytes | what |
//! |---|---|
//! | 0 | 1: little endian |
//! | 1 | kind of message: 0 for `-8!` |
//! | 2, 3 | 0: not compressed |
//! | 4..8 | length of the whole, header included |
//! | 8.. | the object: its type byte, then what that type holds |
//!
//! A vector is its attribute, its length (int) and its elements; a symbol is its bytes and a zero; a dictionary
//! its keys and values; a table its attribute and a dictionary. An enumeration travels as its symbols, since
//! the other side may lack the domain. A function that q defines as a keyword travels as a lambda of that text.

mod read;
mod write;

pub use read::{from_bytes, object};
pub use write::to_bytes;

/// Bytes before the object.
pub(crate) const HEADER: usize = 8;
/// The type byte of a step (sorted) dictionary.
const STEP: i8 = 127;
/// The code of an elided argument, written as a 101h.
const ELIDED: u8 = 255;
/// How deep objects may nest, so that no message exhausts the stack.
const DEPTH: usize = crate::nest::LIMIT as usize;

#[cfg(test)]
mod tests;
