//! Lists on the simulator: nested results and medians of lists of every size, and the defects that are planted in
//! their kernels.

use compiler::emit::common;
use tests::kernels::Case;
use tests::nvrtc::found;

/// Lists whose sizes lie around those of a warp, of what a warp selects from, and of a tile.
const SIZES: &str = "1 2 3 31 32 33 511 512 513 700 4095 4096 4097";
/// Items of every kind: nulls, infinities, zeros of both signs, equal ones, and such as differ in the last bit alone.
const ITEMS: [&str; 5] = [
    "0n -0w 2.5 0w 3 -0 0 -7.25 2.5 1e300 -1e-300 5",
    "0n 0n 0n 4 -4",
    "1 1.0000000000000002 1.0000000000000004 0.9999999999999999",
    "0n",
    "-0 0 -0",
];

fn agrees(table: &str, query: &str) {
    let case = Case::new(table, query);
    assert_eq!(case.run(&case.text(), 1), None, "{query} of {table}");
}

#[test]
fn medians_of_lists_of_every_size() {
    let Some(_) = found("medians_of_lists_of_every_size") else { return };
    for items in ITEMS {
        let table = format!("{{([]k:x;p:count[x]#{items},())}}where {SIZES}");
        agrees(&table, "select med p by k from T");
        // Rows of one list lie far apart, and some pass.
        let table = format!("{{([]k:x(7*til count x)mod count x;p:count[x]#{items},())}}where {SIZES}");
        agrees(&table, "select med p by k from T where i>4");
    }
    // Items of which most differ; and such that a sample of every other item is wrong about.
    for x in
        ["((7919*til 9001)mod 10007)%3", "(til 4099)%7", "til[1024]+1e6*1024#0 1", "til[1024]-1e6*1024#0 1"]
    {
        agrees(&format!("{{([]k:count[x]#0 0 0 0 1;p:x)}}{x}"), "select med p by k from T");
        agrees(&format!("([]p:{x})"), "select med p from T");
    }
    for n in [0, 1, 2, 512, 513, 9001] {
        let table = format!("([]k:{n}#0;p:{n}#3 1 0n 4 1 5 9 2 6f)");
        agrees(&table, "select med p from T");
        agrees(&table, "select med p from T where p<6");
        agrees(&table, "select med p by k from T where p>100");
    }
}

#[test]
fn rows_group_after_group() {
    let Some(_) = found("rows_group_after_group") else { return };
    for n in [0, 1, 31, 33, 5000] {
        let table = format!("([]s:{n}#`a`b``c`b;p:{n}#1 0n 2.5;n:{n}#til 300;g:{n}#0x0102030405;b:{n}#110b)");
        agrees(&table, "select s,p,g by n from T");
        agrees(&table, "select p,v:n*2,b by s from T where b");
        // Lists of which some are empty, and others of one group that is all there is.
        agrees(&table, "select 1 sublist p,-3 sublist n,n where n>1000 by s from T");
        agrees(&table, "select p,distinct n by z:s=s from T where n<3");
        agrees(&table, "exec p by s from T where p>1000");
        agrees(&table, "?[T;();()!();`p`n!(`p;(sum;`n))]");
    }
}

#[test]
fn items_are_looked_for_in_the_sets_of_their_lists() {
    let Some(_) = found("items_are_looked_for_in_the_sets_of_their_lists") else { return };
    // Of every width and some that are equal and not the same; then more than the first table has room for.
    let x = "s:{n}#`a`b``c;t:{n}#`c`d`;h:{n}#1 0N 2 0Wh;g:{n}#5 0N 2 -0Wh;r:{n}#0n -0 1e;u:{n}#0 0n 2e;\
             c:{n}#\"ab \";d:{n}#\"b c\";x:{n}#0x0102;y:{n}#0x02;b:{n}#110b;k:{n}#til 5";
    let ins = "s in t,h in g,r in u,c in d,x in y,b:b in b,i in k";
    for n in ["0", "1", "33", "2000"] {
        let table = format!("([]{})", x.replace("{n}", n));
        for (by, rest) in [("", ""), ("", " where k<3"), (" by z:k", ""), (" by z:s", " where k<3")] {
            agrees(&table, &format!("select {ins}{by} from T{rest}"));
        }
    }
    agrees("([]n:(7*til 20000)mod 9973;s:20000#`a`b`c)", "update b:n in 3*n,c:n in 2*n from T where s=`a");
    agrees("([]n:(7*til 20000)mod 9973;s:20000#`a`b`c)", "update b:n in 3*n by s from T");
}

#[test]
fn lists_of_more_groups_than_tables_hold() {
    let Some(_) = found("lists_of_more_groups_than_tables_hold") else { return };
    let table = "([]k:(7*til 14000)mod 7000;p:14000#1 2f)";
    agrees(table, "select p,med p by k from T where p>1");
}

/// A defect: the kernel that has it (one of no plan, or the plan's own), what is taken out of its text, and what is
/// put in its place.
const DEFECTS: [(&str, &str, &str, &str); 13] = [
    ("", "a bound that is one too high", "o < listed;", "o <= listed;"),
    (
        "",
        "rows that pass no mask",
        "id[u] >= 0 && i + u < k.n && k.pass(i + u, in, u) ? id[u]",
        "id[u] >= 0 ? id[u]",
    ),
    ("list_starts", "an end that is missing", "l <= lists;", "l < lists;"),
    ("select_short", "a place without an atomic", "atomicAdd(found, 1u)", "(*found)++"),
    (
        "select_count",
        "counts that are not cleared before all add to them",
        "here[threadIdx.x] = 0;\n        __syncthreads();",
        "here[threadIdx.x] = 0;",
    ),
    (
        "select_count",
        "counts read before all have been added",
        "        __syncthreads();\n        u32 count",
        "        u32 count",
    ),
    (
        "select_short",
        "bits that each lane counts for itself",
        "__popc(__ballot_sync(0xffffffffu, j < n && (keys[j] ^ low) >> bit == 0))",
        "j < n && (keys[j] ^ low) >> bit == 0",
    ),
    (
        "select_count",
        "long lists told before their count is cleared",
        "if (threadIdx.x == 0) found = 0;\n        __syncthreads();",
        "if (threadIdx.x == 0) found = 0;",
    ),
    ("select_narrow", "counts that are left for the next digit", "own[d] = 0;", "own[d] += 0;"),
    (
        "select_next",
        "a least key without an atomic",
        "atomicMin(&middle->next, next);\n    });",
        "middle->next = next < middle->next ? next : middle->next;\n    });",
    ),
    (
        "select_part",
        "items set apart without an atomic",
        "place = atomicAdd(&within, __popc(all));",
        "place = within, within = place + __popc(all);",
    ),
    (
        "select_part",
        "items moved before all are there",
        "        __syncthreads();\n        if (threadIdx.x == 0) to",
        "        if (threadIdx.x == 0) to",
    ),
    (
        "select_part",
        "items of the next list before those of this one are moved",
        "room[j];\n        __syncthreads();",
        "room[j];",
    ),
];

#[test]
fn defects_of_lists_are_reported() {
    let Some(_) = found("defects_of_lists_are_reported") else { return };
    // Short lists and long ones, several of each, in groups that some rows are not in.
    let table =
        "{([]k:x;p:((7919*til count x)mod 10007)%3;n:til count x)}where 40 300 7 900 2 800 40 60 1200 9";
    let case = Case::new(table, "select p where p<60,med p by k from T where 0<n mod 3");
    let mut missed = vec![];
    for (kernel, name, from, to) in DEFECTS {
        let own = case.text();
        let text =
            if kernel.is_empty() { own.clone() } else { common(kernel).expect("a kernel of that name") };
        assert_eq!(text.matches(from).count(), 1, "{name}: the text to replace");
        let text = text.replace(from, to);
        let run = |seed| match kernel {
            "" => case.run(&text, seed),
            _ => case.run_with(&own, Some(&text), seed),
        };
        let told: Vec<String> = (0..20).filter_map(run).collect();
        match told.len() {
            19.. => println!("{name}: {}", told[0].chars().take(200).collect::<String>()),
            few => missed.push(format!("{name}: {few} of 20")),
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
