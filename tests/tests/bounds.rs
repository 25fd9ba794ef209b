//! Whatever a program wraps and doubles, it ends in a value or a signal: no stack and no memory runs out.

use tests::gen_nest::{judge, program};
use tests::property::holds;

#[test]
fn wrapping_and_doubling_end_in_a_signal() {
    holds(40, |u| {
        judge(&program(u)?);
        Ok(())
    });
}
