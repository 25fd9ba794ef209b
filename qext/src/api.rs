//! q's C interface: an object's layout, and the functions that make and release objects.

use std::ffi::{c_char, c_int, c_longlong};

/// A pointer to one of q's objects.
pub type K = *mut K0;

/// q's object as it lies in memory (version 3 of the interface): a header of 8 bytes, then an atom's value or
/// a vector's count and elements.
#[repr(C)]
pub struct K0 {
    /// q's own: the size class of the block.
    pub m: i8,
    /// q's own.
    pub a: i8,
    /// The type number: negative for atoms, -128 for an error.
    pub t: i8,
    /// The attribute: 0 none, 1 sorted, 2 unique, 3 parted, 4 grouped.
    pub u: u8,
    /// References besides the first.
    pub r: i32,
    /// The value of an atom, the count of a vector, the dictionary of a table.
    pub body: Body,
}

/// What follows the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub union Body {
    /// A boolean, byte or char; the code of a primitive.
    pub g: u8,
    /// A short.
    pub h: i16,
    /// An int, month, date, minute, second or time.
    pub i: i32,
    /// A long, timestamp or timespan.
    pub j: i64,
    /// A real.
    pub e: f32,
    /// A float or datetime.
    pub f: f64,
    /// A symbol, or an error's text: bytes up to a zero.
    pub s: *mut c_char,
    /// The dictionary of a table.
    pub k: K,
    /// A vector's count. The elements follow it.
    pub n: i64,
}

/// Bytes from an object's start to a vector's elements (and to a guid atom's bytes).
pub const ELEMENTS: usize = 16;

/// The functions of the interface. A table, so that tests can stand in for q.
#[derive(Clone, Copy)]
pub struct Api {
    /// A vector of type and count; type 0 is a general list.
    pub ktn: unsafe extern "C" fn(c_int, c_longlong) -> K,
    /// An atom of (negative) type.
    pub ka: unsafe extern "C" fn(c_int) -> K,
    /// Interns a symbol.
    pub ss: unsafe extern "C" fn(*const c_char) -> *mut c_char,
    /// A dictionary of keys and values; takes both over.
    pub xd: unsafe extern "C" fn(K, K) -> K,
    /// A table of a dictionary; takes it over.
    pub xt: unsafe extern "C" fn(K) -> K,
    /// One more reference.
    pub r1: unsafe extern "C" fn(K) -> K,
    /// One reference less.
    pub r0: unsafe extern "C" fn(K),
    /// Signals an error whose text lives for ever.
    pub krr: unsafe extern "C" fn(*const c_char) -> K,
}

impl Api {
    /// The interface of the q process that loaded this library; an error where the process is not q.
    pub fn of_process() -> Result<Api, libloading::Error> {
        let this = libloading::os::unix::Library::this();
        // SAFETY: the names and types are those of q's published header, and the process's own symbols stay
        // loaded as long as it runs.
        unsafe {
            Ok(Api {
                ktn: *this.get(b"ktn\0")?,
                ka: *this.get(b"ka\0")?,
                ss: *this.get(b"ss\0")?,
                xd: *this.get(b"xD\0")?,
                xt: *this.get(b"xT\0")?,
                r1: *this.get(b"r1\0")?,
                r0: *this.get(b"r0\0")?,
                krr: *this.get(b"krr\0")?,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    #[test]
    fn the_layout_is_the_header_s() {
        assert_eq!((offset_of!(K0, t), offset_of!(K0, u), offset_of!(K0, r)), (2, 3, 4));
        assert_eq!((offset_of!(K0, body), size_of::<K0>()), (8, ELEMENTS));
    }
}
