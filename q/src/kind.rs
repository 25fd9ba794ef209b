//! q's element types: codes, letters, names, widths and how each is stored.

/// The type of an element. The discriminant is q's positive type number; a general list (0h) has no `Kind`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Bool = 1,
    Guid = 2,
    Byte = 4,
    Short = 5,
    Int = 6,
    Long = 7,
    Real = 8,
    Float = 9,
    Char = 10,
    Sym = 11,
    /// Nanoseconds since 2000.01.01.
    Timestamp = 12,
    /// Months since 2000.01.
    Month = 13,
    /// Days since 2000.01.01.
    Date = 14,
    /// Days since 2000.01.01, as a float.
    Datetime = 15,
    /// Nanoseconds.
    Timespan = 16,
    Minute = 17,
    Second = 18,
    /// Milliseconds.
    Time = 19,
    /// An index into a domain of symbols, 64 bits wide.
    Enum = 20,
}

/// How elements lie in memory. Its letter is the suffix of an elementwise function's name (`add_j`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Store {
    /// `u8`: boolean, byte, char.
    B,
    /// 16 bytes.
    G,
    /// `i16`.
    H,
    /// `i32`: int, month, date, minute, second, time.
    I,
    /// `i64`: long, timestamp, timespan, enum.
    J,
    /// `f32`.
    E,
    /// `f64`: float, datetime.
    F,
    /// `Sym`: an interned name.
    S,
}

impl Store {
    /// The letter that names functions over this storage: `b g h i j e f s`.
    pub fn letter(self) -> char {
        match self {
            Store::B => 'b',
            Store::G => 'g',
            Store::H => 'h',
            Store::I => 'i',
            Store::J => 'j',
            Store::E => 'e',
            Store::F => 'f',
            Store::S => 's',
        }
    }
}

impl Kind {
    /// Every kind, in the order of the type numbers.
    pub const ALL: [Kind; 19] = [
        Kind::Bool,
        Kind::Guid,
        Kind::Byte,
        Kind::Short,
        Kind::Int,
        Kind::Long,
        Kind::Real,
        Kind::Float,
        Kind::Char,
        Kind::Sym,
        Kind::Timestamp,
        Kind::Month,
        Kind::Date,
        Kind::Datetime,
        Kind::Timespan,
        Kind::Minute,
        Kind::Second,
        Kind::Time,
        Kind::Enum,
    ];

    /// q's type number of a vector; an atom has its negative.
    pub fn code(self) -> i8 {
        self as i8
    }

    /// The kind with q's (positive) type number `code`.
    pub fn from_code(code: i8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.code() == code)
    }

    /// q's type letter, lower case; an enumeration shows as a symbol does.
    pub fn letter(self) -> char {
        b"bg_xhijefcspmdznuvts"[self as usize - 1] as char
    }

    /// The kind with the (lower case) type letter; `s` is the plain symbol.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.letter() == letter)
    }

    /// q's type name as in `` `float$x``.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bool => "boolean",
            Kind::Guid => "guid",
            Kind::Byte => "byte",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Long => "long",
            Kind::Real => "real",
            Kind::Float => "float",
            Kind::Char => "char",
            Kind::Sym => "symbol",
            Kind::Timestamp => "timestamp",
            Kind::Month => "month",
            Kind::Date => "date",
            Kind::Datetime => "datetime",
            Kind::Timespan => "timespan",
            Kind::Minute => "minute",
            Kind::Second => "second",
            Kind::Time => "time",
            Kind::Enum => "enum",
        }
    }

    /// The kind with the type name `name`.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.name() == name)
    }

    /// How its elements are stored.
    pub fn store(self) -> Store {
        match self {
            Kind::Bool | Kind::Byte | Kind::Char => Store::B,
            Kind::Guid => Store::G,
            Kind::Short => Store::H,
            Kind::Int | Kind::Month | Kind::Date | Kind::Minute | Kind::Second | Kind::Time => Store::I,
            Kind::Long | Kind::Timestamp | Kind::Timespan | Kind::Enum => Store::J,
            Kind::Real => Store::E,
            Kind::Float | Kind::Datetime => Store::F,
            Kind::Sym => Store::S,
        }
    }

    /// Bytes an element takes (a symbol: its interned id).
    pub fn width(self) -> usize {
        match self.store() {
            Store::B => 1,
            Store::H => 2,
            Store::I | Store::E | Store::S => 4,
            Store::J | Store::F => 8,
            Store::G => 16,
        }
    }

    /// Dates, times and their combinations.
    pub fn is_temporal(self) -> bool {
        (Kind::Timestamp as u8..=Kind::Time as u8).contains(&(self as u8))
    }

    /// Stored as floating point, so compared with tolerance.
    pub fn is_float(self) -> bool {
        matches!(self.store(), Store::E | Store::F)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_codes_round_trip() {
        for k in Kind::ALL {
            assert_eq!(Kind::from_code(k.code()), Some(k));
            assert_eq!(Kind::from_name(k.name()), Some(k));
            if k != Kind::Enum {
                assert_eq!(Kind::from_letter(k.letter()), Some(k), "{k:?}");
            }
        }
    }
}
