//! Parquet files, written here by the writer of the `parquet` crate, as q sees them.

use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::data_type as dt;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use q::{Interp, show};
use runtime::engine::Engine;
use runtime::session::Session;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One row group's part of a column: its values, and which rows have one (none for a required column).
type Part<T> = (Vec<T>, Option<Vec<bool>>);

/// Writes the columns of one row group.
type Columns<'a> = dyn Fn(&mut SerializedRowGroupWriter<File>) + 'a;

/// Writes the next column of a row group.
fn put<D: dt::DataType>(group: &mut SerializedRowGroupWriter<File>, (values, present): Part<D::T>) {
    let mut column =
        group.next_column().expect("the test can write its file").expect("the schema has one more column");
    let levels: Option<Vec<i16>> = present.map(|p| p.into_iter().map(i16::from).collect());
    column.typed::<D>().write_batch(&values, levels.as_deref(), None).expect("the test can write its file");
    column.close().expect("the test can write its file");
}

/// A file of these columns; each of `groups` writes the columns of one row group.
fn write(path: &Path, schema: &str, properties: WriterProperties, groups: &[&Columns]) {
    let schema = Arc::new(
        parse_message_type(&format!("message m {{ {schema} }}")).expect("the test can write its file"),
    );
    let mut file = SerializedFileWriter::new(
        File::create(path).expect("the test can write its file"),
        schema,
        Arc::new(properties),
    )
    .expect("the test can write its file");
    for columns in groups {
        let mut group = file.next_row_group().expect("the test can write its file");
        columns(&mut group);
        group.close().expect("the test can write its file");
    }
    file.close().expect("the test can write its file");
}

/// A folder with a name for a file in it, and an interpreter where `f` is that file's handle and `pq` is there.
fn setup() -> (tempfile::TempDir, PathBuf, Interp) {
    let folder = tempfile::tempdir().expect("the test can write its file");
    let path = folder.path().join("t.parquet");
    let mut q = Interp::new();
    runtime::gpu::register(&mut q, &Session::new(Engine::Cpu));
    runtime::parquet::register(&mut q, || None);
    let define = format!("f:hsym `$\"{}\"\n", path.display());
    q.eval_text(define.trim_end().as_bytes()).expect("the test can write its file");
    q.eval_text(b"pq:(use`kx.pq)`pq").expect("the test can write its file");
    (folder, path, q)
}

/// What the console prints for `text`; of a signal, its name.
fn shown(q: &mut Interp, text: &str) -> String {
    match q.eval_text(text.as_bytes()) {
        Ok(value) => show::console(&value, &q.settings.whole()),
        Err(e) => format!("'{}\n", e.name),
    }
}

fn bytes(texts: &[&str]) -> Vec<dt::ByteArray> {
    texts.iter().map(|&t| t.into()).collect()
}

fn fixed(items: &[&[u8]]) -> Vec<dt::FixedLenByteArray> {
    items.iter().map(|b| b.to_vec().into()).collect()
}

fn some(present: &[u8]) -> Option<Vec<bool>> {
    Some(present.iter().map(|&p| p == 1).collect())
}

#[test]
fn every_type_has_its_q_type_and_nulls_become_q_s() {
    let (_folder, path, mut q) = setup();
    let schema = "
        OPTIONAL BOOLEAN flag; OPTIONAL INT32 b (INTEGER(8,false)); OPTIONAL INT32 tiny (INTEGER(8,true));
        OPTIONAL INT32 h (INTEGER(16,true)); OPTIONAL INT32 uh (INTEGER(16,false)); OPTIONAL INT32 i;
        OPTIONAL INT32 u (INTEGER(32,false)); OPTIONAL INT64 j; OPTIONAL INT64 uj (INTEGER(64,false));
        OPTIONAL FLOAT e; OPTIONAL DOUBLE x; OPTIONAL INT32 d (DATE); OPTIONAL INT32 t (TIME(MILLIS,true));
        OPTIONAL INT64 n (TIME(MICROS,true)); OPTIONAL INT64 p (TIMESTAMP(MILLIS,true));
        OPTIONAL INT64 pn (TIMESTAMP(NANOS,false)); OPTIONAL INT96 p96; OPTIONAL INT64 old (TIMESTAMP_MICROS);
        OPTIONAL INT32 dec (DECIMAL(9,2)); OPTIONAL BYTE_ARRAY big (DECIMAL(38,1));
        OPTIONAL FIXED_LEN_BYTE_ARRAY(16) g (UUID); OPTIONAL FIXED_LEN_BYTE_ARRAY(2) half (FLOAT16);
        OPTIONAL FIXED_LEN_BYTE_ARRAY(12) span (INTERVAL); OPTIONAL FIXED_LEN_BYTE_ARRAY(2) raw;
        OPTIONAL BYTE_ARRAY s (STRING); OPTIONAL BYTE_ARRAY blob;";
    let one = || some(&[1, 0]);
    let group = |g: &mut SerializedRowGroupWriter<File>| {
        put::<dt::BoolType>(g, (vec![true], one()));
        put::<dt::Int32Type>(g, (vec![200], one()));
        put::<dt::Int32Type>(g, (vec![-7], one()));
        put::<dt::Int32Type>(g, (vec![-300], one()));
        put::<dt::Int32Type>(g, (vec![65535], one()));
        put::<dt::Int32Type>(g, (vec![-5], one()));
        put::<dt::Int32Type>(g, (vec![-1], one()));
        put::<dt::Int64Type>(g, (vec![1 << 40], one()));
        put::<dt::Int64Type>(g, (vec![9], one()));
        put::<dt::FloatType>(g, (vec![1.5], one()));
        put::<dt::DoubleType>(g, (vec![-0.25], one()));
        put::<dt::Int32Type>(g, (vec![19782], one()));
        put::<dt::Int32Type>(g, (vec![34_200_001], one()));
        put::<dt::Int64Type>(g, (vec![34_200_000_001], one()));
        put::<dt::Int64Type>(g, (vec![1_709_164_800_123], one()));
        put::<dt::Int64Type>(g, (vec![-1], one()));
        // 2024.02.29 is the Julian day 2460370.
        put::<dt::Int96Type>(g, (vec![dt::Int96::from(vec![5, 0, 2_460_370])], one()));
        put::<dt::Int64Type>(g, (vec![i64::MAX], one()));
        put::<dt::Int32Type>(g, (vec![-12345], one()));
        put::<dt::ByteArrayType>(g, (vec![vec![0xff, 0x85].into()], one()));
        let id: Vec<u8> = (1..17).collect();
        put::<dt::FixedLenByteArrayType>(g, (fixed(&[&id]), one()));
        put::<dt::FixedLenByteArrayType>(g, (fixed(&[&[0x00, 0xc0]]), one()));
        let span = [[0u8; 4], 2u32.to_le_bytes(), 1500u32.to_le_bytes()].concat();
        put::<dt::FixedLenByteArrayType>(g, (fixed(&[&span]), one()));
        put::<dt::FixedLenByteArrayType>(g, (fixed(&[&[1, 2]]), one()));
        put::<dt::ByteArrayType>(g, (bytes(&["ab"]), one()));
        put::<dt::ByteArrayType>(g, (vec![vec![7, 8, 9].into()], one()));
    };
    write(&path, schema, WriterProperties::builder().build(), &[&group]);
    q.eval_text(b"t:select from pq f").unwrap();
    assert_eq!(shown(&mut q, "count t"), "2\n");
    assert_eq!(
        shown(&mut q, "exec t from meta t"),
        "\"bxhhiijjjefdtnpppp\"\n".replace("pppp", "ppppffgenXsX")
    );
    assert_eq!(shown(&mut q, "exec t from meta pq f"), shown(&mut q, "exec t from meta t"));
    let want = [
        ("flag", "10b"),
        ("b", "0xc800"),
        ("tiny", "-7 0Nh"),
        ("h", "-300 0Nh"),
        ("uh", "65535 0Ni"),
        ("i", "-5 0Ni"),
        ("u", "4294967295 0N"),
        ("j", "1099511627776 0N"),
        ("uj", "9 0N"),
        ("e", "1.5 0Ne"),
        ("x", "-0.25 0n"),
        ("d", "2024.02.29 0Nd"),
        ("t", "09:30:00.001 0Nt"),
        ("n", "0D09:30:00.000001000 0Nn"),
        ("p", "2024.02.29D00:00:00.123000000 0Np"),
        ("pn", "1969.12.31D23:59:59.999999999 0Np"),
        ("p96", "2024.02.29D00:00:00.000000005 0Np"),
        ("old", "0W 0Np"),
        ("dec", "-123.45 0n"),
        ("big", "-12.3 0n"),
        ("g", "01020304-0506-0708-090a-0b0c0d0e0f10 00000000-0000-0000-0000-000000000000"),
        ("half", "-2 0Ne"),
        ("span", "2D00:00:01.500000000 0Nn"),
        ("raw", "0x0102\n`byte$()"),
        ("s", "`ab`"),
        ("blob", "0x070809\n`byte$()"),
    ];
    for (column, want) in want {
        let same = match column {
            "old" => "t[`old]~0W 0Np".to_string(),
            "raw" => "t[`raw]~(0x0102;0x)".to_string(),
            "blob" => "t[`blob]~(0x070809;0x)".to_string(),
            "g" => format!("t[`g]~(\"G\"$\"{}\";0Ng)", &want[..36]),
            _ => format!("t[`{column}]~{want}"),
        };
        assert_eq!(shown(&mut q, &same), "1b\n", "{column}: {}", shown(&mut q, &format!("t`{column}")));
    }
}

#[test]
fn strings_are_symbols_where_the_file_holds_each_once_and_char_vectors_elsewhere() {
    let (_folder, path, mut q) = setup();
    let schema =
        "REQUIRED BYTE_ARRAY s (STRING); OPTIONAL BYTE_ARRAY c (STRING); OPTIONAL BYTE_ARRAY j (JSON);";
    let group = |g: &mut SerializedRowGroupWriter<File>| {
        put::<dt::ByteArrayType>(g, (bytes(&["b", "", "b", "caf\u{e9}"]), None));
        put::<dt::ByteArrayType>(g, (bytes(&["x", "long text", ""]), some(&[1, 0, 1, 1])));
        put::<dt::ByteArrayType>(g, (bytes(&["{}"]), some(&[0, 0, 0, 1])));
    };
    let plain = WriterProperties::builder().set_column_dictionary_enabled("c".into(), false).build();
    write(&path, schema, plain, &[&group, &group]);
    assert_eq!(shown(&mut q, "exec t from meta pq f"), "\"sCC\"\n");
    assert_eq!(shown(&mut q, "(exec s from pq f)~8#`b``b,`$\"caf\\303\\251\""), "1b\n");
    assert_eq!(shown(&mut q, "(exec c from pq f)~8#(enlist\"x\";\"\";\"long text\";\"\")"), "1b\n");
    assert_eq!(shown(&mut q, "(exec j from pq f)~8#(\"\";\"\";\"\";\"{}\")"), "1b\n");
    assert_eq!(
        shown(&mut q, "select n:count i by s from pq f where RG__=1"),
        "s   | n\n----| -\n    | 1\nb   | 2\ncafé| 1\n"
    );
}

/// Rows, some null, that differ from row group to row group: the value of a row is its number.
fn numbers(path: &Path, sizes: &[i64], compression: Compression) {
    let ends = sizes.iter().scan(0, |end, n| {
        *end += n;
        Some((*end - n, *n))
    });
    let parts: Vec<(i64, i64)> = ends.collect();
    let columns: Vec<Box<Columns>> = parts
        .into_iter()
        .map(|(first, n)| {
            let columns = move |g: &mut SerializedRowGroupWriter<File>| {
                let rows = first..first + n;
                put::<dt::Int64Type>(g, (rows.clone().collect(), None));
                let present: Vec<bool> = rows.clone().map(|i| i % 7 != 3).collect();
                let values = rows.filter(|i| i % 7 != 3).map(|i| i as f64 / 4.0);
                put::<dt::DoubleType>(g, (values.collect(), Some(present)));
            };
            Box::new(columns) as Box<Columns>
        })
        .collect();
    let columns: Vec<_> = columns.iter().map(|c| &**c).collect();
    let properties = WriterProperties::builder().set_compression(compression).build();
    write(path, "REQUIRED INT64 n; OPTIONAL DOUBLE x;", properties, &columns);
}

#[test]
fn every_codec_and_any_cut_into_row_groups_gives_the_same_table() {
    let gzip = Compression::GZIP(GzipLevel::default());
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let codecs = [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW, gzip, zstd];
    let cuts: [&[i64]; 5] = [&[1], &[70_000], &[1, 69_998, 1], &[20_000, 16_384, 33_616], &[0, 5, 0]];
    for codec in codecs {
        for cut in cuts {
            let (_folder, path, mut q) = setup();
            numbers(&path, cut, codec);
            let rows: i64 = cut.iter().sum();
            let want = format!("(select from pq f)~([]n:til {rows};x:{{?[3=x mod 7;0n;x%4]}}til {rows})");
            assert_eq!(shown(&mut q, &want), "1b\n", "{codec} {cut:?}");
        }
    }
}

#[test]
fn a_virtual_table_is_queried_shown_and_moved_like_a_table() {
    let (_folder, path, mut q) = setup();
    numbers(&path, &[3, 2], Compression::SNAPPY);
    for (text, want) in [
        ("t:pq f;type t", "112h\n"),
        ("count t", "5\n"),
        ("cols t", "`n`x\n"),
        ("t", "n x   \n------\n0 0   \n1 0.25\n2 0.5 \n3     \n4 1   \n"),
        ("select count i from t", "x\n-\n5\n"),
        ("select from t where RG__=1, not null x", "n x\n---\n4 1\n"),
        ("select n by RG__ from t", "RG__| n    \n----| -----\n0   | 0 1 2\n1   | 3 4  \n"),
        (
            "update y:n+1 from t where n>3",
            "n x    y\n--------\n0 0     \n1 0.25  \n2 0.5   \n3       \n4 1    5\n",
        ),
        ("{k:2;exec n from x where n<k}t", "0 1\n"),
        ("2 sublist t", "n x   \n------\n0 0   \n1 0.25\n"),
        ("exec sum x from .gpu.to t", "1.75\n"),
        ("([op;rd]):use`kx.pq;rd[op f;1;0]", "3 4\n"),
        ("m:use`kx.pq;m.rd[m.op f;1;0]", "3 4\n"),
        ("m.rd[m.op f;2;0]", "'index\n"),
        ("m.rd[m.op f;0;2]", "'index\n"),
        ("select nosuch from t", "'nosuch\n"),
    ] {
        assert_eq!(shown(&mut q, text), want, "{text}");
    }
    let q_text = format!("count pq \"{}\"", path.display());
    assert_eq!(shown(&mut q, &q_text), "5\n");
}

#[test]
fn only_the_columns_named_are_read_and_what_is_wrong_names_the_file_and_the_column() {
    let (_folder, path, mut q) = setup();
    let schema =
        "REQUIRED INT64 n; OPTIONAL group l (LIST) { REPEATED group list { OPTIONAL INT32 element; } }
        REQUIRED group pair { REQUIRED INT32 a; REQUIRED INT32 b; } REQUIRED INT64 damaged;";
    let group = |g: &mut SerializedRowGroupWriter<File>| {
        put::<dt::Int64Type>(g, ((0..9).collect(), None));
        let mut column = g.next_column().unwrap().unwrap();
        column.typed::<dt::Int32Type>().write_batch(&[], Some(&[0; 9]), Some(&[0; 9])).unwrap();
        column.close().unwrap();
        put::<dt::Int32Type>(g, (vec![1; 9], None));
        put::<dt::Int32Type>(g, (vec![2; 9], None));
        put::<dt::Int64Type>(g, ((0x5eed_0000..0x5eed_0009).collect(), None));
    };
    let plain = WriterProperties::builder().set_dictionary_enabled(false).build();
    write(&path, schema, plain, &[&group]);
    let mut raw = std::fs::read(&path).unwrap();
    let value = 0x5eed_0000i64.to_le_bytes();
    let at = raw.windows(8).position(|w| w == value).expect("the values stand in the file as they are");
    // The header of the page stands before its values.
    raw[at - 30..at].fill(0xff);
    std::fs::write(&path, raw).unwrap();
    let name = path.display();
    assert_eq!(shown(&mut q, "exec sum n from pq f"), "36\n");
    assert_eq!(shown(&mut q, "exec l from pq f"), format!("'{name}: column l: q has no type for List\n"));
    let pair = format!("'{name}: column pair: q has no type for a group of columns\n");
    assert_eq!(shown(&mut q, "select pair from pq f"), pair);
    assert!(shown(&mut q, "exec damaged from pq f").starts_with(&format!("'{name}: column damaged: ")));
    assert!(shown(&mut q, "select from pq f").starts_with(&format!("'{name}: column ")));
    std::fs::write(&path, "PAR1 is how one begins").unwrap();
    assert!(shown(&mut q, "pq f").starts_with(&format!("'{name}: ")));
    std::fs::write(&path, "").unwrap();
    assert!(shown(&mut q, "pq f").starts_with(&format!("'{name}: ")));
    assert_eq!(shown(&mut q, "pq `:no/such"), "'no/such. OS reports: No such file or directory\n");
    assert_eq!(shown(&mut q, "pq 7"), "'type\n");
}

#[test]
fn random_damage_never_panics() {
    let (_folder, path, mut q) = setup();
    numbers(&path, &[40, 40], Compression::SNAPPY);
    let whole = std::fs::read(&path).unwrap();
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..400 {
        let mut raw = whole.clone();
        for _ in 0..1 + rng.usize(..3) {
            let at = rng.usize(..raw.len());
            raw[at] = rng.u8(..);
        }
        std::fs::write(&path, raw).unwrap();
        // Any answer will do.
        let _ = shown(&mut q, "select from pq f");
    }
}

/// Bytes told of last, and in all.
static TOLD: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

#[test]
fn a_load_tells_how_far_it_is() {
    let (_folder, path, _) = setup();
    numbers(&path, &[500, 500], Compression::UNCOMPRESSED);
    let mut q = Interp::new();
    runtime::parquet::register(&mut q, || {
        Some(Box::new(|done, all| {
            TOLD[0].fetch_max(done, Ordering::Relaxed);
            TOLD[1].store(all, Ordering::Relaxed);
        }))
    });
    let text = format!("exec n from .[use`kx.pq;(`pq;`:{})]", path.display());
    q.eval_text(text.as_bytes()).unwrap();
    let [done, all] = TOLD.each_ref().map(|x| x.load(Ordering::Relaxed));
    assert!(done == all && done > 0, "{done} of {all}");
}
