//! Which q type a Parquet column has, and how its values become q's.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::ColumnDescriptor;
use q::Kind;
use q::calendar::MILLI_NS;

/// How the values of a column become q's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A column of nulls only, which q shows as shorts.
    Nothing,
    /// Numbers that lie as q has them, or in more bits: the kind says how many are kept.
    Whole(Kind),
    /// Unsigned 32-bit numbers: longs. (64-bit ones keep their bits, as longs.)
    Unsigned,
    /// Reals and floats.
    Float(Kind),
    /// 16-bit floats: reals.
    Half,
    /// Booleans.
    Bool,
    /// Days since 1970: dates.
    Date,
    /// Nanoseconds a unit, since midnight: timespans.
    Span(i64),
    /// Nanoseconds a unit, since 1970: timestamps.
    Stamp(i64),
    /// The old form of timestamps, a day and nanoseconds: timestamps.
    Stamp96,
    /// Days and milliseconds (and months, which must be 0): timespans.
    Interval,
    /// Whole numbers in units of a tenth to the `scale`: floats.
    Decimal(i32),
    /// 16 bytes: guids.
    Guid,
    /// Text that the file holds once for each distinct value: symbols.
    Symbol,
    /// Text or bytes: a list of vectors of this kind.
    List(Kind),
}

/// Nanoseconds of a unit of time.
fn unit(u: TimeUnit) -> i64 {
    match u {
        TimeUnit::MILLIS => MILLI_NS,
        TimeUnit::MICROS => 1000,
        TimeUnit::NANOS => 1,
    }
}

/// What the file says that the values mean, in its newer or its older way.
fn meaning(column: &ColumnDescriptor) -> Option<LogicalType> {
    use ConvertedType as C;
    if let Some(logical) = column.logical_type_ref() {
        return Some(logical.clone());
    }
    Some(match column.converted_type() {
        C::UTF8 => LogicalType::String,
        C::ENUM => LogicalType::Enum,
        C::JSON => LogicalType::Json,
        C::BSON => LogicalType::Bson,
        C::DATE => LogicalType::Date,
        C::DECIMAL => LogicalType::decimal(column.type_scale(), column.type_precision()),
        C::TIME_MILLIS => LogicalType::time(true, TimeUnit::MILLIS),
        C::TIME_MICROS => LogicalType::time(true, TimeUnit::MICROS),
        C::TIMESTAMP_MILLIS => LogicalType::timestamp(true, TimeUnit::MILLIS),
        C::TIMESTAMP_MICROS => LogicalType::timestamp(true, TimeUnit::MICROS),
        C::INT_8 => LogicalType::integer(8, true),
        C::INT_16 => LogicalType::integer(16, true),
        C::UINT_8 => LogicalType::integer(8, false),
        C::UINT_16 => LogicalType::integer(16, false),
        C::UINT_32 => LogicalType::integer(32, false),
        _ => return None,
    })
}

/// The q type of a column; `dictionary` if its pages hold references to a list of distinct values.
///
/// # Errors
/// The Parquet type's name, where q has no such type.
pub fn type_of(column: &ColumnDescriptor, dictionary: bool) -> Result<Type, String> {
    use LogicalType as L;
    let text = || if dictionary { Type::Symbol } else { Type::List(Kind::Char) };
    let (physical, meaning) = (column.physical_type(), meaning(column));
    Ok(match (physical, &meaning) {
        (_, Some(L::Unknown)) => Type::Nothing,
        (Physical::BOOLEAN, None) => Type::Bool,
        (Physical::INT32, None) => Type::Whole(Kind::Int),
        (Physical::INT32, Some(L::Integer(i))) => match (i.bit_width, i.is_signed) {
            (8, false) => Type::Whole(Kind::Byte),
            (8 | 16, true) => Type::Whole(Kind::Short),
            (16, false) | (32, true) => Type::Whole(Kind::Int),
            (32, false) => Type::Unsigned,
            _ => return Err(said(physical, &meaning)),
        },
        (Physical::INT32, Some(L::Date)) => Type::Date,
        (Physical::INT32, Some(L::Time(t))) if t.unit == TimeUnit::MILLIS => Type::Whole(Kind::Time),
        (Physical::INT64, None | Some(L::Integer(_))) => Type::Whole(Kind::Long),
        (Physical::INT64, Some(L::Time(t))) => Type::Span(unit(t.unit)),
        (Physical::INT64, Some(L::Timestamp(t))) => Type::Stamp(unit(t.unit)),
        (Physical::INT96, _) => Type::Stamp96,
        (Physical::FLOAT, None) => Type::Float(Kind::Real),
        (Physical::DOUBLE, None) => Type::Float(Kind::Float),
        (Physical::INT32 | Physical::INT64, Some(L::Decimal(d))) => Type::Decimal(d.scale),
        (Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY, Some(L::Decimal(d))) => {
            Type::Decimal(d.scale)
        }
        (Physical::BYTE_ARRAY, Some(L::String | L::Enum)) => text(),
        (Physical::BYTE_ARRAY, Some(L::Json)) => Type::List(Kind::Char),
        (Physical::BYTE_ARRAY, None | Some(L::Bson)) => Type::List(Kind::Byte),
        (Physical::FIXED_LEN_BYTE_ARRAY, Some(L::Uuid)) => Type::Guid,
        (Physical::FIXED_LEN_BYTE_ARRAY, Some(L::Float16)) => Type::Half,
        (Physical::FIXED_LEN_BYTE_ARRAY, None) => match column.converted_type() {
            ConvertedType::INTERVAL => Type::Interval,
            _ => Type::List(Kind::Byte),
        },
        _ => return Err(said(physical, &meaning)),
    })
}

/// A Parquet type in words, for an error.
fn said(physical: Physical, meaning: &Option<LogicalType>) -> String {
    match meaning {
        Some(m) => format!("{m:?} ({physical})"),
        None => physical.to_string(),
    }
}
