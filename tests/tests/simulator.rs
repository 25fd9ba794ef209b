//! The simulator finds the defects that are planted in the emitted kernels, whatever the schedule, and none in
//! the kernels as they are; and it answers generated queries as the interpreter does.

use arbitrary::Unstructured;
use runtime::engine::Engine;
use tests::gen_query::{judge_on, small_case, tally};
use tests::kernels::Case;
use tests::nvrtc::found;
use tests::property::{bytes, seeds};

/// Schedules that each defect and each sound kernel runs under.
const SEEDS: u64 = 20;
/// Under so many of them a defect must be reported.
const REPORTED: usize = 19;

/// Queries with the rows of their table; the compaction has more tiles than blocks that are resident at once.
const QUERIES: [(&str, usize, &str); 25] = [
    ("map", 5000, "select v:p*n from T"),
    ("reduce", 5000, "select sum p,max n from T"),
    ("compact", 12_000, "select n from T where p>0.5"),
    ("tiles", 44_000, "select n from T where p>0.5"),
    ("group", 5000, "select sum p by s from T where n>5"),
    ("none", 0, "select sum p,n:count i by s from T"),
    ("one", 1, "select v:p+n,s from T where n<1"),
    ("chunks", 70_000, "select n:count i,first s,last n from T"),
    ("keys", 700, "select last p,sum n by s,n mod 5 from T"),
    ("runs", 9000, "select sum p by r:i div 3000 from T"),
    ("keyed", 700, "select r:min (avg;p) fby n,({x+y}/)[0f;p] by s from T"),
    ("spread", 700, "update v:p-avg p by s from T where n>3"),
    ("scan", 5000, "select s:sums n,m:maxs p,f:fills n,d:differ s from T where n>5"),
    ("lists", 3000, "update a:sums n,x:prev p,d:deltas n,k:mins p by s from T"),
    ("windows", 1500, "update a:5 mavg p,m:3 mmax n,x:reverse n by s from T where p>0.2"),
    ("shifts", 3000, "select x:2 xprev n,a:ema[0.001;p] from T where n>5"),
    ("ranks", 1500, "update r:rank n,d:desc p,a:ema[0.5;n] by s from T"),
    ("steps", 1500, "update r:{x+2*y}\\\\[0;n],f:{y+0.5*x}\\\\[0f;p] by s from T where n>5"),
    ("nested", 3000, "select p,v:n+1,-2 sublist n by s from T where p>0.2"),
    ("whole", 3000, "select med p,med n from T"),
    ("some", 3000, "select med n from T where p>0.5"),
    ("medians", 9000, "select med p,med n by s,b:n<30 from T where n>5"),
    ("member", 3000, "select b:n in 2*n,c:s in s from T where p>0.5"),
    ("members", 3000, "update b:n in 3*n,c:p in n%4 by s from T where n>5"),
    ("pairs", 700, "select n wavg p,all n>0,n wsum n from T where p<1"),
];

/// A defect: the query whose kernels have it, what is taken out of their text, and what is put in its place.
struct Defect {
    name: &'static str,
    query: &'static str,
    from: &'static str,
    to: &'static str,
}

const DEFECTS: [Defect; 39] = [
    Defect {
        name: "a bound that is one too high",
        query: "map",
        from: "i < k.n; i += step) {\n        typename K::In in;\n        typename K::Out out;",
        to: "i <= k.n; i += step) {\n        typename K::In in;\n        typename K::Out out;",
    },
    Defect {
        name: "no barrier before the partials are read",
        query: "reduce",
        from: "acc;\n    __syncthreads();\n    if (threadIdx.x == 0) {",
        to: "acc;\n    if (threadIdx.x == 0) {",
    },
    Defect {
        name: "a shuffle in a branch",
        query: "reduce",
        from: "by >>= 1) acc.join(shuffle_down(acc, by));\n    __syncthreads();",
        to: "by >>= 1) if (threadIdx.x % 32 < by) acc.join(shuffle_down(acc, by));\n    __syncthreads();",
    },
    Defect {
        name: "a barrier in a branch",
        query: "reduce",
        from: "if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = acc;\n    __syncthreads();",
        to: "if (threadIdx.x % 32 == 0) { warps[threadIdx.x / 32] = acc; __syncthreads(); }",
    },
    Defect {
        name: "partials that nobody wrote",
        query: "reduce",
        from: "if (threadIdx.x % 32 == 0) warps[",
        to: "if (threadIdx.x % 64 == 0) warps[",
    },
    Defect {
        name: "partials read past their end",
        query: "reduce",
        from: "w < WARPS; w++) acc.join",
        to: "w <= WARPS; w++) acc.join",
    },
    Defect {
        name: "a ticket without an atomic",
        query: "compact",
        from: "taken = atomicAdd(ticket, 1u);",
        to: "taken = (*ticket)++;",
    },
    Defect {
        name: "tiles in the wrong order",
        query: "compact",
        from: "i64 tile = taken,",
        to: "i64 tile = gridDim.x - 1 - taken,",
    },
    Defect {
        name: "tiles by the number of the block",
        query: "tiles",
        from: "taken = atomicAdd(ticket, 1u);",
        to: "taken = blockIdx.x;",
    },
    Defect {
        name: "a tile's word written plainly",
        query: "compact",
        from: "asm volatile(\"st.relaxed.gpu.global.u64 [%0], %1;\" ::\"l\"(state), \"l\"(word) : \"memory\");",
        to: "*state = word;",
    },
    Defect {
        name: "no barrier before the tile's base is read",
        query: "compact",
        from: "    __syncthreads();\n    // A warp's positions",
        to: "    // A warp's positions",
    },
    Defect {
        name: "a position that is one off",
        query: "compact",
        from: "counts[2 * lane + 1] = sum - b;",
        to: "counts[2 * lane + 1] = sum;",
    },
    Defect {
        name: "a row's list without its barrier",
        query: "compact",
        from: "    __syncthreads();\n#pragma unroll 1\n    for (i32 s = 0; s < STEPS; s++) {\n        u32 own = passed",
        to: "#pragma unroll 1\n    for (i32 s = 0; s < STEPS; s++) {\n        u32 own = passed",
    },
    Defect {
        name: "a flag before the sum that it tells of",
        query: "scan",
        from: "            own[tile] = mine;\n            __threadfence();\n            tile_write(state + tile, 1);",
        to: "            tile_write(state + tile, 1);\n            __threadfence();\n            own[tile] = mine;",
    },
    Defect {
        name: "a sum read without a fence",
        query: "scan",
        from: "        __threadfence();\n        before = own",
        to: "        before = own",
    },
    Defect {
        name: "a warp without what the warps before it have",
        query: "scan",
        from: "    now.join(cells[warp]);\n",
        to: "",
    },
    Defect {
        name: "no barrier before the warps' sums are read",
        query: "scan",
        from: "    Part lead = scan_before(all), mine;\n    __syncthreads();",
        to: "    Part lead = scan_before(all), mine;",
    },
    Defect {
        name: "lists that do not begin anew",
        query: "lists",
        from: "if (o.head) *this = o;\n        else acc.join(o.acc);",
        to: "acc.join(o.acc);",
    },
    Defect {
        name: "a recurrence that goes on past its list",
        query: "steps",
        from: "for (i64 p = from; p < to; p++) {\n            i64 i = l.row(p);\n            at = step",
        to: "for (i64 p = from; p <= to; p++) {\n            i64 i = l.row(p);\n            at = step",
    },
    Defect {
        name: "rows of no list that are not written",
        query: "steps",
        from: "        out[l.row(p)] = T();\n",
        to: "        ;\n",
    },
    Defect {
        name: "places past the last",
        query: "windows",
        from: "bool is = p < n;",
        to: "bool is = p <= n;",
    },
    Defect {
        name: "a window that is one too long",
        query: "windows",
        from: "from : place - n + 1; }",
        to: "from : place - n; }",
    },
    Defect {
        name: "a tile without the items before it",
        query: "windows",
        from: "n > 1 ? base - n + 1 : base",
        to: "n > 1 ? base - n + 2 : base",
    },
    Defect {
        name: "a tile that is read before it is loaded",
        query: "windows",
        from: "tile[p - first] = x[l.row(p)];\n    __syncthreads();",
        to: "tile[p - first] = x[l.row(p)];",
    },
    Defect {
        name: "a tile that is loaded while it is read",
        query: "windows",
        from: "    // All have read what the room held before.\n    __syncthreads();\n",
        to: "",
    },
    Defect {
        name: "a list that ends where it begins",
        query: "windows",
        from: "p, l.starts[list + 1]};",
        to: "p, l.starts[list]};",
    },
    Defect {
        name: "ranks among all rows",
        query: "ranks",
        from: ": l.row(p)] = p - w.from;",
        to: ": l.row(p)] = p;",
    },
    Defect {
        name: "a chunk that ends after the rows",
        query: "shifts",
        from: "i64 end = n - first < LINK ? n : first + LINK;",
        to: "i64 end = first + LINK;",
    },
    Defect {
        name: "a guess that nobody mends",
        query: "shifts",
        from: "if (!__syncthreads_or(breaks)) continue;",
        to: "if (__syncthreads_or(breaks)) continue;",
    },
    Defect {
        name: "a group claimed without an atomic",
        query: "keys",
        from: "held = (i64)atomicCAS((u64 *)(g.table + slot), (u64)NO_ROW, (u64)own);",
        to: "g.table[slot] = own;",
    },
    Defect {
        name: "a count without an atomic",
        query: "keys",
        from: "u32 place = atomicAdd(g.found, 1u);",
        to: "u32 place = (*g.found)++;",
    },
    Defect {
        name: "sets of rows that do not pass",
        query: "member",
        from: "        if (!k.in(i)) continue;\n",
        to: "",
    },
    Defect {
        name: "an item put into its set without an atomic",
        query: "members",
        from: "held = (i64)atomicCAS((u64 *)(g.table + slot), (u64)NO_ROW, (u64)own);",
        to: "g.table[slot] = own;",
    },
    Defect {
        name: "warps that do not wait for their turn",
        query: "group",
        from: "            __syncthreads();\n        }\n        if (!DENSE && stop",
        to: "        }\n        if (!DENSE && stop",
    },
    Defect {
        name: "marks that nobody cleared",
        query: "group",
        from: "w < USED(slots); w += BLOCK) held[w] = 0;",
        to: "w < USED(slots) - 1; w += BLOCK) held[w] = 0;",
    },
    Defect {
        name: "a cell that is not marked",
        query: "keys",
        from: "atomicOr(held + slot[u] / 32, 1u << slot[u] % 32);",
        to: "if (slot[u] % 8) atomicOr(held + slot[u] / 32, 1u << slot[u] % 32);",
    },
    Defect {
        name: "a mark without an atomic",
        query: "keys",
        from: "atomicOr(held + slot[u] / 32, 1u << slot[u] % 32);",
        to: "held[slot[u] / 32] |= 1u << slot[u] % 32;",
    },
    Defect {
        name: "marks read while they are set",
        query: "keys",
        from: "group_used(held, slot[u]);\n                    __syncwarp();",
        to: "group_used(held, slot[u]);",
    },
    Defect {
        name: "a table joined where it holds nothing",
        query: "runs",
        from: "if (group_used(used + (i64)c * USED(slots), slot)) part.join",
        to: "part.join",
    },
];

fn query(name: &str) -> Case {
    let (_, rows, text) = QUERIES.into_iter().find(|q| q.0 == name).expect("a query of that name");
    let table = format!("([]s:{rows}#`a`b`c`d`e`f`g;p:({rows}#3 1 4 1 5 9 2 6)%8;n:{rows}#til 700)");
    Case::new(&table, text)
}

#[test]
fn planted_defects_are_reported() {
    let Some(_) = found("planted_defects_are_reported") else { return };
    let mut missed = vec![];
    for defect in &DEFECTS {
        let case = query(defect.query);
        let text = case.text();
        assert_eq!(text.matches(defect.from).count(), 1, "{}: the text to replace", defect.name);
        let text = text.replace(defect.from, defect.to);
        let told: Vec<String> = (0..SEEDS).filter_map(|seed| case.run(&text, seed)).collect();
        if told.len() < REPORTED {
            missed.push(format!("{}: {} of {SEEDS}", defect.name, told.len()));
        } else {
            println!("{}: {}", defect.name, told[0].chars().take(200).collect::<String>());
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_report_says_where_and_of_which_column() {
    let Some(_) = found("a_report_says_where_and_of_which_column") else { return };
    let told = |name: &str| {
        let defect = DEFECTS.iter().find(|d| d.name == name).expect("a defect of that name");
        let case = query(defect.query);
        let text = case.text().replace(defect.from, defect.to);
        let told = case.run(&text, 1).expect("it is reported");
        let line =
            told.split_once(" at line ").and_then(|(_, rest)| rest.split_once(' ')?.0.parse::<usize>().ok());
        let line = line.and_then(|l| text.lines().nth(l - 1)).expect("a line of the text").to_string();
        (told, line)
    };
    let (bound, line) = told("a bound that is one too high");
    assert!(
        bound.contains("(p), which has 40000") && bound.contains("lane ") && bound.contains("k0 "),
        "{bound}"
    );
    assert!(line.contains("from["), "{line}");
    let (race, line) = told("a ticket without an atomic");
    assert!(
        race.contains("of ticket") && race.contains("by block ") && line.contains("*ticket"),
        "{race}: {line}"
    );
    let (unwritten, _) = told("partials that nobody wrote");
    assert!(unwritten.contains(" of room in shared memory"), "{unwritten}");
}

#[test]
fn sound_kernels_raise_no_alarm() {
    let Some(_) = found("sound_kernels_raise_no_alarm") else { return };
    for (name, ..) in QUERIES {
        let case = query(name);
        for seed in 0..SEEDS {
            assert_eq!(case.run(&case.text(), seed), None, "{name} with the seed {seed}");
        }
    }
}

#[test]
fn a_table_of_groups_that_is_full_grows() {
    let Some(_) = found("a_table_of_groups_that_is_full_grows") else { return };
    // More groups than shared memory has room for; more than a table a block is made for.
    for (groups, query) in [
        (4300, "select sum p,n:count i by k from T"),
        (7000, "update v:p-avg p by k from T"),
        (6500, "select last p by k,b:p>1 from T where p<3"),
        // Rows that have their groups' numbers, or their slots, from a kernel before.
        (40, "select r:sum abs p-avg p,n:count i by k from T where p>1"),
        (4300, "select r:sum abs p-avg p by k from T"),
        (8500, "select r:sum abs p-avg p by k from T where p<3"),
        (300, "update v:p-avg p by k from T where p>1"),
        (300, "select from T where p>1,p=(max;p) fby k"),
        (300, "select r:sum abs p-avg p by k from T where p>5"),
    ] {
        let case = Case::new(&format!("([]k:(7*til {groups})mod {groups};p:{groups}#1 2f)"), query);
        assert_eq!(case.run(&case.text(), 1), None, "{query} with {groups} groups");
    }
}

/// More keys than are ranked by comparing each with each, of which so many have the same first word.
fn keys_of_runs(run: usize) -> Case {
    let table = format!("([]a:123456789*(7*til 2000)mod 2000 div {run};b:2000-til 2000;p:2000#1 2f)");
    Case::new(&table, "select sum p by a,b from T")
}

#[test]
fn keys_that_share_their_first_bits_are_put_in_order() {
    let Some(_) = found("keys_that_share_their_first_bits_are_put_in_order") else { return };
    // None, short runs, the longest that are put in order by themselves, and longer ones.
    for run in [1, 3, 32, 33, 2000] {
        let case = keys_of_runs(run);
        assert_eq!(case.run(&case.text(), 1), None, "runs of {run}");
    }
}

/// Defects of the order of keys: the kernel, what is taken out of its text, and what is put in its place.
const ORDER_DEFECTS: [(&str, &str, &str, &str); 5] = [
    (
        "bits of a word's last writer",
        "order_bits",
        "if (differ) atomicOr(bits + w, differ);",
        "if (differ) bits[w] = differ;",
    ),
    ("the next bits", "order_first", ">> span.shift &", ">> (span.shift - 1) &"),
    ("keys beyond the last", "order_ties", "p + 1 < n; p +=", "p < n; p +="),
    ("runs put in order from their middles", "order_ties", "|| (p > 0 && first[p - 1] == bits)", ""),
    (
        "runs left as they are",
        "order_ties",
        "for (; at > p && order_before",
        "for (; at > p + 1 && order_before",
    ),
];

#[test]
fn defects_of_the_order_of_keys_are_reported() {
    let Some(_) = found("defects_of_the_order_of_keys_are_reported") else { return };
    let case = keys_of_runs(3);
    for (name, kernel, from, to) in ORDER_DEFECTS {
        let text = compiler::emit::common(kernel).expect("there is such a kernel");
        assert_eq!(text.matches(from).count(), 1, "{name}: the text to replace");
        let text = text.replace(from, to);
        let told = (0..SEEDS).filter(|&seed| case.run_with(&case.text(), Some(&text), seed).is_some());
        assert!(told.count() >= REPORTED, "{name}");
    }
    for seed in 0..SEEDS {
        assert_eq!(case.run(&case.text(), seed), None, "with the seed {seed}");
    }
}

#[test]
fn keys_that_have_too_many_places_are_hashed() {
    let Some(_) = found("keys_that_have_too_many_places_are_hashed") else { return };
    // A domain of more symbols than a table a block has slots for: few of them are in rows that pass, or all.
    let table = "([]s:`$string til 8300;k:til 8300;p:8300#1 2f)";
    for query in [
        "select sum p by s from T where k<50",
        "select r:sum p-max p by s from T where k>8290",
        "select max p by s from T",
    ] {
        let case = Case::new(table, query);
        assert_eq!(case.run(&case.text(), 1), None, "{query}");
    }
}

/// Groups that cross every threshold that a million cross: the first table of rows is too small, and their numbers
/// have three digits.
const GROUPS: usize = 98_400;

#[test]
fn groups_that_need_the_largest_tables_are_grouped() {
    let Some(_) = found("groups_that_need_the_largest_tables_are_grouped") else { return };
    many_groups(GROUPS);
}

#[test]
#[ignore = "takes minutes"]
fn a_million_groups_are_grouped() {
    let Some(_) = found("a_million_groups_are_grouped") else { return };
    many_groups(1_000_000);
}

fn many_groups(n: usize) {
    let case =
        Case::new(&format!("([]k:(7*til {n})mod {n};p:{n}#1 2f)"), "select sum p,n:count i by k from T");
    assert_eq!(case.run(&case.text(), 1), None);
}

#[test]
fn windows_longer_than_a_tile_holds_are_read_from_the_rows() {
    let Some(_) = found("windows_longer_than_a_tile_holds_are_read_from_the_rows") else { return };
    let table = "([]n:3000#1 0N 3 -7;p:3000#1 2.5 0n;k:3000#`a`b`a;b:3000#\"ab c\")";
    for n in ["-1", "0", "1", "2", "256", "769", "770", "5000", "0N", "0W"] {
        for by in ["", " by k", " where p>0"] {
            let verb = if by.ends_with('0') { "select" } else { "update" };
            let query = format!(
                "{verb} a:{n} mavg p,m:{n} mmax n,c:{n} mcount b,d:{n} mdev p,l:{n} mmin p{by} from T"
            );
            let query = query.replace(" where p>0 from T", " from T where p>0");
            let case = Case::new(table, &query);
            assert_eq!(case.run(&case.text(), 3), None, "{query}");
        }
    }
}

#[test]
fn scans_go_on_from_span_to_span() {
    let Some(_) = found("scans_go_on_from_span_to_span") else { return };
    // More tiles than a span has, of the narrowest tiles; then the sizes around a warp, a block and a tile.
    for (rows, query) in [(265_000, "select s:sums n from T")].into_iter().chain(
        [0, 1, 31, 32, 33, 1023, 1024, 1025, 3073]
            .map(|rows| (rows, "select s:sums p,f:fills n by k from T")),
    ) {
        let table = format!("([]n:{rows}#1 0N 3 -7;p:{rows}#1 2.5 0n;k:{rows}#`a`b`a)");
        let query = query.replace(" by k", if rows % 2 == 0 { "" } else { ",k:deltas n" });
        let case = Case::new(&table, &query);
        assert_eq!(case.run(&case.text(), 3), None, "{query} of {rows} rows");
    }
}

/// Cases tried in the simulator, each from the bytes of a seeded generator.
const CASES: u64 = 60;
/// Cases tried through the CUDA engine, on a simulated driver unless `QFUSE_GPU` is set.
const CUDA_CASES: u64 = 20;

#[test]
fn the_simulator_agrees_with_the_interpreter() {
    let Some(_) = found("the_simulator_agrees_with_the_interpreter") else { return };
    agrees(Engine::Sim, CASES, 1 << 41);
}

#[test]
fn the_cuda_engine_agrees_with_the_interpreter() {
    let Some(_) = found("the_cuda_engine_agrees_with_the_interpreter") else { return };
    tests::driver::load();
    agrees(Engine::Cuda, CUDA_CASES, 1 << 42);
}

/// Holds an engine to the interpreter on generated queries, most of which it must answer itself.
fn agrees(engine: Engine, cases: u64, salt: u64) {
    let judged = tally(seeds(cases), |seed| {
        let bytes = bytes(seed ^ salt);
        judge_on(&small_case(&mut Unstructured::new(&bytes)).expect("there are bytes enough"), engine)
    });
    // Every plan has kernels, so that this is the share that is compiled: 94 % of many cases.
    judged.check(90);
}
