//! Delimited text to columns: by the rules of CSV, on all cores.

use super::column::Column;
use crate::eval::Interp;
use crate::value::Value;
use csv_core::{ReadFieldResult, Reader, ReaderBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Loads of at least this many bytes tell their progress.
const LONG: usize = 50 << 20;
/// Bytes between two tellings, and the least that is worth a thread.
const STEP: usize = 1 << 20;

/// The fields of a text, in order.
pub struct Fields<'a> {
    text: &'a [u8],
    by: u8,
    /// Where the next field begins.
    pub at: usize,
    quoted: Reader,
    buffer: Vec<u8>,
}

impl<'a> Fields<'a> {
    /// The fields from the byte `at`, which must begin one.
    pub fn new(text: &'a [u8], by: u8, at: usize) -> Fields<'a> {
        Fields { text, by, at, quoted: ReaderBuilder::new().delimiter(by).build(), buffer: vec![0; 256] }
    }

    /// Past newlines, and so past blank lines, between records.
    pub fn skip_blank(&mut self) {
        let blank = |b: &&u8| matches!(b, b'\n' | b'\r');
        self.at += self.text[self.at..].iter().take_while(blank).count();
    }

    /// The next field, and true if it ends its record. After a delimiter that ends the text, an empty one.
    #[inline]
    pub fn next(&mut self) -> (&[u8], bool) {
        let rest = &self.text[self.at..];
        if rest.first() == Some(&b'"') {
            return self.quoted();
        }
        let end = |b: &u8| *b == self.by || *b == b'\n' || *b == b'\r';
        let len = rest.iter().position(end).unwrap_or(rest.len());
        self.at += (len + 1).min(rest.len());
        (&rest[..len], rest.get(len) != Some(&self.by))
    }

    /// A field whose quotes protect delimiters, newlines and doubled quotes.
    fn quoted(&mut self) -> (&[u8], bool) {
        self.quoted.reset();
        let mut filled = 0;
        loop {
            let rest = &self.text[self.at..];
            let (result, read, wrote) = self.quoted.read_field(rest, &mut self.buffer[filled..]);
            self.at += read;
            filled += wrote;
            match result {
                // At the end of the text an empty input closes the last field.
                ReadFieldResult::InputEmpty => continue,
                ReadFieldResult::OutputFull => self.buffer.resize(self.buffer.len() * 2, 0),
                ReadFieldResult::Field { record_end } => return (&self.buffer[..filled], record_end),
                ReadFieldResult::End => return (&[], true),
            }
        }
    }
}

/// Reads the records that begin in `from..to` and returns where the next one begins. Short records are filled
/// with nulls; what a record has more is not read. `tell` hears of bytes done.
fn records(
    by: u8,
    text: &[u8],
    (from, to): (usize, usize),
    columns: &mut [Column],
    mut tell: impl FnMut(usize),
) -> usize {
    let mut fields = Fields::new(text, by, from);
    let mut told = from;
    loop {
        fields.skip_blank();
        if fields.at >= to {
            tell(fields.at - told);
            return fields.at;
        }
        let mut seen = 0;
        loop {
            let (field, last) = fields.next();
            if let Some(column) = columns.get_mut(seen) {
                column.push(field);
            }
            seen += 1;
            if last {
                break;
            }
        }
        columns.iter_mut().skip(seen).for_each(|c| c.push(b""));
        if fields.at - told >= STEP {
            tell(fields.at - told);
            told = fields.at;
        }
    }
}

/// Ranges of `text` that begin after newlines, at most `n`.
fn ranges(text: &[u8], n: usize) -> Vec<(usize, usize)> {
    let mut from = vec![0];
    for k in 1..n {
        let mut fields = Fields::new(text, 0, text.len() / n * k);
        let line = text[fields.at..].iter().position(|b| *b == b'\n');
        fields.at = line.map_or(text.len(), |len| fields.at + len);
        fields.skip_blank();
        from.push(fields.at);
    }
    from.dedup();
    let to = from.iter().skip(1).copied().chain([text.len()]);
    from.iter().copied().zip(to).collect()
}

/// The columns of delimited text. Each core reads a range of lines. A range that turns out to begin inside
/// a quoted field is read again from where the record before it ends.
pub fn delimited(q: &mut Interp, empty: Vec<Column>, by: u8, text: &[u8]) -> Vec<Value> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut progress = if text.len() >= LONG { q.progress.take() } else { None };
    let columns = read(&empty, by, text, cores.min(text.len() / STEP).max(1), &mut |done| {
        if let Some(tell) = &mut progress {
            tell(done as u64, text.len() as u64);
        }
    });
    if progress.is_some() {
        q.progress = progress;
    }
    columns
}

fn read(empty: &[Column], by: u8, text: &[u8], n: usize, tell: &mut dyn FnMut(usize)) -> Vec<Value> {
    let ranges = ranges(text, n);
    let done = AtomicUsize::new(0);
    let part = |range| {
        let mut columns = empty.to_vec();
        let end = records(by, text, range, &mut columns, |n| {
            done.fetch_add(n, Ordering::Relaxed);
        });
        (columns, end)
    };
    let parts: Vec<(Vec<Column>, usize)> = std::thread::scope(|scope| {
        let others: Vec<_> = ranges[1..].iter().map(|&range| scope.spawn(move || part(range))).collect();
        let mut columns = empty.to_vec();
        let end = records(by, text, ranges[0], &mut columns, |n| {
            tell(n + done.fetch_add(n, Ordering::Relaxed));
        });
        let join = |t: std::thread::ScopedJoinHandle<'_, _>| match t.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        std::iter::once((columns, end)).chain(others.into_iter().map(join)).collect()
    });
    let mut kept: Vec<Vec<Column>> = empty.iter().map(|_| vec![]).collect();
    let mut at = ranges[0].0;
    for (columns, (from, to), end) in parts.into_iter().zip(ranges).map(|((c, e), r)| (c, r, e)) {
        let (columns, end) = if at == from { (columns, end) } else { part((at, to)) };
        columns.into_iter().zip(&mut kept).for_each(|(c, parts)| parts.push(c));
        at = end;
    }
    tell(text.len());
    kept.into_iter().filter_map(Column::join).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::{Settings, console};

    fn columns(types: &str, text: &[u8], n: usize) -> String {
        let empty: Vec<Column> = types.bytes().map(|t| Column::new(t, false).unwrap()).collect();
        let whole = Settings::default().whole();
        read(&empty, b',', text, n, &mut |_| {}).iter().map(|c| console(c, &whole)).collect()
    }

    /// csv-core's own answer: every field of every record.
    fn rows(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let (mut reader, mut text) = (ReaderBuilder::new().build(), text);
        let (mut rows, mut row, mut out) = (vec![], vec![], [0; 4096]);
        loop {
            let mut filled = 0;
            let end = loop {
                let (result, read, wrote) = reader.read_field(text, &mut out[filled..]);
                text = &text[read..];
                filled += wrote;
                match result {
                    ReadFieldResult::InputEmpty => continue,
                    ReadFieldResult::Field { record_end } => break record_end,
                    _ => return rows,
                }
            };
            row.push(out[..filled].to_vec());
            if end {
                rows.push(std::mem::take(&mut row));
            }
        }
    }

    #[test]
    fn random_text_reads_as_csv_core_reads_it_on_any_number_of_threads() {
        let mut rng = fastrand::Rng::with_seed(9);
        let pieces = ["a", "12", ",", ",", "\n", "\r\n", "\"", "\"\"", "\"x,\ny\"", " ", "1.5", "\n\n", "\r"];
        for _ in 0..3000 {
            let len = rng.usize(..40);
            let text: Vec<u8> = (0..len).flat_map(|_| pieces[rng.usize(..pieces.len())].bytes()).collect();
            let rows = rows(&text);
            let field = |row: &Vec<Vec<u8>>, k: usize| row.get(k).cloned().unwrap_or_default();
            let text_of = |k| Value::list(rows.iter().map(|r| Value::chars(&field(r, k))).collect());
            let long = |r| crate::literal::tok(crate::Kind::Long, &field(r, 1)).elem::<i64>().unwrap();
            let want = [text_of(0), Value::longs(rows.iter().map(long)), text_of(2)];
            let whole = Settings::default().whole();
            let want: String = want.iter().map(|c| console(c, &whole)).collect();
            for n in [1, 2, 5] {
                let shown = String::from_utf8_lossy(&text);
                assert_eq!(columns("*J*", &text, n), want, "{shown:?} on {n}");
            }
        }
    }
}
