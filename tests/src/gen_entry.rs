//! Files of the kernel cache, and what befalls them: the judge of the reader.

use arbitrary::{Result, Unstructured};
use runtime::cache::{Key, entry};
use runtime::device::nvrtc::Compiled;

/// An entry is read back as it was written, and any change of its bytes is noticed.
///
/// # Panics
/// Where that does not hold.
///
/// # Errors
/// Where the bytes do not suffice for a case.
pub fn judge(u: &mut Unstructured) -> Result<()> {
    let key = Key(u.arbitrary()?);
    let (about, log): (String, String) = (u.arbitrary()?, u.arbitrary()?);
    let code = Compiled { image: u.arbitrary()?, log };
    let whole = entry::encode(&key, &about, &code);
    let read = entry::decode(&key, &whole).expect("what was written is sound");
    assert_eq!((&read.about, &read.code), (&about, &code));
    assert_eq!(entry::about(&whole), Some(about.as_str()));
    let mut bytes = whole.clone();
    for _ in 0..u.int_in_range(1..=4)? {
        change(u, &mut bytes)?;
    }
    let read = entry::decode(&key, &bytes);
    assert_eq!(read.is_ok(), bytes == whole, "{read:?}");
    let _ = entry::about(&bytes);
    // Bytes of no entry.
    let any: Vec<u8> = u.arbitrary()?;
    assert!(entry::decode(&key, &any).is_err());
    let _ = entry::about(&any);
    Ok(())
}

/// What a disk, a crash or a hand does to a file.
fn change(u: &mut Unstructured, bytes: &mut Vec<u8>) -> Result<()> {
    let at = u.int_in_range(0..=bytes.len())?;
    match u.int_in_range(0..=5)? {
        0 => bytes.truncate(at),
        1 => bytes.extend_from_slice(u.bytes(8.min(u.len()))?),
        2 => bytes[at..].fill(0),
        3 => bytes.insert(at, u.arbitrary()?),
        4 => {
            let to = u.int_in_range(at..=bytes.len())?;
            bytes.drain(at..to);
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << u.int_in_range(0..=7)?;
            }
        }
    }
    Ok(())
}
