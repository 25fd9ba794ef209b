//! A Parquet file: what its footer says, and the reading of its columns.

use super::Progress;
use super::column::column;
use super::types::{Type, type_of};
use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::PageReader;
use parquet::errors::{ParquetError, Result as Parquet};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescPtr;
use q::eval::files::failed;
use q::{Error, Result, Sym, Value};
use rayon::prelude::*;
use std::fs;
use std::io::{self, BufReader};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The virtual column with the number of each row's row group.
pub const GROUP: &str = "RG__";

/// A Parquet file, open for reading.
pub struct File {
    path: String,
    bytes: Arc<Handle>,
    meta: ParquetMetaData,
    columns: Vec<Field>,
    progress: fn() -> Option<Progress>,
}

/// A column of the file's table.
struct Field {
    name: Sym,
    /// Its first leaf: where it is in each row group.
    leaf: usize,
    /// How to read it, or the Parquet type that q does not have.
    ty: std::result::Result<Type, String>,
}

/// Some rows of one row group.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The row group.
    pub group: usize,
    /// Its rows before the first that is wanted.
    pub skip: usize,
    /// How many are wanted.
    pub rows: usize,
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Parquet file {}", self.path)
    }
}

impl File {
    /// Opens a file and reads its footer. `progress` makes what hears of long loads.
    ///
    /// # Errors
    /// As q's for a file that cannot be opened; the path and the reason for one that is not Parquet.
    pub fn open(path: &str, progress: fn() -> Option<Progress>) -> Result<File> {
        let file = fs::File::open(path).map_err(|e| failed(path, &e))?;
        let len = file.metadata().map_err(|e| failed(path, &e))?.len();
        let bytes = Arc::new(Handle { file: Arc::new(file), len });
        let meta = ParquetMetaDataReader::new().parse_and_finish(&*bytes);
        let meta = meta.map_err(|e| Error::new(format!("{path}: {e}")))?;
        let columns = fields(&meta);
        Ok(File { path: path.to_string(), bytes, meta, columns, progress })
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = Sym> + '_ {
        self.columns.iter().map(|c| c.name)
    }

    /// The names of the columns that q has a type for.
    pub fn readable(&self) -> impl Iterator<Item = Sym> + '_ {
        self.columns.iter().filter(|c| c.ty.is_ok()).map(|c| c.name)
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.groups().sum()
    }

    /// The rows of each row group.
    fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        self.meta.row_groups().iter().map(|g| usize::try_from(g.num_rows()).unwrap_or(0))
    }

    /// The rows `from..to`.
    pub fn spans(&self, from: usize, to: usize) -> Vec<Span> {
        let mut begin = 0;
        let mut spans = vec![];
        for (group, rows) in self.groups().enumerate() {
            let (first, last) = (from.max(begin), to.min(begin + rows));
            if first < last {
                spans.push(Span { group, skip: first - begin, rows: last - first });
            }
            begin += rows;
        }
        spans
    }

    /// All rows of one row group.
    pub fn group(&self, group: usize) -> Option<Vec<Span>> {
        Some(vec![Span { group, skip: 0, rows: self.groups().nth(group)? }])
    }

    /// The columns `names`, of those rows, as a table.
    ///
    /// # Errors
    /// The file, the column and what is wrong: its type, or the file's bytes.
    pub fn table(&self, names: &[Sym], spans: &[Span]) -> Result<Value> {
        let load = Load::new(self, names, spans);
        let one = |&name: &Sym| {
            let said = |e: String| Error::new(format!("{}: column {name}: {e}", self.path));
            if name.text() == GROUP {
                let each = |s: &Span| std::iter::repeat_n(s.group as i64, s.rows);
                return Ok(Value::longs(spans.iter().flat_map(each)));
            }
            let field = self.field(name).ok_or_else(|| Error::new(name.text()))?;
            let ty = field.ty.clone().map_err(|ty| said(format!("q has no type for {ty}")))?;
            let fixed =
                self.descriptor(field.leaf).physical_type() == parquet::basic::Type::FIXED_LEN_BYTE_ARRAY;
            column(&Read { file: self, leaf: field.leaf, ty, fixed, spans, load: &load }).map_err(said)
        };
        let cols = names.par_iter().map(one).collect::<Result<Vec<_>>>()?;
        Ok(Value::table(names.to_vec(), cols))
    }

    fn field(&self, name: Sym) -> Option<&Field> {
        self.columns.iter().find(|c| c.name == name)
    }

    fn descriptor(&self, leaf: usize) -> ColumnDescPtr {
        self.meta.file_metadata().schema_descr().column(leaf)
    }
}

/// The columns of the table, one for each field of the schema.
fn fields(meta: &ParquetMetaData) -> Vec<Field> {
    let schema = meta.file_metadata().schema_descr();
    let mut fields: Vec<Field> = vec![];
    for leaf in 0..schema.num_columns() {
        let (root, column) = (schema.get_column_root(leaf), schema.column(leaf));
        let name = Sym::new(root.name());
        if root.is_group() || column.max_rep_level() > 0 {
            // The leaves of a group stand side by side.
            if fields.last().is_none_or(|f| f.name != name) {
                let said = match root.get_basic_info().logical_type_ref() {
                    Some(logical) => format!("{logical:?}"),
                    None => "a group of columns".into(),
                };
                fields.push(Field { name, leaf, ty: Err(said) });
            }
            continue;
        }
        let dictionary = meta.row_groups().iter().all(|g| all_dictionary(g.column(leaf)));
        fields.push(Field { name, leaf, ty: type_of(&column, dictionary) });
    }
    fields
}

/// True if every page of a column refers to a dictionary. A file that does not say so of its pages, but has a
/// dictionary, is taken to use it.
fn all_dictionary(chunk: &ColumnChunkMetaData) -> bool {
    let only = [Encoding::RLE_DICTIONARY, Encoding::PLAIN_DICTIONARY];
    let pages = chunk.page_encoding_stats_mask();
    let all = pages.is_none_or(|mask| only.iter().any(|&e| mask.is_only(e)));
    // A column of nulls has no pages that could refer to it.
    all && chunk.dictionary_page_offset().is_some()
}

/// A column to read, and how.
pub struct Read<'a> {
    file: &'a File,
    leaf: usize,
    /// How its values become q's.
    pub ty: Type,
    /// Its values are byte strings of one length.
    pub fixed: bool,
    /// The rows wanted.
    pub spans: &'a [Span],
    load: &'a Load,
}

impl Read<'_> {
    /// How many rows are wanted.
    pub fn rows(&self) -> usize {
        self.spans.iter().map(|s| s.rows).sum()
    }

    /// The column's place in the schema.
    pub fn descriptor(&self) -> ColumnDescPtr {
        self.file.descriptor(self.leaf)
    }

    /// How the values lie in the file.
    pub fn physical(&self) -> parquet::basic::Type {
        self.descriptor().physical_type()
    }

    /// The pages of the column in a row group.
    pub fn pages(&self, group: usize) -> Parquet<Box<dyn PageReader>> {
        let group = self.file.meta.row_group(group);
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        let bytes = self.file.bytes.clone();
        Ok(Box::new(SerializedPageReader::new(bytes, group.column(self.leaf), rows, None)?))
    }

    /// Tells that the column's part in a row group has been read.
    pub fn done(&self, group: usize) {
        self.load.add(size(self.file, group, self.leaf));
    }
}

/// Bytes of a column in a row group.
fn size(file: &File, group: usize, leaf: usize) -> u64 {
    u64::try_from(file.meta.row_group(group).column(leaf).compressed_size()).unwrap_or(0)
}

/// How far a load has come, in bytes of the file.
struct Load {
    done: AtomicU64,
    all: u64,
    tell: Mutex<Option<Progress>>,
}

impl Load {
    fn new(file: &File, names: &[Sym], spans: &[Span]) -> Load {
        let leaves = names.iter().filter_map(|&n| file.field(n)).map(|f| f.leaf);
        let all = leaves.flat_map(|leaf| spans.iter().map(move |s| size(file, s.group, leaf))).sum();
        Load { done: AtomicU64::new(0), all, tell: Mutex::new((file.progress)()) }
    }

    fn add(&self, bytes: u64) {
        let done = self.done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if let Some(tell) = &mut *self.tell.lock().unwrap_or_else(PoisonError::into_inner) {
            tell(done, self.all);
        }
    }
}

/// An open file that many threads read at once, each at its own place.
struct Handle {
    file: Arc<fs::File>,
    len: u64,
}

impl Length for Handle {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for Handle {
    type T = BufReader<At>;

    fn get_read(&self, start: u64) -> Parquet<Self::T> {
        Ok(BufReader::new(At { file: self.file.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Parquet<Bytes> {
        // A damaged footer can ask for more than there is.
        if start.checked_add(length as u64).is_none_or(|end| end > self.len) {
            return Err(ParquetError::EOF(format!("{length} bytes at {start} of {}", self.len)));
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes.into())
    }
}

/// A place in a file.
struct At {
    file: Arc<fs::File>,
    at: u64,
}

impl io::Read for At {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read_at(into, self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}
