//! What the kernels of queries move, as the simulator counts it: each input once and each result once, in sectors
//! that are full; and columns that begin off a pack's alignment are read all the same.

use runtime::device::launcher::{Block, Machine, Word};
use runtime::device::sim::{Schedule, Simulator, Traffic, compile};

use tests::kernels::Case;
use tests::nvrtc::found;

/// Rows: whole tiles of every skeleton, so that sectors are not cut by the end.
const ROWS: usize = 16_384;

const TABLE: &str = "([]s:16384#`a`b`c`d`e`f`g;p:16384#1.5 2.5 3.5;q:(16384#3 1 4 1 5 9 2 6)%8f;n:16384#til 700;\
                     i:16384#1 2 3i;b:16384#1101b;u:16384#0x0102;\
                     g:16384?0Ng)";

/// Queries without filters, or whose rows all pass; and what of a row's bytes their kernels read and write.
const QUERIES: [(&str, u64, u64); 12] = [
    ("select v:p*n from T", 16, 8),
    ("select v:i+1i,w:p from T", 4, 4),
    ("select v:n+i from T", 12, 8),
    ("select v:b and u>0x01 from T", 2, 1),
    ("select sum p,max n,sum i from T", 20, 0),
    ("select any b from T", 1, 0),
    ("select sum p from T where n>-1", 16, 0),
    ("select p,n from T where p>0", 16, 16),
    ("select p,i,u from T where p>0,n>-1", 21, 13),
    ("select sum p,max n by s from T", 17, 0),
    // Of an item that is picked the row is found first, and read then.
    ("select count i,last q by b,s from T where n>-1", 10, 0),
    ("select g,p from T where p>0", 24, 24),
];

/// Queries that move some of the rows, which lie anywhere.
const PARTS: [&str; 7] = [
    "select p,n from T where q<0.3",
    "delete from T where q<0.3",
    "select s,b,u from T where q>0.9",
    "select n from T where s in `a`d",
    "select p from T where i=2i",
    "select sum p,max n from T where q=1.125",
    "select from T where p>1.5,p=(max;p) fby s",
];

/// The accesses of a run to columns and results, not to what the skeletons keep.
fn traffic(simulator: Simulator) -> Traffic {
    let launched = simulator.into_launched();
    let mut all = Traffic::default();
    let columns = launched.iter().flat_map(|l| &l.buffers).filter(|(name, _)| is_column(name));
    columns.for_each(|(_, t)| all += *t);
    all
}

/// Is it the name of a column or result, and not of what the skeletons keep?
fn is_column(name: &str) -> bool {
    name.strip_prefix('n').is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
}

#[test]
fn each_column_is_moved_once_in_full_sectors() {
    let Some(_) = found("each_column_is_moved_once_in_full_sectors") else { return };
    for (query, read, written) in QUERIES {
        let case = Case::new(TABLE, query);
        let mut simulator = Simulator::new(compile(&case.text()).expect("it compiles"), Schedule::default());
        case.outputs(&mut simulator).unwrap_or_else(|e| panic!("{query}: {e:?}"));
        let Traffic { sectors: touched, ideal, .. } = traffic(simulator);
        let least = (read + written) * ROWS as u64 / 32;
        println!("{query}: {touched} sectors, {ideal} ideal, least {least}");
        assert!(touched * 100 <= ideal * 105, "{query}: {touched} sectors, {ideal} would do");
        assert!(ideal * 100 <= least * 105, "{query}: {ideal} sectors, {least} are the least");
    }
}

#[test]
fn each_sector_of_some_rows_is_moved_once() {
    let Some(_) = found("each_sector_of_some_rows_is_moved_once") else { return };
    for query in PARTS {
        let case = Case::new(TABLE, query);
        let mut simulator = Simulator::new(compile(&case.text()).expect("it compiles"), Schedule::default());
        case.outputs(&mut simulator).unwrap_or_else(|e| panic!("{query}: {e:?}"));
        let all = traffic(simulator);
        let asked = all.sectors - all.near;
        println!("{query}: {} sectors, {asked} asked for, {} hold something", all.sectors, all.fresh);
        assert!(asked * 100 <= all.fresh * 105, "{query}: {asked} sectors, {} would do", all.fresh);
        assert!(all.sectors * 2 <= all.fresh * 3, "{query}: {} loads of {} sectors", all.sectors, all.fresh);
    }
}

/// A machine whose columns and results begin eight bytes off the alignment of packs, as parts of columns may.
struct Shifted(Simulator);

const SHIFT: usize = 8;

impl Machine for Shifted {
    fn blocks(&self) -> u32 {
        self.0.blocks()
    }
    fn allocate(&mut self, name: &str, bytes: usize) -> q::Result<Block> {
        // No column begins off the alignment of its elements.
        let shift = if is_column(name) && !name.ends_with("(g)") { SHIFT } else { 0 };
        let block = Machine::allocate(&mut self.0, name, bytes + shift)?;
        Ok(Block { address: block.address + shift as u64, bytes })
    }
    fn write(&mut self, to: Block, bytes: &[u8]) -> q::Result<()> {
        Machine::write(&mut self.0, to, bytes)
    }
    fn fill(&mut self, to: Block, byte: u8) -> q::Result<()> {
        Machine::fill(&mut self.0, to, byte)
    }
    fn read(&mut self, from: Block, out: &mut [u8]) -> q::Result<()> {
        Machine::read(&mut self.0, from, out)
    }
    fn free(&mut self, block: Block) -> q::Result<()> {
        let shift = block.address % 16;
        Machine::free(&mut self.0, Block { address: block.address - shift, ..block })
    }
    fn add(&mut self, text: &str, names: Vec<String>) -> q::Result<()> {
        Machine::add(&mut self.0, text, names)
    }
    fn launch(&mut self, name: &str, grid: u32, args: &[Word]) -> q::Result<()> {
        Machine::launch(&mut self.0, name, grid, args)
    }
}

#[test]
fn columns_off_the_alignment_of_packs_are_read_too() {
    let Some(_) = found("columns_off_the_alignment_of_packs_are_read_too") else { return };
    let more = [
        "select s:sums n,m:maxs i,f:fills b from T",
        "update r:p-avg p by s from T",
        "select p,i,-2 sublist b by s from T where n>5",
        "select med p from T where b",
        "update e:n in 2*n,f:u in u by s from T",
    ];
    for query in QUERIES.iter().map(|q| q.0).chain(more) {
        let case = Case::new(TABLE, query);
        let simulator = Simulator::new(compile(&case.text()).expect("it compiles"), Schedule::default());
        let out = case.outputs(&mut Shifted(simulator)).unwrap_or_else(|e| panic!("{query}: {e:?}"));
        assert!(case.answers(&out), "{query}");
    }
}
