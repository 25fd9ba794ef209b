//! Copies between host and device, through pinned memory where they are large.
//!
//! An upload does not wait. The stream itself fetches each piece: a host function copies it from the vector into
//! pinned memory, then the device takes it from there; since all is in one stream, one piece of pinned memory is
//! enough. The stream holds a reference to the vector until it has passed, so q may drop or replace its own.
//! A download waits, as the host needs the bytes: while one piece is copied out, the next is under way.

use super::context::Context;
use super::event::Event;
use super::memory::Pinned;
use crate::column::Elements;
use cudarc::driver::sys;
use q::Result;
use std::any::Any;
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

/// Bytes of a piece.
const PIECE: usize = 4 << 20;
/// No more bytes than these are left to the driver, which has its own way with few.
const FEW: usize = 64 << 10;

/// A device's pinned memory, allocated when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Staging {
    up: Mutex<Option<Pinned>>,
    down: Mutex<Option<[Pinned; 2]>>,
}

/// Bytes of the host with their owner.
pub(super) struct Source {
    start: *const u8,
    bytes: usize,
    _owner: Box<dyn Any + Send + Sync>,
}

// SAFETY: the bytes are the owner's, who may go to other threads and changes nothing while it is shared.
unsafe impl Send for Source {}

impl Source {
    /// The elements of a column; none of a general list.
    pub fn elements(elements: &Elements) -> Option<Source> {
        // A clone shares the memory, which is written by nobody while two have it.
        let owner = Box::new(elements.clone());
        let (bytes, _) = owner.bytes()?;
        let (start, bytes) = (bytes.as_ptr(), bytes.len());
        Some(Source { start, bytes, _owner: owner })
    }

    /// A copy of some bytes.
    pub fn copy(bytes: &[u8]) -> Source {
        let owner: Box<Box<[u8]>> = Box::new(bytes.into());
        Source { start: owner.as_ptr(), bytes: owner.len(), _owner: owner }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.bytes
    }
}

/// A piece that a host function copies.
struct Piece {
    from: *const u8,
    to: *mut u8,
    bytes: usize,
}

// SAFETY: the pointers are used by the host function alone, for as long as the stream holds what they point to.
unsafe impl Send for Piece {}

/// The host function of an upload; `piece` points to a [`Piece`].
unsafe extern "C" fn fetch(piece: *mut c_void) {
    // SAFETY: `upload` passes a piece that the stream holds, as it does the vector and the pinned memory that it
    // names, which do not overlap and have as many bytes. No other piece is in the pinned memory now: the stream
    // has copied the one before.
    unsafe {
        let piece = &*piece.cast::<Piece>();
        std::ptr::copy_nonoverlapping(piece.from, piece.to, piece.bytes);
    }
}

/// Copies to a device, after all work so far, and before all work after.
///
/// # Errors
/// The driver's.
pub(super) fn upload(context: &'static Context, to: u64, from: Source) -> Result<()> {
    context.enter()?;
    context.sweep();
    if from.bytes == 0 {
        return Ok(());
    }
    // Held until the last piece is sent: two uploads' pieces must not alternate.
    let mut up = context.staging.up.lock().unwrap_or_else(PoisonError::into_inner);
    if up.is_none() && from.bytes > FEW {
        *up = Pinned::new(PIECE);
    }
    let copy = |to, from: *const u8, bytes| {
        // SAFETY: both ends have as many bytes, and are there until the stream has copied them.
        let code = unsafe { sys::cuMemcpyHtoDAsync_v2(to, from.cast(), bytes, context.stream()) };
        context.check("cuMemcpyHtoDAsync", code)
    };
    let Some(pinned) = up.as_ref().filter(|_| from.bytes > FEW) else {
        let sent = copy(to, from.start, from.bytes);
        context.hold(from)?;
        return sent;
    };
    let pieces: Box<[Piece]> = (0..from.bytes)
        .step_by(PIECE)
        .map(|at| Piece {
            from: from.start.wrapping_add(at),
            to: pinned.start(),
            bytes: PIECE.min(from.bytes - at),
        })
        .collect();
    let send = |(i, piece): (usize, &Piece)| {
        let data = (&raw const *piece).cast_mut().cast();
        // SAFETY: the piece is held until the stream has passed it.
        let code = unsafe { sys::cuLaunchHostFunc(context.stream(), Some(fetch), data) };
        context.check("cuLaunchHostFunc", code)?;
        copy(to + (i * PIECE) as u64, piece.to, piece.bytes)
    };
    let sent = pieces.iter().enumerate().try_for_each(send);
    context.hold((from, pieces))?;
    sent
}

/// Copies from a device, after all work so far, and waits for it.
///
/// # Errors
/// Those of the work.
pub(super) fn download(context: &'static Context, from: u64, out: &mut [u8]) -> Result<()> {
    context.enter()?;
    if out.is_empty() {
        return Ok(());
    }
    let copy = |to: *mut u8, from, bytes| {
        // SAFETY: both ends have as many bytes; the host's is not touched before the stream is waited for.
        let code = unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, context.stream()) };
        context.check("cuMemcpyDtoHAsync", code)
    };
    let mut down = context.staging.down.lock().unwrap_or_else(PoisonError::into_inner);
    if down.is_none() && out.len() > FEW {
        *down = Pinned::new(PIECE).zip(Pinned::new(PIECE)).map(|(a, b)| [a, b]);
    }
    let Some(halves) = down.as_ref().filter(|_| out.len() > FEW) else {
        let sent = copy(out.as_mut_ptr(), from, out.len());
        // Even where it was refused: the stream must not write to `out` later.
        let done = context.wait();
        return sent.and(done);
    };
    let mut under_way: Option<(Event, &Pinned, &mut [u8])> = None;
    for (i, piece) in out.chunks_mut(PIECE).enumerate() {
        let half = &halves[i % 2];
        copy(half.start(), from + (i * PIECE) as u64, piece.len())?;
        let next = (Event::record(context)?, half, piece);
        arrive(under_way.replace(next))?;
    }
    arrive(under_way)
}

/// Waits for a piece and takes it out of pinned memory.
fn arrive(piece: Option<(Event, &Pinned, &mut [u8])>) -> Result<()> {
    let Some((event, half, out)) = piece else { return Ok(()) };
    event.wait()?;
    out.copy_from_slice(half.bytes(out.len()));
    Ok(())
}
