//! The file of one piece of compiled code: what it is, its length, its parts, and a digest of all that.
//!
//! `MAGIC`, the key, the lengths of the three parts as little-endian u64, the parts (what NVRTC was asked, its log,
//! the image), and the SHA-256 of everything before.

use super::Key;
use crate::device::nvrtc::Compiled;
use sha2::{Digest, Sha256};

/// The first bytes; the number changes with the format.
const MAGIC: &[u8; 16] = b"qfuse kernel 01\n";
/// Bytes before the parts.
const HEAD: usize = MAGIC.len() + 32 + 3 * 8;

/// What a file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What NVRTC was asked, for people who look into the cache.
    pub about: String,
    /// The code.
    pub code: Compiled,
}

/// The bytes of a file.
pub fn encode(key: &Key, about: &str, code: &Compiled) -> Vec<u8> {
    let parts = [about.as_bytes(), code.log.as_bytes(), &code.image];
    let mut bytes = Vec::with_capacity(HEAD + parts.iter().map(|p| p.len()).sum::<usize>() + 32);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&key.0);
    parts.iter().for_each(|p| bytes.extend_from_slice(&(p.len() as u64).to_le_bytes()));
    parts.iter().for_each(|p| bytes.extend_from_slice(p));
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

/// Reads a file that was written for `key`.
///
/// # Errors
/// What is wrong with it, in words; any change of any bit is noticed.
pub fn decode(key: &Key, bytes: &[u8]) -> Result<Entry, &'static str> {
    let Some((body, digest)) = bytes.split_last_chunk::<32>() else { return Err("cut off") };
    let Some((head, parts)) = body.split_at_checked(HEAD) else { return Err("cut off") };
    let (magic, rest) = head.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err("of another version");
    }
    if Sha256::digest(body)[..] != digest[..] {
        return Err("damaged");
    }
    let (owner, lengths) = rest.split_at(32);
    if owner != key.0 {
        return Err("of another kernel");
    }
    let mut parts = parts;
    let mut part = |i: usize| {
        let length = *lengths[i * 8..].first_chunk().expect("the head has three lengths");
        let length = u64::from_le_bytes(length);
        let (part, rest) =
            usize::try_from(length).ok().and_then(|n| parts.split_at_checked(n)).ok_or("damaged")?;
        parts = rest;
        Ok(part.to_vec())
    };
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|_| "damaged");
    let (about, log, image) = (text(part(0)?)?, text(part(1)?)?, part(2)?);
    if parts.is_empty() { Ok(Entry { about, code: Compiled { image, log } }) } else { Err("damaged") }
}

/// What NVRTC was asked, of a file whose soundness does not matter here.
pub fn about(bytes: &[u8]) -> Option<&str> {
    let (head, parts) = bytes.split_at_checked(HEAD)?;
    let length = u64::from_le_bytes(*head[MAGIC.len() + 32..].first_chunk()?);
    std::str::from_utf8(parts.get(..usize::try_from(length).ok()?)?).ok()
}
