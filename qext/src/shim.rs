//! A stand-in for q's allocator, for tests: objects laid out as q lays them out, counted.

use crate::api::{Api, Body, ELEMENTS, K, K0};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_longlong};

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
}

/// Objects that this thread made and did not release.
pub fn live() -> i64 {
    LIVE.get()
}

/// The stand-in interface.
pub static API: Api = Api { ktn, ka, ss, xd, xt, r1, r0, krr };

fn width(t: i8) -> usize {
    match t {
        1 | 4 | 10 => 1,
        5 => 2,
        6 | 8 | 13 | 14 | 17..=19 => 4,
        2 => 16,
        _ => 8,
    }
}

/// Room for an object's elements; a guid atom keeps its bytes there.
fn layout(t: i8, n: usize) -> Layout {
    let bytes = match t {
        -2 => 16,
        99 => 16,
        0..=19 => width(t) * n,
        _ => 0,
    };
    Layout::from_size_align(ELEMENTS + bytes, 16).expect("test objects are small")
}

fn make(t: i8, n: usize) -> K {
    LIVE.set(LIVE.get() + 1);
    // SAFETY: the layout is never empty; zero bytes are a valid object of any type.
    unsafe {
        let x: K = alloc_zeroed(layout(t, n)).cast();
        x.write(K0 { m: 0, a: 0, t, u: 0, r: 0, body: Body { n: n as i64 } });
        x
    }
}

unsafe extern "C" fn ktn(t: c_int, n: c_longlong) -> K {
    make(t as i8, n as usize)
}

unsafe extern "C" fn ka(t: c_int) -> K {
    make(t as i8, 1)
}

unsafe extern "C" fn ss(s: *const c_char) -> *mut c_char {
    // SAFETY: the caller passes a zero-ended text. Interned texts are never freed, as in q.
    CString::from(unsafe { CStr::from_ptr(s) }).into_raw()
}

unsafe extern "C" fn xd(keys: K, vals: K) -> K {
    let x = make(99, 2);
    // SAFETY: a dictionary has room for two objects.
    unsafe {
        let at = x.cast::<u8>().add(ELEMENTS).cast::<K>();
        at.write(keys);
        at.add(1).write(vals);
    }
    x
}

unsafe extern "C" fn xt(dict: K) -> K {
    let x = make(98, 0);
    // SAFETY: just made.
    unsafe { (*x).body.k = dict };
    x
}

unsafe extern "C" fn r1(x: K) -> K {
    // SAFETY: the caller's object is live.
    unsafe { (*x).r += 1 };
    x
}

unsafe extern "C" fn r0(x: K) {
    // SAFETY: the caller gives up one reference to a live object; the last one frees it and its parts.
    unsafe {
        if (*x).r > 0 {
            (*x).r -= 1;
            return;
        }
        let (t, n) = ((*x).t, if (*x).t == 99 { 2 } else { (*x).body.n as usize });
        match t {
            0 | 99 => {
                let at = x.cast::<u8>().add(ELEMENTS).cast::<K>();
                (0..n).for_each(|i| r0(at.add(i).read()));
            }
            98 => r0((*x).body.k),
            _ => {}
        }
        dealloc(x.cast(), layout(t, n));
        LIVE.set(LIVE.get() - 1);
    }
}

unsafe extern "C" fn krr(_: *const c_char) -> K {
    std::ptr::null_mut()
}
