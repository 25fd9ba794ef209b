//! The q extension that kdb+ loads: q's objects in and out of the runtime.
//!
//! What is here: the layout of q's objects ([`api`]), the functions of its C interface as a table found in the
//! running process, and conversions of atoms, vectors, general lists, dictionaries and tables both ways
//! ([`convert`]). What is not here yet: functions and parse trees, enumerations (whose domain only q can
//! tell), vectors shared without a copy, and the exported functions themselves. Until those are built, kdb+
//! has nothing to call in this library; the conversions are what they will stand on.
//!
//! ```
//! // Outside a q process the interface is not there, and that is an answer, not a crash.
//! assert!(qext::api::Api::of_process().is_err());
//! ```
#![allow(unsafe_code)]

pub mod api;
pub mod convert;
#[cfg(test)]
mod shim;
