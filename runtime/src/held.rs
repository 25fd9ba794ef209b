//! Where a column's elements are: in the host's memory, in devices', or both.
//!
//! What came from q is on the host, and on a device once it was needed there; what a device made is there, and on
//! the host once somebody looked at it. Where a device is full, it gives up what the host has too. Parts of a column
//! share its memory in every place.

use crate::column::{Column, Domain, Elements};
use crate::device::cuda::Context;
use crate::device::cuda::memory::View;
use crate::transfer::slice;
use q::value::Attr;
use q::{Buf, Error, Kind, Result};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A column's elements, shared by its clones. They are in one place at least.
#[derive(Debug)]
pub(crate) struct Held {
    len: usize,
    /// Bytes an element takes; none of a general list, which is on the host.
    width: Option<usize>,
    host: OnceLock<Elements>,
    /// At most one for each device.
    devices: Mutex<Vec<View>>,
    /// The first device that had the elements.
    home: OnceLock<usize>,
}

impl Held {
    /// Elements on the host.
    pub fn host(elements: Elements) -> Held {
        let width = match &elements {
            Elements::Nested(_) => None,
            flat => flat.bytes().map(|(_, width)| width),
        };
        Held {
            len: elements.len(),
            width,
            host: elements.into(),
            devices: Mutex::default(),
            home: OnceLock::new(),
        }
    }

    fn devices(&self) -> MutexGuard<'_, Vec<View>> {
        self.devices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The elements on the host, if they are there.
    pub fn here(&self) -> Option<&Elements> {
        self.host.get()
    }

    /// The elements' memory on a device, if they are there.
    pub fn on_device(&self, ordinal: usize) -> Option<View> {
        self.devices().iter().find(|view| view.ordinal() == ordinal).cloned()
    }

    /// Gives up the copy on a device, where the host has the elements too.
    pub fn leave(&self, ordinal: usize) {
        if self.here().is_some() {
            self.devices().retain(|view| view.ordinal() != ordinal);
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Bytes an element takes; none of a general list.
    pub fn width(&self) -> Option<usize> {
        self.width
    }

    /// Elements `from..to`, wherever they are.
    fn part(&self, from: usize, to: usize) -> Held {
        let host = OnceLock::new();
        if let Some(elements) = self.host.get() {
            _ = host.set(part(elements, from, to));
        }
        let before = from * self.width.unwrap_or(0);
        let devices = self.devices().iter().map(|view| view.from(before)).collect();
        let home = self.home.clone();
        Held { len: to - from, width: self.width, host, devices: Mutex::new(devices), home }
    }
}

fn part(elements: &Elements, from: usize, to: usize) -> Elements {
    match elements {
        Elements::Plain(d) => Elements::Plain(d.slice(from, to)),
        Elements::Codes8(c) => Elements::Codes8(c.slice(from..to)),
        Elements::Codes16(c) => Elements::Codes16(c.slice(from..to)),
        Elements::Codes32(c) => Elements::Codes32(c.slice(from..to)),
        Elements::Nested(v) => Elements::Nested(slice(v, from, to)),
    }
}

impl Column {
    /// A column of `len` elements of `width` bytes that a device has.
    pub fn on_device(
        kind: Kind,
        width: usize,
        len: usize,
        view: View,
        domain: Option<Arc<Domain>>,
    ) -> Column {
        let (host, home) = (OnceLock::new(), view.ordinal().into());
        let held = Held { len, width: Some(width), host, devices: Mutex::new(vec![view]), home };
        Column { kind, attr: Attr::None, held: Arc::new(held), domain, known: Arc::default() }
    }

    /// The elements on the host, fetched now if they are not there.
    ///
    /// # Errors
    /// Those of the device that has them.
    pub fn elements(&self) -> Result<&Elements> {
        if let Some(elements) = self.held.host.get() {
            return Ok(elements);
        }
        let view = self.held.devices().first().cloned();
        let (Some(view), Some(width)) = (view, self.held.width) else {
            return Err(Error::new("internal").detail("a column is nowhere"));
        };
        let mut bytes = Buf::<u8>::stale(self.held.len * width);
        view.read(bytes.make_mut())?;
        view.context().copies.used(&self.held);
        let elements = Elements::of_bytes(self.kind, width, bytes);
        Ok(self.held.host.get_or_init(|| elements))
    }

    /// The elements' memory on a device, copied there now if it is not; none of a general list. It begins where a
    /// kernel may read sixteen bytes at once.
    ///
    /// # Errors
    /// `wsfull` where there is no room; the driver's.
    pub fn on(&self, context: &'static Context) -> Result<Option<View>> {
        let Some(width) = self.held.width else { return Ok(None) };
        let view = match self.held.on_device(context.ordinal) {
            Some(view) => view.aligned(self.held.len * width)?,
            None => match View::upload(context, self.elements()?)? {
                Some(view) => view,
                None => return Ok(None),
            },
        };
        let mut devices = self.held.devices();
        devices.retain(|view| view.ordinal() != context.ordinal);
        devices.push(view.clone());
        drop(devices);
        self.held.home.get_or_init(|| context.ordinal);
        context.copies.used(&self.held);
        Ok(Some(view))
    }

    /// The index of the first device that had the elements; they come back to it when they are needed there.
    pub fn device(&self) -> Option<usize> {
        self.held.home.get().copied()
    }

    /// Items `from..to`, sharing memory. Only the sorted attribute survives.
    pub fn slice(&self, from: usize, to: usize) -> Column {
        let attr = if self.attr == Attr::Sorted { Attr::Sorted } else { Attr::None };
        let held = Arc::new(self.held.part(from, to));
        // A part that nobody noted would keep the whole from making room.
        let views = held.devices().clone();
        views.iter().for_each(|view| view.context().copies.used(&held));
        Column { kind: self.kind, attr, held, domain: self.domain.clone(), known: Arc::default() }
    }
}
