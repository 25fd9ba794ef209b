//! What q means: values, types, parse trees, the reference interpreter and its console.
//!
//! ```
//! let mut q = q::Interp::new();
//! let value = q.eval_text(b"select sum size by sym from ([]sym:`a`b`a;size:1 2 3)").unwrap();
//! assert_eq!(q::show::console(&value, &q.settings), "sym| size\n---| ----\na  | 4   \nb  | 2   \n");
//!
//! let error = q.eval_text(b"1+`a").unwrap_err();
//! assert_eq!(error.name, "type");
//! ```

pub mod buf;
pub mod calendar;
pub mod error;
pub mod eval;
pub mod fun;
pub mod join;
pub mod kind;
pub mod lambda;
pub mod lex;
pub mod literal;
pub mod memory;
pub mod nest;
pub mod parse;
pub mod path;
pub mod qsql;
pub mod same;
pub mod scalar;
pub mod seam;
pub mod serial;
pub mod show;
pub mod sig;
pub mod stop;
pub mod sym;
pub mod table;
pub mod unparse;
pub mod value;

pub use buf::Buf;
pub use error::{Error, Result};
pub use eval::Interp;
pub use fun::Prim;
pub use kind::{Kind, Store};
pub use sym::Sym;
pub use value::Value;
