//! Result types: which kinds a primitive takes, what its arguments are converted to, and what comes out.

use crate::fun::Prim;
use crate::kind::Kind;

/// How a unary elementwise primitive or aggregate types: convert the argument to `arg`, apply the function
/// over `arg.store()`, and call the result `out`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sig1 {
    /// The kind the argument is cast to first.
    pub arg: Kind,
    /// The result's kind.
    pub out: Kind,
}

/// How a binary elementwise primitive or aggregate types: convert the arguments to `x` and `y` (of one
/// storage, but for a few named in the primitive's rule), apply the function, and call the result `out`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sig2 {
    /// The kind the left argument is cast to first.
    pub x: Kind,
    /// The kind the right argument is cast to first.
    pub y: Kind,
    /// The result's kind.
    pub out: Kind,
}

/// The signature of the unary `p` on items of kind `x`; none is q's `'type`.
pub fn sig1(p: Prim, x: Kind) -> Option<Sig1> {
    let _ = (p, x);
    None
}

/// The signature of the binary `p` on items of kinds `x` and `y`; none is q's `'type`.
pub fn sig2(p: Prim, x: Kind, y: Kind) -> Option<Sig2> {
    let _ = (p, x, y);
    None
}
