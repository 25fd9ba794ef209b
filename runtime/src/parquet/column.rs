//! The values of one column: decoded a batch at a time, row groups in parallel, straight into q's vectors.

use super::file::{Read, Span};
use super::types::Type;
use half::f16;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type as dt;
use q::calendar::{DAY_NS, MILLI_NS};
use q::value::{Elem, Guid};
use q::{Buf, Kind, Sym, Value};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Rows decoded at a time.
const BATCH: usize = 1 << 14;
/// Days from 1970 to 2000.
const EPOCH_DAYS: i32 = 10_957;
/// Nanoseconds from 1970 to 2000.
const EPOCH_NS: i64 = EPOCH_DAYS as i64 * DAY_NS;

/// The rows of `read` as a q column. Parquet's nulls become q's; text that is null is empty.
///
/// # Errors
/// What is wrong with the file's bytes.
pub fn column(read: &Read) -> Result<Value, String> {
    match read.ty {
        Type::Nothing => Ok(Value::vector(Kind::Short, Buf::filled(read.rows(), i16::MIN))),
        Type::Bool => vector::<dt::BoolType, u8, _>(read, Kind::Bool, || |&x| Ok(x as u8)),
        Type::Whole(k @ Kind::Byte) => vector::<dt::Int32Type, u8, _>(read, k, || |&x| Ok(x as u8)),
        Type::Whole(k @ Kind::Short) => vector::<dt::Int32Type, i16, _>(read, k, || |&x| Ok(x as i16)),
        Type::Whole(k @ Kind::Long) => vector::<dt::Int64Type, i64, _>(read, k, || |&x| Ok(x)),
        Type::Whole(k) => vector::<dt::Int32Type, i32, _>(read, k, || |&x| Ok(x)),
        Type::Unsigned => vector::<dt::Int32Type, i64, _>(read, Kind::Long, || |&x| Ok(x as u32 as i64)),
        Type::Float(k @ Kind::Real) => vector::<dt::FloatType, f32, _>(read, k, || |&x| Ok(x)),
        Type::Float(k) => vector::<dt::DoubleType, f64, _>(read, k, || |&x| Ok(x)),
        Type::Half => vector::<dt::FixedLenByteArrayType, f32, _>(read, Kind::Real, || {
            |x| Ok(f16::from_le_bytes(sized(x.data())?).to_f32())
        }),
        Type::Date => vector::<dt::Int32Type, i32, _>(read, Kind::Date, || {
            |&x| Ok(x.saturating_sub(EPOCH_DAYS).max(-i32::MAX))
        }),
        Type::Span(unit) => vector::<dt::Int64Type, i64, _>(read, Kind::Timespan, || {
            move |&x| Ok(x.saturating_mul(unit).max(-i64::MAX))
        }),
        Type::Stamp(unit) => {
            vector::<dt::Int64Type, i64, _>(read, Kind::Timestamp, || move |&x| Ok(stamp(x, unit)))
        }
        Type::Stamp96 => vector::<dt::Int96Type, i64, _>(read, Kind::Timestamp, || |x| Ok(stamp96(x))),
        Type::Interval => vector::<dt::FixedLenByteArrayType, i64, _>(read, Kind::Timespan, || {
            |x| interval(sized(x.data())?)
        }),
        Type::Decimal(scale) => decimal(read, scale),
        Type::Guid => {
            vector::<dt::FixedLenByteArrayType, Guid, _>(read, Kind::Guid, || |x| Ok(Guid(sized(x.data())?)))
        }
        Type::Symbol => vector::<dt::ByteArrayType, Sym, _>(read, Kind::Sym, || {
            let mut seen = FxHashMap::<Vec<u8>, Sym>::default();
            move |x| Ok(symbol(&mut seen, x.data()))
        }),
        Type::List(kind) if read.fixed => list::<dt::FixedLenByteArrayType>(read, kind, |x| x.data()),
        Type::List(kind) => list::<dt::ByteArrayType>(read, kind, |x| x.data()),
    }
}

/// Decimals as floats: the whole number divided by a power of ten, so that 0.1 is 0.1.
fn decimal(read: &Read, scale: i32) -> Result<Value, String> {
    use parquet::basic::Type as Physical;
    let unit = 10f64.powi(scale);
    let big = move |bytes: &[u8]| Ok(big_endian(bytes) / unit);
    match read.physical() {
        Physical::INT32 => {
            vector::<dt::Int32Type, f64, _>(read, Kind::Float, || move |&x| Ok(x as f64 / unit))
        }
        Physical::INT64 => {
            vector::<dt::Int64Type, f64, _>(read, Kind::Float, || move |&x| Ok(x as f64 / unit))
        }
        Physical::BYTE_ARRAY => {
            vector::<dt::ByteArrayType, f64, _>(read, Kind::Float, || move |x| big(x.data()))
        }
        _ => vector::<dt::FixedLenByteArrayType, f64, _>(read, Kind::Float, || move |x| big(x.data())),
    }
}

/// A signed whole number of any length.
fn big_endian(bytes: &[u8]) -> f64 {
    let Some((&first, rest)) = bytes.split_first() else { return 0.0 };
    if let Ok(n) = i32::try_from(bytes.len())
        && n <= 16
    {
        return rest.iter().fold(first as i8 as i128, |x, &b| x << 8 | b as i128) as f64;
    }
    rest.iter().fold(first as i8 as f64, |x, &b| x * 256.0 + b as f64)
}

/// A timestamp; one that q's 64 bits cannot hold is infinite.
fn stamp(x: i64, unit: i64) -> i64 {
    let exact = x.checked_mul(unit).and_then(|ns| ns.checked_sub(EPOCH_NS));
    exact.unwrap_or(if x < 0 { -i64::MAX } else { i64::MAX }).max(-i64::MAX)
}

/// A timestamp in the old form: nanoseconds of the day in the first 64 bits, then the Julian day.
fn stamp96(x: &dt::Int96) -> i64 {
    /// 1970.01.01 as a Julian day.
    const UNIX_DAY: i64 = 2_440_588;
    let [low, high, day] = *x.data() else { unreachable!("96 bits are three words") };
    let ns = (high as i64) << 32 | low as i64;
    let days = (day as i32 as i64) - UNIX_DAY - EPOCH_DAYS as i64;
    days.saturating_mul(DAY_NS).saturating_add(ns).max(-i64::MAX)
}

/// Months, days and milliseconds as a timespan.
fn interval(bytes: [u8; 12]) -> Result<i64, String> {
    let part =
        |i: usize| u32::from_le_bytes(bytes[i * 4..][..4].try_into().expect("four of twelve bytes")) as i64;
    match part(0) {
        0 => Ok((part(1) * DAY_NS).saturating_add(part(2) * MILLI_NS)),
        _ => Err("an interval of months is no timespan".into()),
    }
}

fn symbol(seen: &mut FxHashMap<Vec<u8>, Sym>, text: &[u8]) -> Sym {
    match seen.get(text) {
        Some(&sym) => sym,
        None => *seen.entry(text.to_vec()).or_insert_with(|| Sym::from_bytes(text)),
    }
}

/// The bytes of a value whose type says how many there are.
fn sized<const N: usize>(bytes: &[u8]) -> Result<[u8; N], String> {
    bytes.try_into().map_err(|_| format!("a value has {} bytes, not {N}", bytes.len()))
}

/// A column of elements. `convert` is made once for each row group.
fn vector<D, T, C>(read: &Read, kind: Kind, convert: impl Fn() -> C + Sync) -> Result<Value, String>
where
    D: dt::DataType,
    T: Elem,
    C: FnMut(&D::T) -> Result<T, String>,
{
    let null = T::of_raw(q::literal::null(kind)).expect("the kind's storage is T");
    let mut buf = Buf::<T>::stale(read.rows());
    fill::<D, T, C>(read, buf.make_mut(), &null, convert)?;
    Ok(Value::vector(kind, buf))
}

/// A column of char or byte vectors.
fn list<D: dt::DataType>(
    read: &Read,
    kind: Kind,
    bytes: impl Fn(&D::T) -> &[u8] + Sync,
) -> Result<Value, String> {
    let null = Value::vector::<u8>(kind, Buf::new());
    let mut items = vec![null.clone(); read.rows()];
    let text = |x: &D::T| Ok(Value::vector(kind, Buf::<u8>::from_slice(bytes(x))));
    fill::<D, Value, _>(read, &mut items, &null, || text)?;
    Ok(Value::list(items))
}

/// Writes the rows of every span to their place in `out`.
fn fill<D, T, C>(read: &Read, out: &mut [T], null: &T, convert: impl Fn() -> C + Sync) -> Result<(), String>
where
    D: dt::DataType,
    T: Clone + Send + Sync,
    C: FnMut(&D::T) -> Result<T, String>,
{
    let mut parts = vec![];
    let mut rest = out;
    for span in read.spans {
        let (part, later) = rest.split_at_mut(span.rows);
        parts.push((span, part));
        rest = later;
    }
    parts.into_par_iter().try_for_each(|(span, part)| chunk::<D, T>(read, span, part, null, convert()))
}

/// The rows of one span of one row group.
fn chunk<D: dt::DataType, T: Clone>(
    read: &Read,
    span: &Span,
    out: &mut [T],
    null: &T,
    mut convert: impl FnMut(&D::T) -> Result<T, String>,
) -> Result<(), String> {
    let said = |e: parquet::errors::ParquetError| e.to_string();
    let pages = read.pages(span.group).map_err(said)?;
    let mut reader = ColumnReaderImpl::<D>::new(read.descriptor(), pages);
    if span.skip > 0 {
        reader.skip_records(span.skip).map_err(said)?;
    }
    let (mut levels, mut values) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
    let present = read.descriptor().max_def_level();
    let mut rest = out;
    while !rest.is_empty() {
        levels.clear();
        values.clear();
        let want = rest.len().min(BATCH);
        let (rows, _, _) = reader.read_records(want, Some(&mut levels), None, &mut values).map_err(said)?;
        if rows == 0 {
            return Err("the file has fewer values than rows".into());
        }
        let (now, later) = rest.split_at_mut(rows);
        let mut given = values.iter();
        if values.len() == rows {
            for (out, x) in now.iter_mut().zip(given) {
                *out = convert(x)?;
            }
        } else {
            for (out, level) in now.iter_mut().zip(&levels) {
                let x = if *level == present { given.next() } else { None };
                *out = x.map_or_else(|| Ok(null.clone()), &mut convert)?;
            }
        }
        rest = later;
    }
    read.done(span.group);
    Ok(())
}
