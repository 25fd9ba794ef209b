//! What must hold of a graph. Nothing after the verifier panics on a graph that it accepts.
