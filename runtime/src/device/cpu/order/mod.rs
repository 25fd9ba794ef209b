//! The loops that need the order of rows within lists: Scan, List and Select, and the lists that they share.
//!
//! A list is all rows that pass, or the rows of a group by the group numbers that an earlier kernel wrote or, for scans by
//! one symbol column, by its codes. No scan sorts: a pass over the rows in their order keeps a state for each list, and
//! threads own disjoint lists or, where the states of parts of a list make its own, disjoint rows.

mod fold;
mod front;
mod lists;
mod member;
#[allow(unsafe_code)]
mod nth;
mod rank;
mod runs;
mod scan;
mod select;
mod steps;
mod sums;
mod walk;
mod window;

pub use front::Front;
pub use lists::List;
pub use scan::Scan;
pub use select::Select;
