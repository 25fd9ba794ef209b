//! Guids from text: hexadecimal, or an internet address in the low bytes.

use super::{digits, hex};
use crate::value::Guid;
use std::net::Ipv6Addr;

/// The guid in `text`: 32 hexadecimal digits with or without dashes, an IPv4 or an IPv6 address.
pub fn guid(text: &[u8]) -> Option<Guid> {
    if let Some(ip) = ipv4(text) {
        return Some(Guid(std::net::Ipv4Addr::from(ip).to_ipv6_mapped().octets()));
    }
    if text.contains(&b':') {
        return std::str::from_utf8(text).ok()?.parse::<Ipv6Addr>().ok().map(|ip| Guid(ip.octets()));
    }
    let nibbles: Vec<u8> = text.iter().filter(|c| **c != b'-').map(|c| hex(*c)).collect::<Option<_>>()?;
    let mut guid = Guid::default();
    if nibbles.len() != 32 {
        return None;
    }
    for (byte, pair) in guid.0.iter_mut().zip(nibbles.chunks_exact(2)) {
        *byte = pair[0] << 4 | pair[1];
    }
    Some(guid)
}

/// The address in `text`: four numbers below 256 with dots.
pub fn ipv4(text: &[u8]) -> Option<u32> {
    let parts: Vec<u8> =
        text.split(|c| *c == b'.').map(|p| u8::try_from(digits(p)?).ok()).collect::<Option<_>>()?;
    Some(u32::from_be_bytes(parts.try_into().ok()?))
}
