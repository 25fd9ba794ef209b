//! Whatever a program wraps and doubles, it ends in a value or a signal: no stack and no memory runs out.

use tests::gen_nest::{evaluate, judge, program};
use tests::gen_program;
use tests::property::holds;

#[test]
fn wrapping_and_doubling_end_in_a_signal() {
    holds(15, |u| {
        judge(&program(u)?);
        Ok(())
    });
}

#[test]
fn any_program_ends_in_a_value_or_a_signal() {
    holds(3_000, |u| {
        evaluate(&gen_program::program(u)?);
        Ok(())
    });
}
