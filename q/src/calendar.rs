//! The proleptic Gregorian calendar: days and months since 2000.01.01 to years, months and days, and back.
//!
//! Plain integer arithmetic, total on every `i32`: no table, no branch on leap years. Nulls are the
//! callers' business.

/// Nanoseconds in a day.
pub const DAY_NS: i64 = 86_400_000_000_000;
/// Nanoseconds in a minute.
pub const MINUTE_NS: i64 = 60_000_000_000;
/// Nanoseconds in a second.
pub const SECOND_NS: i64 = 1_000_000_000;
/// Nanoseconds in a millisecond.
pub const MILLI_NS: i64 = 1_000_000;

/// Days from 0000.03.01 to 2000.01.01. Years that begin in March put the leap day last.
const EPOCH: i64 = 730_425;
/// Days in four centuries.
const ERA: i64 = 146_097;

/// The year, the month (1 to 12) and the day (1 to 31) of the day `days` after 2000.01.01.
#[inline]
pub fn civil(days: i32) -> (i32, u32, u32) {
    let z = days as i64 + EPOCH;
    let era = z.div_euclid(ERA);
    let day = z.rem_euclid(ERA);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let in_year = day - (365 * year + year / 4 - year / 100);
    let march = (5 * in_year + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year + era * 400 + (month <= 2) as i64;
    (year as i32, month as u32, (in_year - (153 * march + 2) / 5 + 1) as u32)
}

/// Days from 2000.01.01 to the given date. `day` may run past the month's end, into the next.
#[inline]
pub fn days(year: i32, month: u32, day: u32) -> i64 {
    let year = year as i64 - (month <= 2) as i64;
    let era = year.div_euclid(400);
    let in_era = year.rem_euclid(400);
    let march = (month as i64 + 9) % 12;
    let in_year = (153 * march + 2) / 5 + day as i64 - 1;
    era * ERA + 365 * in_era + in_era / 4 - in_era / 100 + in_year - EPOCH
}

/// Months from 2000.01 to the month of the day `days` after 2000.01.01.
#[inline]
pub fn month_of(days: i32) -> i32 {
    let (year, month, _) = civil(days);
    (year - 2000) * 12 + month as i32 - 1
}

/// The year and the month (1 to 12) of the month `months` after 2000.01.
#[inline]
pub fn year_month(months: i32) -> (i32, u32) {
    (2000 + months.div_euclid(12), months.rem_euclid(12) as u32 + 1)
}

/// Days from 2000.01.01 to the first day of the month `months` after 2000.01.
#[inline]
pub fn first_of(months: i32) -> i64 {
    let (year, month) = year_month(months);
    days(year, month, 1)
}

/// How many days the month (1 to 12) of `year` has.
pub fn month_len(year: i32, month: u32) -> u32 {
    let next = if month == 12 { days(year + 1, 1, 1) } else { days(year, month + 1, 1) };
    (next - days(year, month, 1)) as u32
}

/// The Monday on or before the day `days` after 2000.01.01, which was a Saturday.
#[inline]
pub fn monday_of(days: i32) -> i64 {
    let since = days as i64 - 2;
    since - since.rem_euclid(7) + 2
}

/// A span in nanoseconds as days, hours, minutes, seconds and nanoseconds, the last four not negative.
pub fn split_ns(ns: i64) -> (i64, u32, u32, u32, u32) {
    let (day, rest) = (ns.div_euclid(DAY_NS), ns.rem_euclid(DAY_NS));
    let second = rest / SECOND_NS;
    let (hour, minute) = (second / 3600, second / 60 % 60);
    (day, hour as u32, minute as u32, (second % 60) as u32, (rest % SECOND_NS) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates() {
        for (n, date) in [
            (0, (2000, 1, 1)),
            (-1, (1999, 12, 31)),
            (59, (2000, 2, 29)),
            (60, (2000, 3, 1)),
            (9131, (2024, 12, 31)),
            (-36_524, (1900, 1, 1)),
            (-730_119, (1, 1, 1)),
            (2_921_939, (9999, 12, 31)),
        ] {
            assert_eq!(civil(n), date);
            assert_eq!(days(date.0, date.1, date.2), n as i64);
        }
        assert_eq!((month_len(1900, 2), month_len(2000, 2), month_len(2023, 12)), (28, 29, 31));
        assert_eq!((month_of(-1), month_of(31), first_of(-1), first_of(1)), (-1, 1, -31, 31));
        assert_eq!((monday_of(0), monday_of(2), monday_of(1)), (-5, 2, -5));
        assert_eq!(split_ns(-1), (-1, 23, 59, 59, 999_999_999));
    }

    #[test]
    fn days_round_trip_and_never_panic() {
        let mut last = civil(-800_000);
        for n in -799_999..800_000 {
            let date = civil(n);
            assert!(date > last);
            assert_eq!(days(date.0, date.1, date.2), n as i64);
            last = date;
        }
        for n in [i32::MIN, i32::MIN + 1, i32::MAX] {
            let (y, m, d) = civil(n);
            assert_eq!(days(y, m, d), n as i64);
            let (y, m) = year_month(n);
            assert_eq!((y as i64 - 2000) * 12 + m as i64 - 1, n as i64);
        }
    }
}
