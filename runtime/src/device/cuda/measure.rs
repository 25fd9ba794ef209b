//! What a device takes, by its own clock.

use super::context::Context;
use super::event::Event;
use super::memory::Memory;
use q::Result;

/// What `f` gives, and the milliseconds that the device took from what it was given before to the end of what `f`
/// gave it, waiting for the host included.
///
/// # Errors
/// Those of `f` and of the work.
pub fn timed<T>(context: &'static Context, f: impl FnOnce() -> Result<T>) -> Result<(T, f32)> {
    let begun = Event::record(context)?;
    let out = f()?;
    let ended = Event::record(context)?;
    ended.wait()?;
    Ok((out, ended.since(&begun)?))
}

/// Bytes a second that go through a device's memory, read and written, when it copies `bytes` to another place of
/// its own; the best of `times`.
///
/// # Errors
/// `wsfull` where there is no room for both; the driver's.
pub fn copy_speed(context: &'static Context, bytes: usize, times: usize) -> Result<f64> {
    let (from, to) = (Memory::new(context, bytes)?, Memory::new(context, bytes)?);
    from.fill(1)?;
    let mut best = f32::INFINITY;
    for _ in 0..times {
        let ((), ms) = timed(context, || to.copy(from.address(), bytes))?;
        best = best.min(ms);
    }
    Ok(2.0 * bytes as f64 / f64::from(best) * 1e3)
}
