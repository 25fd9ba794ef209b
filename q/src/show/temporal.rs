//! How dates and times print.

use crate::kind::Kind;
use std::fmt::Write;

const DAY_NS: i64 = 86_400_000_000_000;

/// Appends a date, time or combination, which must not be null or infinite, in q's literal form without the
/// suffix that a month takes. `x` counts in the unit of `kind` (a datetime is not stored so, see [`datetime`]).
pub fn put(out: &mut String, kind: Kind, x: i64) {
    match kind {
        Kind::Timestamp => {
            date(out, x.div_euclid(DAY_NS));
            out.push('D');
            clock_ns(out, x.rem_euclid(DAY_NS));
        }
        Kind::Month => {
            let (year, month) = (2000 + x.div_euclid(12), 1 + x.rem_euclid(12));
            text(out, format_args!("{year:04}.{month:02}"));
        }
        Kind::Date => date(out, x),
        Kind::Timespan => {
            sign(out, x);
            text(out, format_args!("{}D", x.abs() / DAY_NS));
            clock_ns(out, x.abs() % DAY_NS);
        }
        Kind::Minute => {
            sign(out, x);
            text(out, format_args!("{:02}:{:02}", x.abs() / 60, x.abs() % 60));
        }
        Kind::Second => {
            sign(out, x);
            clock(out, x.abs());
        }
        Kind::Time => {
            sign(out, x);
            clock(out, x.abs() / 1000);
            text(out, format_args!(".{:03}", x.abs() % 1000));
        }
        _ => debug_assert!(false, "only temporal kinds counted in whole units print here"),
    }
}

/// Appends a datetime: days since 2000.01.01, shown to the millisecond.
pub fn datetime(out: &mut String, days: f64) {
    let ms = (days * 86_400_000.0).round() as i64;
    date(out, ms.div_euclid(86_400_000));
    out.push('T');
    let ms = ms.rem_euclid(86_400_000);
    clock(out, ms / 1000);
    text(out, format_args!(".{:03}", ms % 1000));
}

fn text(out: &mut String, args: std::fmt::Arguments) {
    out.write_fmt(args).expect("writing to a string");
}

fn sign(out: &mut String, x: i64) {
    if x < 0 {
        out.push('-');
    }
}

fn clock(out: &mut String, s: i64) {
    text(out, format_args!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60));
}

fn clock_ns(out: &mut String, ns: i64) {
    clock(out, ns / 1_000_000_000);
    text(out, format_args!(".{:09}", ns % 1_000_000_000));
}

/// `days` since 2000.01.01 in the proleptic Gregorian calendar.
fn date(out: &mut String, days: i64) {
    // Eras of 400 years begin on March 1st, so that a leap day is the last of its year.
    let z = days + 730_425;
    let (era, doe) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (day, month) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    let year = yoe + era * 400 + (month <= 2) as i64;
    text(out, format_args!("{year:04}.{month:02}.{day:02}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: Kind, x: i64) -> String {
        let mut out = String::new();
        put(&mut out, kind, x);
        out
    }

    #[test]
    fn calendar_and_clock() {
        assert_eq!(of(Kind::Date, 0), "2000.01.01");
        assert_eq!(of(Kind::Date, 59), "2000.02.29");
        assert_eq!(of(Kind::Date, -1), "1999.12.31");
        assert_eq!(of(Kind::Date, 366), "2001.01.01");
        assert_eq!(of(Kind::Month, -1), "1999.12");
        assert_eq!(of(Kind::Timestamp, -1), "1999.12.31D23:59:59.999999999");
        assert_eq!(of(Kind::Timespan, -1), "-0D00:00:00.000000001");
        assert_eq!(of(Kind::Minute, 6000), "100:00");
        assert_eq!(of(Kind::Time, 42), "00:00:00.042");
        let mut out = String::new();
        datetime(&mut out, 42.5);
        assert_eq!(out, "2000.02.12T12:00:00.000");
    }
}
