//! Events: marks in a device's stream, to ask what is done and how long it took.

use super::context::Context;
use cudarc::driver::sys::{self, CUevent, CUevent_flags, CUresult};
use q::Result;

/// A mark in the stream of a device.
#[derive(Debug)]
pub struct Event {
    context: &'static Context,
    raw: CUevent,
}

// SAFETY: the driver's handles may be used from any thread; a context is never taken down.
unsafe impl Send for Event {}
// SAFETY: as above; the driver locks for itself.
unsafe impl Sync for Event {}

impl Event {
    /// A mark after all that was given to the device's stream so far, which can be timed.
    ///
    /// # Errors
    /// The driver's.
    pub fn record(context: &'static Context) -> Result<Event> {
        context.enter()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the context is current; the handle is written to a place that is there.
        let code = unsafe { sys::cuEventCreate(&mut raw, CUevent_flags::CU_EVENT_DEFAULT as u32) };
        context.check("cuEventCreate", code)?;
        let event = Event { context, raw };
        // SAFETY: the event was just made, in the context of the stream.
        context.check("cuEventRecord", unsafe { sys::cuEventRecord(raw, context.stream()) })?;
        Ok(event)
    }

    /// True once the stream has come this far; also of a device that is lost, which does nothing any more.
    pub fn done(&self) -> bool {
        // SAFETY: the event is alive.
        self.context.enter().is_err()
            || unsafe { sys::cuEventQuery(self.raw) } != CUresult::CUDA_ERROR_NOT_READY
    }

    /// Waits until the stream has come this far.
    ///
    /// # Errors
    /// Those of the work before the mark.
    pub fn wait(&self) -> Result<()> {
        self.context.enter()?;
        // SAFETY: the event is alive.
        self.context.check("cuEventSynchronize", unsafe { sys::cuEventSynchronize(self.raw) })
    }

    /// Milliseconds from an earlier mark to this one, which must both be done.
    ///
    /// # Errors
    /// The driver's.
    pub fn since(&self, earlier: &Event) -> Result<f32> {
        self.context.enter()?;
        let mut ms = 0.0;
        type Elapsed = unsafe extern "C" fn(*mut f32, CUevent, CUevent) -> CUresult;
        // cudarc has only a newer form of the function, which drivers before CUDA 12.8 lack.
        // SAFETY: the driver was found to have it, with this type. Both events are alive and made to be timed.
        let code = unsafe {
            let elapsed = sys::culib().get::<Elapsed>(b"cuEventElapsedTime").map(|f| *f);
            elapsed.map_or(CUresult::CUDA_ERROR_NOT_SUPPORTED, |f| f(&mut ms, earlier.raw, self.raw))
        };
        self.context.check("cuEventElapsedTime", code)?;
        Ok(ms)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: the event is alive, and not used again; the driver frees it when the stream has passed it.
            let _ = unsafe { sys::cuEventDestroy_v2(self.raw) };
        }
    }
}
